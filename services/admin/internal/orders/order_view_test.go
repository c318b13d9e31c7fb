package orders_test

import (
	"testing"

	domainorder "shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/orders"
)

// Operators see every field of an order but these.
func TestEveryFieldIsShown(t *testing.T) {
	t.Parallel()
	optest.Shows(t, func(o domainorder.Order) any { return orders.View(o) }, "CouponUserID", "PayBefore", "PayChannel",
		"HiddenFromShopper")
}
