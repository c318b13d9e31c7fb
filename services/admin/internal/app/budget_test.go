package app_test

import (
	"net/http"
	"strings"
	"testing"

	"shop.internal/services/admin/internal/apitest"
)

// readBudget is the most statements that an operation which reads may send, however many rows there are. The operator
// is looked at each time.
var readBudget = map[string]int{
	"GET /admin/auth/info":          3,
	"GET /admin/auth/kaptcha":       0,
	"GET /admin/auth/index":         0,
	"GET /admin/index/index":        0,
	"GET /admin/dashboard":          2,
	"GET /admin/profile/nnotice":    2,
	"GET /admin/profile/lsnotice":   3,
	"GET /admin/user/list":          3,
	"GET /admin/user/detail":        2,
	"GET /admin/address/list":       3,
	"GET /admin/collect/list":       3,
	"GET /admin/footprint/list":     3,
	"GET /admin/history/list":       3,
	"GET /admin/feedback/list":      3,
	"GET /admin/region/list":        1,
	"GET /admin/region/clist":       1,
	"GET /admin/brand/list":         3,
	"GET /admin/brand/read":         2,
	"GET /admin/category/list":      3,
	"GET /admin/category/l1":        2,
	"GET /admin/category/read":      2,
	"GET /admin/order/list":         5,
	"GET /admin/order/detail":       4,
	"GET /admin/order/channel":      1,
	"GET /admin/aftersale/list":     3,
	"GET /admin/issue/list":         3,
	"GET /admin/issue/read":         2,
	"GET /admin/keyword/list":       3,
	"GET /admin/keyword/read":       2,
	"GET /admin/goods/list":         3,
	"GET /admin/goods/catAndBrand":  4,
	"GET /admin/goods/detail":       5,
	"GET /admin/comment/list":       3,
	"GET /admin/ad/list":            3,
	"GET /admin/ad/read":            2,
	"GET /admin/coupon/list":        3,
	"GET /admin/coupon/listuser":    3,
	"GET /admin/coupon/read":        2,
	"GET /admin/groupon/list":       3,
	"GET /admin/groupon/listRecord": 6,
	"GET /admin/topic/list":         3,
	"GET /admin/topic/read":         2,
	"GET /admin/admin/list":         4,
	"GET /admin/admin/read":         3,
	"GET /admin/notice/list":        4,
	"GET /admin/notice/read":        3,
	"GET /admin/log/list":           3,
	"GET /admin/role/list":          3,
	"GET /admin/role/options":       2,
	"GET /admin/role/read":          2,
	"GET /admin/role/permissions":   4,
	"GET /admin/storage/list":       3,
	"GET /admin/storage/read":       2,
	"GET /admin/config/mall":        2,
	"GET /admin/config/express":     2,
	"GET /admin/config/order":       2,
	"GET /admin/config/wx":          2,
	"GET /admin/stat/user":          14,
	"GET /admin/stat/order":         14,
	"GET /admin/stat/goods":         14,
}

// readQuery is what operations that read one thing are asked for.
func readQuery(path string) string {
	switch {
	case strings.HasSuffix(path, "/read"), strings.HasSuffix(path, "/detail"), strings.HasSuffix(path, "/clist"):
		return "?id=1"
	case path == "/admin/role/permissions":
		return "?roleId=1"
	}
	return ""
}

// holdReads asks for everything that can be read, and holds each operation to its budget.
func holdReads(t *testing.T, w *apitest.World) {
	t.Helper()
	for _, s := range w.Handler.Specs {
		if s.Method != http.MethodGet || s.IsRaw() || strings.HasPrefix(s.Path, "/admin/auth/40") {
			continue // files are read a stretch at a time, and two operations only refuse
		}
		ceiling, bounded := readBudget[s.Key()]
		sent := w.Super().GET(s.Path + readQuery(s.Path)).OK().Statements
		if !bounded || sent > ceiling {
			t.Errorf("%q: %d,", s.Key(), sent)
		}
	}
}
