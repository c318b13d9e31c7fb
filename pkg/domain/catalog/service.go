// Package catalog owns goods, their sellable products and stock, specifications, attributes, categories and brands, and
// the index of words by which goods are found. Comments belong to review, coupons and group-buy rules to promotion.
//
// Lists for shoppers hold goods on sale only; a single goods is shown also when it is off the shelf, so that old orders
// and favourites still open. Every change of what a page shows is told to the hooks of OnChange after its commit.
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

	groupRules GroupRuleHooks
	draw       func(ctx context.Context, tx *db.Tx, goods ...int64) error
	hooks      struct {
		sync.RWMutex
		all []func(Change)
	}
}

// New returns the catalogue on a pool; once keeps the answers of repeated requests.
func New(d *db.DB, once *idempotency.Store, now func() time.Time) *Service {
	nothing := func(context.Context, *db.Tx, ...int64) error { return nil }
	return &Service{db: d, lists: lists.New(d), once: once, words: termTable{}, now: now, draw: nothing}
}

// GroupRuleHooks is what the catalogue asks of the group-buy rules on goods, which carry copies of the goods' name and
// picture and end with the goods. There is at most one running rule on goods.
type GroupRuleHooks struct {
	// Lock locks the running rule on goods until the transaction ends and returns its id, 0 for none.
	Lock func(ctx context.Context, tx *db.Tx, goods int64) (int64, error)
	// Discount is what the running rule on goods takes off each piece, 0 for none.
	Discount func(ctx context.Context, tx *db.Tx, goods int64) (money.Amount, error)
	// Relabel gives a locked rule the goods' new name and picture.
	Relabel func(ctx context.Context, tx *db.Tx, rule int64, name, picURL string) error
	// TakeDown ends a locked rule.
	TakeDown func(ctx context.Context, tx *db.Tx, rule int64) error
	// EndGroups ends open groups of a rule that was taken down, in transactions of its own and as far as an operator
	// would wait for it; those that are left end soon.
	EndGroups func(ctx context.Context, rule int64)
}

// TieShare has draw called, within the transaction, for goods whose name or picture is new: their share picture is
// to be drawn. It is called at wiring.
func (s *Service) TieShare(draw func(ctx context.Context, tx *db.Tx, goods ...int64) error) {
	s.draw = draw
}

// OnGroupRules sets the hooks for group-buy rules. It is called at wiring; without hooks no goods have a rule.
func (s *Service) OnGroupRules(t GroupRuleHooks) { s.groupRules = t }

// Change says what a commit of this process changed on pages.
type Change struct {
	// Goods is the id of the goods, 0 where it is more than one goods, such as a category.
	Goods int64
	// Listed says that lists show it too; stock and comments stand on the goods' own page only.
	Listed bool
}

// OnChange has fn called after each commit, of this process, that changed what pages show. It is for pages kept in
// memory and is called at wiring.
func (s *Service) OnChange(fn func(Change)) {
	s.hooks.Lock()
	defer s.hooks.Unlock()
	s.hooks.all = append(s.hooks.all, fn)
}

// Changed tells the hooks of OnChange that the stock or the comments of goods have changed. The areas that change them
// call it after their commit.
func (s *Service) Changed(goodsID int64) { s.tell(Change{Goods: goodsID}) }

// touch tells the hooks of OnChange, when the transaction has committed, of goods that changed everywhere.
func (s *Service) touch(tx *db.Tx, goodsID int64) {
	tx.OnCommit(func() { s.tell(Change{Goods: goodsID, Listed: true}) })
}

func (s *Service) tell(c Change) {
	s.hooks.RLock()
	defer s.hooks.RUnlock()
	for _, fn := range s.hooks.all {
		fn(c)
	}
}

// clock is the time of a row: UTC, cut to what a column holds.
func (s *Service) clock() time.Time { return s.now().UTC().Truncate(time.Millisecond) }

// lockGroupRule locks the running group-buy rule on goods and returns its id, 0 for none.
func (s *Service) lockGroupRule(ctx context.Context, tx *db.Tx, goods int64) (int64, error) {
	if s.groupRules.Lock == nil {
		return 0, nil
	}
	return s.groupRules.Lock(ctx, tx, goods)
}
