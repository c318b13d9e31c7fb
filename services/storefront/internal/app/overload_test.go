package app_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/admission"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/app"
)

// fromMemory are the pages of guests that are answered from memory.
var fromMemory = []string{"/wx/home/index", "/wx/goods/detail?id=1", "/wx/home/about"}

// storefront is a storefront whose database can be frozen, with few places.
func storefront(t *testing.T) (get func(path string) *httptest.ResponseRecorder, c *admission.Controller,
	shop *apitest.Shop, freeze func() (thaw func()),
) {
	t.Helper()
	shop = apitest.Open(t)
	shop.Domain.Product("tea", money.Yuan(10), 5)
	d, freeze := shop.Domain.Freezable()
	c = admission.New(map[admission.Class]admission.Limits{
		admission.Read: {Places: 1}, admission.Load: {Places: 10},
	})
	var config app.Config
	config.Shop.Language, config.Shop.Zone, config.Limits.Body = "zh", "Asia/Shanghai", 1<<20
	h, err := app.NewHandler(d, config, app.HandlerDeps{
		Now: shop.Domain.Clock.Now, Clock: shop.Domain.Clock.Now, Done: func(op.Result) {}, Admission: c,
		Timeout: optest.Patience,
	})
	require.NoError(t, err)
	return func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w
	}, c, shop, freeze
}

// While the database hangs, the pages in memory are answered as they were; others are not, and hold the only place.
func TestPagesWhileTheDatabaseHangs(t *testing.T) {
	t.Parallel()
	get, c, shop, freeze := storefront(t)
	before := map[string]string{}
	for _, path := range fromMemory {
		w := get(path)
		require.Equal(t, http.StatusOK, w.Code, path)
		require.Contains(t, w.Body.String(), `"errno":0`, path)
		before[path] = w.Body.String()
	}
	thaw := freeze()
	hangs := make(chan struct{})
	go func() {
		defer close(hangs)
		get("/wx/topic/list")
	}()
	require.Eventually(t, func() bool { return c.State(admission.Read).Held == 1 }, time.Minute, time.Millisecond)
	for range 2 {
		shop.Domain.Clock.Move(5 * time.Second)
		for _, path := range fromMemory {
			require.Equal(t, before[path], get(path).Body.String(), path)
		}
	}
	refused := get("/wx/brand/list")
	require.Equal(t, http.StatusServiceUnavailable, refused.Code)
	require.Equal(t, "1", refused.Header().Get("Retry-After"))
	require.JSONEq(t, `{"errno":502,"errmsg":"系统繁忙，请稍后再试"}`, refused.Body.String())
	thaw()
	<-hangs
	require.Equal(t, http.StatusOK, get("/wx/brand/list").Code)
}
