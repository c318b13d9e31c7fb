package promotion_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/services/admin/internal/apitest"
)

const grant = "/admin/couponuser/create"

// An operator gives coupons of every kind, within the limits that shoppers have.
func TestGrantCoupon(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := w.Operator("grantor", "admin:couponuser:create", "admin:coupon:create", "admin:coupon:update",
		"admin:coupon:delete")
	lin, mei := w.Shop.Shopper("lin"), w.Shop.Shopper("mei")
	body := func(shopper, coupon int64) string { return fmt.Sprintf(`{"userId":%d,"couponId":%d}`, shopper, coupon) }
	c.POST(create, `{"name":"券","days":10,"discount":5,"total":3,"limit":2}`).OK()
	c.POST(create, `{"name":"新人券","days":10,"type":1,"limit":1}`).OK()
	c.POST(create, `{"name":"兑换券","days":10,"type":2,"limit":1}`).OK()
	c.POST(create, `{"name":"过期","timeType":1,"startTime":"2029-01-01 00:00:00","endTime":"2029-02-01 00:00:00"}`).OK()
	c.POST(create, `{"name":"下架","days":1,"status":2}`).OK()
	c.POST(create, `{"name":"删除","days":1}`).OK()
	c.POST(remove, `{"id":6}`).OK()

	keyed := c.With("Idempotency-Key", "g")
	keyed.POST(grant, "%s", body(lin, 1)).OK().Golden("grant")
	keyed.POST(grant, "%s", body(lin, 1)).OK()
	require.EqualValues(t, 1, w.Shop.Int("SELECT received FROM coupon WHERE id = 1"))
	require.Len(t, w.Shop.Usable(lin), 1)
	c.POST(grant, "%s", body(lin, 1)).OK()
	c.POST(grant, "%s", body(lin, 1)).Fails(errno.CouponExceedLimit)
	c.POST(grant, "%s", body(mei, 1)).OK()
	c.POST(grant, "%s", body(mei, 1)).Fails(errno.CouponExceedLimit)
	for _, id := range []int64{2, 3} {
		c.POST(grant, "%s", body(mei, id)).OK()
	}
	for id, code := range map[int64]*errno.Code{
		4: errno.CouponReceiveFailed, 5: errno.CouponExceedLimit, 6: errno.Invalid, 99: errno.Invalid,
	} {
		c.POST(grant, "%s", body(lin, id)).Fails(code)
	}
	c.POST(grant, "%s", body(99, 2)).Fails(errno.Invalid)
	c.POST(grant, `{"userId":1}`).Fails(errno.Missing)
	c.POST(grant, `{"couponId":1}`).Fails(errno.Missing)
	w.Shop.Agree()
	w.Conflict("UPDATE coupon")
	c.POST(grant, "%s", body(lin, 2)).Fails(errno.Stale)
}

// Several operators give the last coupon: one shopper gets it.
func TestGrantTheLastOne(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	c := w.Operator("grantor", "admin:couponuser:create", "admin:coupon:create")
	c.POST(create, `{"name":"券","days":10,"total":1,"limit":1}`).OK()
	var wg sync.WaitGroup
	for i := range 8 {
		shopper := w.Shop.Shopper(fmt.Sprint("s", i))
		wg.Go(func() {
			code := c.POST(grant, `{"userId":%d,"couponId":1}`, shopper).Code()
			if code != errno.OK && code != errno.CouponExceedLimit {
				t.Errorf("answers %v", code)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 1, w.Shop.Int("SELECT COUNT(*) FROM coupon_user"))
	w.Shop.Agree()
}
