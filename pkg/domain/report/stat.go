package report

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/money"
)

// Day is the sums of a day in the shop's time zone, including rows that were deleted since.
type Day struct {
	// Name is the date, as in 2030-01-02.
	Name string
	// Users is the number of registrations.
	Users int64
	// Orders are the orders placed that day and received by now, Customers their shoppers, Amount their total.
	Orders, Customers int64
	Amount            money.Amount
	// Ordered is the number of orders with lines of that day, in any state; Products and OrderedAmount are their quantity
	// and total.
	Ordered, Products int64
	OrderedAmount     money.Amount
}

// PerCustomer is Amount divided by Customers, rounded half up to cents.
func (d Day) PerCustomer() money.Amount {
	if d.Customers == 0 {
		return 0
	}
	n := money.Amount(d.Customers)
	return (2*d.Amount + n) / (2 * n)
}

// caughtUp bounds the days that a reader recomputes; the job does the rest.
const caughtUp = 300

// Days returns the sums of all days with data, in order. The current day and changed days are recomputed before, even
// if the events of the changes were not delivered yet.
func (r *Rollup) Days(ctx context.Context) ([]Day, error) {
	touched, err := r.touched(ctx)
	if err != nil {
		return nil, err
	}
	due := func(day, at time.Time) bool { return touched[day.Format(dayLayout)] || r.isStale(day, at, 0) }
	if _, err := r.refresh(ctx, due, caughtUp); err != nil {
		return nil, err
	}
	days, err := readDays(ctx, r.db)
	if err != nil {
		return nil, fmt.Errorf("read the sums of the days: %w", err)
	}
	return days, nil
}

// touched returns the days of changes whose events were not delivered yet.
func (r *Rollup) touched(ctx context.Context) (map[string]bool, error) {
	payloads, err := waiting(ctx, r.db, order.TopicStatistics)
	if err != nil {
		return nil, fmt.Errorf("find changes of days: %w", err)
	}
	days := map[string]bool{}
	for _, p := range payloads {
		var t order.StatisticsChanged
		if json.Unmarshal([]byte(p), &t) == nil { // the outbox reports unreadable events
			days[t.At.In(r.zone).Format(dayLayout)] = true
		}
	}
	return days, nil
}
