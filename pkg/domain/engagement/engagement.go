// Package engagement owns the traces of shoppers: favourites, footprints, search history and feedback. A favourite, a
// footprint and a search keyword is one row for each shopper and thing, however often it is repeated.
//
// Operators see the stored traces of all shoppers, also of deleted things, sorted by add_time, the time of the first
// trace, or by id.
package engagement

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/platform/cache"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/page"
)

// Service manages the traces.
type Service struct {
	db       *db.DB
	lists    *lists.Engine
	once     *idempotency.Store
	accounts *account.Service
	now      func() time.Time
	gathered gathered
	// collected are the answers of HasCollected.
	collected *cache.Cache[choice, bool]
}

// New returns the service.
func New(d *db.DB, once *idempotency.Store, accounts *account.Service, now func() time.Time) *Service {
	s := &Service{
		db: d, lists: lists.New(d), once: once, accounts: accounts, now: now, gathered: newGathered(),
	}
	s.collected = cache.New(cache.Options[bool]{
		Name: "collected", Meter: d.Meter(),
		TTL: cache.For[bool](choiceAge), MaxSize: maxChoices, Deadline: choiceTimeout, Now: now,
	}, func(ctx context.Context, c choice) (bool, error) {
		return hasCollected(ctx, d, c.shopper, c.kind, c.id)
	})
	return s
}

func (s *Service) clock() time.Time { return s.now().UTC().Truncate(time.Millisecond) }

// TraceFilter filters traces. The zero filter matches all of them.
type TraceFilter struct {
	// ID is that of the trace. Shopper left it on Thing; nil matches any.
	ID, Shopper, Thing *int64
}

func traces[R any](ctx context.Context, s *Service, l *lists.Query, q page.Query) (page.List[R], error) {
	found, err := lists.Fetch[R](ctx, s.lists, l, q)
	if err != nil {
		return page.List[R]{}, fmt.Errorf("list the traces of all shoppers: %w", err)
	}
	return found, nil
}

// sortedBy maps the sort words to the ORDER BY clause, ties by id in the same direction; column is the one that a trace
// shows as its time.
func sortedBy(column string) func(page.Query) string {
	return func(q page.Query) string {
		direction := q.Direction()
		if q.Sort == "id" {
			return "c.id " + direction
		}
		return "c." + column + " " + direction + ", c.id " + direction
	}
}
