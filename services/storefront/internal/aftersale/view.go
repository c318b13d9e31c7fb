package aftersale

import (
	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain/aftersale"
	domainorder "shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/order"
)

// Case is an after-sale case. The time of handling is set once an operator has acted.
type Case struct {
	contract.Aftersale
	HandleTime wire.Time `json:"handleTime,omitzero"`
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
	MaxAmount    wire.Money   `json:"maxAmount" doc:"What was paid for the goods, which is the most that is refunded."`
	Order        order.Record `json:"order"`
	OrderGoods   []order.Line `json:"orderGoods"`
}

// HandleOption is what the shopper may do now.
type HandleOption struct {
	Submit bool `json:"submit" doc:"Ask for money back; replaces a case that nobody has accepted."`
	Cancel bool `json:"cancel" doc:"Withdraw the case."`
}

func (h handlers) detailView(d domainorder.Detail, c aftersale.Case) Detail {
	may := aftersale.OptionsOf(d.Order, c)
	return Detail{
		Aftersale: h.orNone(c), HandleOption: HandleOption{Submit: may.Submit, Cancel: may.Cancel},
		MaxAmount: wire.Money(may.Most), Order: order.RecordOf(h.Zone, d.Order), OrderGoods: h.lines(d.Lines),
	}
}

func (h handlers) view(c aftersale.Case) Case {
	return Case{
		Aftersale: contract.AftersaleOf(c), HandleTime: h.Zone.At(c.HandleTime),
		Stamps: h.Zone.Stamps(c.AddTime, c.UpdateTime),
	}
}

func (h handlers) orNone(c aftersale.Case) CaseOrNone {
	v := CaseOrNone{Case: nil, Pictures: wire.Links(c.Pictures), Status: int(c.Status)}
	if c.ID != 0 {
		full := h.view(c)
		v.Case = &full
	}
	return v
}

func (h handlers) lines(lines []domainorder.Line) []order.Line {
	return wire.Each(lines, func(l domainorder.Line) order.Line { return order.LineOf(h.Zone, l) })
}
