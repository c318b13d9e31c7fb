package promotion

import (
	"context"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/menu"
)

// rehearsalOps try rules on the last orders. They change nothing.
func (h handlers) rehearsalOps() []op.Op {
	button := menu.Button("rehearse")
	return []op.Op{
		op.Read[RehearseCoupon, Rehearsal]{
			Path: "/admin/rehearsal/coupon", Title: "Show what a coupon would have taken off the last 100 orders",
			Access: op.Permit("admin:rehearsal:coupon", menu.Coupons(), button), Budget: 4,
			AllowStale: true, Do: h.rehearseCoupon,
		},
		op.Read[RehearseGroup, Rehearsal]{
			Path: "/admin/rehearsal/groupon", Title: "Show what a group-buy rule would have taken off the last 100 orders",
			Access: op.Permit("admin:rehearsal:groupon", menu.Groupons(), button), Budget: 4,
			AllowStale: true, Do: h.rehearseGroup,
		},
	}
}

// RehearseCoupon is the query of /admin/rehearsal/coupon: the members of a coupon that decide about a purchase.
type RehearseCoupon struct {
	Discount   money.Amount `json:"discount" check:"required,range=price"`
	Min        money.Amount `json:"min" check:"range=price" doc:"The least sum of the goods that it counts for."`
	GoodsType  int          `json:"goodsType" check:"enum=0|1|2" show:"one=coupon-scope"`
	GoodsValue []int64      `json:"goodsValue" doc:"The ids of categories or goods that goodsType speaks of."`
}

func (h handlers) rehearseCoupon(ctx context.Context, r RehearseCoupon) (Rehearsal, error) {
	found, err := h.Orders.RehearseCoupon(ctx, promotion.Coupon{
		Discount: r.Discount, Min: r.Min, Scope: promotion.Scope(r.GoodsType), Scoped: r.GoodsValue,
	})
	return h.rehearsal(found), err
}

// RehearseGroup is the query of /admin/rehearsal/groupon.
type RehearseGroup struct {
	GoodsID  int64 `json:"goodsId" check:"required" show:"of=goods"`
	Discount int   `json:"discount" check:"required,range=group-discount" doc:"In whole units."`
}

func (h handlers) rehearseGroup(ctx context.Context, r RehearseGroup) (Rehearsal, error) {
	found, err := h.Orders.RehearseGroup(ctx, promotion.GroupRule{
		GoodsID: r.GoodsID, Discount: money.Yuan(int64(r.Discount)),
	})
	return h.rehearsal(found), err
}

// Rehearsal is what a rule would have done.
type Rehearsal struct {
	Orders int        `json:"orders" doc:"The orders that it was tried on: the last that were paid and not refunded."`
	Had    int        `json:"had" doc:"How many of them it fits."`
	Off    wire.Money `json:"off" doc:"What it would have taken off them together."`
	List   []Tried    `json:"list"`
}

// Tried is an order that a rule fits.
type Tried struct {
	ID          int64      `json:"id"`
	OrderSN     string     `json:"orderSn"`
	AddTime     wire.Time  `json:"addTime"`
	ActualPrice wire.Money `json:"actualPrice"`
	Off         wire.Money `json:"off"`
}

func (h handlers) rehearsal(r order.Rehearsal) Rehearsal {
	return Rehearsal{
		Orders: r.Orders, Had: len(r.Had), Off: wire.Money(r.Off()),
		List: wire.OrEmpty(wire.Each(r.Had, func(t order.Tried) Tried {
			return Tried{
				ID: t.ID, OrderSN: t.SN, AddTime: h.Zone.At(t.AddTime), ActualPrice: wire.Money(t.Price.Actual),
				Off: wire.Money(t.Off),
			}
		})),
	}
}
