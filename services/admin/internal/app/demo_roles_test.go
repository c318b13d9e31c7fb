package app_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/demo"
	"shop.internal/services/admin/internal/menu"
)

// pageCalls are the operations that a page of the console calls beside its own, whether or not the operator has the
// permission: they fill its forms or are behind buttons without a permission.
func pageCalls() map[string][]string {
	const upload = "POST /admin/storage/create"
	return map[string][]string{
		"menu:goods/goods":   {"GET /admin/goods/catAndBrand", upload},
		"menu:goods/comment": {"POST /admin/order/reply", "POST /admin/comment/delete"},
		"menu:mall/brand":    {"GET /admin/goods/catAndBrand", upload},
		"menu:mall/category": {"GET /admin/category/l1", upload},
		"menu:mall/order": {
			"GET /admin/order/detail", "GET /admin/order/channel", "POST /admin/order/delete", "POST /admin/order/pay",
			"POST /admin/order/ship", "POST /admin/order/refund",
		},
		"menu:mall/aftersale": nil,
		"menu:sys/storage":    {upload},
	}
}

// wholePages are the pages that a demo operator sees, with every permission.
func wholePages() map[string][]string {
	return map[string][]string{
		"goods": {"menu:goods/goods", "menu:mall/brand", "menu:mall/category", "menu:sys/storage"},
		"clerk": {"menu:goods/comment", "menu:mall/order", "menu:mall/aftersale"},
	}
}

// TestDemoRolesAgree visits the menus of the console as each operator of the demo shop: what is shown works, and what
// is not shown is refused.
func TestDemoRolesAgree(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	specs := map[string]op.Spec{}
	for _, s := range w.Handler.Specs {
		specs[s.Key()] = s
	}
	roles, err := demo.Roles()
	require.NoError(t, err)
	for _, r := range roles {
		t.Run(r.Operator, func(t *testing.T) {
			for _, v := range r.Values {
				require.Contains(t, w.Handler.Registry.Values(), v)
			}
			c := w.Operator(r.Operator, r.Values...).In(t)
			var info struct{ Perms []string }
			c.GET("/admin/auth/info").Data(&info)
			works := func(operation string) {
				t.Helper()
				s, known := specs[operation]
				require.True(t, known, operation)
				require.Nil(t, refused(send(c, s)), operation)
			}
			c.GET("/admin/dashboard").OK()
			for _, group := range w.Handler.Registry.Tree() {
				for _, page := range group.Pages {
					visible, whole := false, true
					for _, e := range page.Entries {
						shown := slices.Contains(info.Perms, e.Operation)
						visible, whole = visible || shown, whole && shown
						if shown {
							works(e.Operation)
							continue
						}
						require.Equal(t, errno.NoPermission, refused(send(c, specs[e.Operation])), e.Operation)
					}
					require.Equal(t, slices.Contains(wholePages()[r.Operator], page.ID), visible, page.ID)
					require.Equal(t, visible, whole, "%s: part of a page", page.ID)
					if !visible {
						continue
					}
					calls, known := pageCalls()[page.ID]
					require.True(t, known, "%s is visible, and nobody says what it calls", page.ID)
					for _, operation := range calls {
						works(operation)
					}
					for _, e := range page.Entries {
						if e.Button == menu.Query() && specs[e.Operation].Method == http.MethodGet {
							works(e.Operation)
						}
					}
				}
			}
		})
	}
}
