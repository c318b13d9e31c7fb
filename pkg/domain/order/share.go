package order

import (
	"context"
	"fmt"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/internal/store/db"
)

// PaidForGoods is what was paid for the goods of the order, without freight. A coupon may have covered all of it.
func (o Order) PaidForGoods() money.Amount { return max(0, o.Price.Actual-o.Price.Freight) }

// Shares splits what was paid for the goods of the order among the lines that were bought, by what each costs after its
// reduction. The shares add up to PaidForGoods, none is negative, and each differs from its proportion by less than the
// unit of the currency. If no line costs anything, the last one has everything.
func (o Order) Shares(bought []Line, in money.Currency) []money.Amount {
	upTo, whole := make([]int64, len(bought)), int64(0)
	for i, l := range bought {
		whole += int64(max(0, l.Price.Times(l.Number)-l.Reduction))
		upTo[i] = whole
	}
	shares := make([]money.Amount, len(bought))
	before := money.Amount(0)
	for i := range bought {
		part := portion(o.PaidForGoods(), upTo[i], whole, in)
		if i == len(bought)-1 {
			part = o.PaidForGoods()
		}
		shares[i], before = part-before, part
	}
	return shares
}

// Part is what was paid for some of the pieces of a line: the next n after those before. The parts of all pieces add up
// to what was paid for the line, so that the last ones have what rounding has left.
func (l Line) Part(paid money.Amount, before, n int, in money.Currency) money.Amount {
	of := int64(l.Number)
	return portion(paid, int64(before+n), of, in) - portion(paid, int64(before), of, in)
}

// portion is a part of a whole amount, rounded down to the unit of the currency; all of it is the amount as it is.
func portion(total money.Amount, part, whole int64, in money.Currency) money.Amount {
	if part >= whole {
		return total
	}
	down := money.Split(total, []int64{part, whole - part})[0]
	return down - down%in.Unit()
}

// Lines returns the lines of an order.
func (s *Service) Lines(ctx context.Context, q db.Querier, order int64) ([]Line, error) {
	lines, err := linesIn(ctx, q, []int64{order})
	if err != nil {
		return nil, fmt.Errorf("read the lines of order %d: %w", order, err)
	}
	return lines, nil
}
