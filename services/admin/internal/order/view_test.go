package order_test

import (
	"testing"

	domainorder "shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/order"
)

// Operators see every field of an order but these.
func TestEveryFieldIsShown(t *testing.T) {
	t.Parallel()
	optest.Shows(t, func(o domainorder.Order) any { return order.View(o) }, "CouponUserID", "PayChannel", "HiddenFromShopper")
}
