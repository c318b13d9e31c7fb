package engagement

import (
	"context"

	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
)

// Feedback is what a shopper writes to the shop.
type Feedback struct {
	Shopper                   int64
	FeedType, Content, Mobile string
	Pictures                  []string
}

// Submit stores what a shopper writes to the shop, under the name that the account has now.
func (s *Service) Submit(ctx context.Context, f Feedback) error {
	return idempotency.DoAfter(ctx, s.once, func() (func(*db.Tx) error, error) {
		who, err := s.accounts.Info(ctx, f.Shopper)
		return func(tx *db.Tx) error {
			return insertFeedback(ctx, tx, f, who.Username, s.clock())
		}, err
	})
}
