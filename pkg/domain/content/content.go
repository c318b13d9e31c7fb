// Package content owns the editorial content of pages: banners, topics, help questions and proposed search keywords.
// The period of a banner is checked at every read.
package content

import (
	"time"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Service reads and edits content.
type Service struct {
	db    *db.DB
	lists *lists.Engine
	once  *idempotency.Store
	now   func() time.Time
}

// New returns the service; once stores the first answers of repeated requests.
func New(d *db.DB, once *idempotency.Store, now func() time.Time) *Service {
	return &Service{db: d, lists: lists.New(d), once: once, now: now}
}

func (s *Service) clock() time.Time { return s.now().UTC().Truncate(time.Millisecond) }
