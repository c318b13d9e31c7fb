package audit

import (
	"context"
	"fmt"
	"strings"
	"time"

	"shop.internal/pkg/domain/internal/store/table"
)

// Browsed filters records for people who turn pages; zero fields are ignored.
type Browsed struct {
	Operator int64
	Table    string
	// Row is an id, used only together with Table.
	Row int64
	// From and Until are bounds of the time: at or after, and before.
	From, Until time.Time
	// Before is the id of the record after which the page begins, an older one; 0 begins with the newest.
	Before int64
	// Limit is the maximum number of records.
	Limit int
}

// Browse returns a page of records, the newest first, and whether there are more. Every filter is read in the order of
// an index, so that a page costs the same however many records there are.
func (s *Service) Browse(ctx context.Context, f Browsed) (found []Stored, more bool, err error) {
	where, args := f.where()
	if f.Before != 0 {
		last, known, err := records.One(ctx, s.db, "r.id = ?", f.Before)
		if err != nil || !known {
			return nil, false, err
		}
		where = append(where, "r.add_time <= ?", "(r.add_time < ? OR r.id < ?)")
		args = append(args, last.AddTime, last.AddTime, last.ID)
	}
	rows, err := records.From(ctx, s.db, `audit_log r FORCE INDEX (`+f.index()+`)
		WHERE `+strings.Join(append(where, "1 = 1"), " AND ")+`
		ORDER BY r.add_time DESC, r.id DESC
		LIMIT ?`, append(args, f.Limit+1)...)
	if err != nil {
		return nil, false, err
	}
	if more = len(rows) > f.Limit; more {
		rows = rows[:f.Limit]
	}
	found = make([]Stored, len(rows))
	for i, r := range rows {
		found[i] = r.stored()
	}
	return found, more, nil
}

func (f Browsed) where() (where []string, args []any) {
	add := func(condition string, value any) { where, args = append(where, condition), append(args, value) }
	if f.Table != "" {
		add("r.target_type = ?", f.Table)
		if f.Row != 0 {
			add("r.target_id = ?", f.Row)
		}
	}
	if f.Operator != 0 {
		add("r.admin_id = ?", f.Operator)
	}
	if !f.From.IsZero() {
		add("r.add_time >= ?", f.From)
	}
	if !f.Until.IsZero() {
		add("r.add_time < ?", f.Until)
	}
	return where, args
}

// index is the index in whose order the records are read. A row has few records, so its operators need none.
func (f Browsed) index() string {
	switch {
	case f.Table != "" && f.Row != 0:
		return "ix_audit_target"
	case f.Table != "" && f.Operator != 0:
		return "ix_audit_admin_table"
	case f.Table != "":
		return "ix_audit_table"
	case f.Operator != 0:
		return "ix_audit_admin"
	}
	return "ix_audit_time"
}

// Chain is the state of the chain of seals.
type Chain struct {
	// Head is the newest seal, number 0 if nothing is sealed yet.
	Head Head
	chainTimes
}

// chainTimes are the times of records; the zero time is that of none.
type chainTimes struct {
	// First and Last are the times of the oldest record that was not purged and of the newest one of the chain.
	First, Last time.Time `table:"null"`
	// Unsealed is the number of records that are not sealed yet, counted up to a thousand, UnsealedSince the time of the
	// oldest of them.
	Unsealed      int64
	UnsealedSince time.Time `table:"null"`
}

// Chain returns the state of the chain, in two statements.
func (s *Service) Chain(ctx context.Context) (Chain, error) {
	head, err := s.Head(ctx)
	if err != nil {
		return Chain{}, err
	}
	rows, err := table.Select[chainTimes](ctx, s.db, `
		SELECT (SELECT add_time FROM audit_log WHERE seal_no IS NOT NULL ORDER BY seal_no LIMIT 1) AS first,
			(SELECT add_time FROM audit_log WHERE seal_no IS NOT NULL ORDER BY seal_no DESC LIMIT 1) AS last,
			COUNT(*) AS unsealed, MIN(add_time) AS unsealed_since
		FROM (SELECT add_time FROM audit_log WHERE seal_no IS NULL ORDER BY id LIMIT 1000) unsealed`)
	if err != nil {
		return Chain{}, fmt.Errorf("read the state of the chain: %w", err)
	}
	return Chain{Head: head, chainTimes: rows[0]}, nil
}
