package promotion

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	wording "shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
)

// GroupRule is a rule of group purchases: if Members shoppers buy the goods together, each pays Discount less per
// piece.
type GroupRule struct {
	ID, GoodsID       int64
	GoodsName, PicURL string
	Discount          money.Amount
	Members           int       `gorm:"column:discount_member"`
	ExpireTime        time.Time `table:"null"`
	Status            int
	Deleted           bool

	AddTime, UpdateTime time.Time
}

// ruleRow is a rule as stored.
type ruleRow struct {
	GroupRule
	// ActiveMark is 0 for the running rule on goods, and the id for every other.
	ActiveMark int64
}

var (
	groupRules = table.Of[ruleRow]("groupon_rules", table.Versioned,
		table.Refers("goods_id", "goods"),
	)
	rules = table.Part[GroupRule](groupRules)
)

// The states of a rule: it is on, or was ended by time or by an operator. An ended rule never runs again.
const (
	GroupRuleOn = iota
	GroupRuleExpired
	GroupRuleTakenDown
)

// Live reports whether purchases can be made under the rule, by the clock, even if the job has not run yet.
func (r GroupRule) Live(now time.Time) bool { return r.refusal(now) == nil }

// refusal returns why the rule has ended, nil if it has not.
func (r GroupRule) refusal(now time.Time) error {
	switch {
	case r.Status == GroupRuleExpired || !r.ExpireTime.After(now):
		return fmt.Errorf("group rule %d is over: %w", r.ID, errno.GrouponExpired)
	case r.Status != GroupRuleOn || r.Deleted:
		return fmt.Errorf("group rule %d was taken down: %w", r.ID, errno.GrouponOffline)
	}
	return nil
}

// Applying finds the rule for a purchase of goods, the zero GroupRule for none. named says that the shopper buys a
// single cart item that they named. It fails with errno.Invalid for an unknown rule and, for a named item, for a rule
// on other goods, and with GrouponExpired or GrouponOffline for one that has ended. A cart of other or several items is
// an ordinary purchase, since clients keep sending the ids of a rule that was viewed before.
func (s *Service) Applying(
	ctx context.Context, q db.Querier, rule int64, goods []int64, named bool,
) (GroupRule, error) {
	if rule <= 0 {
		return GroupRule{}, nil
	}
	r, ok, err := rules.Get(ctx, q, rule)
	if err != nil {
		return GroupRule{}, fmt.Errorf("read group rule %d: %w", rule, err)
	}
	return r.applying(ok, goods, named, s.now())
}

// ApplyingLater reads a rule with what else is queued; the function is Applying.
func (s *Service) ApplyingLater(
	ctx context.Context, q db.Queue, rule int64,
) (func(goods []int64, named bool) (GroupRule, error), error) {
	if rule <= 0 {
		return func([]int64, bool) (GroupRule, error) { return GroupRule{}, nil }, nil
	}
	get, err := rules.OneLater(ctx, q, "r.id = ?", rule)
	return func(goods []int64, named bool) (GroupRule, error) {
		r, ok := get()
		return r.applying(ok, goods, named, s.now())
	}, err
}

// Fits reports whether the rule is about the goods of the lines of a purchase.
func (r GroupRule) Fits(goods []int64) bool { return len(goods) == 1 && goods[0] == r.GoodsID }

// applying is the rule of Applying for what was found.
func (r GroupRule) applying(found bool, goods []int64, named bool, now time.Time) (GroupRule, error) {
	switch {
	case !found:
		return GroupRule{}, errno.NoSuch(wording.FieldGroupRule)
	case r.Fits(goods):
		return r, r.refusal(now)
	case named:
		return GroupRule{}, fmt.Errorf("group rule %d: %w", r.ID, errno.Invalid.Because(wording.RuleOtherGoods))
	}
	return GroupRule{}, nil
}

// GroupRuleOnSale is a running rule with the name and prices of its goods.
type GroupRuleOnSale struct {
	GroupRule
	Goods catalog.OnSale `gorm:"embedded;embeddedPrefix:on_sale_"`
}

// GroupRulesOnSale returns a page of the running rules on goods on sale.
func (s *Service) GroupRulesOnSale(ctx context.Context, q page.Query) (page.List[GroupRuleOnSale], error) {
	list, err := lists.FetchJoin[GroupRuleOnSale](ctx, s.db, lists.Join{
		Columns: rules.Columns("r") + ", " + catalog.OnSaleColumns,
		From:    "groupon_rules r " + catalog.JoinOnSale("r.goods_id") + " WHERE " + isRunning,
		Args:    []any{GroupRuleOn, s.now()}, Order: order,
	}, q)
	return list, wrap(err, "list group rules")
}

// isRunning is the condition that purchases can be made under a rule; its arguments are the state GroupRuleOn and the
// time. The rule has the alias r.
const isRunning = "r.status = ? AND r.deleted = 0 AND r.expire_time > ?"

// isOpen is the condition that a rule can be closed; its arguments are the id and the state GroupRuleOn.
const isOpen = "id = ? AND status = ? AND deleted = 0"

// closed returns the columns of a closed rule.
func closed(status int, now time.Time) table.Set {
	return table.Set{"status": status, "active_mark": gorm.Expr("id"), "update_time": now}
}

