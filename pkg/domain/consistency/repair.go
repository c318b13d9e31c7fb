package consistency

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/statistics"
)

// repair repairs one row in a transaction and reports whether it changed anything: the row may agree again by now.
type repair func(ctx context.Context, tx *db.Tx) (bool, error)

// repairable points to a repair, so that disagreements can be compared.
type repairable struct{ do repair }

// Repairable reports whether what the row should be follows from other rows without doubt, so that Repair can change
// it: counters, marks of pictures, titles that are copied, search terms and statistics. Money, stock and states are
// never repaired.
func (d Disagreement) Repairable() bool { return d.repair != nil }

// Repair makes a row what it should be, under its lock and by what the other rows say then, and records the change if
// the context is that of a call. It returns false if the row is not repairable, or agrees by now.
func (s *Service) Repair(ctx context.Context, d Disagreement) (bool, error) {
	if d.repair == nil {
		return false, nil
	}
	if call, ok := audit.From(ctx); ok {
		call.Target = d.Table
		ctx = audit.With(ctx, call)
	}
	done := false
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		if done, err = d.repair.do(ctx, tx); err != nil || !done {
			return err
		}
		id, _ := strconv.ParseInt(d.Key, 10, 64) // 0 for a row without an id
		return audit.Record(ctx, tx, audit.Change{
			ID:     id,
			Before: map[string]any{"repaired": d.What, "value": d.Found},
			After:  map[string]any{"repaired": d.What, "value": d.Expected}, Result: d.Table + " " + d.Key,
		})
	})
	if err != nil {
		return false, fmt.Errorf("repair %s %s: %w", d.Table, d.Key, err)
	}
	return done, nil
}

// repairing sets a column of one row of the table to what a query says that it should be. The query is that of a check
// or a rule; it is evaluated again once the row is locked, so that nothing that counts can change meanwhile.
func (w tableCheck) repairing(column, query, key string, named map[string]any) *repairable {
	id, err := strconv.ParseInt(key, 10, 64)
	if column == "" || err != nil {
		return nil
	}
	named = maps.Clone(named)
	named["lo"], named["hi"] = id, id
	return &repairable{func(ctx context.Context, tx *db.Tx) (bool, error) {
		var locked []int64
		err := table.Scan(ctx, tx, &locked, "SELECT id FROM "+quoted(w.table)+" WHERE id = ? FOR UPDATE", id)
		if err != nil || len(locked) == 0 {
			return false, err
		}
		wrong, err := disagreeing(ctx, tx, query, named)
		if err != nil || len(wrong) == 0 {
			return false, err
		}
		res, err := db.Exec(ctx, tx, "UPDATE "+quoted(w.table)+" SET "+quoted(column)+" = ? WHERE id = ? AND "+quoted(column)+
			" <=> ?", wrong[0].Should, id, wrong[0].Says)
		return res.Affected == 1, err
	}}
}

// reindexing writes the search terms of goods again.
func (s *Service) reindexing(key string) *repairable {
	goods, _, _ := strings.Cut(key, "/")
	id, err := strconv.ParseInt(goods, 10, 64)
	if err != nil {
		return nil
	}
	return &repairable{func(ctx context.Context, tx *db.Tx) (bool, error) {
		return true, catalog.Reindex(ctx, tx, id, s.now())
	}}
}

// naming writes the terms of a recipient's name again.
func naming(name string) *repairable {
	return &repairable{func(ctx context.Context, tx *db.Tx) (bool, error) {
		return true, order.ReindexRecipient(ctx, tx, name)
	}}
}

// addingUp marks a day, so that the job adds it up again.
func addingUp(date time.Time) *repairable {
	return &repairable{func(ctx context.Context, tx *db.Tx) (bool, error) {
		return true, statistics.MarkChanged(ctx, tx, date)
	}}
}
