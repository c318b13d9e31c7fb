package consistency

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// stock compares the ledger with the stock. The ledger of one product may be too long for one statement, so it is
// walked by its key first; a product that then seems wrong is checked again in one statement, since it may have been
// sold in the meantime.
func (s *Service) stock(ctx context.Context, found Found, progress func(key int64)) error {
	moved := map[int64]int64{}
	if err := s.ranges(ctx, "stock_log", "id", 4*s.span, func(lo, hi int64) error {
		progress(hi)
		return movements(ctx, s.db, lo, hi, moved)
	}); err != nil {
		return err
	}
	return s.ranges(ctx, "goods_product", "id", s.span, func(lo, hi int64) error {
		counts, err := counts(ctx, s.db, lo, hi)
		if err != nil {
			return err
		}
		for _, c := range counts {
			if moved[c.ID] == c.Stock {
				continue
			}
			sure, wrong, err := recount(ctx, s.db, c.ID)
			if err != nil {
				return err
			}
			if !wrong {
				continue
			}
			if err := found(Disagreement{
				Table: "goods_product", Key: fmt.Sprint(c.ID), What: "number (with its buckets)",
				Found: fmt.Sprint(sure.Stock), Expected: fmt.Sprint(sure.Ledger),
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

type count struct {
	ID, Stock, Ledger int64
}

// movements adds the ledger rows of a range to the sums by product.
func movements(ctx context.Context, q db.Querier, lo, hi int64, moved map[int64]int64) error {
	var rows []struct{ ProductID, Delta int64 }
	err := table.Scan(ctx, q, &rows, `SELECT product_id, SUM(delta) AS delta
		FROM stock_log
		WHERE id BETWEEN ? AND ?
		GROUP BY product_id`,
		lo, hi)
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
	err := table.Scan(ctx, q, &rows,
		"SELECT p.id, p.number + "+buckets+" AS stock FROM goods_product p WHERE p.id BETWEEN ? AND ?",
		lo, hi)
	if err != nil {
		return nil, fmt.Errorf("count the stock: %w", err)
	}
	return rows, nil
}

func recount(ctx context.Context, q db.Querier, id int64) (count, bool, error) {
	var c count
	err := table.Scan(ctx, q, &c, "SELECT p.id, p.number + "+buckets+` AS stock,
			COALESCE((SELECT SUM(l.delta) FROM stock_log l WHERE l.product_id = p.id), 0) AS ledger
		FROM goods_product p
		WHERE p.id = ?`, id)
	if err != nil {
		return count{}, false, fmt.Errorf("count the stock of product %d: %w", id, err)
	}
	return c, c.Stock != c.Ledger, nil
}

func stockTables() []tableCheck {
	return []tableCheck{
		{table: "stock_log", checks: ledgerChecks()},
		{table: "stock_bucket", checks: []check{
			must("available", "t.available >= 0", "0 or more"),
			must("product_id", "p.stock_mode = 1", "a product with split stock").
				with("goods_product", "LEFT JOIN goods_product p ON p.id = t.product_id"),
			must("bucket_no", "t.bucket_no >= 0", "0 or more"),
		}},
	}
}

// ledgerChecks compare the stock ledger with the order lines that its rows belong to, and those without a line with
// what opened or edited the stock.
func ledgerChecks() []check {
	const ref = `CASE
		WHEN t.reason = @stock_taken THEN CONCAT('line:', t.order_goods_id, ':out')
		WHEN t.reason = @stock_returned AND t.ref_key LIKE 'line:%:in:%' THEN CONCAT('line:', t.order_goods_id, ':in:', (
			SELECT c.aftersale_id FROM aftersale_line c JOIN aftersale a ON a.id = c.aftersale_id
			WHERE c.order_goods_id = t.order_goods_id AND a.order_id = t.order_id AND ` + backByCase + `
				AND t.ref_key = CONCAT('line:', t.order_goods_id, ':in:', c.aftersale_id)))
		WHEN t.reason IN @stock_given_back THEN CONCAT('line:', t.order_goods_id, ':in')
		WHEN t.reason = @stock_opened THEN CONCAT('open:', t.product_id)
		ELSE t.ref_key END`
	const line = "LEFT JOIN order_goods g ON g.id = t.order_goods_id"
	const order = "LEFT JOIN orders o ON o.id = g.order_id"
	const ofLine = "(t.reason = @stock_taken OR t.reason IN @stock_given_back)"
	return []check{
		among("reason", "stock_reasons"), among("operator_type", "actors"),
		holds("ref_key", ref),
		must("order_goods_id", "(t.order_goods_id <> 0) = "+ofLine+" OR t.ref_key LIKE 'line:%:cut%'",
			"the line that took it"),
		must("delta", "NOT "+ofLine+" OR t.delta <=> IF(t.reason = @stock_taken, -g.number, COALESCE("+
			"(SELECT c.number FROM aftersale_line c WHERE c.order_goods_id = g.id "+
			"AND t.ref_key = CONCAT('line:', g.id, ':in:', c.aftersale_id)), g.number))",
			"the number of the line").with("order_goods", line),
		must("product_id", "t.order_goods_id = 0 OR t.product_id <=> g.product_id", "the product of the line").
			with("order_goods", line),
		must("order_id", "t.order_id <=> COALESCE(g.order_id, 0)", "the order of the line").with("order_goods", line),
		must("reason", "NOT "+ofLine+" OR t.reason = @stock_taken OR CASE o.order_status "+
			"WHEN @order_cancelled THEN @stock_cancelled WHEN @order_expired THEN @stock_expired "+
			"WHEN @order_dropped THEN @stock_dropped WHEN @order_refunded THEN @stock_refunded "+
			"ELSE @stock_returned END = t.reason",
			"why the order gave it back").with("orders", line, order),
		must("add_time", "t.reason <> @stock_taken OR "+near("t.add_time", "g.add_time"),
			"the time of the order").with("order_goods", line),
		must("add_time", "NOT t.reason IN @stock_given_back OR o.end_time IS NULL "+
			"OR "+near("t.add_time", "o.end_time"), "the end of the order").with("orders", line, order),
		must("operator_type", "t.reason <> @stock_taken OR t.operator_type = IF("+sent("g")+", @by_operator, @by_shopper)",
			"who has ordered or sent it").with("order_goods", line),
		must("operator_type", "t.reason <> @stock_expired OR t.operator_type = @by_system", "the shop by time"),
		must("operator_type", "t.reason <> @stock_cancelled OR t.operator_type = @by_shopper", "the shopper who cancels"),
		must("operator_id", "t.operator_type <> @by_shopper OR t.operator_id <=> o.user_id", "the shopper of the order").
			with("orders", line, order),
		must("operator_id", "t.operator_type <> @by_system OR t.operator_id = 0", "0 for what is no person"),
		must("add_time", "t.reason <> @stock_opened OR "+
			near("t.add_time", "(SELECT p.add_time FROM goods_product p WHERE p.id = t.product_id)"),
			"when the product was made"),
		must("ref_key", "t.reason <> @stock_edited OR "+edited, "an edit that an audit record or a line names"),
	}
}

// edited is the condition that an edit of stock has its source: the audit record that its key names, the line whose
// return was cut off, or before the first audit record the version of the goods. Generated orders add what they take.
var edited = `(
		t.ref_key LIKE 'line:%:cut%' AND t.delta < 0
		OR t.ref_key LIKE 'edit:made-%' AND EXISTS (SELECT 1 FROM order_goods m
			WHERE m.id = CAST(SUBSTRING(SUBSTRING_INDEX(t.ref_key, ':', 2), 11) AS UNSIGNED) AND m.product_id = t.product_id)
		OR t.ref_key LIKE CONCAT('edit:v%:', t.product_id)
			AND t.add_time < COALESCE((SELECT MIN(a.add_time) FROM audit_log a), '9999-01-01')
		OR t.ref_key NOT LIKE 'edit:v%' AND t.ref_key LIKE CONCAT('edit:%:', t.product_id) AND (
			` + unrecorded("t.add_time") + `
			OR EXISTS (SELECT 1 FROM audit_log a
				WHERE a.id = CAST(SUBSTRING_INDEX(SUBSTRING_INDEX(t.ref_key, ':', 2), ':', -1) AS UNSIGNED)
					AND a.target_type = 'goods' AND a.admin_id = t.operator_id
					AND a.add_time BETWEEN t.add_time - INTERVAL 1 HOUR AND t.add_time + INTERVAL 1 HOUR)))`

// lineChecks compare order lines with their orders, products and comments.
func lineChecks() []check {
	const order = "LEFT JOIN orders o ON o.id = t.order_id"
	return []check{
		must("number", "t.number >= 1", "1 or more"),
		must("goods_id", "p.goods_id = t.goods_id", "the goods of the product").
			with("goods_product", productOf),
		must("deleted", "o.id IS NULL OR t.deleted = o.deleted", "as the order").with("orders", order),
		must("add_time", "o.id IS NULL OR "+near("t.add_time", "COALESCE((SELECT MAX(a.handle_time) FROM aftersale_line m "+
			"JOIN aftersale a ON a.id = m.aftersale_id WHERE m.sent_id = t.id), o.add_time)"),
			"the time of the order, or of the exchange").
			with("orders", order),
		must("discount_share", "o.id IS NULL OR t.discount_share <= t.price * t.number + o.freight_price",
			"at most the price and the freight").with("orders", order),
		must("comment_id", "t.comment_id = 0 OR o.order_status IN @order_received",
			"0 before the receipt").with("orders", order),
		copied("goods_name", "g.name"), copied("goods_sn", "g.goods_sn"), copied("pic_url", pictureOf),
		copied("specifications", "p.specifications"), copied("price", "IF("+sent("t")+", 0, p.price)"),
		must("comment_id", "t.comment_id <= 0 OR EXISTS (SELECT 1 FROM comment c WHERE c.id = t.comment_id "+
			"AND c.order_goods_id = t.id)", "the comment of this line"),
	}
}

// lineRules check that each line took stock once, and returned it once if its order ended without a sale or the goods
// came back. Imported orders took no stock here.
func lineRules() []rule {
	const back = `(
			o.order_status IN @order_free
				OR EXISTS (
					SELECT 1
					FROM aftersale a
					WHERE a.order_id = o.id AND a.status = @case_refunded AND a.type = @case_returned
						AND NOT EXISTS (SELECT 1 FROM aftersale_line m WHERE m.aftersale_id = a.id)))`
	return []rule{
		{"taken from stock", `SELECT t.id AS row_key, IF(l.id IS NULL, 'never', 'once') AS says,
				IF(l.id IS NULL, 'once', 'never') AS should
			FROM order_goods t
			JOIN orders o ON o.id = t.order_id
			LEFT JOIN stock_log l ON l.ref_key = CONCAT('line:', t.id, ':out')
			WHERE t.id BETWEEN @lo AND @hi
				AND (l.id IS NULL) <> (NOT ` + sent("t") + ` AND EXISTS (
					SELECT 1
					FROM order_status_log s
					WHERE s.order_id = o.id AND s.actor_type = @by_import))`},
		{"given back to stock", `SELECT t.id AS row_key, IF(l.id IS NULL, 'never', 'once') AS says,
				IF(l.id IS NULL, 'once', 'never') AS should
			FROM order_goods t
			JOIN orders o ON o.id = t.order_id
			LEFT JOIN stock_log l ON l.ref_key = CONCAT('line:', t.id, ':in')
			WHERE t.id BETWEEN @lo AND @hi
				AND (l.id IS NOT NULL) <> ` + back + `
				AND (
					l.id IS NOT NULL
						OR NOT EXISTS (
							SELECT 1
							FROM order_status_log s
							WHERE s.order_id = o.id AND s.actor_type = @by_import AND s.to_status = o.order_status))`},
	}
}
