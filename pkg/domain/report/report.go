// Package report verifies the books of the shop: it compares the tables of the areas with each other and reports every
// row that disagrees. It reads the tables of all areas, which no other area may do, and writes none.
package report

import (
	"context"
	"fmt"
	"maps"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/internal/counter"
	"shop.internal/pkg/domain/internal/db"
)

// Disagreement is a row whose value does not follow from the other rows.
type Disagreement struct {
	// Table and Key identify the row: its id, or its key columns joined by a slash.
	Table, Key string
	// What is the column, or what was counted.
	What string
	// Found is the stored value, Expected the one that it should be.
	Found, Expected string
}

// String returns the disagreement as one line.
func (d Disagreement) String() string {
	return fmt.Sprintf("%s %s: %s is %s, should be %s", d.Table, d.Key, d.What, d.Found, d.Expected)
}

// Service verifies the books.
type Service struct {
	db *db.DB
	// span is the number of rows that one statement reads.
	span int
}

// New returns the service.
func New(d *db.DB) *Service { return &Service{db: d, span: 5000} }

// Verify checks the books and calls found for every disagreement. It walks each table by its key in ranges, so that its
// memory does not grow with the tables, and may run while the shop sells: a rule that spans several tables is one
// statement, which sees a consistent state. An error of found ends it.
func (s *Service) Verify(ctx context.Context, found func(Disagreement) error) error {
	if err := s.stock(ctx, found); err != nil {
		return err
	}
	for _, w := range walks() {
		if err := s.walk(ctx, w, s.span, func(lo, hi int64) error {
			return s.compare(ctx, w, lo, hi, found)
		}); err != nil {
			return err
		}
	}
	if err := s.addresses(ctx, found); err != nil {
		return err
	}
	return s.chain(ctx, found)
}

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

func (s *Service) walk(ctx context.Context, w walk, span int, each func(lo, hi int64) error) error {
	after := int64(0)
	for {
		lo, hi, err := next(ctx, s.db, w, after, span)
		if err != nil {
			return fmt.Errorf("walk %s: %w", w.table, err)
		}
		if hi == 0 {
			return nil
		}
		if err := each(lo, hi); err != nil {
			return err
		}
		after = hi
	}
}

// next returns the lowest and the highest key of the span rows after a key, and 0 if there are none.
func next(ctx context.Context, q db.Querier, w walk, after int64, span int) (int64, int64, error) {
	var r struct{ Lo, Hi int64 }
	err := q.G(ctx).Raw(`SELECT COALESCE(MIN(k), 0) AS lo, COALESCE(MAX(k), 0) AS hi
		FROM (
			SELECT `+w.key+` AS k
			FROM `+w.table+`
			WHERE `+w.key+` > ?
			ORDER BY `+w.key+`
			LIMIT ?
		) AS part`, after, span).Scan(&r).Error
	return r.Lo, r.Hi, err
}

func (s *Service) compare(ctx context.Context, w walk, lo, hi int64, found func(Disagreement) error) error {
	for _, r := range w.rules {
		rows, err := disagreeing(ctx, s.db, r.query, lo, hi)
		if err != nil {
			return fmt.Errorf("compare %s of %s: %w", r.what, w.table, err)
		}
		for _, row := range rows {
			d := Disagreement{Table: w.table, Key: row.RowKey, What: r.what, Found: text(row.Says), Expected: text(row.Should)}
			if err := found(d); err != nil {
				return err
			}
		}
	}
	return nil
}

func disagreeing(ctx context.Context, q db.Querier, query string, lo, hi int64) ([]violation, error) {
	var rows []violation
	named := maps.Clone(states)
	named["lo"], named["hi"] = lo, hi
	err := q.G(ctx).Raw(query, named).Scan(&rows).Error
	return rows, err
}

func text(s *string) string {
	if s == nil {
		return "nothing"
	}
	return *s
}

// chain verifies the hash chain of the audit records.
func (s *Service) chain(ctx context.Context, found func(Disagreement) error) error {
	return audit.Verify(ctx, s.db, func(f audit.Fault) error {
		return found(Disagreement{Table: "audit_log", Key: f.Key, What: f.What, Found: f.Found, Expected: f.Expected})
	})
}

// holds is a rule over the columns of one table, t: says must equal should.
func holds(table, what, says, should string) rule {
	return rule{what, `SELECT t.id AS row_key, ` + says + ` AS says, ` + should + ` AS should
		FROM ` + table + ` t
		WHERE t.id BETWEEN @lo AND @hi AND NOT (` + says + ` <=> ` + should + `)`}
}

// orphans is the rule that a column refers to a row of another table; 0 and NULL refer to none.
func orphans(table, column, parent string) rule {
	return rule{column, `SELECT t.id AS row_key, t.` + column + ` AS says, 'a row of ` + parent + `' AS should
		FROM ` + table + ` t
		LEFT JOIN ` + parent + ` p ON p.id = t.` + column + `
		WHERE t.id BETWEEN @lo AND @hi AND t.` + column + ` <> 0 AND p.id IS NULL`}
}

// versionMark is the rule that a mark is 0 while a condition on t holds, and the row's id otherwise.
func versionMark(table, column, open string) rule {
	return holds(table, column, "t."+column, "CASE WHEN "+open+" THEN 0 ELSE t.id END")
}

// Totals are the numbers of live rows.
type Totals struct {
	Users, Goods, Products, Orders int64
}

// Totals counts in one statement. Large totals may be half a minute old.
func (s *Service) Totals(ctx context.Context) (Totals, error) {
	count := func(scope, table string) counter.Count {
		return counter.Count{Scope: scope, From: table + " WHERE deleted = 0", Args: nil, Large: 0}
	}
	n, err := counter.Totals(ctx, s.db, count("user:all", "user"), count("goods:all", "goods"),
		count("goods_product:all", "goods_product"), count("orders:all", "orders"))
	if err != nil {
		return Totals{}, err
	}
	return Totals{Users: n[0].N, Goods: n[1].N, Products: n[2].N, Orders: n[3].N}, nil
}
