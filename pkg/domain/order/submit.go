package order

import (
	"context"
	"errors"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Submit turns cart items into an order with the current prices, stock and coupon, all or nothing. It fails with
// errno.Invalid for an address, cart item or coupon that the shopper cannot use, with GoodsUnshelved, GoodsInvalid and
// GoodsNoStock for goods that cannot be bought, with GrouponExpired, GrouponOffline, GrouponFull and GrouponJoined for
// a group that cannot be opened or joined, with OrderCheckoutFailed if the shopper would exceed UnpaidLimits, and with
// Stale if an input of the price (the product's price or category, the group-buy rule, the coupon) was modified
// concurrently, or if too many already wait for the same product. The same items submitted twice make one order.
func (s *Service) Submit(ctx context.Context, shopper int64, sub Submission) (Placed, error) {
	placed, err := s.submit(ctx, shopper, sub)
	if errors.Is(err, errno.GoodsUnshelved) || errors.Is(err, errno.GoodsInvalid) {
		// Clean up outside the transaction that was rolled back, so that the next attempt can succeed.
		err = errors.Join(err, s.Cart.Tidy(ctx, shopper))
	}
	if errors.Is(err, errno.GoodsNoStock) {
		s.DB.Meter().Count(meter.StockRefusals)
	}
	return placed, err
}

func (s *Service) submit(ctx context.Context, shopper int64, sub Submission) (Placed, error) {
	placed, err := s.placeHot(ctx, shopper, sub)
	if errors.Is(err, errNotBatched) {
		placed, err = s.alone(ctx, shopper, sub)
	}
	if err == nil && s.Hot.Queue > 0 { // a second purchase of the same item finds none
		s.items.Invalidate(cart.Choice{Shopper: shopper, ID: sub.Cart})
	}
	return placed, err
}

// alone makes a purchase in a transaction of its own.
func (s *Service) alone(ctx context.Context, shopper int64, sub Submission) (Placed, error) {
	return idempotency.InTx(ctx, s.Once, func(tx *db.Tx) (Placed, error) {
		p := &purchase{shopper: shopper, Submission: sub}
		err := s.place(ctx, tx, p)
		return p.placed, err
	})
}
