// Package order serves operators the orders.
package order

import (
	"context"
	"maps"
	"slices"

	"shop.internal/pkg/domain/account"
	auditing "shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	wording "shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/domain/report"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/export"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

// Deps are what the operations need.
type Deps struct {
	Orders   *order.Service
	People   *account.Service
	Comments *review.Lines
	Audit    *auditing.Service
	Zone     wire.Zone
	Channels order.Channels
	Cases    *report.Cases
	// Language is the language of what an open case says.
	Language string
}

type handlers struct{ Deps }

// Ops declares the operations on orders.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return slices.Concat(reads(h), writes(h), otherWrites(h), caseOps(h))
}

func reads(h handlers) []op.Op {
	return []op.Op{
		op.Read[ListOrders, wire.List[Row]]{
			Path: "/admin/order/list", Title: "List orders",
			Access: op.Permit("admin:order:list", menu.Orders(), menu.Query()), Budget: 8, MayLag: true,
			Columns: op.Columns{
				Names: []string{"orderSn", "orderStatus", "consignee", "mobile", "actualPrice", "shipSn", "addTime"},
				Opens: "orderSn",
			},
			Do: h.list,
		},
		op.Read[op.None, []Count]{
			Path: "/admin/order/counts", Title: "Count the orders of each state",
			Access: op.SharedPermit("admin:order:list"), Budget: 2, MayLag: true, Do: h.counts,
		},
		op.Stream[ExportOrders]{
			Path: "/admin/order/export", Title: "Export orders with their lines as CSV",
			Access: op.Permit("admin:order:export", menu.Orders(), menu.Export()),
			Audit:  op.Audit{Target: "orders", Kind: int(auditing.Ordering), Action: "导出订单"}, Limit: export.Limit,
			MayLag: true, Do: h.export,
		},
		op.Read[wire.Ref, Detail]{
			Path: "/admin/order/detail", Title: "Show an order, a deleted one included",
			Access: op.Permit("admin:order:read", menu.Orders(), menu.Detail()), Budget: 4, Do: h.detail,
		},
		op.Read[op.None, []Channel]{
			Path: "/admin/order/channel", Title: "List the carriers", Access: op.SignedIn, Budget: 1, Do: h.listChannels,
		},
	}
}

func writes(h handlers) []op.Op {
	return []op.Op{
		op.Write[Ship, op.None]{
			Path: "/admin/order/ship", Title: "Ship an order",
			Access:           op.Permit("admin:order:ship", menu.Orders(), menu.Button("Ship", "订单发货")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.Stale},
			IdempotencyScope: "admin.ship", Audit: audit("发货"), Budget: 9, Do: h.ship,
		},
		op.Write[Ship, op.None]{
			Path: "/admin/order/reship", Title: "Correct the parcel of a shipped order",
			Access:           op.Permit("admin:order:reship", menu.Orders(), menu.Button("Correct parcel", "修改运单")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.Stale},
			IdempotencyScope: "admin.reship", Audit: audit("修改运单"), Budget: 9, Do: h.reship,
		},
		op.Write[Refund, op.None]{
			Path: "/admin/order/refund", Title: "Refund an order whose shopper has asked for it",
			Access:           op.Permit("admin:order:refund", menu.Orders(), menu.Button("Refund", "订单退款")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.OrderRefundFailed, errno.Stale},
			IdempotencyScope: "admin.refund", Audit: audit("退款"), Budget: 22, Do: h.refund,
		},
		op.Write[Reject, op.None]{
			Path: "/admin/order/reject", Title: "Refuse a refund",
			Access:           op.Permit("admin:order:reject", menu.Orders(), menu.Button("Reject refund", "拒绝退款")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.Stale},
			IdempotencyScope: "admin.reject", Audit: audit("拒绝退款"), Budget: 10, Do: h.reject,
		},
	}
}

func audit(action string) op.Audit {
	return op.Audit{Target: "orders", Kind: int(auditing.Ordering), Action: action}
}

// ListOrders is the query of /admin/order/list.
type ListOrders struct {
	wire.Paging
	Filter
}

// Filter filters orders.
type Filter struct {
	Nickname  string `json:"nickname" doc:"Words of the shopper's nickname, in any order, taken literally."`
	Consignee string `json:"consignee" doc:"Words of the recipient's name, in any order, taken literally."`
	OrderSN   string `json:"orderSn" doc:"Only the order of exactly this number."`
	Mobile    string `json:"mobile" check:"clean=number" doc:"Only orders to exactly this number."`
	ShipSN    string `json:"shipSn" doc:"Only the order of exactly this parcel."`
	PayID     string `json:"payId" doc:"Only the order of exactly this number of the payment platform."`
	UserID    *int64 `json:"userId" doc:"Only orders of this shopper." show:"of=user"`
	Start     string `json:"start" doc:"Earliest time of ordering." show:"time"`
	End       string `json:"end" doc:"Only orders made before this time." show:"time"`
	Statuses  []int  `json:"orderStatusArray" show:"one=order-state"`
}

