package app_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
)

// Every member that contains an address or a name is validated, except those that are compared with stored values, or
// truncated to what may be stored.
func TestAddressesAndNamesAreChecked(t *testing.T) {
	t.Parallel()
	unchecked := optest.Unchecked(apitest.Open(t).API.Specs)
	slices.Sort(unchecked)
	require.ElementsMatch(t, []string{
		"POST /wx/auth/login username",
		"POST /wx/auth/login_by_weixin userInfo.nickName",
		"POST /wx/auth/login_by_weixin userInfo.avatarUrl",
	}, slices.Compact(unchecked), "userInfo has one schema in two places")
}

// Shoppers' texts about themselves cannot run in others' pages, nor imitate another's name.
func TestAddressesAndNamesOfShoppers(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	me := s.Shopper("lin")
	for _, body := range []string{
		`{"avatar":"javascript:alert(1)"}`, `{"avatar":"data:image/svg+xml,<svg onload=x>"}`, `{"avatar":"//evil.test/a.png"}`,
		`{"avatar":"http://shop.test@evil.test/a.png"}`, `{"avatar":"http://evil.test\\@shop.test/"}`,
		`{"nickName":"ad\u200bmin"}`, `{"nickName":"\u3164"}`, `{"nickName":"\u202enimda"}`,
	} {
		me.POST("/wx/auth/profile", "%s", body).Fails(errno.Invalid)
	}
	me.POST("/wx/auth/profile", `{"nickName":"林 👩🏽‍💻","avatar":"https://shop.test/a.png"}`).OK()
	s.Guest().POST("/wx/auth/login_by_weixin",
		`{"code":"code-of-wang","userInfo":{"nickName":"a\u200bb","avatarUrl":"javascript:x","gender":1}}`).OK()
	require.Equal(t, "ab", s.Domain.Text("SELECT nickname FROM user ORDER BY id DESC LIMIT 1"))
	require.NotContains(t, s.Domain.Text("SELECT avatar FROM user ORDER BY id DESC LIMIT 1"), "javascript")
}

// No member of an answer writes an address unchecked.
func TestAddressesOfAnswersAreHeld(t *testing.T) {
	t.Parallel()
	require.Empty(t, optest.UntypedLinks(apitest.Open(t).API.Specs))
}

// No answer contains an unchecked address that an earlier release stored, wherever it is.
func TestStoredAddressesAreWithheld(t *testing.T) {
	t.Parallel()
	m := seeded(t, 3)
	for _, column := range m.Domain.Texts("SELECT CONCAT('`', table_name, '` SET ', column_name, ' = ') FROM "+
		"information_schema.columns WHERE table_schema = DATABASE() AND data_type IN ('varchar', 'text') AND "+
		"column_name REGEXP ?", optest.AddressColumns) {
		value := `javascript:alert(1)`
		if strings.Contains(column, "s = ") || strings.Contains(column, "gallery") {
			value = `["javascript:alert(1)"]`
		}
		m.Domain.Exec("UPDATE "+column+"?", value)
	}
	me, asked := m.As(m.lin), 0
	for _, s := range m.API.Specs {
		if s.Method == http.MethodGet && !s.IsRaw() {
			require.NotContains(t, string(me.GET("%s", s.Path+""+listBase+"orderId=1&limit=10").Body), "javascript:", s.Path)
			asked++
		}
	}
	require.Greater(t, asked, 30)
}
