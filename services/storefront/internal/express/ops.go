// Package express serves shoppers the tracking of their parcels.
package express

import (
	"context"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/storefront/internal/auth"
)

// Deps are the dependencies of the operations. A zero Deps can only be used to list operations.
type Deps struct {
	Orders *order.Service
	View   View
}

type handlers struct{ Deps }

// Ops declares the operations on parcels.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return []op.Op{
		op.Write[Query, Parcel]{
			Path: "/wx/express/query", Title: "Ask where a parcel of mine is", Access: op.SignedIn,
			Fails: []*errno.Code{errno.Missing}, Budget: 2, Do: h.query,
		},
	}
}

// Query identifies a parcel by its order, or by its carrier and number.
type Query struct {
	OrderID int64  `json:"orderId" doc:"Wins where it is given."`
	ExpCode string `json:"expCode" check:"maxLength=63"`
	ExpNo   string `json:"expNo" check:"maxLength=63"`
}

// Parcel is the tracking of a parcel, empty for an order that is not shipped.
type Parcel struct {
	ExpCode string  `json:"expCode,omitempty"`
	ExpNo   string  `json:"expNo,omitempty"`
	ExpName string  `json:"expName,omitempty"`
	Traces  []Trace `json:"Traces"`
}

func (h handlers) query(ctx context.Context, r Query) (Parcel, error) {
	switch {
	case r.OrderID != 0:
	case r.ExpCode == "" && r.ExpNo == "":
		return Parcel{}, errno.Missing.About(text.FieldOrder)
	case r.ExpCode == "":
		return Parcel{}, errno.Missing.About(text.FieldCarrier)
	case r.ExpNo == "":
		return Parcel{}, errno.Missing.About(text.FieldTrackingNumber)
	}
	o, err := h.Orders.Parcel(ctx, auth.ID(ctx), r.OrderID, r.ExpCode, r.ExpNo)
	if err != nil {
		return Parcel{}, err
	}
	p := Parcel{ExpCode: o.ShipChannel, ExpNo: o.ShipSN, ExpName: "", Traces: h.View.traces(ctx, o)}
	if o.ShipChannel != "" {
		p.ExpName = h.View.Channels.Name(o.ShipChannel)
	}
	return p, nil
}
