package audit

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

// The longest texts, in characters.
const (
	maxAdmin   = 63
	maxAddress = 63
	maxRequest = 63
	maxAction  = 45
	maxResult  = 127
	maxComment = 255
)

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
