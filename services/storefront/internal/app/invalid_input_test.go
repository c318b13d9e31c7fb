package app_test

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/storefront/internal/apitest"
)

// path is the address of an operation, with its parts filled in.
func path(s op.Spec) string { return strings.ReplaceAll(s.Path, "{key}", "nothing.png") }

// Reading changes nothing.
func TestWrongMethods(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	me := s.Shopper("lin")
	for _, spec := range s.API.Specs {
		for _, method := range []string{
			http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodHead, "TRACE", "BREW",
		} {
			offered := slices.ContainsFunc(s.API.Specs, func(o op.Spec) bool { return o.Path == spec.Path && o.Method == method })
			if offered || method == http.MethodHead {
				continue
			}
			a := me.Send(method, path(spec), strings.NewReader(`{}`)).Fails(errno.WrongMethod)
			require.Equal(t, http.StatusMethodNotAllowed, a.Status, a.Request)
		}
	}
}

// CVE-2020-23448: neither documents nor consoles are served, and no other spelling bypasses that.
func TestUnknownPaths(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	for _, path := range []string{
		"/", "/wx", "/wx/", "/wx/cart", "/wx/cart/index/", "/wx//cart/index", "/WX/cart/index", "/wx/cart/Index", "/admin/order/list",
		"/wx/../admin/order/list", "/wx/%63art/index2", "/swagger-ui.html", "/v2/api-docs", "/doc.html", "/druid/index.html",
		"/actuator", "/debug/pprof", "/.git/config", "/backup/", "/metrics", "/healthz", "/wx/order/h5pay2",
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			a := s.Guest().Send(method, path, nil).Fails(errno.UnknownPath)
			require.Equal(t, http.StatusNotFound, a.Status)
		}
	}
}

// Deep, large and foreign bodies, and forms, are refused.
func TestBadBodies(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	me := s.Shopper("lin")
	for _, spec := range s.API.Specs {
		if spec.Method != http.MethodPost || spec.IsRaw() || spec.Path == "/wx/auth/logout" {
			continue
		}
		me.RefusesBadBodies(spec.Path, "orderId")
		if spec.FilePart() == "" { // an upload takes more; its own limit is tested with it
			me.RefusesLargeBodies(spec.Path, "orderId", 1<<20)
		}
	}
}

// What is no number where a number belongs, in every member of every operation, is refused as such.
func TestTextWhereANumberBelongs(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	me, tried := s.Shopper("lin"), 0
	for _, spec := range s.API.Specs {
		tried += me.RefusesTexts(spec)
	}
	require.Greater(t, tried, 80)
}

// paged reports whether an operation answers a page.
func paged(s op.Spec) bool {
	windowed := slices.ContainsFunc(s.Fields(), func(f op.Field) bool { return f.Name == "limit" })
	return windowed && s.Resp.Kind() != reflect.Slice
}

// Whatever a list is called with, it answers with a page or with 402. No sort word and no order reaches the database
// except those of the list itself.
func TestListPaging(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	me := s.Shopper("lin")
	s.Domain.Product("tea", 100, 1)
	s.Domain.Exec("INSERT INTO brand (id, name, add_time, update_time) VALUES (1, 'b', '2030-01-01', '2030-01-01')")
	lists := 0
	for _, spec := range s.API.Specs {
		if !paged(spec) {
			continue
		}
		lists++
		base := path(spec) + "?type=0&valueId=1&showType=0&id=1"
		for _, query := range []string{
			"limit=-1", "limit=x", "limit=1.5", "limit=2147483648", "page=0", "page=-1", "page=x", "page=2147483648",
			"sort=password", "sort=id,add_time", "sort=id%20desc", "sort=(select%20sleep(5))", "sort=%60id%60", "sort=o.id",
			"order=up", "order=DESC", "order=desc%20limit%201,1", "order=desc,id", "order=desc--",
		} {
			me.GET(base + "&" + query).Fails(errno.Invalid)
		}
		for _, query := range []string{
			"", "limit=0", "limit=1", "limit=1000", "limit=1001", "limit=2147483647", "page=2147483647&limit=1000", "page=&limit=&sort=&order=",
			"page=undefined&limit=null", "sort=add_time", "sort=ADD_TIME", "sort=id&order=asc", "order=asc",
		} {
			a := me.GET(base + "&" + query).OK()
			require.Contains(t, string(a.Body), `"list":[`, a.Request)
		}
	}
	require.Positive(t, lists)
}

// No origin gets credentials, and no cookie is set.
func TestForeignOrigins(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	for _, spec := range s.API.Specs {
		a := s.Guest().With("Origin", "https://evil.example").Send(spec.Method, path(spec), strings.NewReader(`{}`))
		require.Empty(t, a.Header.Get("Access-Control-Allow-Credentials"), fmt.Sprint(spec.Key()))
		require.Empty(t, a.Header.Values("Set-Cookie"))
	}
}
