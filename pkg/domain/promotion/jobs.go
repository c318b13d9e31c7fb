package promotion

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm/clause"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/job"
)

// batch is the maximum number of records that one run of a job handles.
const batch = 500

// Jobs returns the scheduled jobs on promotions.
func (s *Service) Jobs() []job.Job {
	return []job.Job{{
		Name: "checkCouponExpired", Every: time.Hour, MaxEvery: time.Hour, Run: s.ExpireCoupons,
		Does: "marks expired coupons",
	}}
}

// ExpireCoupons marks expired coupons and unused user coupons, and returns how many. Nothing depends on it: using a
// coupon checks the clock.
func (s *Service) ExpireCoupons(ctx context.Context) (int, error) {
	now := s.now()
	marked, failed := expire(ctx, s, "coupon", coupons, table.Set{"status": Expired, "update_time": now},
		"status = ? AND deleted = 0 AND time_type = ? AND end_time < ?", Normal, fixedDates, now)
	over, err := expire(ctx, s, "coupon_user", userCoupons,
		table.Set{"status": userCouponTransitions.To(CouponExpire), "update_time": now},
		"status IN ? AND end_time < ?", userCouponTransitions.From(CouponExpire), now)
	return marked + over, errors.Join(failed, err)
}

// expire changes the rows of a table that match a condition, a batch of them one by one.
func expire[R any](
	ctx context.Context, s *Service, name string, t table.Table[R], set table.Set, due string, args ...any,
) (int, error) {
	return s.failures.Each(ctx, job.Batch{
		Job: "checkCouponExpired." + name, Key: "r.id",
		Find: func(ctx context.Context, q db.Querier, ready clause.Expr) ([]int64, error) {
			return t.IDs(ctx, q, due+" AND ? ORDER BY r.id LIMIT ?", append(args[:len(args):len(args)], ready, batch)...)
		},
		Handle: func(ctx context.Context, id int64) error {
			return job.MovedUnless(t.Moved(ctx, s.db, set, due+" AND id = ?", append(args[:len(args):len(args)], id)...))
		},
	})
}

// ExpireGroupRules closes a batch of expired rules, and returns how many.
func (s *Service) ExpireGroupRules(ctx context.Context) (int, error) {
	now := s.now()
	return s.failures.Each(ctx, job.Batch{
		Job: "checkGrouponExpired.offer", Key: "r.id",
		Find: func(ctx context.Context, q db.Querier, ready clause.Expr) ([]int64, error) {
			return rules.IDs(ctx, q, `r.status = ? AND r.expire_time <= ? AND r.deleted = 0 AND ?
				ORDER BY r.expire_time, r.id LIMIT ?`, GroupRuleOn, now, ready, batch)
		},
		Handle: func(ctx context.Context, id int64) error { // an operator may have changed the end concurrently
			return job.MovedUnless(groupRules.Moved(ctx, s.db, closed(GroupRuleExpired, now), isOpen+" AND expire_time <= ?",
				id, GroupRuleOn, now))
		},
	})
}
