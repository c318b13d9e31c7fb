package audit

import (
	"context"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/form"
	"shop.internal/pkg/domain/platform/page"
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

// Entry is a line of the business log: what an operator did, in words. Long texts are truncated, so that a log entry
// never makes an operation fail.
type Entry struct {
	// Admin is the username of the caller, Address the caller's address.
	Admin   string
	Address string `gorm:"column:ip"`
	Kind    Kind   `gorm:"column:type"`
	Action  string
	// OK reports whether the action succeeded.
	OK bool `gorm:"column:status"`
	// Result names what was changed, or why it failed; it comes from the database, never from the request.
	Result, Comment string
}

// Log writes an entry: a success in the transaction of the change, a failure on the pool, because the change was rolled
// back. Record and Note write the entries of an operator's call.
func Log(ctx context.Context, q db.Querier, e Entry, at time.Time) error {
	e.Admin, e.Address = form.Truncate(e.Admin, maxAdmin), form.Truncate(e.Address, maxAddress)
	e.Action = form.Truncate(e.Action, maxAction)
	e.Result, e.Comment = form.Truncate(e.Result, maxResult), form.Truncate(e.Comment, maxComment)
	_, err := lines.InsertAt(ctx, q, Line{Entry: e}, at)
	return err
}

// Line is a stored entry of the business log.
type Line struct {
	ID int64
	Entry
	AddTime, UpdateTime time.Time
}

var lines = table.Of[Line]("log")

// LineFilter filters the business log. The zero filter matches all of it.
type LineFilter struct {
	// ID is that of the entry; nil matches any.
	ID *int64
	// Name is a part of the operator's name.
	Name string
}

// Lines lists the business log. Sort is add_time or id.
func (s *Service) Lines(ctx context.Context, f LineFilter, q page.Query) (page.List[Line], error) {
	return lists.Fetch[Line](ctx, s.lists,
		lists.Of(lines).TimeIndex("ix_log_list").ID("id", f.ID).Contains("admin", f.Name), q)
}

// purgedLog bounds the entries that one batch removes.
const purgedLog = 5000

// PurgeLog deletes a batch of business log entries written before a time, and returns how many. Audit records are not
// touched.
func (s *Service) PurgeLog(ctx context.Context, before time.Time) (int, error) {
	ids, err := lines.IDs(ctx, s.db, "r.add_time <= ? ORDER BY r.add_time, r.id LIMIT ?", before, purgedLog)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	n, err := lines.Delete(ctx, s.db, "id IN ?", ids)
	return int(n), err
}