func (h handlers) filter(r Filter) (f order.Filter, err error) {
	f = order.Filter{
		Nickname: r.Nickname, Consignee: r.Consignee, SN: r.OrderSN, Statuses: r.Statuses,
		Mobile: r.Mobile, Parcel: r.ShipSN, Payment: r.PayID, Shopper: r.UserID,
	}
	if f.Start, err = h.Zone.Moment(wording.FieldStartTime, r.Start); err != nil {
		return f, err
	}
	f.End, err = h.Zone.Moment(wording.FieldEndTime, r.End)
	return f, err
}

func (h handlers) list(ctx context.Context, r ListOrders) (wire.List[Row], error) {
	q, err := paging.Of(r.Paging)
	if err != nil {
		return wire.List[Row]{}, err
	}
	f, err := h.filter(r.Filter)
	if err != nil {
		return wire.List[Row]{}, err
	}
	list, err := h.Orders.AdminList(ctx, f, q)
	if err != nil {
		return wire.List[Row]{}, err
	}
	people, err := h.People.Persons(ctx, shoppers(list.Items))
	if err != nil {
		return wire.List[Row]{}, err
	}
	return paging.List(list, func(d order.Detail) Row { return h.row(d, people[d.UserID]) }), nil
}

// Count is how many orders are in a state.
type Count struct {
	OrderStatus int   `json:"orderStatus" show:"one=order-state"`
	Total       int64 `json:"total" doc:"1000 for so many or more."`
}

func (h handlers) counts(ctx context.Context, _ op.None) ([]Count, error) {
	counted, err := h.Orders.CountByState(ctx)
	if err != nil {
		return nil, err
	}
	return wire.Each(slices.Sorted(maps.Keys(counted)), func(s order.Status) Count {
		return Count{OrderStatus: int(s), Total: counted[s]}
	}), nil
}

func (h handlers) detail(ctx context.Context, r wire.Ref) (Detail, error) {
	d, err := h.Orders.AdminFind(ctx, r.ID)
	if err != nil {
		return Detail{}, err
	}
	people, err := h.People.Persons(ctx, []int64{d.UserID})
	if err != nil {
		return Detail{}, err
	}
	who := people[d.UserID]
	return Detail{
		Order: h.order(d.Order), OrderGoods: wire.Each(d.Lines, h.line), User: User{
			Nickname: who.Nickname,
			Avatar:   wire.Link(who.Avatar),
		},
	}, nil
}

// Ship is the body of /admin/order/ship and /admin/order/reship.
type Ship struct {
	OrderID     int64  `json:"orderId" check:"required" show:"of=order"`
	ShipChannel string `json:"shipChannel" check:"required,maxLength=63,visible" doc:"The code of a carrier, or its name."`
	ShipSN      string `json:"shipSn" check:"required,maxLength=63,visible" doc:"The carrier's number of the parcel."`
}

func (h handlers) ship(ctx context.Context, r Ship) (op.None, error) {
	return op.None{}, h.Orders.Ship(ctx, auth.Actor(ctx), r.OrderID, r.ShipChannel, r.ShipSN)
}

func (h handlers) reship(ctx context.Context, r Ship) (op.None, error) {
	return op.None{}, h.Orders.Reship(ctx, auth.Actor(ctx), r.OrderID, r.ShipChannel, r.ShipSN)
}

// Refund is the body of /admin/order/refund.
type Refund struct {
	OrderID     int64        `json:"orderId" check:"required" show:"of=order"`
	RefundMoney money.Amount `json:"refundMoney" check:"required,range=paid" doc:"What was paid: no part of it alone."`
}

func (h handlers) refund(ctx context.Context, r Refund) (op.None, error) {
	return op.None{}, h.Orders.Refund(ctx, auth.Actor(ctx), r.OrderID, r.RefundMoney)
}

// Reject is the body of /admin/order/reject.
type Reject struct {
	OrderID int64  `json:"orderId" check:"required" show:"of=order"`
	Reason  string `json:"reason" check:"maxLength=127" show:"long"`
}

func (h handlers) reject(ctx context.Context, r Reject) (op.None, error) {
	return op.None{}, h.Orders.RejectRefund(ctx, auth.Actor(ctx), r.OrderID, r.Reason)
}
