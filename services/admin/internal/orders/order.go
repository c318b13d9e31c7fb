package orders

import (
	"context"
	"maps"
	"slices"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/logkind"
	"shop.internal/pkg/base/money"
	wording "shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/export"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

type orderHandlers struct{ Deps }

// orderOps declares the operations on orders.
func orderOps(d Deps) []op.Op {
	h := orderHandlers{d}
	return slices.Concat(orderReads(h), orderWrites(h), otherOrderWrites(h), noteOps(h), caseOps(h),
		h.freightOps())
}

func orderReads(h orderHandlers) []op.Op {
	return []op.Op{
		op.Read[ListOrders, wire.List[Row]]{
			Path: "/admin/order/list", Title: "List orders",
			Access: op.Permit("admin:order:list", menu.Orders(), menu.Query()), Budget: 9, AllowStale: true,
			Columns: op.Columns{
				Names: []string{"orderSn", "orderStatus", "consignee", "mobile", "actualPrice", "delivery", "shipSn", "addTime"},
				Opens: "orderSn",
			},
			Do: h.list,
		},
		op.Read[op.None, []Count]{
			Path: "/admin/order/counts", Title: "Count the orders of each state",
			Access: op.SharedPermit("admin:order:list"), Budget: 2, AllowStale: true, Do: h.counts,
		},
		op.Stream[ExportOrders]{
			Path: "/admin/order/export", Title: "Export orders with their lines as CSV",
			Access:     op.Permit("admin:order:export", menu.Orders(), menu.Export()),
			Audit:      op.Audit{Target: "orders", Kind: logkind.Ordering, Action: wording.ForAction("order-export")},
			Limit:      export.Limit,
			AllowStale: true, Do: h.export,
		},
		op.Read[wire.Ref, Detail]{
			Path: "/admin/order/detail", Title: "Show an order, a deleted one included",
			Access: op.Permit("admin:order:read", menu.Orders(), menu.Detail()), Budget: 8, Do: h.detail,
		},
		op.Read[op.None, []Channel]{
			Path: "/admin/order/channel", Title: "List the carriers", Access: op.SignedIn, Budget: 1, Do: h.listChannels,
		},
	}
}

func orderWrites(h orderHandlers) []op.Op {
	return []op.Op{
		op.Write[Ship, op.None]{
			Path: "/admin/order/ship", Title: "Ship an order, or note that it is ready to collect",
			Access:           op.Permit("admin:order:ship", menu.Orders(), menu.Button("ship")),
			Fails:            []*errno.Code{errno.Missing, errno.OrderConfirmNotAllowed, errno.Stale},
			IdempotencyScope: "admin.ship", Audit: audit("order-ship"), Budget: 9, Do: h.ship,
		},
		op.Write[Collect, Collected]{
			Path: "/admin/order/collect", Title: "Hand an order over to the shopper who shows its code",
			Access:           op.Permit("admin:order:collect", menu.Orders(), menu.Button("collect")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.Stale},
			IdempotencyScope: "admin.collect", Audit: audit("order-collect"), Budget: 10, Do: h.collect,
		},
		op.Write[Reship, op.None]{
			Path: "/admin/order/reship", Title: "Correct the parcel of a shipped order",
			Access:           op.Permit("admin:order:reship", menu.Orders(), menu.Button("correct-parcel")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.Stale},
			IdempotencyScope: "admin.reship", Audit: audit("order-reship"), Budget: 9, Do: h.reship,
		},
		op.Write[Refund, op.None]{
			Path: "/admin/order/refund", Title: "Refund an order whose shopper has asked for it",
			Access:           op.Permit("admin:order:refund", menu.Orders(), menu.Button("order-refund")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.OrderRefundFailed, errno.Stale},
			IdempotencyScope: "admin.refund", Audit: audit("refund"), Budget: 22, Do: h.refund,
		},
		op.Write[Reject, op.None]{
			Path: "/admin/order/reject", Title: "Refuse a refund",
			Access:           op.Permit("admin:order:reject", menu.Orders(), menu.Button("reject-refund")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.Stale},
			IdempotencyScope: "admin.reject", Audit: audit("order-reject"), Budget: 11, Do: h.reject,
		},
	}
}

func audit(action string) op.Audit {
	return op.Audit{Target: "orders", Kind: logkind.Ordering, Action: wording.ForAction(action)}
}

// ListOrders is the query of /admin/order/list.
type ListOrders struct {
	wire.Paging
	Filter
}

// Listing adds the order by what was charged, which filters that leave many orders cannot be combined with.
func (ListOrders) Listing() wire.Listing { return wire.Listing{Sort: []string{"actual_price"}} }

// Filter filters orders.
type Filter struct {
	Nickname  string `json:"nickname" doc:"Words of the shopper's nickname, in any order, taken literally."`
	Consignee string `json:"consignee" doc:"Words of the recipient's name, in any order, taken literally."`
	OrderSN   string `json:"orderSn" doc:"Only the order of exactly this number."`
	Mobile    string `json:"mobile" check:"clean=number" doc:"Only orders to exactly this number."`
	ShipSN    string `json:"shipSn" doc:"Only the order of exactly this parcel."`
	PayID     string `json:"payId" doc:"Only the order of exactly this number of the payment platform."`
	UserID    *int64 `json:"userId" doc:"Only orders of this shopper." show:"of=user"`
	GoodsID   *int64 `json:"goodsId" doc:"Only orders that have these goods." show:"of=goods"`
	Start     string `json:"start" doc:"Earliest time of ordering." show:"time"`
	End       string `json:"end" doc:"Only orders made before this time." show:"time"`
	Statuses  []int  `json:"orderStatusArray" show:"one=order-state"`
	Delivery  string `json:"delivery" check:"enum=parcel|collect|courier" doc:"Only orders of this way of delivery." show:"one=delivery"` //nolint:lll // one tag
}

func (h orderHandlers) filter(r Filter) (f order.Filter, err error) {
	f = order.Filter{
		Nickname: r.Nickname, Consignee: r.Consignee, SN: r.OrderSN, Statuses: r.Statuses,
		Mobile: r.Mobile, Parcel: r.ShipSN, Payment: r.PayID, Shopper: r.UserID, Goods: r.GoodsID,
	}
	if w, named := settings.WayCalled(r.Delivery); named {
		f.Delivery = &w
	}
	if f.Start, err = h.Zone.Moment(wording.FieldStartTime, r.Start); err != nil {
		return f, err
	}
	f.End, err = h.Zone.Moment(wording.FieldEndTime, r.End)
	return f, err
}

func (h orderHandlers) list(ctx context.Context, r ListOrders) (wire.List[Row], error) {
	q, err := paging.OfListing(r.Paging, r.Listing())
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
	marks, err := h.Orders.MarksOf(ctx, wire.Each(list.Items, func(d order.Detail) int64 { return d.ID }))
	return paging.List(list, func(d order.Detail) Row { return h.row(d, people[d.UserID], marks[d.ID]) }), err
}

// Count is how many orders are in a state.
type Count struct {
	OrderStatus int   `json:"orderStatus" show:"one=order-state"`
	Total       int64 `json:"total" doc:"1000 for so many or more."`
}

func (h orderHandlers) counts(ctx context.Context, _ op.None) ([]Count, error) {
	counted, err := h.Orders.CountByState(ctx)
	if err != nil {
		return nil, err
	}
	return wire.Each(slices.Sorted(maps.Keys(counted)), func(s order.Status) Count {
		return Count{OrderStatus: int(s), Total: counted[s]}
	}), nil
}

func (h orderHandlers) detail(ctx context.Context, r wire.Ref) (Detail, error) {
	d, err := h.Orders.AdminFind(ctx, r.ID)
	if err != nil {
		return Detail{}, err
	}
	people, err := h.People.Persons(ctx, []int64{d.UserID})
	if err != nil {
		return Detail{}, err
	}
	who := people[d.UserID]
	v := Detail{
		Order: h.order(d.Order), OrderGoods: wire.Each(d.Lines, h.line), User: User{
			Nickname: who.Nickname,
			Avatar:   wire.Link(who.Avatar),
		},
		PaidBy: "", Reference: "", History: nil, Notes: nil,
	}
	paid, err := h.Payments.ShownOf(ctx, d.ID)
	if err != nil {
		return Detail{}, err
	}
	if d.Owed() {
		paid.Channel = h.Payments.Channels().Name(d.PayChannel)
	}
	if v.Reference = paid.Reference; paid.Channel != nil {
		v.PaidBy = paid.Channel.In(op.LanguageOf(ctx, h.Language))
	}
	v.History, v.Notes, err = h.history(ctx, d.ID, who.Nickname)
	return v, err
}

// Ship is the body of /admin/order/ship.
type Ship struct {
	OrderID     int64  `json:"orderId" check:"required" show:"of=order"`
	ShipChannel string `json:"shipChannel" check:"maxLength=63,visible" doc:"The code of a carrier, or its name. A parcel needs it, the shop's own courier may, and what is collected has none."` //nolint:lll // one tag
	ShipSN      string `json:"shipSn" check:"maxLength=63,visible" doc:"The carrier's number; needed like the carrier."`
}

// Reship is the body of /admin/order/reship.
type Reship struct {
	OrderID     int64  `json:"orderId" check:"required" show:"of=order"`
	ShipChannel string `json:"shipChannel" check:"required,maxLength=63,visible" doc:"The code of a carrier, or its name."`
	ShipSN      string `json:"shipSn" check:"required,maxLength=63,visible" doc:"The carrier's number of the parcel."`
}

func (h orderHandlers) ship(ctx context.Context, r Ship) (op.None, error) {
	return op.None{}, h.Orders.Ship(ctx, auth.Actor(ctx), r.OrderID, r.ShipChannel, r.ShipSN)
}

func (h orderHandlers) reship(ctx context.Context, r Reship) (op.None, error) {
	return op.None{}, h.Orders.Reship(ctx, auth.Actor(ctx), r.OrderID, r.ShipChannel, r.ShipSN)
}

// Refund is the body of /admin/order/refund.
type Refund struct {
	OrderID     int64        `json:"orderId" check:"required" show:"of=order"`
	RefundMoney money.Amount `json:"refundMoney" check:"required,range=paid" doc:"What was paid: no part of it alone."`
}

func (h orderHandlers) refund(ctx context.Context, r Refund) (op.None, error) {
	return op.None{}, h.Orders.Refund(ctx, auth.Actor(ctx), r.OrderID, r.RefundMoney)
}

// Reject is the body of /admin/order/reject.
type Reject struct {
	OrderID int64  `json:"orderId" check:"required" show:"of=order"`
	Reason  string `json:"reason" check:"maxLength=127" show:"long"`
}

func (h orderHandlers) reject(ctx context.Context, r Reject) (op.None, error) {
	return op.None{}, h.Orders.RejectRefund(ctx, auth.Actor(ctx), r.OrderID, r.Reason)
}
