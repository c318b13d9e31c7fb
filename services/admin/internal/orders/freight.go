package orders

import (
	"context"

	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/menu"
)

// freightOps try a freight template on the last orders. They change nothing.
func (h orderHandlers) freightOps() []op.Op {
	return []op.Op{op.Read[wire.Ref, FreightRehearsal]{
		Path: "/admin/rehearsal/freight", Title: "Show what a freight template would have charged for the last 100 orders",
		Access: op.Permit("admin:rehearsal:freight", menu.Freights(), menu.Button("rehearse")), Budget: 6,
		AllowStale: true, Do: h.rehearseFreight,
	}}
}

// FreightRehearsal is what a template would have charged if all goods had named it.
type FreightRehearsal struct {
	Orders  int              `json:"orders" doc:"The last that were paid and not refunded."`
	Refused int              `json:"refused" doc:"How many of them would not have been delivered."`
	Charged wire.Money       `json:"charged" doc:"The freight of the others."`
	Would   wire.Money       `json:"would" doc:"What the template would have charged for the others."`
	List    []RefreightedRow `json:"list"`
}

// RefreightedRow is an order with the freight that a template would have charged.
type RefreightedRow struct {
	ID           int64      `json:"id"`
	OrderSN      string     `json:"orderSn"`
	AddTime      wire.Time  `json:"addTime"`
	Address      string     `json:"address"`
	FreightPrice wire.Money `json:"freightPrice"`
	Would        wire.Money `json:"would"`
	Refused      bool       `json:"refused"`
}

func (h orderHandlers) rehearseFreight(ctx context.Context, r wire.Ref) (FreightRehearsal, error) {
	t, err := h.Freight.Template(ctx, r.ID)
	if err != nil {
		return FreightRehearsal{}, err
	}
	found, err := h.Orders.RehearseFreight(ctx, t)
	refused := 0
	for _, o := range found.All {
		if o.Refused {
			refused++
		}
	}
	return FreightRehearsal{
		Orders: len(found.All), Refused: refused, Charged: wire.Money(found.Charged), Would: wire.Money(found.Would),
		List: wire.OrEmpty(wire.Each(found.All, func(o order.Refreighted) RefreightedRow {
			return RefreightedRow{
				ID: o.ID, OrderSN: o.SN, AddTime: h.Zone.At(o.AddTime), Address: o.Address,
				FreightPrice: wire.Money(o.Price.Freight), Would: wire.Money(o.Would), Refused: o.Refused,
			}
		})),
	}, err
}
