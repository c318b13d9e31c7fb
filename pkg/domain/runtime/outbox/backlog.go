package outbox

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// maxCounted bounds the events that Refresh counts.
const maxCounted = 100_000

// Backlog are the events that are not delivered yet.
type Backlog struct {
	// Pending is their number, at most maxCounted.
	Pending int64
	// Overdue is for how long the one that waits longest has been due.
	Overdue time.Duration
}

// backlog is the last result of Refresh.
type backlog struct{ last atomic.Pointer[Backlog] }

// Refresh reads the backlog for Backlog.
func (s *Service) Refresh(ctx context.Context) error {
	b, err := readBacklog(ctx, s.db, s.now())
	if err != nil {
		s.backlog.last.Store(nil)
		return fmt.Errorf("count the events of the outbox: %w", err)
	}
	s.backlog.last.Store(&b)
	return nil
}

// Backlog returns the result of the last Refresh, and false before the first and after a failed one.
func (s *Service) Backlog() (Backlog, bool) {
	b := s.backlog.last.Load()
	if b == nil {
		return Backlog{}, false
	}
	return *b, true
}

func readBacklog(ctx context.Context, q db.Querier, now time.Time) (Backlog, error) {
	var found struct {
		N     int64
		First *time.Time
	}
	err := table.Scan(ctx, q, &found, `SELECT COUNT(*) AS n, MIN(e.available_time) AS first FROM (
			SELECT available_time FROM outbox_event WHERE state = ? ORDER BY available_time, id LIMIT ?
		) AS e`, Pending, maxCounted)
	b := Backlog{Pending: found.N, Overdue: 0}
	if found.First != nil && now.After(*found.First) {
		b.Overdue = now.Sub(*found.First)
	}
	return b, err
}
