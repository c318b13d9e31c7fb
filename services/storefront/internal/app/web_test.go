package app_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/app"
)

// navigate asks as a browser that opens an address.
func navigate(t *testing.T, s *apitest.Shop, path string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	r.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	w := httptest.NewRecorder()
	s.API.Handler.ServeHTTP(w, r)
	return w
}

// The page and all that it names is served; the operations keep their envelopes beside it.
func TestPageIsServedBesideTheOperations(t *testing.T) {
	t.Parallel()
	s := apitest.OpenWith(t, func(c *app.Config) {
		c.Web.Enabled, c.Storage.BaseURL = true, "https://cdn.test/objects/"
	})
	page := navigate(t, s, "/")
	require.Equal(t, http.StatusOK, page.Code)
	require.Contains(t, page.Header().Get("Content-Security-Policy"), "img-src 'self' data: blob: https://cdn.test;")
	named := regexp.MustCompile(`(?:src|href)="(/[^"]+)"`).FindAllStringSubmatch(page.Body.String(), -1)
	require.Greater(t, len(named), 3)
	for _, n := range named {
		require.Equal(t, http.StatusOK, navigate(t, s, n[1]).Code, n[1])
	}
	for _, path := range []string{"/wx/nothing", "/wx", "/assets/none.js", "/sitemap.xml", "/docs/"} {
		a := navigate(t, s, path)
		require.Equal(t, http.StatusNotFound, a.Code, path)
		require.Contains(t, a.Body.String(), `"errno":404`, path)
	}
	s.Guest().GET("/wx/home/index").OK()
}

// The page has the settings that it goes by from the service, whatever it was built with.
func TestThePageKnowsTheSettings(t *testing.T) {
	t.Parallel()
	s := apitest.OpenWith(t, func(c *app.Config) {
		c.Web.Enabled, c.Shop.Language, c.Shop.Zone, c.Limits.Upload = true, "en", "America/New_York", 1<<20
	})
	page := navigate(t, s, "/").Body.String()
	require.Contains(t, page, `<html data-country="CN" data-currency="CNY" data-decimals="2" data-language="en" data-name="Shop" data-upload-limit="1048576" `+
		`data-zone="America/New_York" lang="en">`)
	require.NotContains(t, page, "Asia/Shanghai")
}

func TestPageCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	a := navigate(t, apitest.Open(t), "/")
	require.Equal(t, http.StatusNotFound, a.Code)
	require.Contains(t, a.Body.String(), `"errno":404`)
}
