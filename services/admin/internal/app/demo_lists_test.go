package app_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/demo"
)

// Whoever opens the console of the demo shop finds something on every screen with a list.
func TestNoListOfTheDemoShopIsEmpty(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	require.NoError(t, demo.Load(t.Context(), w.Shop.Domain, "http://shop.test/wx/storage/fetch/", func(string) {}))
	_, token, err := w.Shop.Sessions.LogIn(t.Context(), access.Credentials{
		Username: domain.DemoSuper, Password: domain.DemoPassword,
	})
	require.NoError(t, err)
	me := w.Anonymous().With(auth.Header, token)
	for _, s := range lists(w) {
		var list optest.Listed
		// The holders are those of a coupon that everybody may take.
		me.GET("%s", strings.Replace(base(s), "couponId=1&", "couponId=7&", 1)+"limit=1").Data(&list)
		require.Positive(t, list.Total, s.Path)
	}
}
