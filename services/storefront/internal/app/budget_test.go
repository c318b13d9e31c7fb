package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/services/storefront/internal/apitest"
)

// budget is the most statements that an operation may send, however many rows it is about; BEGIN and COMMIT do not count.
// Nothing that the process keeps is fresh, and the token is looked at each time. What an operation does in several ways
// may have a row for each, with the way in brackets.
var budget = map[string]int{
	"POST /wx/storage/upload":       2,
	"POST /wx/express/query":        2,
	"POST /wx/auth/login":           2,
	"POST /wx/auth/register":        3,
	"POST /wx/auth/regCaptcha":      0,
	"POST /wx/auth/login_by_weixin": 3,
	"POST /wx/auth/captcha":         1,
	"POST /wx/auth/reset":           2,
	"POST /wx/auth/resetPhone":      3,
	"POST /wx/auth/bindPhone":       3,
	"POST /wx/auth/logout":          1,
	"GET /wx/auth/info":             2,
	"POST /wx/auth/profile":         2,
	"GET /wx/home/index":            17,
	"GET /wx/goods/list":            8,
	"GET /wx/goods/detail":          14,
	"GET /wx/goods/related":         3,
	"GET /wx/goods/category":        3,
	"GET /wx/goods/count":           1,
	"GET /wx/brand/list":            2,
	"GET /wx/brand/detail":          1,
	"GET /wx/catalog/index":         2,
	"GET /wx/catalog/current":       2,
	"GET /wx/catalog/all":           2,
	"GET /wx/cart/index":            3,
	"GET /wx/cart/goodscount":       3,
	"POST /wx/cart/add":             7,
	"POST /wx/cart/fastadd":         7,
	"POST /wx/cart/update":          7,
	"POST /wx/cart/checked":         6,
	"POST /wx/cart/delete":          4,
	"GET /wx/cart/checkout":         7,
	"POST /wx/order/submit":         17,
	"POST /wx/order/submit (opens)": 17,
	"POST /wx/order/submit (joins)": 23,
	"GET /wx/order/list":            6,
	"GET /wx/order/detail":          4,
	"POST /wx/order/cancel":         13,
	"POST /wx/order/prepay":         8,
	"POST /wx/order/h5pay":          8,
	"POST /wx/order/confirm":        5,
	"POST /wx/order/delete":         3,
	"POST /wx/order/refund":         9,
	"GET /wx/order/goods":           3,
	"POST /wx/order/comment":        8,
	"GET /wx/coupon/list":           2,
	"GET /wx/coupon/mylist":         3,
	"GET /wx/coupon/selectlist":     5,
	"POST /wx/coupon/receive":       5,
	"POST /wx/coupon/exchange":      5,
	"GET /wx/groupon/list":          2,
	"GET /wx/groupon/query":         2,
	"GET /wx/groupon/join":          4,
	"GET /wx/groupon/detail":        8,
	"GET /wx/groupon/my":            8,
	"GET /wx/aftersale/list":        4,
	"GET /wx/aftersale/detail":      4,
	"POST /wx/aftersale/submit":     6,
	"POST /wx/aftersale/cancel":     6,
	"GET /wx/address/list":          3,
	"GET /wx/address/detail":        2,
	"POST /wx/address/save":         5,
	"POST /wx/address/delete":       3,
	"GET /wx/region/list":           1,
	"GET /wx/comment/count":         1,
	"GET /wx/comment/list":          3,

	"GET /wx/home/about":                    1,
	"GET /wx/index/index":                   0,
	"GET /wx/catalog/getfirstcategory":      1,
	"GET /wx/catalog/getsecondcategory":     1,
	"GET /wx/topic/list":                    2,
	"GET /wx/topic/detail":                  4,
	"GET /wx/topic/related":                 2,
	"GET /wx/issue/list":                    2,
	"GET /wx/user/index":                    4,
	"GET /wx/collect/list":                  3,
	"POST /wx/collect/addordelete":          4,
	"GET /wx/footprint/list":                3,
	"POST /wx/footprint/delete":             2,
	"GET /wx/search/index":                  3,
	"GET /wx/search/helper":                 1,
	"GET /wx/search/result":                 7,
	"POST /wx/search/clearhistory":          2,
	"POST /wx/comment/post":                 5,
	"POST /wx/feedback/submit":              3,
	"GET /wx/storage/fetch/{key}":           1,
	"GET /wx/storage/download/{key}":        1,
	"POST /wx/order/pay-notify":             14,
	"POST /wx/order/pay-notify (completes)": 17,
	"GET /wx/home/cache":                    0,
	"GET /wx/sandbox/h5":                    0,
	"POST /wx/sandbox/h5":                   0,
	"GET /wx/msg/config":                    0,
	"POST /wx/msg/config":                   0,
}

// Every operation of the service stays within its budget, and sends the same statements about ten rows and about a
// thousand, whether anybody's or the caller's own.
func TestBudget(t *testing.T) {
	ten, thousand := newMarket(t, 10).measured(), newMarket(t, 10).grown().measured()
	for _, spec := range apitest.Open(t).API.Specs {
		_, bounded := budget[spec.Key()]
		require.True(t, bounded, "%s has no budget", spec.Key())
		_, called := ten[spec.Key()]
		require.True(t, called, "%s is not measured", spec.Key())
	}
	for key, ceiling := range budget {
		n, called := ten[key]
		require.True(t, called, "%s is no operation", key)
		if n > ceiling {
			t.Errorf("%s sends %d statements, allowed are %d", key, n, ceiling)
		}
		if n != thousand[key] {
			t.Errorf("%s sends %d statements about ten rows, and %d about a thousand", key, n, thousand[key])
		}
	}
	require.Len(t, ten, len(budget), "what is measured has a budget")
}
