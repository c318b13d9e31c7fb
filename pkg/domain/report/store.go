package report

import (
	"context"
	"fmt"
	"maps"

	"shop.internal/pkg/domain/internal/db"
)

// walk is a table with the rules for its rows. key is the numeric column by which it is walked.
type walk struct {
	table, key string
	rules      []rule
}

// rule finds the rows of a range of keys that disagree. Its query uses @lo and @hi, the ends of the range, and selects
// row_key, says and should. It may use the names of states.
type rule struct {
	what, query string
}

type violation struct {
	RowKey       string
	Says, Should *string
}

func walks() []walk {
	return append([]walk{
		{"stock_log", "id", ledgerRules()},
		{"stock_bucket", "product_id", bucketRules()},
		{"orders", "id", orderRules()},
		{"order_goods", "id", lineRules()},
		{"order_status_log", "id", []rule{orphans("order_status_log", "order_id", "orders")}},
		{"payment", "id", paymentRules()},
		{"refund", "id", refundRules()},
		{"aftersale", "id", aftersaleRules()},
		{"coupon", "id", couponRules()},
		{"coupon_user", "id", holdingRules()},
		{"groupon_rules", "id", grouponOfferRules()},
		{"groupon", "id", grouponRules()},
	}, plainWalks()...)
}

// next returns the lowest and the highest key of the span rows after a key, and 0 if there are none.
func next(ctx context.Context, q db.Querier, w walk, after int64, span int) (int64, int64, error) {
	var r struct{ Lo, Hi int64 }
	err := q.G(ctx).Raw("SELECT COALESCE(MIN(k), 0) AS lo, COALESCE(MAX(k), 0) AS hi FROM (SELECT "+w.key+" AS k FROM "+
		w.table+" WHERE "+w.key+" > ? ORDER BY "+w.key+" LIMIT ?) AS part", after, span).Scan(&r).Error
	return r.Lo, r.Hi, err
}

func disagreeing(ctx context.Context, q db.Querier, query string, lo, hi int64) ([]violation, error) {
	var rows []violation
	named := maps.Clone(states)
	named["lo"], named["hi"] = lo, hi
	err := q.G(ctx).Raw(query, named).Scan(&rows).Error
	return rows, err
}

// holds is a rule over the columns of one table, t: says must equal should.
func holds(table, what, says, should string) rule {
	return rule{what, "SELECT t.id AS row_key, " + says + " AS says, " + should + " AS should FROM " + table +
		" t WHERE t.id BETWEEN @lo AND @hi AND NOT (" + says + " <=> " + should + ")"}
}

// orphans is the rule that a column refers to a row of another table; 0 and NULL refer to none.
func orphans(table, column, parent string) rule {
	return rule{column, "SELECT t.id AS row_key, t." + column + " AS says, 'a row of " + parent + "' AS should FROM " +
		table +
		" t LEFT JOIN " + parent + " p ON p.id = t." + column +
		" WHERE t.id BETWEEN @lo AND @hi AND t." + column + " <> 0 AND p.id IS NULL"}
}

// versionMark is the rule that a mark is 0 while a condition on t holds, and the row's id otherwise.
func versionMark(table, column, open string) rule {
	return holds(table, column, "t."+column, "CASE WHEN "+open+" THEN 0 ELSE t.id END")
}

type count struct {
	ID, Stock, Ledger int64
}

// movements adds the ledger rows of a range to the sums by product.
func movements(ctx context.Context, q db.Querier, lo, hi int64, moved map[int64]int64) error {
	var rows []struct{ ProductID, Delta int64 }
	err := q.G(ctx).Raw("SELECT product_id, SUM(delta) AS delta FROM stock_log WHERE id BETWEEN ? AND ? GROUP BY "+
		"product_id",
		lo, hi).Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("add up the stock ledger: %w", err)
	}
	for _, r := range rows {
		moved[r.ProductID] += r.Delta
	}
	return nil
}

const buckets = "COALESCE((SELECT SUM(b.available) FROM stock_bucket b WHERE b.product_id = p.id), 0)"

func counts(ctx context.Context, q db.Querier, lo, hi int64) ([]count, error) {
	var rows []count
	err := q.G(ctx).Raw("SELECT p.id, p.number + "+buckets+" AS stock FROM goods_product p WHERE p.id BETWEEN ? AND ?",
		lo, hi).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("count the stock: %w", err)
	}
	return rows, nil
}

func recount(ctx context.Context, q db.Querier, id int64) (count, bool, error) {
	var c count
	err := q.G(ctx).Raw("SELECT p.id, p.number + "+buckets+" AS stock, COALESCE((SELECT SUM(l.delta) FROM stock_log l "+
		"WHERE l.product_id = p.id), 0) AS ledger FROM goods_product p WHERE p.id = ?", id).Scan(&c).Error
	if err != nil {
		return count{}, false, fmt.Errorf("count the stock of product %d: %w", id, err)
	}
	return c, c.Stock != c.Ledger, nil
}
