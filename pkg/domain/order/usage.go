package order

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/internal/store/counter"
	"shop.internal/pkg/domain/internal/store/table"
)

// mostRead is the number of orders up to which Usage looks.
const mostRead = 5000

// Usage is how the settings of freight and of times have worked on orders.
type Usage struct {
	// Since is the beginning of what was looked at.
	Since time.Time
	// Orders are those placed since then, Below those of them whose goods were below the amount of free freight, Charged
	// those that paid freight. Whole is false if more orders were placed than are read.
	Orders, Below, Charged int64
	Whole                  bool
	// Unpaid are the orders that wait for their payment, Expired those that were cancelled for want of one, Shipped those
	// under way, AutoReceived those that counted as received by time. They are counted up to mostRead.
	Unpaid, Expired, Shipped, AutoReceived int64
}

// Usage returns how the settings have worked on the orders of some days. It reads at most mostRead orders, and entries
// of an index.
func (s *Service) Usage(ctx context.Context, freeFrom money.Amount, since time.Time) (Usage, error) {
	u := Usage{Since: since}
	found, err := table.Select[struct{ N, Below, Charged int64 }](ctx, s.DB, `
		SELECT COUNT(*) AS n, COALESCE(SUM(d.goods_price < ?), 0) AS below, COALESCE(SUM(d.freight_price > 0), 0) AS charged
		FROM (SELECT goods_price, freight_price FROM orders FORCE INDEX (ix_orders_time)
			WHERE add_time >= ? AND deleted = 0
			ORDER BY add_time DESC, id DESC LIMIT ?) d`, freeFrom, since, mostRead)
	if err != nil {
		return u, fmt.Errorf("count the last orders: %w", err)
	}
	u.Orders, u.Below, u.Charged = found[0].N, found[0].Below, found[0].Charged
	u.Whole = u.Orders < mostRead
	counts, err := counter.Each(ctx, s.DB, mostRead,
		"orders FORCE INDEX (ix_orders_st) WHERE order_status = ? AND deleted = 0 AND add_time >= '"+
			since.UTC().Format(time.DateTime)+"'", []Status{Unpaid, Expired, Shipped, AutoReceived})
	u.Unpaid, u.Expired, u.Shipped, u.AutoReceived = counts[Unpaid], counts[Expired], counts[Shipped], counts[AutoReceived]
	return u, err
}
