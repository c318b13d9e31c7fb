package app_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/services/admin/internal/apitest"
)

// All numbers that operators enter have bounds within which nothing overflows; a coupon of 9,999,999 days once blocked
// all registrations.
func TestNumbersOfOperatorsAreBounded(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	staff := w.Super()
	coupon := func(member, value string) string {
		return fmt.Sprintf(`{"name":"x","type":1,"days":10,%q:%s}`, member, value)
	}
	goods := func(member, value string) string {
		number, price, place := "1", "1.00", "1"
		switch member {
		case "number":
			number = value
		case "price":
			price = value
		default:
			place = value
		}
		return fmt.Sprintf(`{"goods":{"goodsSn":"1","name":"tea %s","sortOrder":%s},"specifications":[{"specification":"a","value":"b"}],`+
			`"products":[{"specifications":["b"],"price":%s,"number":%s}],"attributes":[]}`, member+value, place, price, number)
	}
	for _, tt := range []struct {
		path, member string
		body         func(member, value string) string
		most, above  string
	}{
		{"/admin/coupon/create", "days", coupon, "3650", "3651"},
		{"/admin/coupon/create", "days", coupon, "3650", "9999999"},
		{"/admin/coupon/create", "limit", coupon, "100", "300000"},
		{"/admin/coupon/create", "total", coupon, "99999999", "100000000"},
		{"/admin/coupon/create", "discount", coupon, "9999999.99", "10000000"},
		{"/admin/coupon/create", "min", coupon, "9999999.99", "10000000"},
		{"/admin/goods/create", "number", goods, "99999999", "100000000"},
		{"/admin/goods/create", "price", goods, "9999999.99", "10000000"},
		{"/admin/goods/create", "sortOrder", goods, "999999", "1000000"},
		{"/admin/goods/create", "sortOrder", goods, "-999999", "-1000000"},
	} {
		a := staff.POST(tt.path, "%s", tt.body(tt.member, tt.above)).Fails(errno.Invalid)
		require.Contains(t, string(a.Body), "应在", tt.member)
		staff.POST(tt.path, "%s", tt.body(tt.member, tt.most)).OK()
	}
}
