// Package report verifies the books of the shop: it compares the tables of the areas with each other and reports every
// row that disagrees. It reads the tables of all areas, which no other area may do, and writes none.
package report

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/internal/db"
)

// Disagreement is a row whose value does not follow from the other rows.
type Disagreement struct {
	// Table and Key identify the row: its id, or its key columns joined by a slash.
	Table, Key string
	// What is the column, or what was counted.
	What string
	// Says is the value found, Should the value expected.
	Says, Should string
}

// String returns the disagreement as one line.
func (d Disagreement) String() string {
	return fmt.Sprintf("%s %s: %s is %s, should be %s", d.Table, d.Key, d.What, d.Says, d.Should)
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

// addresses reports stored web addresses that may not be entered as such; clients do not get them.
func (s *Service) addresses(ctx context.Context, found func(Disagreement) error) error {
	columns := addressed()
	for _, table := range slices.Sorted(maps.Keys(columns)) {
		if err := s.walk(ctx, walk{table: "`" + table + "`", key: "id"}, s.span, func(lo, hi int64) error {
			rows, err := addressesIn(ctx, s.db, table, columns[table], lo, hi)
			for _, row := range rows {
				for _, address := range row.unusable() {
					err = errors.Join(err, found(Disagreement{
						Table: table, Key: fmt.Sprint(row.ID), What: row.Column, Says: address,
						Should: "an address of the web or of the shop",
					}))
				}
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// chain verifies the hash chain of the audit records.
func (s *Service) chain(ctx context.Context, found func(Disagreement) error) error {
	return audit.Verify(ctx, s.db, func(f audit.Fault) error {
		return found(Disagreement{Table: "audit_log", Key: f.Key, What: f.What, Says: f.Says, Should: f.Should})
	})
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

func (s *Service) compare(ctx context.Context, w walk, lo, hi int64, found func(Disagreement) error) error {
	for _, r := range w.rules {
		rows, err := disagreeing(ctx, s.db, r.query, lo, hi)
		if err != nil {
			return fmt.Errorf("compare %s of %s: %w", r.what, w.table, err)
		}
		for _, row := range rows {
			d := Disagreement{Table: w.table, Key: row.RowKey, What: r.what, Says: text(row.Says), Should: text(row.Should)}
			if err := found(d); err != nil {
				return err
			}
		}
	}
	return nil
}

func text(s *string) string {
	if s == nil {
		return "nothing"
	}
	return *s
}

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
				Says: fmt.Sprint(sure.Stock), Should: fmt.Sprint(sure.Ledger),
			}); err != nil {
				return err
			}
		}
		return nil
	})
}
