package promotion

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm/clause"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/job"
)

// batch is how many records one run of a job looks at.
const batch = 500

// Jobs returns the work that time does.
func (s *Service) Jobs() []job.Job {
	return []job.Job{{
		Name: "checkCouponExpired", Every: time.Hour, Most: time.Hour, Run: s.ExpireCoupons,
		Does: "marks coupons whose time is over",
	}}
}

// ExpireCoupons marks coupons, and shoppers' unused copies, whose time is over. Nothing waits for it: who uses a coupon
// looks at the clock. It reports how many it marked.
func (s *Service) ExpireCoupons(ctx context.Context) (int, error) {
	coupons, failed := s.expireCoupons(ctx, couponsExpire)
	holdings, err := s.expireCoupons(ctx, holdingsExpire)
	return coupons + holdings, errors.Join(failed, err)
}

func (s *Service) expireCoupons(ctx context.Context, kind expiring) (int, error) {
	now := s.now()
	return s.failures.Each(ctx, job.Batch{
		Job: "checkCouponExpired." + kind.table, Key: kind.table + ".id",
		Find: func(ctx context.Context, q db.Querier, ready clause.Expr) ([]int64, error) {
			return kind.due(ctx, q, now, ready, batch)
		},
		Handle: func(ctx context.Context, id int64) error {
			marked, err := kind.mark(ctx, s.db, id, now)
			return job.MovedUnless(marked, err)
		},
	})
}
