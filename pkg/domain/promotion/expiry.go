package promotion

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/job"
)

// batch is how many records one run of a job looks at.
const batch = 500

// Jobs returns the work that time does.
func (s *Service) Jobs() []job.Job {
	return []job.Job{{Name: "checkCouponExpired", Every: time.Hour, Most: time.Hour, Run: s.ExpireCoupons}}
}

// ExpireCoupons marks coupons, and shoppers' unused copies, whose time is over. Nothing waits for it: who uses a coupon
// looks at the clock. It reports how many it marked.
func (s *Service) ExpireCoupons(ctx context.Context) (int, error) {
	now := s.now()
	total := 0
	var failed error
	for _, kind := range []expiring{couponsExpire, holdingsExpire} {
		ids, err := kind.due(ctx, s.db, now, batch)
		if err != nil {
			return total, fmt.Errorf("look for %s past their time: %w", kind.table, err)
		}
		for _, id := range ids {
			if ctx.Err() != nil {
				return total, failed
			}
			marked, err := kind.mark(ctx, s.db, id, now)
			if err != nil { // the others have their turn
				failed = fmt.Errorf("expire %s %d: %w", kind.table, id, err)
			}
			if marked {
				total++
			}
		}
	}
	return total, failed
}
