package app_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/services/admin/internal/apitest"
	"shop.internal/services/admin/internal/app"
)

// navigate asks as a browser that opens an address.
func navigate(t *testing.T, w *apitest.Env, path string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	r.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	a := httptest.NewRecorder()
	w.Handler.ServeHTTP(a, r)
	return a
}

// The console and all that it names is served with its settings; the operations keep their envelopes beside it.
func TestConsoleIsServedBesideTheOperations(t *testing.T) {
	t.Parallel()
	w := apitest.OpenWith(t, func(c *app.Config) {
		c.Web.Enabled, c.Web.PictureOrigins = true, []string{"https://linked.test"}
		c.Shop.Language, c.Shop.Zone, c.Storage.BaseURL = "en", "America/New_York", "https://cdn.test/objects/"
	})
	page := navigate(t, w, "/")
	require.Equal(t, http.StatusOK, page.Code)
	policy := page.Header().Get("Content-Security-Policy")
	require.Contains(t, policy, "img-src 'self' data: blob: https://cdn.test https://linked.test;")
	require.Contains(t, policy, "style-src 'self';")
	require.Contains(t, page.Body.String(), `<html data-upload-limit="20971520" data-zone="America/New_York" lang="en">`)
	named := regexp.MustCompile(`(?:src|href)="(/[^"]+)"`).FindAllStringSubmatch(page.Body.String(), -1)
	require.Greater(t, len(named), 2)
	for _, n := range named {
		require.Equal(t, http.StatusOK, navigate(t, w, n[1]).Code, n[1])
	}
	require.Equal(t, page.Body, navigate(t, w, "/content/ad?open=12").Body)
	for _, path := range []string{"/admin/nothing", "/admin", "/assets/none.js", "/robots.txt", "/docs/"} {
		a := navigate(t, w, path)
		require.NotContains(t, a.Header().Get("Content-Type"), "text/html", path)
		require.Contains(t, a.Body.String(), `"errno":`, path)
	}
	w.Anonymous().GET("/admin/index/index").OK()
}

func TestConsoleCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	a := navigate(t, apitest.Open(t), "/")
	require.Equal(t, http.StatusNotFound, a.Code)
	require.Contains(t, a.Body.String(), `"errno":404`)
}
