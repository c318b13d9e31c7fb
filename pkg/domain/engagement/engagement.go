// Package engagement owns the traces that shoppers leave: favourites, footprints, search words. A trace is one row for
// each shopper and thing, however often it is left.
package engagement

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"shop.internal/pkg/domain/internal/db"
)

// Kind is what a favourite is about.
type Kind int

// The kinds of favourites.
const (
	Goods Kind = 0
	Topic Kind = 1
)

// longestKeyword is how many characters of a keyword are kept.
const longestKeyword = 63

// source is where the shopper searched; there is one storefront.
const source = "wx"

// Service keeps the traces.
type Service struct {
	db  *db.DB
	now func() time.Time
}

// New returns the keeper of traces on a pool.
func New(d *db.DB, now func() time.Time) *Service { return &Service{db: d, now: now} }

func (s *Service) clock() time.Time { return s.now().UTC().Truncate(time.Millisecond) }

// HasCollected reports whether a shopper has the thing among the favourites.
func (s *Service) HasCollected(ctx context.Context, shopper int64, kind Kind, id int64) (bool, error) {
	return hasCollected(ctx, s.db, shopper, kind, id)
}

// SeeGoods records that a shopper looked at goods: it counts one view more and brings a deleted footprint back.
func (s *Service) SeeGoods(ctx context.Context, shopper, goods int64) error {
	return seeGoods(ctx, s.db, shopper, goods, s.clock())
}

// Remember records that a shopper searched for a keyword. A blank one is not kept, nor one longer than 63 characters:
// cut, it would be a word that nobody searched for.
func (s *Service) Remember(ctx context.Context, shopper int64, keyword string) error {
	keyword = strings.TrimSpace(keyword)
	if keyword == "" || utf8.RuneCountInString(keyword) > longestKeyword {
		return nil
	}
	return remember(ctx, s.db, shopper, keyword, s.clock())
}
