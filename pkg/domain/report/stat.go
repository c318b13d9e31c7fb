package report

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/money"
)

// Day is a day on which something happened, in the shop's zone. What counts is that it happened: rows that were deleted
// since are in the sums.
type Day struct {
	// Name is the date, as in 2030-01-02.
	Name string
	// Users is the number of registrations.
	Users int64
	// Orders are those placed that day whose parcels have been received by now, Customers their shoppers, Amount what
	// they came to.
	Orders, Customers int64
	Amount            money.Amount
	// Ordered is the number of orders with lines of that day, whatever became of them; Products and OrderedAmount are the
	// pieces and what they came to.
	Ordered, Products int64
	OrderedAmount     money.Amount
}

// PerCustomer is what the received orders came to for each shopper, rounded half up to cents.
func (d Day) PerCustomer() money.Amount {
	if d.Customers == 0 {
		return 0
	}
	n := money.Amount(d.Customers)
	return (2*d.Amount + n) / (2 * n)
}

// caughtUp is the most days that a reader adds up; more of them are left to the job.
const caughtUp = 300

// Days returns the sums of all days on which something happened, in their order. Days that are not over or have changed
// are added up before, also where nobody has delivered the news of the change yet.
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

// touched are the days of changes that have not been delivered yet.
func (r *Rollup) touched(ctx context.Context) (map[string]bool, error) {
	payloads, err := waiting(ctx, r.db, order.TopicStatistics)
	if err != nil {
		return nil, fmt.Errorf("look for changes of days: %w", err)
	}
	days := map[string]bool{}
	for _, p := range payloads {
		var t order.StatisticsChanged
		if json.Unmarshal([]byte(p), &t) == nil { // what cannot be read is the outbox's to tell
			days[t.At.In(r.zone).Format(dayLayout)] = true
		}
	}
	return days, nil
}
