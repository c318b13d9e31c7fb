package promotion

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/seen"
	wording "shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// GroupRuleChange is an operator's change of a group-buy rule. A nil field keeps the stored value.
type GroupRuleChange struct {
	GoodsID    *int64
	Discount   *money.Amount
	Members    *int
	ExpireTime *time.Time
}

// onto applies the change to a rule. It fails with errno.Invalid.
func (c GroupRuleChange) onto(ctx context.Context, q db.Querier, r GroupRule, now time.Time) (GroupRule, error) {
	assign(&r.GoodsID, c.GoodsID)
	assign(&r.Discount, c.Discount)
	assign(&r.Members, c.Members)
	assign(&r.ExpireTime, c.ExpireTime)
	goods, ok, err := catalog.LiveSummary(ctx, q, r.GoodsID)
	if err != nil {
		return r, err
	}
	r.GoodsName, r.PicURL = goods.Name, goods.PicURL
	switch {
	case !ok:
		return r, errno.NoSuch(wording.FieldGoods)
	case r.Discount < money.Yuan(1) || r.Discount >= goods.RetailPrice:
		return r, errno.Invalid.Because(wording.RuleDiscount, money.Yuan(1), goods.RetailPrice)
	case r.Members < minMembers:
		return r, errno.Invalid.Because(wording.ValidationMin, wording.FieldGroupSize, minMembers)
	case !r.ExpireTime.After(now):
		return r, errno.Invalid.Because(wording.RuleExpires)
	}
	return r, nil
}

// checkDiscount refuses a discount that is not below the price of the goods as of the commit: a price cut locks the
// goods before it looks for a rule. The goods are locked after all rows of rules and groups.
func (r GroupRule) checkDiscount(ctx context.Context, tx *db.Tx) error {
	price, ok, err := catalog.LockPrice(ctx, tx, r.GoodsID)
	switch {
	case err != nil:
		return err
	case !ok:
		return errno.Invalid.About(wording.FieldGoods)
	case r.Discount >= price:
		return errno.Invalid.About(wording.FieldDiscount)
	}
	return nil
}

// minMembers is the size of the smallest group: an opener and a joiner.
const minMembers = 2

// taken turns the violation of the unique key into a refusal: goods have at most one running rule.
func taken(err error, doing string, args ...any) error {
	if db.Duplicate(err, "uk_gr_active") {
		return fmt.Errorf("%s: %w: %w", fmt.Sprintf(doing, args...), errno.Invalid.Because(wording.RuleExists), err)
	}
	return wrap(err, doing, args...)
}

// AddGroupRule adds a rule and returns it. It fails with errno.Invalid, also for goods that have a running rule.
func (s *Service) AddGroupRule(ctx context.Context, change GroupRuleChange) (GroupRule, error) {
	return idempotency.InTx(ctx, s.once, func(tx *db.Tx) (GroupRule, error) {
		r, err := change.onto(ctx, tx, GroupRule{}, s.now())
		if err != nil {
			return r, err
		}
		if r.ID, err = insertRule(ctx, tx, r, s.now()); err != nil {
			return r, taken(err, "add a group rule on goods %d", r.GoodsID)
		}
		if err := r.checkDiscount(ctx, tx); err != nil {
			return r, err
		}
		return s.recordRule(ctx, tx, r.ID, nil)
	})
}

