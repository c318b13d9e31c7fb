package statistics

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/order"
)

// GoodsDay is what was sold of goods in the orders of a day that are paid and not refunded by now. Only the goodsPerDay
// goods that sold most have a row.
type GoodsDay struct {
	Date           time.Time `gorm:"primaryKey;column:day;type:date"`
	GoodsID        int64     `gorm:"primaryKey;autoIncrement:false"`
	Pieces, Orders int64
	// Amount is what was paid for them, less reductions.
	Amount money.Amount
}

var goodsDays = table.Of[GoodsDay]("stat_goods_day", table.Refers("goods_id", "goods"))

const (
	goodsPerDay = 500
	// mostSellers is the number of goods that BestSellers returns.
	mostSellers = 100
)

// SellersOf adds up what the orders of a day have sold, the most first. Orders that were deleted since count.
func SellersOf(ctx context.Context, q db.Querier, date, from, to time.Time) ([]GoodsDay, error) {
	found, err := table.Select[GoodsDay](ctx, q, `
		SELECT l.goods_id, SUM(l.number) AS pieces, COUNT(DISTINCT l.order_id) AS orders,
			SUM(GREATEST(l.number * l.price - l.discount_share, 0)) AS amount
		FROM orders o
		JOIN order_goods l ON l.order_id = o.id
		WHERE o.add_time >= ? AND o.add_time < ? AND o.order_status IN ? AND NOT `+order.Owed("o")+`
			AND `+bought("l")+`
		GROUP BY l.goods_id
		ORDER BY pieces DESC, l.goods_id
		LIMIT ?`, from, to, order.Sold(), goodsPerDay)
	if err != nil {
		return nil, fmt.Errorf("add up the goods of %s: %w", date.Format(time.DateOnly), err)
	}
	for i := range found {
		found[i].Date = date
	}
	return found, nil
}

// StoredSellers are the rows of a day, in the same order.
func StoredSellers(ctx context.Context, q db.Querier, date time.Time) ([]GoodsDay, error) {
	return goodsDays.Find(ctx, q, "r.day = ? ORDER BY r.pieces DESC, r.goods_id", date)
}

// saveSellers replaces the rows of a locked day.
func saveSellers(ctx context.Context, tx *db.Tx, date time.Time, rows []GoodsDay) error {
	if _, err := goodsDays.Delete(ctx, tx, "day = ?", date); err != nil {
		return err
	}
	return goodsDays.InsertAll(ctx, tx, rows)
}

// Seller is what was sold of goods, with their current name and picture.
type Seller struct {
	GoodsID           int64
	GoodsName, PicURL string
	Pieces, Orders    int64
	Amount            money.Amount
}

// BestSellers returns the goods that sold most in the orders of some days, at most mostSellers of them. The first and
// the last day count; the zero time is no bound. Goods that were never among the goodsPerDay of a day are left out.
// The current day is as old as its sums.
func (r *Rollup) BestSellers(ctx context.Context, first, last time.Time) ([]Seller, error) {
	where, args := "1 = 1", []any{}
	if !first.IsZero() {
		where, args = where+" AND day >= ?", append(args, first)
	}
	if !last.IsZero() {
		where, args = where+" AND day <= ?", append(args, last)
	}
	found, err := table.Select[Seller](ctx, r.db, `
		SELECT d.goods_id, COALESCE(g.name, '') AS goods_name, COALESCE(g.pic_url, '') AS pic_url,
			d.pieces, d.orders, d.amount
		FROM (
			SELECT goods_id, SUM(pieces) AS pieces, SUM(orders) AS orders, SUM(amount) AS amount
			FROM stat_goods_day
			WHERE `+where+`
			GROUP BY goods_id
			ORDER BY pieces DESC, goods_id
			LIMIT ?
		) d
		LEFT JOIN goods g ON g.id = d.goods_id
		ORDER BY d.pieces DESC, d.goods_id`, append(args, mostSellers)...)
	if err != nil {
		return nil, fmt.Errorf("find the best sellers: %w", err)
	}
	return found, nil
}

// bought is the condition that an order line, by its alias, was bought and not sent in exchange for another.
func bought(alias string) string {
	return "NOT EXISTS (SELECT 1 FROM aftersale_line x WHERE x.sent_id = " + alias + ".id)"
}
