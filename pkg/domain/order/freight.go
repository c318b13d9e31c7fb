package order

import (
	"context"
	"fmt"
	"slices"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/freight"
	"shop.internal/pkg/domain/settings"
)

// freightItems are lines as their freight is computed, each piece cheaper by off.
func freightItems(lines []cart.Line, off money.Amount) []freight.Item {
	all := make([]freight.Item, len(lines))
	for i, l := range lines {
		all[i] = freight.Item{Template: l.FreightID, Weight: l.Weight, Number: l.Number, Sum: reduced(l, off)}
	}
	return all
}

// templated reports whether goods among the lines name a freight template.
func templated(lines []cart.Line) bool {
	return slices.ContainsFunc(lines, func(l cart.Line) bool { return l.FreightID != 0 })
}

// undeliverable returns the lines that are not delivered.
func undeliverable(lines []cart.Line, f freight.Freight) (refused []cart.Line) {
	for _, l := range lines {
		if !f.Delivers(l.FreightID) {
			refused = append(refused, l)
		}
	}
	return refused
}

// deliverable fails with errno.OrderCheckoutFailed for lines that are not delivered, and names the first.
func deliverable(lines []cart.Line, f freight.Freight) error {
	refused := undeliverable(lines, f)
	if len(refused) == 0 {
		return nil
	}
	return fmt.Errorf("goods %d are not delivered to %v: %w", refused[0].GoodsID, f.To,
		errno.OrderCheckoutFailed.Because(text.NotDelivered, refused[0].GoodsName, f.To.Name()))
}

// FreightRehearsal is what a freight template would have charged for the last orders that were paid and not refunded.
type FreightRehearsal struct {
	// Charged is the freight that they paid together, Would the one that the template would have charged; both without the
	// orders that would not have been delivered.
	Charged, Would money.Amount
	// All are the orders, at most a hundred, the newest first.
	All []Refreighted
}

// Refreighted is an order with the freight that a template would have charged.
type Refreighted struct {
	Order
	Would money.Amount
	// Refused says that the template does not deliver to the place.
	Refused bool
}

// RehearseFreight tries a template on those of the last orders that are parcels, as if all their goods had named it,
// with the weights that goods have now.
func (s *Service) RehearseFreight(ctx context.Context, t freight.Template) (r FreightRehearsal, err error) {
	const id = 1
	f := freight.Freight{Templates: map[int64]freight.Template{id: t}}
	err = s.eachSold(ctx, func(o Order, lines []cart.Line) error {
		if o.Delivery != settings.Parcel {
			return nil
		}
		f.To = freight.RegionIn(o.Address)
		for i := range lines {
			lines[i].FreightID = id
		}
		tried := Refreighted{Order: o, Refused: !f.Delivers(id)}
		if !tried.Refused {
			tried.Would = f.Of(freightItems(lines, o.Price.Groupon))
			r.Charged, r.Would = r.Charged.Plus(o.Price.Freight), r.Would.Plus(tried.Would)
		}
		r.All = append(r.All, tried)
		return nil
	})
	return r, err
}
