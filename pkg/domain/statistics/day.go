// Package statistics adds up the days of the shop from the tables of its areas: registrations, orders, and what sold
// most.
package statistics

import (
	"context"
	"time"

	"shop.internal/pkg/base/calendar"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/order"
)

// Day is the sums of a day in the shop's time zone, including rows that were deleted since.
type Day struct {
	// Date is the date alone, whatever the zone: midnight of UTC.
	Date time.Time `gorm:"primaryKey;column:day;type:date"`
	// Users is the number of registrations.
	Users int64
	// Orders are the orders placed that day and received by now, Customers their shoppers, Amount their total.
	Orders, Customers int64
	Amount            money.Amount
	// Ordered is the number of orders with lines of that day, in any state; Products and OrderedAmount are their quantity
	// and total.
	Ordered       int64        `gorm:"column:goods_orders"`
	Products      int64        `gorm:"column:goods_products"`
	OrderedAmount money.Amount `gorm:"column:goods_amount"`
}

// Name is the date as a text, as in 2030-01-02.
func (d Day) Name() string { return d.Date.Format(time.DateOnly) }

// StoredDay is a day and when it was added up.
type StoredDay struct {
	Day
	RefreshTime time.Time
	// GoodsTime is when its goods were added up. An earlier release leaves it as it was.
	GoodsTime time.Time `table:"null"`
}

// Whole reports whether all of the day was added up, its goods too.
func (r StoredDay) Whole() bool { return !r.GoodsTime.Before(r.RefreshTime) }

// refreshedDay is what shows whether a day must be added up.
type refreshedDay struct {
	Day         time.Time `gorm:"type:date"`
	RefreshTime time.Time
	GoodsTime   time.Time `table:"null"`
}

// at is when all of the day was added up.
func (r refreshedDay) at() time.Time {
	if r.GoodsTime.Before(r.RefreshTime) {
		return changedMark
	}
	return r.RefreshTime
}

var (
	// StoredDays is the table of the days.
	StoredDays    = table.Of[StoredDay]("stat_day")
	days          = table.Part[Day](StoredDays)
	refreshedDays = table.Part[refreshedDay](StoredDays)
)

// Bounds are the first moment of a date and that of the next one in the shop's time zone.
func Bounds(date time.Time, zone *time.Location) (begin, end time.Time) {
	return calendar.Begin(date, zone), calendar.Begin(date.AddDate(0, 0, 1), zone)
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
	due := func(date, at time.Time) bool { return touched[date.Format(time.DateOnly)] || r.isStale(date, at, 0) }
	if _, err := r.refresh(ctx, due, caughtUp); err != nil {
		return nil, err
	}
	return days.Find(ctx, r.db, "r.users > 0 OR r.orders > 0 OR r.goods_orders > 0 ORDER BY r.day")
}

// changedMark is the refresh time of a day that has changed since; every real one is after neverBefore.
var (
	changedMark = time.Date(1970, 1, 2, 0, 0, 0, 0, time.UTC)
	neverBefore = time.Date(1971, 1, 1, 0, 0, 0, 0, time.UTC)
)

// MarkChanged marks a day as changed.
func MarkChanged(ctx context.Context, q db.Querier, date time.Time) error {
	row := StoredDay{Day: Day{Date: date}, RefreshTime: changedMark}
	_, err := StoredDays.Upsert(ctx, q, row, "refresh_time = VALUES(refresh_time)")
	return err
}

// refreshed returns when each day was computed.
func refreshed(ctx context.Context, q db.Querier) (map[string]time.Time, error) {
	rows, err := refreshedDays.From(ctx, q, "stat_day r")
	names := make(map[string]time.Time, len(rows))
	for _, r := range rows {
		names[r.Day.Format(time.DateOnly)] = r.at()
	}
	return names, err
}

// lockDay creates the row of a day if needed, locks it, and returns when the day was computed.
func lockDay(ctx context.Context, tx *db.Tx, date time.Time) (time.Time, error) {
	row := StoredDay{Day: Day{Date: date}, RefreshTime: changedMark}
	if _, err := StoredDays.Upsert(ctx, tx, row, "day = day"); err != nil {
		return time.Time{}, err
	}
	found, _, err := refreshedDays.One(ctx, tx, "r.day = ? FOR UPDATE", date)
	return found.at(), err
}

// AddUp sums what was stored between two times, including deleted rows, so that sales stay in the history. Lines have
// no index by time; they are found through their orders.
func AddUp(ctx context.Context, q db.Querier, from, to time.Time) (s Day, err error) {
	err = table.Scan(ctx, q, &s,
		`SELECT u.users, o.orders, o.customers, o.amount, g.goods_orders, g.goods_products, g.goods_amount
		FROM (
			SELECT COUNT(*) AS users
			FROM user
			WHERE add_time >= @from AND add_time < @to
		) u, (
			SELECT COUNT(*) AS orders, COUNT(DISTINCT user_id) AS customers, COALESCE(SUM(actual_price), 0) AS amount
			FROM orders r
			WHERE add_time >= @from AND add_time < @to AND order_status IN @received AND NOT `+order.Owed("r")+`
		) o, (
			SELECT COUNT(DISTINCT l.order_id) AS goods_orders, COALESCE(SUM(l.number), 0) AS goods_products,
				COALESCE(SUM(l.number * l.price), 0) AS goods_amount
			FROM orders p
			JOIN order_goods l ON l.order_id = p.id
			WHERE p.add_time >= @early AND p.add_time < @late AND l.add_time >= @from AND l.add_time < @to AND `+bought("l")+`
		) g`, map[string]any{
			"from": from, "to": to, "early": from.Add(-time.Hour), "late": to.Add(time.Hour),
			"received": order.Done(),
		})
	return s, err
}

// saveDay writes what a locked day comes to.
func saveDay(ctx context.Context, tx *db.Tx, date time.Time, s Day, now time.Time) error {
	s.Date = date
	return StoredDays.Save(ctx, tx, StoredDay{Day: s, RefreshTime: now, GoodsTime: now})
}
