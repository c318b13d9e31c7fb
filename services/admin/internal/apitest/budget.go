package apitest

import "shop.internal/pkg/kit/op"

// changeBudget is the most statements of each change, those for its guard, its record and a repeated call included. A
// change sends as many with ten rows in its tables as with many.
var changeBudget = map[string]int{
	"POST /admin/ad/create":        9,
	"POST /admin/ad/delete":        4,
	"POST /admin/ad/update":        5,
	"POST /admin/admin/create":     16,
	"POST /admin/admin/delete":     13,
	"POST /admin/admin/update":     16,
	"POST /admin/aftersale/recept": 12,
	"POST /admin/aftersale/refund": 26,
	"POST /admin/aftersale/reject": 12,
	"POST /admin/brand/create":     6,
	"POST /admin/brand/delete":     5,
	"POST /admin/brand/update":     5,
	"POST /admin/category/create":  6,
	"POST /admin/category/delete":  6,
	"POST /admin/category/update":  7,
	"POST /admin/comment/delete":   7,
	"POST /admin/config/express":   6,
	"POST /admin/config/mall":      8,
	"POST /admin/config/order":     5,
	"POST /admin/config/wx":        6,
	"POST /admin/coupon/create":    8,
	"POST /admin/coupon/delete":    5,
	"POST /admin/coupon/update":    9,
	"POST /admin/goods/create":     23,
	"POST /admin/goods/delete":     12,
	"POST /admin/goods/update":     22,
	"POST /admin/groupon/create":   9,
	"POST /admin/groupon/update":   14,
	"POST /admin/issue/create":     9,
	"POST /admin/issue/delete":     4,
	"POST /admin/issue/update":     5,
	"POST /admin/keyword/create":   9,
	"POST /admin/keyword/delete":   4,
	"POST /admin/keyword/update":   6,
	"POST /admin/notice/create":    11,
	"POST /admin/notice/delete":    6,
	"POST /admin/notice/update":    8,
	"POST /admin/order/delete":     7,
	"POST /admin/order/pay":        16,
	"POST /admin/order/refund":     23,
	"POST /admin/order/reject":     10,
	"POST /admin/order/reply":      5,
	"POST /admin/order/ship":       12,
	"POST /admin/profile/password": 6,
	"POST /admin/role/create":      12,
	"POST /admin/role/delete":      13,
	"POST /admin/role/permissions": 12,
	"POST /admin/role/update":      11,
	"POST /admin/storage/create":   5,
	"POST /admin/storage/delete":   8,
	"POST /admin/storage/update":   6,
	"POST /admin/topic/create":     10,
	"POST /admin/topic/delete":     4,
	"POST /admin/topic/update":     6,
	"POST /admin/user/update":      7,
}

// growing are the changes whose statements grow with what the call itself names or ends, and with nothing else: ids,
// lines of a file, groups of an offer.
var growing = map[string]bool{
	"POST /admin/aftersale/batch-recept": true,
	"POST /admin/aftersale/batch-reject": true,
	"POST /admin/goods/import":           true,
	"POST /admin/groupon/delete":         true,
	"POST /admin/notice/batch-delete":    true,
	"POST /admin/topic/batch-delete":     true,
}

// ceiling is the most statements of a change, 0 where they grow with the call; known is false for one without a budget.
func ceiling(s *op.Spec) (most int, known bool) {
	most, known = changeBudget[s.Key()]
	return most, known || growing[s.Key()]
}