// CloseGroupRule ends a rule for good, as expired or taken down: after the commit no purchase is made under it. It
// reports false for a rule that has already ended, and fails with errno.UpdateFailed for an unknown one. Its groups are
// ended afterwards, one by one.
func (s *Service) CloseGroupRule(ctx context.Context, tx *db.Tx, id int64, status int) (bool, error) {
	done, err := groupRules.Moved(ctx, tx, closed(status, s.now()), isOpen, id, GroupRuleOn)
	if err != nil || done {
		return done, wrap(err, "close group rule %d", id)
	}
	_, ok, err := rules.Get(ctx, tx, id)
	if err == nil && !ok {
		err = errno.UpdateFailed
	}
	return false, wrap(err, "close group rule %d", id)
}

// GroupRule returns a rule, including ended and deleted ones.
func (s *Service) GroupRule(ctx context.Context, id int64) (GroupRule, bool, error) {
	r, ok, err := rules.Get(ctx, s.db, id)
	return r, ok, wrap(err, "read group rule %d", id)
}

// GroupRules returns rules by their ids, including ended and deleted ones.
func (s *Service) GroupRules(ctx context.Context, ids []int64) (map[int64]GroupRule, error) {
	found, err := rules.All(ctx, s.db, ids)
	byID := make(map[int64]GroupRule, len(found))
	for _, r := range found {
		byID[r.ID] = r
	}
	return byID, wrap(err, "read %d group rules", len(ids))
}

// LiveGroupRules returns the running rules, newest first, at most limit.
func (s *Service) LiveGroupRules(ctx context.Context, limit int) ([]GroupRule, error) {
	found, err := rules.Find(ctx, s.db, isRunning+" ORDER BY r.add_time DESC, r.id DESC LIMIT ?",
		GroupRuleOn, s.now(), limit)
	return found, wrap(err, "list group rules")
}

// LiveGroupRulesOf returns the running rules on one goods.
func (s *Service) LiveGroupRulesOf(ctx context.Context, goods int64) ([]GroupRule, error) {
	found, err := rules.Find(ctx, s.db, runningOn, goods, GroupRuleOn, s.now())
	return found, wrap(err, "read the group rules on goods %d", goods)
}

// LiveGroupRulesLater is LiveGroupRulesOf, read with what else is queued.
func (s *Service) LiveGroupRulesLater(ctx context.Context, q db.Queue, goods int64) (func() []GroupRule, error) {
	return rules.FindLater(ctx, q, runningOn, goods, GroupRuleOn, s.now())
}

const runningOn = "r.goods_id = ? AND r.active_mark = 0 AND " + isRunning + " ORDER BY r.id"

// CreateGroupRule stores a rule and returns its id. The caller validates it.
func (s *Service) CreateGroupRule(ctx context.Context, r GroupRule) (int64, error) {
	id, err := insertRule(ctx, s.db, r, s.now())
	return id, wrap(err, "create a group rule on goods %d", r.GoodsID)
}

func insertRule(ctx context.Context, q db.Querier, r GroupRule, now time.Time) (int64, error) {
	r.Status, r.Deleted, r.AddTime, r.UpdateTime = GroupRuleOn, false, now, now
	return groupRules.Insert(ctx, q, ruleRow{GroupRule: r})
}

// LockGroupRuleOn locks the running rule on goods, which a unique key limits to one, until the transaction ends. It
// returns the id of the rule, 0 for none.
func (s *Service) LockGroupRuleOn(ctx context.Context, tx *db.Tx, goods int64) (int64, error) {
	r, _, err := rules.One(ctx, tx, "r.goods_id = ? AND r.active_mark = 0 FOR UPDATE", goods)
	return r.ID, wrap(err, "lock the group rule on goods %d", goods)
}

// Reductions are the discounts per piece of the running rules on goods, by the goods; goods without a rule have none.
func (s *Service) Reductions(ctx context.Context, q db.Querier, goods ...int64) (map[int64]money.Amount, error) {
	found, err := rules.Find(ctx, q, "r.goods_id IN ? AND r.active_mark = 0 AND r.status = ? AND r.deleted = 0",
		goods, GroupRuleOn)
	byGoods := make(map[int64]money.Amount, len(found))
	for _, r := range found {
		byGoods[r.GoodsID] = r.Discount
	}
	return byGoods, wrap(err, "read the group rules on goods %v", goods)
}

// Relabel updates the copies of the goods' name and picture in a rule.
func (s *Service) Relabel(ctx context.Context, tx *db.Tx, rule int64, name, picURL string) error {
	_, err := groupRules.Update(ctx, tx, table.Set{"goods_name": name, "pic_url": picURL, "update_time": s.now()},
		"id = ?", rule)
	return wrap(err, "relabel group rule %d", rule)
}

// TakeDown closes a rule that the transaction has locked. Its groups are ended afterwards, one by one.
func (s *Service) TakeDown(ctx context.Context, tx *db.Tx, rule int64) error {
	done, err := s.CloseGroupRule(ctx, tx, rule, GroupRuleTakenDown)
	if err == nil && !done {
		err = fmt.Errorf("take down group rule %d: %w", rule, errno.Stale)
	}
	return err
}

// KnowsGoods returns those goods that have or had a group-buy rule.
func KnowsGoods(ctx context.Context, q db.Querier, goods []int64) ([]int64, error) {
	return table.Select[int64](ctx, q, "SELECT DISTINCT goods_id FROM groupon_rules WHERE goods_id IN ?", goods)
}
