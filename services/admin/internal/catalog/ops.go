// Package catalog is what operators see of goods.
package catalog

import (
	"context"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/window"
)

type handlers struct {
	catalog *catalog.Service
	zone    wire.Zone
}

// Ops declares the operations on goods.
func Ops(c *catalog.Service, zone wire.Zone) []op.Op {
	h := handlers{c, zone}
	return []op.Op{
		op.Read[ListGoods, wire.List[Goods]]{
			Path: "/admin/goods/list", Title: "List goods, on sale or not",
			Access: op.Permit("admin:goods:list", menu.Goods(), menu.Query()), Do: h.listGoods,
		},
	}
}

// ListGoods is the query of /admin/goods/list.
type ListGoods struct {
	wire.Paging
	GoodsID *int64 `json:"goodsId" doc:"Only the goods of this id."`
	GoodsSN string `json:"goodsSn" doc:"Only goods with exactly this number."`
	Name    string `json:"name" doc:"Only goods whose name contains this text, taken literally."`
}

// noGoods is an id that no goods has.
const noGoods = -1

func (h handlers) listGoods(ctx context.Context, r ListGoods) (wire.List[Goods], error) {
	q, err := window.Of(r.Paging, "add_time", "id")
	if err != nil {
		return wire.List[Goods]{}, err
	}
	f := catalog.ListFilter{SN: r.GoodsSN, Name: r.Name}
	if r.GoodsID != nil {
		if f.ID = *r.GoodsID; f.ID == 0 { // for the catalogue no filter, for a caller an id that matches nothing
			f.ID = noGoods
		}
	}
	list, err := h.catalog.All(ctx, f, q)
	if err != nil {
		return wire.List[Goods]{}, err
	}
	return window.List(list, h.goods), nil
}

// Goods is a goods record, complete.
type Goods struct {
	ID           int64      `json:"id"`
	GoodsSN      string     `json:"goodsSn"`
	Name         string     `json:"name"`
	CategoryID   int64      `json:"categoryId"`
	BrandID      int64      `json:"brandId"`
	Gallery      []string   `json:"gallery"`
	Keywords     string     `json:"keywords"`
	Brief        string     `json:"brief"`
	IsOnSale     bool       `json:"isOnSale"`
	SortOrder    int        `json:"sortOrder"`
	PicURL       string     `json:"picUrl"`
	ShareURL     string     `json:"shareUrl"`
	IsNew        bool       `json:"isNew"`
	IsHot        bool       `json:"isHot"`
	Unit         string     `json:"unit"`
	CounterPrice wire.Money `json:"counterPrice"`
	RetailPrice  wire.Money `json:"retailPrice"`
	Detail       string     `json:"detail"`
	AddTime      wire.Time  `json:"addTime"`
	UpdateTime   wire.Time  `json:"updateTime"`
	Deleted      bool       `json:"deleted"`
}

func (h handlers) goods(g catalog.Goods) Goods {
	return Goods{
		ID: g.ID, GoodsSN: g.SN, Name: g.Name, CategoryID: g.CategoryID, BrandID: g.BrandID,
		Gallery: wire.OrEmpty(g.Gallery), Keywords: g.Keywords, Brief: g.Brief, IsOnSale: g.OnSale,
		SortOrder: g.SortOrder, PicURL: g.PicURL, ShareURL: g.ShareURL, IsNew: g.New, IsHot: g.Hot, Unit: g.Unit,
		CounterPrice: wire.Money(g.CounterPrice), RetailPrice: wire.Money(g.RetailPrice), Detail: g.Detail,
		AddTime: h.zone.At(g.AddTime), UpdateTime: h.zone.At(g.UpdateTime),
		Deleted: false, // lists show live records only
	}
}
