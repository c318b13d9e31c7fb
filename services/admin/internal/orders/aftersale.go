package orders

import (
	"context"
	"maps"
	"slices"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/logkind"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/express"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

type aftersaleHandlers struct{ Deps }

// aftersaleOps declares the operations on after-sale cases.
func aftersaleOps(d Deps) []op.Op {
	h := aftersaleHandlers{d}
	return slices.Concat(h.reads(), h.decisions(), h.settlements())
}

func (h aftersaleHandlers) reads() []op.Op {
	return []op.Op{
		op.Read[ListAftersales, wire.List[AftersaleRow]]{
			Path: "/admin/aftersale/list", Title: "List after-sale cases",
			Access: op.Permit("admin:aftersale:list", menu.Aftersales(), menu.Query()), Budget: 4,
			Columns: op.Columns{
				Names: []string{"aftersaleSn", "orderId", "type", "amount", "reason", "pictures", "status", "addTime"},
				Opens: "aftersaleSn",
			},
			Do: h.list,
		},
		op.Read[wire.Ref, AftersaleDetail]{
			Path: "/admin/aftersale/read", Title: "Show an after-sale case",
			Access: op.SharedPermit("admin:aftersale:list"), Budget: 5, Do: h.read,
		},
		op.Read[wire.Ref, Parcel]{
			Path: "/admin/aftersale/parcel", Title: "Track the parcel that comes back by an after-sale case",
			Access: op.SharedPermit("admin:aftersale:list"), Budget: 5, Do: h.parcel,
		},
		op.Read[op.None, []AftersaleCount]{
			Path: "/admin/aftersale/counts", Title: "Count the after-sale cases of each state",
			Access: op.SharedPermit("admin:aftersale:list"), Budget: 2, Do: h.counts,
		},
	}
}

// decisions accept and reject cases.
func (h aftersaleHandlers) decisions() []op.Op {
	return []op.Op{
		op.Write[Decision, op.None]{
			Path: "/admin/aftersale/recept", Title: "Accept an after-sale case",
			Access:           op.Permit("admin:aftersale:recept", menu.Aftersales(), menu.Button("approve")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.Stale},
			IdempotencyScope: "admin.recept", Audit: aftersaleAudit("aftersale-approve"), Budget: 11, Do: h.accept,
		},
		op.Write[wire.Refs, op.None]{
			Path: "/admin/aftersale/batch-recept", Title: "Accept several after-sale cases",
			Access:           op.Permit("admin:aftersale:batch-recept", menu.Aftersales(), menu.Button("approve-many")),
			Fails:            []*errno.Code{errno.Stale},
			IdempotencyScope: "admin.batch-recept", Audit: aftersaleAudit("aftersale-approve"),
			Budget: op.PerItem, Do: h.acceptAll,
		},
		op.Write[Decision, op.None]{
			Path: "/admin/aftersale/reject", Title: "Reject an after-sale case",
			Access:           op.Permit("admin:aftersale:reject", menu.Aftersales(), menu.Button("reject")),
			Fails:            []*errno.Code{errno.Missing, errno.OrderConfirmNotAllowed, errno.Stale},
			IdempotencyScope: "admin.aftersale-reject", Audit: aftersaleAudit("aftersale-reject"), Budget: 10, Do: h.reject,
		},
		op.Write[wire.Refs, op.None]{
			Path: "/admin/aftersale/batch-reject", Title: "Reject several after-sale cases",
			Access:           op.Permit("admin:aftersale:batch-reject", menu.Aftersales(), menu.Button("reject-many")),
			Fails:            []*errno.Code{errno.Stale},
			IdempotencyScope: "admin.batch-reject", Audit: aftersaleAudit("aftersale-reject"),
			Budget: op.PerItem, Do: h.rejectAll,
		},
	}
}

// settlements are how accepted cases end.
func (h aftersaleHandlers) settlements() []op.Op {
	return []op.Op{
		op.Write[wire.Ref, op.None]{
			Path: "/admin/aftersale/refund", Title: "Refund an accepted after-sale case",
			Access:           op.Permit("admin:aftersale:refund", menu.Aftersales(), menu.Button("refund")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.OrderRefundFailed, errno.Stale},
			IdempotencyScope: "admin.aftersale-refund", Audit: aftersaleAudit("refund"), Budget: 26, Do: h.refund,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/aftersale/receive", Title: "Note that the goods of an after-sale case have arrived",
			Access:           op.Permit("admin:aftersale:receive", menu.Aftersales(), menu.Button("receive-goods")),
			Fails:            []*errno.Code{errno.OrderConfirmNotAllowed, errno.Stale},
			IdempotencyScope: "admin.aftersale-receive", Audit: aftersaleAudit("aftersale-receive"), Budget: 9, Do: h.receive,
		},
		op.Write[Exchange, op.None]{
			Path: "/admin/aftersale/exchange", Title: "Send other products for the goods of an after-sale case",
			Access: op.Permit("admin:aftersale:exchange", menu.Aftersales(), menu.Button("exchange")),
			Fails: []*errno.Code{
				errno.OrderConfirmNotAllowed, errno.GoodsNoStock, errno.GoodsUnshelved, errno.GoodsInvalid, errno.Stale,
			},
			IdempotencyScope: "admin.aftersale-exchange", Audit: aftersaleAudit("aftersale-exchange"), Budget: op.PerItem,
			Do: h.exchange,
		},
	}
}

func aftersaleAudit(action string) op.Audit {
	return op.Audit{Target: "aftersale", Kind: logkind.Ordering, Action: text.ForAction(action)}
}

// ListAftersales is the query of /admin/aftersale/list.
type ListAftersales struct {
	wire.Paging
	UserID      *int64 `json:"userId" doc:"Only cases of this shopper." show:"of=user"`
	OrderID     int64  `json:"orderId" show:"of=order"`
	AftersaleSN string `json:"aftersaleSn" doc:"The whole number of the case."`
	Status      *int   `json:"status" show:"one=case-state"`
}

func (h aftersaleHandlers) list(ctx context.Context, r ListAftersales) (wire.List[AftersaleRow], error) {
	f := aftersale.Filter{Shopper: r.UserID, OrderID: r.OrderID, SN: r.AftersaleSN, Status: nil}
	if r.Status != nil {
		s := aftersale.Status(*r.Status)
		f.Status = &s
	}
	return paging.Page(r.Paging, func(q page.Query) (page.List[aftersale.Listed], error) {
		return h.Aftersales.AdminList(ctx, f, q)
	}, h.row)
}

// AftersaleCount is how many cases are in a state.
type AftersaleCount struct {
	Status int   `json:"status" show:"one=case-state"`
	Total  int64 `json:"total" doc:"1000 for so many or more."`
}

func (h aftersaleHandlers) read(ctx context.Context, r wire.Ref) (AftersaleDetail, error) {
	c, err := h.Aftersales.AdminFind(ctx, r.ID)
	if err != nil {
		return AftersaleDetail{}, err
	}
	return AftersaleDetail{
		AftersaleRow: h.row(c.Listed),
		OrderGoods:   wire.Each(c.Lines, func(l order.Line) contract.OrderLine { return contract.OrderLineOf(h.Zone, l) }),
		Wanted: wire.Each(slices.Sorted(maps.Keys(c.Wanted)), func(id int64) Product {
			return Product{ProductID: id, Specifications: wire.OrEmpty(c.Wanted[id].Specifications), Stock: c.Wanted[id].Stock}
		}),
	}, nil
}

func (h aftersaleHandlers) parcel(ctx context.Context, r wire.Ref) (Parcel, error) {
	c, err := h.Aftersales.AdminFind(ctx, r.ID)
	if err != nil {
		return Parcel{}, err
	}
	return parcelOf(h.Parcels.Track(ctx, express.Parcel{Channel: c.Back.Channel, Number: c.Back.SN})), nil
}

func (h aftersaleHandlers) counts(ctx context.Context, _ op.None) ([]AftersaleCount, error) {
	counted, err := h.Aftersales.CountByState(ctx)
	if err != nil {
		return nil, err
	}
	return wire.Each(slices.Sorted(maps.Keys(counted)), func(s aftersale.Status) AftersaleCount {
		return AftersaleCount{Status: int(s), Total: counted[s]}
	}), nil
}

// Decision is the body of /admin/aftersale/recept and /admin/aftersale/reject.
type Decision struct {
	ID     int64  `json:"id" check:"required"`
	Answer string `json:"decision" check:"maxLength=255" show:"long" doc:"Why, for the shopper."`
}

func (h aftersaleHandlers) accept(ctx context.Context, r Decision) (op.None, error) {
	return op.None{}, h.Aftersales.Accept(ctx, auth.Actor(ctx), r.ID, r.Answer)
}

func (h aftersaleHandlers) acceptAll(ctx context.Context, r wire.Refs) (op.None, error) {
	return op.None{}, h.Aftersales.AcceptAll(ctx, auth.Actor(ctx), r.IDs)
}

func (h aftersaleHandlers) reject(ctx context.Context, r Decision) (op.None, error) {
	return op.None{}, h.Aftersales.Reject(ctx, auth.Actor(ctx), r.ID, r.Answer)
}

func (h aftersaleHandlers) rejectAll(ctx context.Context, r wire.Refs) (op.None, error) {
	return op.None{}, h.Aftersales.RejectAll(ctx, auth.Actor(ctx), r.IDs)
}

func (h aftersaleHandlers) refund(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Aftersales.Refund(ctx, auth.Actor(ctx), r.ID)
}

func (h aftersaleHandlers) receive(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Aftersales.Receive(ctx, auth.Actor(ctx), r.ID)
}

// Exchange is the body of /admin/aftersale/exchange.
type Exchange struct {
	ID          int64  `json:"id" check:"required"`
	ShipChannel string `json:"shipChannel" check:"required,maxLength=63,visible" doc:"The code of a carrier, or its name."`
	ShipSN      string `json:"shipSn" check:"required,maxLength=63,visible" doc:"The carrier's number of the parcel."`
}

func (h aftersaleHandlers) exchange(ctx context.Context, r Exchange) (op.None, error) {
	p := aftersale.Parcel{Channel: r.ShipChannel, SN: r.ShipSN}
	return op.None{}, h.Aftersales.Exchange(ctx, auth.Actor(ctx), r.ID, p)
}

// AftersaleRow is a case of the list.
type AftersaleRow struct {
	contract.Aftersale
	HandleTime wire.Time `json:"handleTime"`
	ShipTime   wire.Time `json:"shipTime" doc:"When the shopper announced the parcel."`
	ArriveTime wire.Time `json:"arriveTime" doc:"When the goods arrived."`
	wire.Stamps
}

// AftersaleDetail is a case with the lines of its order.
type AftersaleDetail struct {
	AftersaleRow
	OrderGoods []contract.OrderLine `json:"orderGoods"`
	Wanted     []Product            `json:"wanted" doc:"The products that are wanted in exchange."`
}

// Product is a product that is wanted in exchange.
type Product struct {
	ProductID      int64    `json:"productId"`
	Specifications []string `json:"specifications"`
	Stock          int      `json:"stock" doc:"How many there are."`
}

func (h aftersaleHandlers) row(l aftersale.Listed) AftersaleRow {
	return AftersaleRow{
		Aftersale: contract.AftersaleOf(l.Case, l.About), HandleTime: h.Zone.At(l.HandleTime),
		ShipTime: h.Zone.At(l.BackTime), ArriveTime: h.Zone.At(l.ArriveTime), Stamps: h.Zone.Stamps(l.AddTime, l.UpdateTime),
	}
}
