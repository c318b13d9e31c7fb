// Package aftersale serves shoppers the after-sale cases.
package aftersale

import (
	"context"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/auth"
	"shop.internal/services/storefront/internal/express"
	"shop.internal/services/storefront/internal/paging"
)

// Deps are what the operations need.
type Deps struct {
	Cases   *aftersale.Service
	Express express.View
	Zone    wire.Zone
}

type handlers struct{ Deps }

// Ops declares the operations on after-sale cases.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return []op.Op{
		op.Read[List, wire.List[Listed]]{
			Path: "/wx/aftersale/list", Title: "List my after-sale cases", Access: op.SignedIn, Budget: 5, Do: h.list,
		},
		op.Read[Ref, Detail]{
			Path: "/wx/aftersale/detail", Title: "Show an order of mine with its after-sale case", Access: op.SignedIn,
			Fails: []*errno.Code{errno.OrderUnknown}, Budget: 6, Do: h.detail,
		},
		op.Write[Submit, op.None]{
			Path: "/wx/aftersale/submit", Title: "Ask for money back after the sale", Access: op.SignedIn,
			Fails: []*errno.Code{
				errno.Missing, errno.OrderUnknown, errno.AftersaleNotAllowed, errno.AftersaleInvalidAmount,
				errno.AftersaleInvalidStatus, errno.GoodsUnshelved, errno.GoodsInvalid, errno.Stale,
			},
			IdempotencyScope: "aftersale.submit", Budget: 8, Do: h.submit,
		},
		op.Write[Parcel, op.None]{
			Path: "/wx/aftersale/parcel", Title: "Announce the parcel with the goods that I send back", Access: op.SignedIn,
			Fails: []*errno.Code{errno.AftersaleInvalidStatus, errno.Stale}, IdempotencyScope: "aftersale.parcel",
			Budget: 6, Do: h.parcel,
		},
		op.Write[Cancel, op.None]{
			Path: "/wx/aftersale/cancel", Title: "Withdraw an after-sale case", Access: op.SignedIn,
			Fails: []*errno.Code{
				errno.Missing, errno.AftersaleInvalidStatus,
				errno.Stale,
			}, IdempotencyScope: "aftersale.cancel", Budget: 7, Do: h.cancel,
		},
	}
}

// List is the request of /wx/aftersale/list.
type List struct {
	wire.Paging
	Status *int `json:"status" check:"min=0,max=6" doc:"1 requested, 2 accepted, 3 refunded, 4 rejected, 5 cancelled, 6 exchanged."` //nolint:lll // one tag
}

func (h handlers) list(ctx context.Context, r List) (wire.List[Listed], error) {
	q, err := paging.Of(r.Paging)
	if err != nil {
		return wire.List[Listed]{}, err
	}
	var in *aftersale.Status
	if r.Status != nil {
		s := aftersale.Status(*r.Status)
		in = &s
	}
	found, err := h.Cases.List(ctx, auth.ID(ctx), in, q)
	return wire.ListOf(found, func(l aftersale.Listed) Listed {
		return Listed{Aftersale: h.view(l), GoodsList: h.lines(l.Lines)}
	}), err
}

// Ref names one order.
type Ref struct {
	OrderID int64 `json:"orderId" check:"required"`
}

func (h handlers) detail(ctx context.Context, r Ref) (Detail, error) {
	d, err := h.Cases.Find(ctx, auth.ID(ctx), r.OrderID)
	if err != nil {
		return Detail{}, err
	}
	return h.detailView(ctx, d), nil
}

// Submit is the body of /wx/aftersale/submit.
type Submit struct {
	OrderID  int64         `json:"orderId" check:"required"`
	Type     int           `json:"type" check:"required,enum=0|1|2|3" doc:"0 not received, 1 kept, 2 sent back, 3 exchanged."` //nolint:lll // one tag
	Reason   string        `json:"reason" check:"required,maxLength=255"`
	Amount   *money.Amount `json:"amount" check:"round" doc:"Required without lines; else as much as it may be if absent."`
	Lines    []SubmitLine  `json:"lines" check:"maxItems=100" doc:"The lines that it is about; none for the whole order."`
	Pictures []string      `json:"pictures" check:"maxItems=9,url"`
	Comment  string        `json:"comment" check:"maxLength=511"`
}

// SubmitLine is pieces of an order line.
type SubmitLine struct {
	ID        int64 `json:"id" check:"required" doc:"The line of the order."`
	Number    int   `json:"number" check:"required" doc:"At most its returnable pieces."`
	ProductID int64 `json:"productId" doc:"What is wanted in exchange: another product of the same goods."`
}

func (h handlers) submit(ctx context.Context, r Submit) (op.None, error) {
	_, err := h.Cases.Submit(ctx, auth.ID(ctx), aftersale.Submission{
		OrderID: r.OrderID, Type: aftersale.Type(r.Type), Reason: r.Reason, Comment: r.Comment, Amount: r.Amount,
		Pictures: r.Pictures,
		Lines: wire.Each(r.Lines, func(l SubmitLine) aftersale.Wanted {
			return aftersale.Wanted{Line: l.ID, Number: l.Number, Product: l.ProductID}
		}),
	})
	return op.None{}, err
}

// Parcel is the body of /wx/aftersale/parcel.
type Parcel struct {
	ID          int64  `json:"id" check:"required" doc:"The case."`
	ShipChannel string `json:"shipChannel" check:"required,maxLength=63,visible" doc:"The code of a carrier, or its name."`
	ShipSN      string `json:"shipSn" check:"required,maxLength=63,visible" doc:"The carrier's number of the parcel."`
}

func (h handlers) parcel(ctx context.Context, r Parcel) (op.None, error) {
	return op.None{}, h.Cases.SendBack(ctx, auth.ID(ctx), r.ID, aftersale.Parcel{Channel: r.ShipChannel, SN: r.ShipSN})
}

// Cancel is the body of /wx/aftersale/cancel. One of the two is required.
type Cancel struct {
	ID      *int64 `json:"id" doc:"The case. Wins where both are given."`
	OrderID *int64 `json:"orderId" doc:"The order whose case it is."`
}

func (h handlers) cancel(ctx context.Context, r Cancel) (op.None, error) {
	switch {
	case r.ID != nil:
		return op.None{}, h.Cases.Cancel(ctx, auth.ID(ctx), *r.ID)
	case r.OrderID != nil:
		return op.None{}, h.Cases.CancelOf(ctx, auth.ID(ctx), *r.OrderID)
	}
	return op.None{}, errno.Missing.About(text.FieldID)
}
