package promotion

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/platform/page"
)

// CouponFilter narrows an operator's list of coupons; zero fields are ignored.
type CouponFilter struct {
	// Name are words of the coupon's name, in any order.
	Name   string
	Kind   *Kind
	Status *Status
}

// Coupons returns a page of all coupons, whatever their state.
func (s *Service) Coupons(ctx context.Context, f CouponFilter, q page.Query) (page.List[Coupon], error) {
	l := lists.Of(coupons).TimeIndex("ix_coupon_list").Contains("name", f.Name)
	if f.Kind != nil {
		l.Where("i.type = ?", *f.Kind)
	}
	if f.Status != nil {
		l.Where("i.status = ?", *f.Status)
	}
	rows, err := lists.Fetch[couponRow](ctx, s.lists, l, q)
	return page.Map(rows, couponRow.coupon), err
}

// UserCouponFilter narrows an operator's list of user coupons; nil fields are ignored.
type UserCouponFilter struct {
	Shopper, Coupon *int64
	Status          *UserCouponStatus
}

func (f UserCouponFilter) list() *lists.Query {
	l := lists.Of(userCoupons).TimeIndex("ix_cu_list").
		ID("user_id", f.Shopper).ID("coupon_id", f.Coupon)
	if f.Status != nil {
		l.In("status", "ix_cu_status", int(*f.Status))
	}
	return l
}

// UserCoupons returns a page of the user coupons, without their definitions.
func (s *Service) UserCoupons(ctx context.Context, f UserCouponFilter, q page.Query) (page.List[UserCoupon], error) {
	return lists.Fetch[UserCoupon](ctx, s.lists, f.list(), q)
}

// EachUserCoupon passes all user coupons of a filter to yield, newest first, in batches.
func (s *Service) EachUserCoupon(ctx context.Context, f UserCouponFilter, yield func([]UserCoupon) error) error {
	return lists.Each(ctx, s.db, f.list(), yield)
}

// GroupRuleFilter filters group-buy rules. The zero filter matches all of them.
type GroupRuleFilter struct {
	// ID is that of the rule, Goods what it is on; nil matches any.
	ID, Goods *int64
}

// AllGroupRules returns a page of the group-buy rules, running or not.
func (s *Service) AllGroupRules(ctx context.Context, f GroupRuleFilter, q page.Query) (page.List[GroupRule], error) {
	return lists.Fetch[GroupRule](ctx, s.lists, lists.Of(rules).ID("id", f.ID).ID("goods_id", f.Goods), q)
}

// Group is the opener of a group with its joiners and its rule.
type Group struct {
	Member
	// Joiners are the joiners who have paid or failed, newest first.
	Joiners []Member
	// Rule is the rule, which may be deleted; nil if there is none.
	Rule *GroupRule
}

// Groups returns a page of the groups, of one rule or of all (nil), whose opener has paid or failed.
func (s *Service) Groups(ctx context.Context, rule *int64, q page.Query) (page.List[Group], error) {
	past := fmt.Sprintf("i.groupon_id IS NULL AND i.status <> %d", MemberUnpaid)
	list, err := lists.Fetch[Member](ctx, s.lists, lists.Of(members).
		TimeIndex("ix_groupon_list").Subset("groups", past).ID("rules_id", rule), q)
	if err != nil {
		return page.List[Group]{}, err
	}
	var ids, ruleIDs []int64
	for _, p := range list.Items {
		ids, ruleIDs = append(ids, p.ID), append(ruleIDs, p.RuleID)
	}
	joiners, err := joinersOf(ctx, s.db, ids, everPaid, "r.add_time DESC, r.id DESC")
	if err != nil {
		return page.List[Group]{}, fmt.Errorf("read the members of %d groups: %w", len(ids), err)
	}
	joined := map[int64][]Member{}
	for _, j := range joiners {
		joined[j.Joined] = append(joined[j.Joined], j)
	}
	found, err := s.GroupRules(ctx, ruleIDs)
	if err != nil {
		return page.List[Group]{}, err
	}
	return page.Map(list, func(p Member) Group {
		g := Group{Member: p, Joiners: joined[p.ID]}
		if r, ok := found[p.RuleID]; ok {
			g.Rule = &r
		}
		return g
	}), nil
}
