package express

import (
	"context"

	"shop.internal/pkg/domain/express"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/wire"
)

// View renders tracking. The zero View knows no parcel.
type View struct {
	Parcels  *express.Service
	Channels order.Channels
}

// Info is the tracking of an order's parcel; clients read the capitalized names.
type Info struct {
	LogisticCode string  `json:"LogisticCode,omitempty"`
	ShipperCode  string  `json:"ShipperCode,omitempty"`
	ShipperName  string  `json:"ShipperName,omitempty"`
	State        string  `json:"State,omitempty"`
	Success      bool    `json:"Success,omitempty"`
	Reason       string  `json:"Reason,omitempty"`
	Traces       []Trace `json:"Traces"`
}

// Trace is one station of a parcel.
type Trace struct {
	AcceptStation string `json:"AcceptStation"`
	AcceptTime    string `json:"AcceptTime"`
}

// Info returns the tracking of a shipped order, without stations if it is unknown.
func (v View) Info(ctx context.Context, o order.Order) Info {
	return v.Of(ctx, express.Parcel{Channel: o.ShipChannel, Number: o.ShipSN}, o.Status == order.Shipped)
}

// Of returns the tracking of a parcel that is under way, without stations if it is unknown.
func (v View) Of(ctx context.Context, p express.Parcel, underWay bool) Info {
	if v.Parcels == nil || !v.Parcels.Configured() || !underWay || p.Number == "" {
		none := new(Info)
		none.Traces = []Trace{}
		return *none
	}
	t := v.Parcels.Track(ctx, p)
	return Info{
		LogisticCode: p.Number, ShipperCode: p.Channel, ShipperName: v.Channels.Name(p.Channel),
		State: t.State, Success: t.Success, Reason: t.Reason, Traces: wire.Each(t.Traces, trace),
	}
}

// traces returns the stations of an order's parcel, in any state of the order.
func (v View) traces(ctx context.Context, o order.Order) []Trace {
	if v.Parcels == nil {
		return []Trace{}
	}
	return wire.Each(v.Parcels.Track(ctx, express.Parcel{Channel: o.ShipChannel, Number: o.ShipSN}).Traces, trace)
}

func trace(t express.Trace) Trace { return Trace{AcceptStation: t.Station, AcceptTime: t.Time} }
