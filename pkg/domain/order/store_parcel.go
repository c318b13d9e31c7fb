package order

import (
	"context"

	"shop.internal/pkg/domain/internal/db"
)

// byParcel finds the newest order of a shopper that has gone with a carrier under a number.
func byParcel(ctx context.Context, q db.Querier, shopper int64, channel, number string) (Order, bool, error) {
	return one(q.G(ctx).Raw("SELECT "+columns+" FROM orders o WHERE o.user_id = ? AND o.deleted = 0 AND "+
		"o.user_deleted = 0 AND o.ship_channel = ? AND o.ship_sn = ? ORDER BY o.id DESC LIMIT 1", shopper, channel, number))
}
