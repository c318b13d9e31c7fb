package report

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/internal/db"
)

// stock compares the ledger with the stock. The ledger of one product may be too long for one statement, so it is
// walked by its key first; a product that then seems wrong is checked again in one statement, since it may have been
// sold in the meantime.
func (s *Service) stock(ctx context.Context, found func(Disagreement) error) error {
	moved := map[int64]int64{}
	if err := s.walk(ctx, walk{table: "stock_log", key: "id"}, 4*s.span, func(lo, hi int64) error {
		return movements(ctx, s.db, lo, hi, moved)
	}); err != nil {
		return err
	}
	return s.walk(ctx, walk{table: "goods_product", key: "id"}, s.span, func(lo, hi int64) error {
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
	err := q.G(ctx).Raw(`SELECT product_id, SUM(delta) AS delta
		FROM stock_log
		WHERE id BETWEEN ? AND ?
		GROUP BY product_id`,
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
	err := q.G(ctx).Raw("SELECT p.id, p.number + "+buckets+` AS stock,
			COALESCE((SELECT SUM(l.delta) FROM stock_log l WHERE l.product_id = p.id), 0) AS ledger
		FROM goods_product p
		WHERE p.id = ?`, id).Scan(&c).Error
	if err != nil {
		return count{}, false, fmt.Errorf("count the stock of product %d: %w", id, err)
	}
	return c, c.Stock != c.Ledger, nil
}

// ledgerRules compare the stock ledger with the order lines that its rows belong to.
func ledgerRules() []rule {
	const ref = `CASE
		WHEN t.reason = @stock_taken THEN CONCAT('line:', t.order_goods_id, ':out')
		WHEN t.reason IN @stock_given_back THEN CONCAT('line:', t.order_goods_id, ':in')
		ELSE t.ref_key END`
	return []rule{
		orphans("stock_log", "product_id", "goods_product"),
		orphans("stock_log", "order_id", "orders"),
		orphans("stock_log", "order_goods_id", "order_goods"),
		holds("stock_log", "ref_key", "t.ref_key", ref),
		{"delta", `SELECT t.id AS row_key, t.delta AS says, IF(t.reason = @stock_taken, -g.number, g.number) AS should
			FROM stock_log t
			JOIN order_goods g ON g.id = t.order_goods_id
			WHERE t.id BETWEEN @lo AND @hi
				AND (t.reason = @stock_taken OR t.reason IN @stock_given_back)
				AND t.delta <> IF(t.reason = @stock_taken, -g.number, g.number)`},
		{"product_id/order_id", `SELECT t.id AS row_key, CONCAT(t.product_id, '/', t.order_id) AS says,
				CONCAT(g.product_id, '/', g.order_id) AS should
			FROM stock_log t
			JOIN order_goods g ON g.id = t.order_goods_id
			WHERE t.id BETWEEN @lo AND @hi AND (t.product_id <> g.product_id OR t.order_id <> g.order_id)`},
	}
}

// bucketRules check the split counters of products. A bucket is identified by its product and number.
func bucketRules() []rule {
	return []rule{
		{"product_id", `SELECT CONCAT(t.product_id, '/', t.bucket_no) AS row_key, t.product_id AS says,
				'a row of goods_product' AS should
			FROM stock_bucket t
			LEFT JOIN goods_product p ON p.id = t.product_id
			WHERE t.product_id BETWEEN @lo AND @hi AND p.id IS NULL`},
		{"available", `
			SELECT CONCAT(t.product_id, '/', t.bucket_no) AS row_key, t.available AS says, '0 or more' AS should
			FROM stock_bucket t
			WHERE t.product_id BETWEEN @lo AND @hi AND t.available < 0`},
	}
}

// lineRules check order lines: each took stock once, and returned it once if its order ended without a sale or the
// goods came back. Imported orders took no stock here.
func lineRules() []rule {
	const back = `(
			o.order_status IN @order_free
				OR EXISTS (
					SELECT 1
					FROM aftersale a
					WHERE a.order_id = o.id AND a.status = @case_refunded AND a.type = @case_returned))`
	return []rule{
		orphans("order_goods", "order_id", "orders"),
		{"taken from stock", `SELECT t.id AS row_key, IF(l.id IS NULL, 'never', 'once') AS says,
				IF(l.id IS NULL, 'once', 'never') AS should
			FROM order_goods t
			JOIN orders o ON o.id = t.order_id
			LEFT JOIN stock_log l ON l.ref_key = CONCAT('line:', t.id, ':out')
			WHERE t.id BETWEEN @lo AND @hi
				AND (l.id IS NULL) <> EXISTS (
					SELECT 1
					FROM order_status_log s
					WHERE s.order_id = o.id AND s.actor_type = @by_import)`},
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
		{"comment_id", `SELECT t.id AS row_key, t.comment_id AS says, 'the comment of this line' AS should
			FROM order_goods t
			LEFT JOIN comment c ON c.id = t.comment_id AND c.order_goods_id = t.id
			WHERE t.id BETWEEN @lo AND @hi AND t.comment_id > 0 AND c.id IS NULL`},
		{"number", `SELECT t.id AS row_key, t.number AS says, '1 or more' AS should
			FROM order_goods t
			WHERE t.id BETWEEN @lo AND @hi AND t.number < 1`},
	}
}