// EditGroupRule changes a running rule and returns it. It fails with errno.UpdateFailed for an unknown rule, with
// errno.Invalid for one that has ended, for other goods once there is a group, and like AddGroupRule. Groups that have
// enough members after the change are completed.
func (s *Service) EditGroupRule(ctx context.Context, id int64, change GroupRuleChange) (GroupRule, error) {
	return idempotency.InTx(ctx, s.once, func(tx *db.Tx) (GroupRule, error) {
		before, ok, err := rules.LockLive(ctx, tx, id) // no group opens concurrently
		switch {
		case err != nil:
			return before, fmt.Errorf("lock group rule %d: %w", id, err)
		case !ok:
			return before, fmt.Errorf("group rule %d: %w", id, errno.UpdateFailed)
		}
		at, err := seen.Next(ctx, "group rule", id, before.UpdateTime, s.now())
		switch {
		case err != nil:
			return before, err
		case before.Status != GroupRuleOn:
			return before, fmt.Errorf("group rule %d: %w", id, errno.Invalid.Because(wording.RuleEnded))
		}
		if change.GoodsID != nil && *change.GoodsID != before.GoodsID {
			some, err := members.Exists(ctx, tx, "r.rules_id = ?", id)
			if err != nil {
				return before, fmt.Errorf("look for groups of group rule %d: %w", id, err)
			}
			if some {
				return before, fmt.Errorf("group rule %d: %w", id, errno.Invalid.Because(wording.RuleHasGroups))
			}
		}
		r, err := change.onto(ctx, tx, before, s.now())
		if err != nil {
			return r, err
		}
		r.UpdateTime = at
		if err := groupRules.Save(ctx, tx, ruleRow{GroupRule: r}); err != nil {
			return r, taken(err, "change group rule %d", id)
		}
		if r.Members < before.Members {
			if err := s.completeAll(ctx, tx, r); err != nil {
				return r, err
			}
		}
		if err := r.checkDiscount(ctx, tx); err != nil {
			return r, err
		}
		return s.recordRule(ctx, tx, id, before)
	})
}

// completeAll completes the groups that have enough members now that fewer are required: nobody could join them any
// more, so no payment would complete them.
func (s *Service) completeAll(ctx context.Context, tx *db.Tx, r GroupRule) error {
	groups, err := members.IDs(ctx, tx, `r.rules_id = ? AND r.groupon_id IS NULL AND r.status = ? AND r.deleted = 0
		AND r.member_count >= ? ORDER BY r.id`, r.ID, MemberRunning, r.Members-1)
	if err != nil {
		return fmt.Errorf("look for the groups of group rule %d: %w", r.ID, err)
	}
	for _, id := range groups {
		opener, ok, err := members.LockLive(ctx, tx, id)
		if err != nil {
			return fmt.Errorf("lock group %d: %w", id, err)
		}
		if !ok || opener.Status != MemberRunning {
			continue
		}
		if err := s.complete(ctx, tx, id, r.Members); err != nil {
			return err
		}
	}
	return nil
}

// recordRule stores a rule and its audit record, and returns it as stored.
func (s *Service) recordRule(ctx context.Context, tx *db.Tx, id int64, before any) (GroupRule, error) {
	after, _, err := rules.Get(ctx, tx, id)
	if err != nil {
		return after, fmt.Errorf("read group rule %d again: %w", id, err)
	}
	return after, audit.Record(ctx, tx, audit.Change{
		ID: id, Before: before, After: after, Result: after.GoodsName, Comment: "",
	})
}

// DropGroupRule closes and deletes a rule; one that has ended before is only deleted, and an unknown one is ignored.
// Its groups are ended afterwards, one by one.
func (s *Service) DropGroupRule(ctx context.Context, id int64) error {
	return idempotency.Do(ctx, s.once, func(tx *db.Tx) error {
		r, ok, err := rules.LockLive(ctx, tx, id)
		if err != nil {
			return fmt.Errorf("lock group rule %d: %w", id, err)
		}
		if !ok {
			return audit.Record(ctx, tx, audit.Change{ID: id})
		}
		if _, err := s.CloseGroupRule(ctx, tx, id, GroupRuleTakenDown); err != nil {
			return err
		}
		set := table.Set{"active_mark": gorm.Expr("id"), "update_time": s.now()}
		if _, err := groupRules.Remove(ctx, tx, set, "id = ?", id); err != nil {
			return fmt.Errorf("delete group rule %d: %w", id, err)
		}
		return audit.Record(ctx, tx, audit.Change{
			ID: id, Before: r, After: nil, Result: r.GoodsName, Comment: "",
		})
	})
}
