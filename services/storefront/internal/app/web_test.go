package app_test

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/app"
)

const browser = "text/html,application/xhtml+xml,*/*;q=0.8"

// The page and all that it names is served; the operations keep their envelopes beside it.
func TestThePageIsServedBesideTheOperations(t *testing.T) {
	s := apitest.OpenWith(t, func(c *app.Config) {
		c.Web.Enabled, c.Storage.BaseURL = true, "https://cdn.test/objects/"
	})
	guest := s.Guest().With("Accept", browser)
	page := guest.Send(http.MethodGet, "/", nil)
	require.Equal(t, http.StatusOK, page.Status)
	require.Contains(t, page.Header.Get("Content-Security-Policy"), "img-src 'self' data: blob: https://cdn.test;")
	named := regexp.MustCompile(`(?:src|href)="(/[^"]+)"`).FindAllStringSubmatch(string(page.Body), -1)
	require.Greater(t, len(named), 3)
	for _, n := range named {
		require.Equal(t, http.StatusOK, guest.Send(http.MethodGet, n[1], nil).Status, n[1])
	}
	require.Equal(t, page.Body, guest.Send(http.MethodGet, "/goods/1", nil).Body)
	for _, path := range []string{"/wx/nothing", "/wx", "/assets/none.js", "/robots.txt", "/docs/"} {
		a := guest.Send(http.MethodGet, path, nil)
		require.Equal(t, http.StatusNotFound, a.Status, path)
		require.Contains(t, string(a.Body), `"errno":404`, path)
	}
	require.Equal(t, http.StatusOK, guest.GET("/wx/home/index").OK().Status)
}

func TestThePageCanBeSwitchedOff(t *testing.T) {
	a := apitest.Open(t).Guest().With("Accept", browser).Send(http.MethodGet, "/", nil)
	require.Equal(t, http.StatusNotFound, a.Status)
	require.Contains(t, string(a.Body), `"errno":404`)
}
