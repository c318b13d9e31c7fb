// Package engagement owns the traces that shoppers leave: favourites, footprints, search words, and what they write to
// the shop. A favourite, a footprint and a search word are one row for each shopper and thing, however often left.
//
// Favourites and footprints are listed by statements that join the tables of goods and topics, which other areas own:
// a page and its total must leave out what is gone, and no list of ids can be asked for that.
package engagement

import (
	"time"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
)

// Kind is what a favourite is about.
type Kind int

// The kinds of favourites.
const (
	Goods Kind = 0
	Topic Kind = 1
)

// Service keeps the traces.
type Service struct {
	db       *db.DB
	once     *idempotency.Store
	accounts *account.Service
	now      func() time.Time
}

// New returns the keeper of traces on a pool.
func New(d *db.DB, once *idempotency.Store, accounts *account.Service, now func() time.Time) *Service {
	return &Service{db: d, once: once, accounts: accounts, now: now}
}

func (s *Service) clock() time.Time { return s.now().UTC().Truncate(time.Millisecond) }
