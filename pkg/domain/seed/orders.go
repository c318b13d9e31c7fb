package seed

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sort"
	"time"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/order"
)

// madeOrder is one of many orders, with its lines.
type madeOrder struct {
	id             int64
	buyer          buyer
	sn             string
	status         int
	placed         time.Time
	goods, freight money.Amount
	lines          []madeLine
}

type madeLine struct {
	offer  offer
	number int
}

// offer is a product for sale.
type offer struct {
	ProductID, GoodsID int64
	Name, SN, PicURL   string
	Specifications     string
	Price              money.Amount
}

// buyer is a shopper with a delivery address.
type buyer struct {
	ID                   int64
	Name, Mobile, Detail string
	AddTime              time.Time
}

// ErrNothingToSell says that there are no products or no shoppers.
var ErrNothingToSell = errors.New("orders need goods and shoppers: load the demo shop first")

// MoreOrders adds orders within span before now until there are n: most of them received, others paid, shipped,
// cancelled or refunded, each with its lines, its payment, its status log and its ledger rows. Nobody orders before
// their registration, except the first shopper. The stock that orders take is added before, so that the stock does not
// change. It may be interrupted and run again at any time.
func (s *Service) MoreOrders(ctx context.Context, n int64, span time.Duration, progress Progress) error {
	offers, err := someOffers(ctx, s.db)
	if err != nil {
		return fmt.Errorf("read what is sold: %w", err)
	}
	buyers, err := someBuyers(ctx, s.db)
	if err != nil {
		return fmt.Errorf("read the shoppers: %w", err)
	}
	if len(offers) == 0 || len(buyers) == 0 {
		return ErrNothingToSell
	}
	have, _, err := orderCount(ctx, s.db)
	if err != nil {
		return fmt.Errorf("count the orders: %w", err)
	}
	for progress(min(have, n), n); have < n; progress(have, n) {
		// Numbers derive from the largest id, which is never less than the number of orders.
		last, err := lastOrder(ctx, s.db)
		if err != nil {
			return fmt.Errorf("read the last order: %w", err)
		}
		list := make([]madeOrder, min(batch, n-have))
		for i := range list {
			list[i] = makeOrder(last+int64(i)+1, buyers, offers, s.now(), span)
		}
		if err := s.db.InTx(ctx, func(tx *db.Tx) error { return insertOrders(ctx, tx, list) }); err != nil {
			return fmt.Errorf("add orders: %w", err)
		}
		have += int64(len(list))
	}
	return nil
}

// The percentages of the states of generated orders.
const (
	shipped, received, receivedByTime = int(order.Shipped), int(order.Received), int(order.AutoReceived)
	paid, cancelled, expired          = int(order.Paid), int(order.Cancelled), int(order.Expired)
	refundAsked, refunded             = int(order.RefundAsked), int(order.Refunded)
)

func someStatus(r *rand.Rand) int {
	switch n := r.IntN(100); {
	case n < 60:
		return received
	case n < 80:
		return receivedByTime
	case n < 85:
		return cancelled
	case n < 91:
		return expired
	case n < 93:
		return refunded
	case n < 96:
		return shipped
	case n < 97:
		return refundAsked
	}
	return paid
}

// toReceive is the time from an order to its receipt.
const toReceive = 2 * 24 * time.Hour

func makeOrder(number int64, buyers []buyer, offers []offer, now time.Time, span time.Duration) madeOrder {
	r := rand.New(rand.NewPCG(2, uint64(number))) //nolint:gosec // the same number gives the same order
	o := madeOrder{status: someStatus(r)}
	ago := toReceive + time.Hour
	switch o.status {
	case paid, refundAsked:
		ago, span = time.Hour, 20*time.Hour
	case shipped:
		ago, span = 30*time.Hour, 5*24*time.Hour
	}
	ago += time.Duration(r.Int64N(int64(span - ago)))
	o.placed = now.Add(-ago).Truncate(time.Millisecond)
	there := sort.Search(len(buyers), func(i int) bool { return buyers[i].AddTime.After(o.placed) })
	o.buyer = buyers[r.IntN(max(there, 1))]
	o.sn = fmt.Sprintf("%s%010d", o.placed.Format("20060102"), number)
	for range 1 + r.IntN(3) {
		line := madeLine{offers[r.IntN(len(offers))], 1 + r.IntN(3)}
		o.lines = append(o.lines, line)
		o.goods += line.offer.Price.Times(line.number)
	}
	if o.goods < money.Yuan(88) {
		o.freight = money.Yuan(8)
	}
	return o
}

// paidAt and the others are the times of an order's transitions; nil for those that did not happen.
func (o madeOrder) paidAt() *time.Time { return o.after(3*time.Minute, cancelled, expired) }

func (o madeOrder) shippedAt() *time.Time {
	return o.after(24*time.Hour, cancelled, expired, refunded, refundAsked, paid)
}

func (o madeOrder) confirmedAt() *time.Time {
	return o.after(toReceive, cancelled, expired, refunded, refundAsked, paid, shipped)
}

func (o madeOrder) endedAt() *time.Time {
	return o.after(30*time.Minute, received, receivedByTime, refundAsked, paid, shipped)
}

func (o madeOrder) after(d time.Duration, never ...int) *time.Time {
	for _, status := range never {
		if o.status == status {
			return nil
		}
	}
	at := o.placed.Add(d)
	return &at
}

// step is a row of an order's status log.
type step struct {
	order    int64
	from, to int
	by       actor.Kind
	who      int64
	at       time.Time
}

func (o madeOrder) history() []step {
	all := []step{{o.id, 0, int(order.Unpaid), actor.KindShopper, o.buyer.ID, o.placed}}
	add := func(to int, by actor.Kind, at *time.Time) {
		if at != nil {
			who := int64(0)
			if by == actor.KindShopper {
				who = o.buyer.ID
			}
			all = append(all, step{o.id, all[len(all)-1].to, to, by, who, *at})
		}
	}
	add(paid, actor.KindPlatform, o.paidAt())
	switch o.status {
	case cancelled:
		add(cancelled, actor.KindShopper, o.endedAt())
	case expired:
		add(expired, actor.KindSystem, o.endedAt())
	case refundAsked:
		add(refundAsked, actor.KindShopper, o.after(10*time.Minute))
	case refunded:
		add(refundAsked, actor.KindShopper, o.after(10*time.Minute))
		add(refunded, actor.KindOperator, o.endedAt())
	}
	add(shipped, actor.KindOperator, o.shippedAt())
	by := actor.KindShopper
	if o.status == receivedByTime {
		by = actor.KindSystem
	}
	add(o.status, by, o.confirmedAt())
	return all
}
