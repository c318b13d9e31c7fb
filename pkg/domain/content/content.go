// Package content owns what editors put on pages: banners, topics, help questions and the search words that the shop
// proposes. Times of a banner are tested at every read, so that none appears early or stays late.
package content

import (
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/platform/idempotency"
)

// Service reads and edits content.
type Service struct {
	db    *db.DB
	lists *lists.Engine
	once  *idempotency.Store
	now   func() time.Time
}

// New returns the service on a pool; once keeps the answers of repeated requests.
func New(d *db.DB, once *idempotency.Store, now func() time.Time) *Service {
	return &Service{db: d, lists: lists.New(d), once: once, now: now}
}

func (s *Service) clock() time.Time { return s.now().UTC().Truncate(time.Millisecond) }
