package order

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/text"
)

// Parcel returns the order whose parcel a shopper means: the one named, else the newest that has gone with the carrier
// under the number. It has no lines. It fails with errno.Invalid where it is not the shopper's.
func (s *Service) Parcel(ctx context.Context, shopper, id int64, channel, number string) (Order, error) {
	if id != 0 {
		return s.ofShopper(ctx, s.DB, shopper, id, "orderId")
	}
	o, ok, err := byParcel(ctx, s.DB, shopper, channel, number)
	if err != nil {
		return o, fmt.Errorf("find the order of a parcel of shopper %d: %w", shopper, err)
	}
	if !ok {
		return o, errno.Invalid.Because(text.OrderParcel)
	}
	return o, nil
}
