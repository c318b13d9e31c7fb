package catalog

import (
	"context"
	"strings"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

// entry is a row of the stock ledger.
type entry struct {
	StockLine
	reason Reason
	delta  int
	ref    string
}

func insertLedger(ctx context.Context, tx *db.Tx, entries []entry, by StockActor, at time.Time) error {
	if len(entries) == 0 {
		return nil
	}
	args := make([]any, 0, len(entries)*9)
	for _, e := range entries {
		args = append(args, e.ProductID, e.OrderID, e.LineID, int(e.reason), e.delta, e.ref, by.Type, by.ID, at)
	}
	return tx.G(ctx).Exec("INSERT INTO stock_log (product_id, order_id, order_goods_id, reason, delta, ref_key, "+
		"operator_type, operator_id, add_time) VALUES "+tuples(len(entries), 9), args...).Error
}

func ledgerRefs(ctx context.Context, tx *db.Tx, refs []string) ([]string, error) {
	var found []string
	err := tx.G(ctx).Raw("SELECT ref_key FROM stock_log WHERE ref_key IN ?", refs).Scan(&found).Error
	return found, err
}

// takeAll lowers the number of every product that has enough, is still offered, costs what the buyer was told and is in
// the category that their coupon was chosen by. Rows are visited, and so locked, in the order of their ids.
func takeAll(ctx context.Context, tx *db.Tx, pieces []StockLine, at time.Time) (int64, error) {
	number, numberArgs := byProduct(pieces, func(p StockLine) any { return p.Number })
	price, priceArgs := byProduct(pieces, func(p StockLine) any { return p.Price })
	category, categoryArgs := byProduct(pieces, func(p StockLine) any { return p.CategoryID })
	args := append([]any{}, numberArgs...)
	args = append(append(args, at, ids(pieces)), numberArgs...)
	args = append(append(args, priceArgs...), categoryArgs...)
	res := tx.G(ctx).Exec("UPDATE goods_product SET number = number - "+number+", update_time = ? "+
		"WHERE id IN ? AND deleted = 0 AND number >= "+number+" AND price = "+price+
		" AND "+category+" = (SELECT category_id FROM goods WHERE goods.id = goods_product.goods_id AND is_on_sale = 1 "+
		"AND goods.deleted = 0) ORDER BY id", args...)
	return res.RowsAffected, res.Error
}

func giveAll(ctx context.Context, tx *db.Tx, pieces []StockLine, at time.Time) error {
	number, args := byProduct(pieces, func(p StockLine) any { return p.Number })
	return tx.G(ctx).Exec("UPDATE goods_product SET number = number + "+number+", update_time = ? WHERE id IN ? ORDER "+
		"BY id",
		append(args, at, ids(pieces))...).Error
}

// byProduct is an SQL expression that gives each product its own value.
func byProduct(pieces []StockLine, value func(StockLine) any) (string, []any) {
	if len(pieces) == 1 {
		return "?", []any{value(pieces[0])}
	}
	args := make([]any, 0, 2*len(pieces))
	for _, p := range pieces {
		args = append(args, p.ProductID, value(p))
	}
	return "(CASE id" + strings.Repeat(" WHEN ? THEN ?", len(pieces)) + " END)", args
}

func ids(pieces []StockLine) []int64 {
	all := make([]int64, len(pieces))
	for i, p := range pieces {
		all[i] = p.ProductID
	}
	return all
}

// tuples is the text of n rows of width placeholders.
func tuples(n, width int) string {
	row := "(?" + strings.Repeat(", ?", width-1) + ")"
	return row + strings.Repeat(", "+row, n-1)
}
