package audit

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
)

// Kind is the type of an entry of the business log.
type Kind int

// The kinds of entries.
const (
	General Kind = iota
	Security
	Ordering
	Other
)

// The longest texts, in characters.
const (
	maxAdmin   = 63
	maxAddress = 63
	maxRequest = 63
	maxAction  = 45
	maxResult  = 127
	maxComment = 255
)

// Entry is a line of the business log: what an operator did, in words. Longer texts are cut, so that a log entry never
// makes an operation fail.
type Entry struct {
	// Admin is the username of the caller, Address the caller's address.
	Admin, Address string
	Kind           Kind
	Action         string
	// OK says whether the action succeeded.
	OK bool
	// Result names what was acted upon, or why it failed; it comes from the store, never from the request.
	Result, Comment string
}

// Log writes an entry: the success of a change in the transaction of that change, a failure on the pool, because the
// change it tells of was rolled back. What belongs to an operator's call is written by Record and Note instead.
func Log(ctx context.Context, q db.Querier, e Entry, at time.Time) error {
	err := q.G(ctx).Exec("INSERT INTO log (admin, ip, type, action, status, result, comment, add_time, "+
		"update_time, deleted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
		Cut(e.Admin, maxAdmin), Cut(e.Address, maxAddress), int(e.Kind), Cut(e.Action, maxAction), e.OK,
		Cut(e.Result, maxResult), Cut(e.Comment, maxComment), at, at).Error
	if err != nil {
		return fmt.Errorf("write the business log: %w", err)
	}
	return nil
}

// Cut shortens a text to at most n characters.
func Cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	seen := 0
	for i := range text {
		if seen == n {
			return text[:i]
		}
		seen++
	}
	return text
}

// Line is an entry of the business log as it is kept.
type Line struct {
	ID int64
	Entry
	AddTime, UpdateTime time.Time
}

// Lines lists the business log, of operators whose name contains a text. Sort is add_time or id.
func (s *Service) Lines(ctx context.Context, name string, q page.Query) (page.List[Line], error) {
	return listLines(ctx, s.db, name, q)
}

type lineRow struct {
	ID                                 int64
	Admin, IP, Action, Result, Comment *string
	Type                               *int
	Status                             *bool
	AddTime, UpdateTime                time.Time
}

func listLines(ctx context.Context, q db.Querier, name string, w page.Query) (page.List[Line], error) {
	l := listing.Of("log", "r.id, r.admin, r.ip, r.type, r.action, r.status, r.result, r.comment, r.add_time, "+
		"r.update_time").Timed("ix_log_list").Contains("admin", name)
	rows, err := listing.Fetch[lineRow](ctx, q, l, w)
	return page.Map(rows, lineRow.line), err
}

func (r lineRow) line() Line {
	return Line{
		ID: r.ID, AddTime: r.AddTime, UpdateTime: r.UpdateTime,
		Entry: Entry{
			Admin: or(r.Admin), Address: or(r.IP), Kind: Kind(or(r.Type)), Action: or(r.Action), OK: or(r.Status),
			Result: or(r.Result), Comment: or(r.Comment),
		},
	}
}

// or returns what a column holds, the zero value for NULL.
func or[T any](v *T) (value T) {
	if v != nil {
		value = *v
	}
	return value
}

// purgedLog is the most entries of the business log that one batch removes.
const purgedLog = 5000

// PurgeLog removes entries of the business log that were written before a moment, at most one batch, and reports how
// many. The audit records, which are chained, are not touched.
func (s *Service) PurgeLog(ctx context.Context, before time.Time) (int, error) {
	var ids []int64
	err := s.db.G(ctx).Raw("SELECT id FROM log WHERE add_time <= ? ORDER BY add_time, id LIMIT ?", before, purgedLog).
		Scan(&ids).Error
	if err != nil {
		return 0, fmt.Errorf("look for old log entries: %w", err)
	}
	if len(ids) == 0 {
		return 0, nil
	}
	res := s.db.G(ctx).Exec("DELETE FROM log WHERE id IN ?", ids)
	if res.Error != nil {
		return 0, fmt.Errorf("purge log entries: %w", res.Error)
	}
	return int(res.RowsAffected), nil
}
