package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/app"
)

// Every member that contains an address or a name is validated, except operators' user names, which have a stricter
// rule and code of their own, and members that only repeat which specification is meant.
func TestAddressesAndNamesAreChecked(t *testing.T) {
	t.Parallel()
	specs, err := app.Specs()
	require.NoError(t, err)
	require.ElementsMatch(t, []string{
		"POST /admin/auth/login username", "POST /admin/admin/create username", "POST /admin/admin/update username",
		"POST /admin/goods/update specifications.specification", "POST /admin/goods/update specifications.value",
		"POST /admin/goods/update products.specifications",
	}, optest.Unchecked(specs))
}

// No address that an operator enters runs a script or leads to a host that it does not name.
func TestAddressesOfOperators(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	super := w.Super()
	bad := []string{
		"javascript:alert(1)", " JavaScript:alert(1)", "java\tscript:alert(1)", "data:text/html,<script>alert(1)</script>",
		"vbscript:x", "//evil.test/", `/\evil.test`, "http://shop.test@evil.test/", "file:///etc/passwd",
	}
	for _, c := range []struct{ path, body string }{
		{"/admin/ad/create", `{"name":"a","content":"b","url":"/a.png","enabled":true,"link":%q}`},
		{"/admin/ad/create", `{"name":"a","content":"b","enabled":true,"url":%q}`},
		{"/admin/ad/update", `{"id":1,"link":%q}`},
		{"/admin/keyword/create", `{"keyword":"k","url":%q}`},
		{"/admin/brand/update", `{"id":1,"picUrl":%q}`},
		{"/admin/category/update", `{"id":1,"iconUrl":%q}`},
		{"/admin/topic/create", `{"title":"t","content":"c","price":1,"goods":[],"picUrl":%q}`},
		{"/admin/admin/create", `{"username":"newcomer","password":"secret-9","roleIds":[2],"avatar":%q}`},
		{"/admin/goods/update", `{"goods":{"id":1,"gallery":["/a.png",%q]},"specifications":[],"products":[],"attributes":[]}`},
	} {
		for _, address := range bad {
			super.POST(c.path, c.body, address).Fails(errno.Invalid)
		}
	}
	for _, address := range []string{"19", "/pages/goods/goods?id=1", "https://shop.test/新茶?a=b#c", ""} {
		super.POST("/admin/ad/create", `{"name":"a","content":"b","url":"/a.png","enabled":true,"link":%q}`, address).OK()
	}
	for _, name := range []string{"ad\u200bmin", "\u3164", "\u202etxt", "a\u0000", "\ue000"} {
		super.POST("/admin/brand/update", "%s", fmt.Sprintf(`{"id":1,"name":"x%s"}`, name)).Fails(errno.Invalid)
		super.POST("/admin/config/mall", "%s", fmt.Sprintf(`{"litemall_mall_name":"x%s"}`, name)).Fails(errno.Invalid)
	}
}

// No member of an answer writes an address unchecked.
func TestAddressesOfAnswersAreHeld(t *testing.T) {
	t.Parallel()
	specs, err := app.Specs()
	require.NoError(t, err)
	require.Empty(t, optest.UntypedLinks(specs))
}

// No answer contains an unchecked address that an earlier release stored, wherever it is.
func TestStoredAddressesAreWithheld(t *testing.T) {
	t.Parallel()
	w := seeded(t)
	for _, column := range w.Shop.Texts("SELECT CONCAT('`', table_name, '` SET ', column_name, ' = ') FROM "+
		"information_schema.columns WHERE table_schema = DATABASE() AND data_type IN ('varchar', 'text') AND "+
		"column_name REGEXP ?", optest.AddressColumns) {
		value := `javascript:alert(1)`
		if strings.Contains(column, "s = ") || strings.Contains(column, "gallery") {
			value = `["javascript:alert(1)"]`
		}
		w.Shop.Exec("UPDATE "+column+"?", value)
	}
	super, asked := w.Super(), 0
	specs, err := app.Specs()
	require.NoError(t, err)
	for _, s := range specs {
		if s.Method == http.MethodGet && !s.IsRaw() {
			require.NotContains(t, string(super.GET("%s", s.Path+"?id=1&orderId=1&limit=10").Body), "javascript:", s.Path)
			asked++
		}
	}
	require.Greater(t, asked, 40)
}
