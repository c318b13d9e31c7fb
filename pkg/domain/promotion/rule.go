package promotion

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm/clause"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/job"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/page"
	wording "shop.internal/pkg/domain/text"
)

// GroupRule is a groupon offer: each of Members shoppers who buy the goods together pays Discount less a piece.
type GroupRule struct {
	ID, GoodsID         int64
	GoodsName, PicURL   string
	Discount            money.Amount
	Members             int
	ExpireTime          time.Time
	Status              int
	Deleted             bool
	AddTime, UpdateTime time.Time
}

// The states of an offer: it runs, or it was ended by time or by an operator. An ended offer never runs again.
const (
	RuleOn = iota
	RuleExpired
	RuleTakenDown
)

// Live reports whether purchases can be made under the offer. The clock decides, whether or not the job has run.
func (r GroupRule) Live(now time.Time) bool { return r.refusal(now) == nil }

// refusal says why the offer is over, nil where it is not.
func (r GroupRule) refusal(now time.Time) error {
	switch {
	case r.Status == RuleExpired || !r.ExpireTime.After(now):
		return fmt.Errorf("groupon offer %d is over: %w", r.ID, errno.GrouponExpired)
	case r.Status != RuleOn || r.Deleted:
		return fmt.Errorf("groupon offer %d was taken down: %w", r.ID, errno.GrouponOffline)
	}
	return nil
}

// Applying finds the offer that a purchase of goods is made under: the zero Rule for none. named says that the shopper
// buys one row that they have named. It fails with errno.Invalid for an unknown offer, or one on other goods than the
// named row's, and with GrouponExpired or GrouponOffline for one that is over. A cart of other or several rows is an
// ordinary purchase, since clients go on sending the ids of an offer that was looked at before.
func (s *Service) Applying(
	ctx context.Context, q db.Querier, rule int64, goods []int64, named bool,
) (GroupRule, error) {
	if rule <= 0 {
		return GroupRule{}, nil
	}
	r, ok, err := ruleByID(ctx, q, rule)
	switch {
	case err != nil:
		return GroupRule{}, fmt.Errorf("read groupon offer %d: %w", rule, err)
	case !ok:
		return GroupRule{}, errno.NoSuch("grouponRulesId")
	case len(goods) == 1 && goods[0] == r.GoodsID:
		return r, r.refusal(s.now())
	case named:
		return GroupRule{}, fmt.Errorf("offer %d: %w", rule, errno.Invalid.Because(wording.RuleElsewhere))
	}
	return GroupRule{}, nil
}

// Offered is a running offer with what its goods are called and cost.
type Offered struct {
	GroupRule
	Name, Brief, Picture      string
	CounterPrice, RetailPrice money.Amount
}

// Offers returns a page of the running offers whose goods are on sale.
func (s *Service) Offers(ctx context.Context, q page.Query) (page.List[Offered], error) {
	now := s.now()
	list, err := page.Fetch(q,
		func() (int64, error) { return countOffered(ctx, s.db, now) },
		func(q page.Query) ([]Offered, error) { return offered(ctx, s.db, now, q) })
	if err != nil {
		return list, fmt.Errorf("list groupon offers: %w", err)
	}
	return list, nil
}

// CloseRule ends an offer for good, as expired or taken down: from the commit on no purchase is made under it. It
// reports false for an offer that has ended before, and fails with errno.UpdateFailed for an unknown one. Its groups
// are ended afterwards, one by one.
func (s *Service) CloseRule(ctx context.Context, tx *db.Tx, id int64, status int) (bool, error) {
	closed, err := closeRule(ctx, tx, id, status, s.now())
	if err != nil || closed {
		return closed, wrap(err, "close groupon offer %d", id)
	}
	_, ok, err := ruleByID(ctx, tx, id)
	if err == nil && !ok {
		err = errno.UpdateFailed
	}
	return false, wrap(err, "close groupon offer %d", id)
}

// ExpireRules closes the offers whose time is over, at most a batch of them, and reports how many.
func (s *Service) ExpireRules(ctx context.Context) (int, error) {
	now := s.now()
	return s.failures.Each(ctx, job.Batch{
		Job: "checkGrouponExpired.offer", Key: "groupon_rules.id",
		Find: func(ctx context.Context, q db.Querier, ready clause.Expr) ([]int64, error) {
			return overdueRules(ctx, q, now, ready, batch)
		},
		Handle: func(ctx context.Context, id int64) error {
			closed, err := expireRule(ctx, s.db, id, now)
			return job.MovedUnless(closed, err)
		},
	})
}

// wrap adds what was being done to an error, and leaves nil alone.
func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}

// Rule finds an offer, also one that has ended or was deleted.
func (s *Service) Rule(ctx context.Context, id int64) (GroupRule, bool, error) {
	r, ok, err := ruleByID(ctx, s.db, id)
	return r, ok, wrap(err, "read groupon offer %d", id)
}

// Rules finds offers by their ids, also ended and deleted ones.
func (s *Service) Rules(ctx context.Context, ids []int64) (map[int64]GroupRule, error) {
	found, err := rulesByID(ctx, s.db, ids)
	byID := make(map[int64]GroupRule, len(found))
	for _, r := range found {
		byID[r.ID] = r
	}
	return byID, wrap(err, "read %d groupon offers", len(ids))
}

// LiveRules returns the offers that run now, newest first, at most limit.
func (s *Service) LiveRules(ctx context.Context, limit int) ([]GroupRule, error) {
	rules, err := liveRules(ctx, s.db, s.now(), limit)
	if err != nil {
		return nil, fmt.Errorf("list groupon offers: %w", err)
	}
	return rules, nil
}

// LiveRulesOf returns the offers on one goods that run now.
func (s *Service) LiveRulesOf(ctx context.Context, goods int64) ([]GroupRule, error) {
	rules, err := liveRulesOf(ctx, s.db, goods, s.now())
	if err != nil {
		return nil, fmt.Errorf("read the groupon offers of goods %d: %w", goods, err)
	}
	return rules, nil
}

// CreateRule stores an offer and returns its id. The rules of an offer are the caller's.
func (s *Service) CreateRule(ctx context.Context, r GroupRule) (int64, error) {
	id, err := insertRule(ctx, s.db, r, s.now())
	if err != nil {
		return 0, fmt.Errorf("create a groupon offer on goods %d: %w", r.GoodsID, err)
	}
	return id, nil
}

// InOpenGroup reports whether an order belongs to a group purchase that has not come about yet.
func (s *Service) InOpenGroup(ctx context.Context, q db.Querier, order int64) (bool, error) {
	n, err := openGroups(ctx, q, order)
	if err != nil {
		return false, fmt.Errorf("look for the group of order %d: %w", order, err)
	}
	return n > 0, nil
}

// InGroups tells which of some orders belong to a group purchase, however it went.
func (s *Service) InGroups(ctx context.Context, orders []int64) (map[int64]bool, error) {
	found, err := grouped(ctx, s.db, orders)
	if err != nil {
		return nil, fmt.Errorf("look for group purchases: %w", err)
	}
	in := make(map[int64]bool, len(found))
	for _, id := range found {
		in[id] = true
	}
	return in, nil
}
