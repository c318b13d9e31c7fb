package access

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
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

// The longest texts of an entry, in characters.
const (
	maxAdmin   = 63
	maxAddress = 63
	maxAction  = 45
	maxResult  = 127
	maxComment = 255
)

// Record writes an entry: the success of a change in the transaction of that change, a failure on the pool, because the
// change it tells of was rolled back.
func (s *Service) Record(ctx context.Context, q db.Querier, e Entry) error {
	return insertEntry(ctx, q, e, s.now())
}

// RecordFailure writes an entry about a refused action in a transaction of its own.
func (s *Service) RecordFailure(ctx context.Context, e Entry) error {
	e.OK = false
	return insertEntry(ctx, s.db, e, s.now())
}

func insertEntry(ctx context.Context, q db.Querier, e Entry, at time.Time) error {
	err := q.G(ctx).Exec("INSERT INTO log (admin, ip, type, action, status, result, comment, add_time, "+
		"update_time, deleted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
		cut(e.Admin, maxAdmin), cut(e.Address, maxAddress), int(e.Kind), cut(e.Action, maxAction), e.OK,
		cut(e.Result, maxResult), cut(e.Comment, maxComment), at, at).Error
	if err != nil {
		return fmt.Errorf("write the business log: %w", err)
	}
	return nil
}

// cut shortens a text to at most n characters.
func cut(text string, n int) string {
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
