// Package engagement owns the traces that shoppers leave: favourites, footprints, search words, and what they write to
// the shop. A favourite, a footprint and a search word are one row for each shopper and thing, however often left.
//
// Operators see the traces of all shoppers as they are kept, also of what is gone. Those lists are sorted by add_time,
// which is when a trace was first left, or by id.
package engagement

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/page"
)

// Service keeps the traces.
type Service struct {
	db       *db.DB
	lists    *lists.Engine
	once     *idempotency.Store
	accounts *account.Service
	now      func() time.Time
}

// New returns the service on a pool.
func New(d *db.DB, once *idempotency.Store, accounts *account.Service, now func() time.Time) *Service {
	return &Service{db: d, lists: lists.New(d), once: once, accounts: accounts, now: now}
}

func (s *Service) clock() time.Time { return s.now().UTC().Truncate(time.Millisecond) }

// TraceFilter chooses among traces. The zero filter is all of them.
type TraceFilter struct {
	// Shopper left the trace on Thing; nil is any.
	Shopper, Thing *int64
}

func traces[R any](ctx context.Context, s *Service, l *lists.Query, q page.Query) (page.List[R], error) {
	found, err := lists.Fetch[R](ctx, s.lists, l, q)
	if err != nil {
		return page.List[R]{}, fmt.Errorf("list the traces of all shoppers: %w", err)
	}
	return found, nil
}

// sortedBy maps the words one may sort by to the order of rows, ties by id in the same direction; column is the one
// that a trace shows as its time.
func sortedBy(column string, q page.Query) string {
	direction := q.Direction()
	if q.Sort == "id" {
		return "c.id " + direction
	}
	return "c." + column + " " + direction + ", c.id " + direction
}
