// Package menu names the places of operations in the operators' console, and their buttons, in both languages. The
// slugs are part of ids that the console sends back, so they never change.
package menu

import "slices"

// Menu is the place of an operation in the console: a group of pages, and the page.
type Menu struct{ Group, Page Label }

// String names the page in English.
func (m Menu) String() string { return m.Group.EN + " / " + m.Page.EN }

// Label is a text in both languages; Slug is its part of a stable id and empty for buttons.
type Label struct{ Slug, EN, ZH string }

// String is the English text.
func (l Label) String() string { return l.EN }

// pages are the pages of the console in its order.
func pages() []Menu {
	return []Menu{
		Users(), Addresses(), Collections(), Footprints(), Searches(), Feedback(),
		Brands(), Categories(), Orders(), Aftersales(), Issues(), Keywords(),
		Goods(), Comments(),
		Ads(), Coupons(), Groupons(), Topics(),
		Administrators(), Notices(), Logs(), Roles(), Objects(), Find(),
		MallConfig(), FreightConfig(), OrderConfig(), AppConfig(),
		UserStat(), OrderStat(), GoodsStat(),
	}
}

// Order returns the ids of the pages, group/page, in the order of the console.
func Order() []string {
	var ids []string
	for _, m := range pages() {
		ids = append(ids, m.Group.Slug+"/"+m.Page.Slug)
	}
	return ids
}

// Compare orders pages as the console shows them; pages that it does not have come last.
func Compare(a, b Menu) int {
	all := pages()
	place := func(m Menu) int {
		if i := slices.Index(all, m); i >= 0 {
			return i
		}
		return len(all)
	}
	return place(a) - place(b)
}

func place(group Label, slug, en, zh string) Menu {
	return Menu{Group: group, Page: Label{Slug: slug, EN: en, ZH: zh}}
}

func user() Label      { return Label{Slug: "user", EN: "Users", ZH: "用户管理"} }
func mall() Label      { return Label{Slug: "mall", EN: "Mall", ZH: "商场管理"} }
func goods() Label     { return Label{Slug: "goods", EN: "Goods", ZH: "商品管理"} }
func promotion() Label { return Label{Slug: "promotion", EN: "Promotion", ZH: "推广管理"} }
func system() Label    { return Label{Slug: "sys", EN: "System", ZH: "系统管理"} }
func config() Label    { return Label{Slug: "config", EN: "Configuration", ZH: "配置管理"} }
func stat() Label      { return Label{Slug: "stat", EN: "Statistics", ZH: "统计报表"} }

// Users is the page of shoppers.
func Users() Menu { return place(user(), "user", "Members", "会员管理") }

// Addresses is the page of delivery addresses.
func Addresses() Menu { return place(user(), "address", "Delivery addresses", "收货地址") }

// Collections is the page of favourites.
func Collections() Menu { return place(user(), "collect", "Collections", "会员收藏") }

// Footprints is the page of viewed goods.
func Footprints() Menu { return place(user(), "footprint", "Footprints", "会员足迹") }

// Searches is the page of search history.
func Searches() Menu { return place(user(), "history", "Search history", "搜索历史") }

// Feedback is the page of feedback.
func Feedback() Menu { return place(user(), "feedback", "Feedback", "意见反馈") }

// Brands is the page of brands.
func Brands() Menu { return place(mall(), "brand", "Brands", "品牌制造商") }

// Categories is the page of categories.
func Categories() Menu { return place(mall(), "category", "Categories", "商品类目") }

// Orders is the page of orders.
func Orders() Menu { return place(mall(), "order", "Orders", "订单管理") }

// Aftersales is the page of after-sale cases.
func Aftersales() Menu { return place(mall(), "aftersale", "After-sale", "售后管理") }

// Issues is the page of common questions.
func Issues() Menu { return place(mall(), "issue", "Common questions", "通用问题") }

// Keywords is the page of search keywords.
func Keywords() Menu { return place(mall(), "keyword", "Keywords", "关键词") }

// Goods is the page of goods.
func Goods() Menu { return place(goods(), "goods", "Goods list", "商品列表") }

// Comments is the page of comments.
func Comments() Menu { return place(goods(), "comment", "Comments", "商品评论") }

// Ads is the page of banners.
func Ads() Menu { return place(promotion(), "ad", "Ads", "广告管理") }

// Coupons is the page of coupons.
func Coupons() Menu { return place(promotion(), "coupon", "Coupons", "优惠券管理") }

// Topics is the page of topics.
func Topics() Menu { return place(promotion(), "topic", "Topics", "专题管理") }

// Groupons is the page of group purchases.
func Groupons() Menu { return place(promotion(), "groupon", "Group purchases", "团购管理") }

// Administrators is the page of operators.
func Administrators() Menu { return place(system(), "admin", "Administrators", "管理员管理") }

// Notices is the page of notices to operators.
func Notices() Menu { return place(system(), "notice", "Notices", "通知管理") }

// Logs is the page of the business log.
func Logs() Menu { return place(system(), "log", "Operation log", "操作日志") }

// Find is the field that finds records of every kind, on all pages.
func Find() Menu { return place(system(), "find", "Find", "查找") }

// Roles is the page of roles.
func Roles() Menu { return place(system(), "role", "Roles", "角色管理") }

// Objects is the page of uploaded files.
func Objects() Menu { return place(system(), "storage", "Object storage", "对象存储") }

// MallConfig is the page of the shop's own settings.
func MallConfig() Menu { return place(config(), "mall", "Mall", "商场配置") }

// FreightConfig is the page of freight.
func FreightConfig() Menu { return place(config(), "express", "Freight", "运费配置") }

// OrderConfig is the page of order deadlines.
func OrderConfig() Menu { return place(config(), "order", "Orders", "订单配置") }

// AppConfig is the page of the mini program.
func AppConfig() Menu { return place(config(), "wx", "Mini program", "小程序配置") }

// UserStat is the page of registrations by day.
func UserStat() Menu { return place(stat(), "user", "Users", "用户统计") }

// OrderStat is the page of orders by day.
func OrderStat() Menu { return place(stat(), "order", "Orders", "订单统计") }

// GoodsStat is the page of sold goods by day.
func GoodsStat() Menu { return place(stat(), "goods", "Goods", "商品统计") }
