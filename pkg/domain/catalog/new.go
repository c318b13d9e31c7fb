package catalog

import (
	"context"
	"time"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// New returns the catalogue on a pool; once stores the answers of repeated requests.
func New(d *db.DB, once *idempotency.Store, now func() time.Time) *Service {
	nothing := func(context.Context, *db.Tx, ...int64) error { return nil }
	s := &Service{db: d, lists: lists.New(d), once: once, now: now, draw: nothing}
	s.low, s.ranking = newLow(d, now), newRanking(d, now)
	s.openIndex()
	return s
}
