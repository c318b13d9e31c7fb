package promotion

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
)

// HoldOffer locks the running offer on goods until the transaction ends and returns its id, 0 for none.
func (s *Service) HoldOffer(ctx context.Context, tx *db.Tx, goods int64) (int64, error) {
	id, err := lockOffer(ctx, tx, goods)
	return id, wrap(err, "hold the groupon offer on goods %d", goods)
}

// Reduction is what the running offer on goods takes off each piece, 0 for none.
func (s *Service) Reduction(ctx context.Context, tx *db.Tx, goods int64) (money.Amount, error) {
	off, err := reductionOn(ctx, tx, goods)
	return off, wrap(err, "read the groupon offer on goods %d", goods)
}

// Relabel gives an offer the name and the picture that its goods have got.
func (s *Service) Relabel(ctx context.Context, tx *db.Tx, offer int64, name, picURL string) error {
	return wrap(relabel(ctx, tx, offer, name, picURL, s.now()), "relabel groupon offer %d", offer)
}

// TakeDown ends an offer that the transaction holds. Its groups are ended afterwards, one by one.
func (s *Service) TakeDown(ctx context.Context, tx *db.Tx, offer int64) error {
	closed, err := s.CloseRule(ctx, tx, offer, RuleTakenDown)
	if err == nil && !closed {
		err = fmt.Errorf("take down groupon offer %d: %w", offer, errno.Stale)
	}
	return err
}
