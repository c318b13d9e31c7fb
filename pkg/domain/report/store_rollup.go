package report

import (
	"context"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/money"
)

// changedMark is the refresh time of a day that has changed since; every real one is after neverBefore.
const changedMark = "1970-01-02 00:00:00"

var neverBefore = time.Date(1971, 1, 1, 0, 0, 0, 0, time.UTC)

func markDay(ctx context.Context, q db.Querier, day string) error {
	return q.G(ctx).Exec("INSERT INTO stat_day (day, refresh_time) VALUES (?, ?) "+
		"ON DUPLICATE KEY UPDATE refresh_time = ?", day, changedMark, changedMark).Error
}

// refreshed returns when each day was computed.
func refreshed(ctx context.Context, q db.Querier) (map[string]time.Time, error) {
	var rows []struct {
		Name        string
		RefreshTime time.Time
	}
	err := q.G(ctx).Raw("SELECT CAST(day AS CHAR) AS name, refresh_time FROM stat_day").Scan(&rows).Error
	days := make(map[string]time.Time, len(rows))
	for _, r := range rows {
		days[r.Name] = r.RefreshTime
	}
	return days, err
}

// firstMoment is when the first shopper registered or the first order was placed, or a default.
func firstMoment(ctx context.Context, q db.Querier, otherwise time.Time) (time.Time, error) {
	var rows []struct{ At time.Time }
	err := q.G(ctx).Raw("(SELECT add_time AS at FROM user ORDER BY add_time, id LIMIT 1) UNION ALL " +
		"(SELECT add_time AS at FROM orders ORDER BY add_time, id LIMIT 1)").Scan(&rows).Error
	for _, r := range rows {
		if r.At.Before(otherwise) {
			otherwise = r.At
		}
	}
	return otherwise, err
}

// lockDay creates the row of a day if needed, locks it, and returns when the day was computed.
func lockDay(ctx context.Context, tx *db.Tx, day string) (at time.Time, err error) {
	err = tx.G(ctx).Exec("INSERT INTO stat_day (day, refresh_time) VALUES (?, ?) ON DUPLICATE KEY UPDATE day = day",
		day, changedMark).Error
	if err != nil {
		return at, err
	}
	err = tx.G(ctx).Raw("SELECT refresh_time FROM stat_day WHERE day = ? FOR UPDATE", day).Scan(&at).Error
	return at, err
}

// daySums are the sums of a day.
type daySums struct {
	Users, Orders, Customers   int
	Amount                     money.Amount
	GoodsOrders, GoodsProducts int
	GoodsAmount                money.Amount
}

// sumDay sums what was stored between two times, including deleted rows, so that sales stay in the history. Lines have
// no index by time; they are found through their orders.
func sumDay(ctx context.Context, q db.Querier, from, to time.Time) (s daySums, err error) {
	err = q.G(ctx).Raw("SELECT u.users, o.orders, o.customers, o.amount, g.goods_orders, g.goods_products, "+
		"g.goods_amount FROM (SELECT COUNT(*) AS users FROM user WHERE add_time >= ? AND add_time < ?) u, "+
		"(SELECT COUNT(*) AS orders, COUNT(DISTINCT user_id) AS customers, COALESCE(SUM(actual_price), 0) AS amount "+
		"FROM orders WHERE add_time >= ? AND add_time < ? AND order_status IN ?) o, "+
		"(SELECT COUNT(DISTINCT l.order_id) AS goods_orders, COALESCE(SUM(l.number), 0) AS goods_products, "+
		"COALESCE(SUM(l.number * l.price), 0) AS goods_amount FROM orders p JOIN order_goods l ON l.order_id = p.id "+
		"WHERE p.add_time >= ? AND p.add_time < ? AND l.add_time >= ? AND l.add_time < ?) g",
		from, to, from, to, states["order_received"], from.Add(-time.Hour), to.Add(time.Hour), from, to).Scan(&s).Error
	return s, err
}

func saveDay(ctx context.Context, tx *db.Tx, day string, s daySums, now time.Time) error {
	return tx.G(ctx).Exec("UPDATE stat_day SET users = ?, orders = ?, customers = ?, amount = ?, goods_orders = ?, "+
		"goods_products = ?, goods_amount = ?, refresh_time = ? WHERE day = ?", s.Users, s.Orders, s.Customers, s.Amount,
		s.GoodsOrders, s.GoodsProducts, s.GoodsAmount, now, day).Error
}
