package aftersale

import (
	"context"

	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain/aftersale"
	domainexpress "shop.internal/pkg/domain/express"
	domainorder "shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/express"
	"shop.internal/services/storefront/internal/order"
)

// Case is an after-sale case. The time of handling is set once an operator has acted, those of the parcel once it was
// announced and has arrived.
type Case struct {
	contract.Aftersale
	HandleTime wire.Time `json:"handleTime,omitzero"`
	ShipTime   wire.Time `json:"shipTime,omitzero" doc:"When the parcel was announced."`
	ArriveTime wire.Time `json:"arriveTime,omitzero" doc:"When the goods arrived."`
	wire.Stamps
}

// CaseOrNone is a case, or the two members that clients read without one.
type CaseOrNone struct {
	*Case
	Pictures wire.Links `json:"pictures"`
	Status   int        `json:"status"`
}

// Listed is a case with the lines of its order.
type Listed struct {
	Aftersale Case         `json:"aftersale"`
	GoodsList []order.Line `json:"goodsList"`
}

// Detail is an order with its case.
type Detail struct {
	Aftersale    CaseOrNone   `json:"aftersale"`
	HandleOption HandleOption `json:"handleOption"`
	MaxAmount    wire.Money   `json:"maxAmount" doc:"What was paid for the goods and is not refunded."`
	Order        order.Record `json:"order"`
	OrderGoods   []Line       `json:"orderGoods"`
	// Where the parcel is with the goods that come back, and the one that was sent in exchange.
	ExpressInfo express.Info `json:"expressInfo"`
	SentInfo    express.Info `json:"sentInfo"`
}

// HandleOption is what the shopper may do now.
type HandleOption struct {
	Submit bool `json:"submit" doc:"Ask for money back; replaces a case that nobody has accepted."`
	Lines  bool `json:"lines" doc:"The same for lines of the order, or exchange them."`
	Cancel bool `json:"cancel" doc:"Withdraw the case."`
	Parcel bool `json:"parcel" doc:"Announce the parcel with the goods."`
}

// Line is a line of the order with what cases have done about its pieces.
type Line struct {
	order.Line
	Returnable int        `json:"returnable" doc:"How many pieces a request may be about now."`
	Returned   int        `json:"returned" doc:"How many pieces were refunded."`
	Exchanged  int        `json:"exchanged" doc:"How many pieces were exchanged."`
	Sent       bool       `json:"sent" doc:"Whether it was sent in exchange."`
	Paid       wire.Money `json:"paid" doc:"What was paid for the line; for one sent in exchange, for what it replaces."`
}

func (h handlers) detailView(ctx context.Context, d aftersale.Detail) Detail {
	c := d.Case
	return Detail{
		Aftersale: h.orNone(aftersale.Listed{Case: c, About: d.About, Lines: nil}),
		HandleOption: HandleOption{
			Submit: d.May.Submit, Lines: d.May.Lines, Cancel: d.May.Cancel, Parcel: d.May.Parcel,
		},
		MaxAmount: wire.Money(d.May.Most), Order: order.RecordOf(h.Zone, d.Order),
		OrderGoods: wire.Each(d.Lines, func(l aftersale.Holding) Line {
			return Line{
				Line: order.LineOf(h.Zone, l.Line), Returnable: d.Returnable(l), Returned: l.Refunded, Exchanged: l.Exchanged,
				Sent: l.Sent, Paid: wire.Money(l.Paid),
			}
		}),
		ExpressInfo: h.Express.Of(ctx, parcel(c.Back), c.ArriveTime.IsZero()),
		SentInfo:    h.Express.Of(ctx, parcel(c.Sent), true),
	}
}

func parcel(p aftersale.Parcel) domainexpress.Parcel {
	return domainexpress.Parcel{Channel: p.Channel, Number: p.SN}
}

func (h handlers) view(l aftersale.Listed) Case {
	return Case{
		Aftersale: contract.AftersaleOf(l.Case, l.About), HandleTime: h.Zone.At(l.HandleTime),
		ShipTime: h.Zone.At(l.BackTime), ArriveTime: h.Zone.At(l.ArriveTime), Stamps: h.Zone.Stamps(l.AddTime, l.UpdateTime),
	}
}

func (h handlers) orNone(l aftersale.Listed) CaseOrNone {
	v := CaseOrNone{Case: nil, Pictures: wire.Links(l.Pictures), Status: int(l.Status)}
	if l.ID != 0 {
		full := h.view(l)
		v.Case = &full
	}
	return v
}

func (h handlers) lines(lines []domainorder.Line) []order.Line {
	return wire.Each(lines, func(l domainorder.Line) order.Line { return order.LineOf(h.Zone, l) })
}
