// Package menu names the places of the operators' console at which operations stand, and the buttons that start them,
// in both languages. The slugs are part of ids that the console sends back, so they never change.
package menu

import "shop.internal/pkg/kit/op"

func place(group, page op.Label) op.Menu { return op.Menu{Group: group, Page: page} }

func mall() op.Label  { return op.Label{Slug: "mall", EN: "Mall", ZH: "商场管理"} }
func goods() op.Label { return op.Label{Slug: "goods", EN: "Goods", ZH: "商品管理"} }

// Orders is the page of orders.
func Orders() op.Menu {
	return place(mall(), op.Label{Slug: "order", EN: "Orders", ZH: "订单管理"})
}

// Aftersales is the page of after-sale cases.
func Aftersales() op.Menu {
	return place(mall(), op.Label{Slug: "aftersale", EN: "After-sale", ZH: "售后管理"})
}

// Goods is the page of goods.
func Goods() op.Menu {
	return place(goods(), op.Label{Slug: "goods", EN: "Goods list", ZH: "商品列表"})
}

// Button is a label without a slug.
func Button(en, zh string) op.Label { return op.Label{EN: en, ZH: zh} }

// Query is the button of most lists.
func Query() op.Label { return Button("Query", "查询") }

// Detail is the button of most single records.
func Detail() op.Label { return Button("Detail", "详情") }
