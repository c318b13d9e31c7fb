// Package catalog owns goods, their products and stock, specifications, attributes, categories and brands, and the term
// index for keyword searches. Comments belong to review, coupons and group-buy rules to promotion.
//
// Lists for shoppers contain goods on sale only; a single goods is also shown when it is not on sale, so that old
// orders and favourites still open. Every change of what a page shows is passed to the hooks of OnChange after its
// commit.
package catalog

import (
	"context"
	"sync"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/money"
)

// Service is the catalogue.
type Service struct {
	db    *db.DB
	lists *lists.Engine
	once  *idempotency.Store
	words words
	now   func() time.Time
	live  *live

	groupRules GroupRuleHooks
	draw       func(ctx context.Context, tx *db.Tx, goods ...int64) error
	hooks      struct {
		sync.RWMutex
		all []func(Change)
	}
}

// New returns the catalogue on a pool; once stores the answers of repeated requests.
func New(d *db.DB, once *idempotency.Store, now func() time.Time) *Service {
	nothing := func(context.Context, *db.Tx, ...int64) error { return nil }
	s := &Service{db: d, lists: lists.New(d), once: once, words: termTable{}, now: now, draw: nothing}
	s.live = newLive(d.Meter(), now, s.SecondCategories)
	return s
}

// GroupRuleHooks is what the catalogue needs of the group-buy rules on goods, which contain copies of the goods' name
// and picture and end with the goods. Goods have at most one running rule.
type GroupRuleHooks struct {
	// Lock locks the running rule on goods until the transaction ends and returns its id, 0 for none.
	Lock func(ctx context.Context, tx *db.Tx, goods int64) (int64, error)
	// Discount is the discount per piece of the running rule on goods, 0 without one.
	Discount func(ctx context.Context, tx *db.Tx, goods int64) (money.Amount, error)
	// Relabel updates the copies of the goods' name and picture in a locked rule.
	Relabel func(ctx context.Context, tx *db.Tx, rule int64, name, picURL string) error
	// TakeDown closes a locked rule.
	TakeDown func(ctx context.Context, tx *db.Tx, rule int64) error
	// EndGroups ends open groups of a rule that was taken down, each in its own transaction, for as long as an operator's
	// request may take; a job ends the others.
	EndGroups func(ctx context.Context, rule int64)
}

// TieShare registers a function that is called, within the transaction, for goods with a new name or picture: it
// requests their share image. It is called at wiring.
func (s *Service) TieShare(draw func(ctx context.Context, tx *db.Tx, goods ...int64) error) {
	s.draw = draw
}

// OnGroupRules sets the hooks for group-buy rules. It is called at wiring; without hooks no goods have a rule.
func (s *Service) OnGroupRules(t GroupRuleHooks) { s.groupRules = t }

// Change describes what a commit of this process changed on pages.
type Change struct {
	// Goods is the id of the goods, 0 for more than one, such as those of a category.
	Goods int64
	// Listed says that lists show the change too; comments appear only on the goods' own page.
	Listed bool
}

// OnChange registers a function that is called after each commit of this process that changed what pages show. It is
// for page caches and is called at wiring.
func (s *Service) OnChange(fn func(Change)) {
	s.hooks.Lock()
	defer s.hooks.Unlock()
	s.hooks.all = append(s.hooks.all, fn)
}

// Changed calls the hooks of OnChange because the comments or the share picture of goods have changed. Who changes
// them calls it after the commit.
func (s *Service) Changed(goodsID int64) { s.notify(Change{Goods: goodsID}) }

// touch records that goods have changed on all pages, for every replica, and calls the hooks of OnChange after the
// commit. No goods stand for a category or a brand, of which lists show only what they read.
func (s *Service) touch(ctx context.Context, tx *db.Tx, goods ...int64) error {
	if err := appendChanges(ctx, tx, goods, s.clock()); err != nil {
		return err
	}
	tx.OnCommit(func() {
		c := Change{Goods: 0, Listed: true}
		if len(goods) == 1 {
			c.Goods = goods[0]
		}
		s.live.categories.Invalidate()
		s.notify(c)
	})
	return nil
}

func (s *Service) notify(c Change) {
	s.hooks.RLock()
	defer s.hooks.RUnlock()
	for _, fn := range s.hooks.all {
		fn(c)
	}
}

// clock returns the current time as a row stores it: UTC, truncated to the precision of the column.
func (s *Service) clock() time.Time { return s.now().UTC().Truncate(time.Millisecond) }

// lockGroupRule locks the running group-buy rule on goods and returns its id, 0 for none.
func (s *Service) lockGroupRule(ctx context.Context, tx *db.Tx, goods int64) (int64, error) {
	if s.groupRules.Lock == nil {
		return 0, nil
	}
	return s.groupRules.Lock(ctx, tx, goods)
}
