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

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/catalog/search"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Service is the catalogue.
type Service struct {
	db    *db.DB
	lists *lists.Engine
	once  *idempotency.Store
	now   func() time.Time
	index *search.Engine
	// summaries are the rows of goods that were shown lately; secondLevel are the categories of the second level, at most
	// a second old.
	summaries   *cache.Cache[int64, Summary]
	secondLevel *cache.One[[]Category]
	// labels are the names of brands and categories, which searches by relevance look at.
	labels *cache.One[labels]
	// low are the goods with low stock, ranking are all goods by stock.
	low, ranking *cache.One[[]int64]

	groupRules GroupRuleHooks
	unit       func(ctx context.Context) (money.Amount, error)
	freight    FreightHooks
	knows      []Knows
	draw       func(ctx context.Context, tx *db.Tx, goods ...int64) error
	hooks      struct {
		sync.RWMutex
		all []func(Change)
	}
}

// GroupRuleHooks is what the catalogue needs of the group-buy rules on goods, which contain copies of the goods' name
// and picture and end with the goods. Goods have at most one running rule.
type GroupRuleHooks struct {
	// Lock locks the running rule on goods until the transaction ends and returns its id, 0 for none.
	Lock func(ctx context.Context, tx *db.Tx, goods int64) (int64, error)
	// Discounts are the discounts per piece of the running rules on goods, by the goods.
	Discounts func(ctx context.Context, q db.Querier, goods ...int64) (map[int64]money.Amount, error)
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
	if err := search.Append(ctx, tx, goods, s.clock()); err != nil {
		return err
	}
	tx.OnCommit(func() {
		c := Change{Goods: 0, Listed: true}
		if len(goods) == 1 {
			c.Goods = goods[0]
		}
		s.secondLevel.Invalidate()
		s.labels.Invalidate()
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

// OnUnit registers what returns the smallest amount of the shop's currency. It is called at wiring.
func (s *Service) OnUnit(unit func(ctx context.Context) (money.Amount, error)) { s.unit = unit }

// Knows returns which goods the rows of another area refer to.
type Knows func(ctx context.Context, q db.Querier, goods []int64) ([]int64, error)

// OnUse registers areas whose rows keep added goods from being taken back. It is called at wiring.
func (s *Service) OnUse(areas ...Knows) { s.knows = areas }
