package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
)

// path is the address of an operation, its parts filled with something.
func path(s op.Spec) string { return strings.ReplaceAll(s.Path, "{key}", "nothing.png") }

// clean fails the test where an answer shows the inside of the shop.
func clean(t *testing.T, a *optest.Answer) {
	t.Helper()
	require.NotEqual(t, errno.Internal, a.Code(), "%s: %s", a.Request, a.Body)
	body := strings.ToLower(string(a.Body))
	for _, word := range []string{"sql", "goroutine", ".go:", "select ", "panic", "gorm", "/internal/"} {
		require.NotContains(t, body, word, a.Request)
	}
}

// Reading changes nothing.
func TestWrongMethods(t *testing.T) {
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

// CVE-2020-23448: neither documents nor consoles, and no way round by another spelling.
func TestUnknownPaths(t *testing.T) {
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
	s := apitest.Open(t)
	me := s.Shopper("lin")
	bodies := map[string]string{
		"10,000 brackets":        strings.Repeat("[", 10_000),
		"10,000 nested objects":  strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000),
		"deep in a member":       `{"orderId":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`,
		"a list":                 `[]`,
		"a number":               `1`,
		"a text":                 `"{}"`,
		"null":                   `null`,
		"half an object":         `{"orderId":1`,
		"two objects":            `{}{}`,
		"a form":                 `orderId=1&userId=2`,
		"XML":                    `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>`,
		"not text":               "\xff\xfe\x00",
		"a comment":              `{/* */}`,
		"a comma too many":       `{"orderId":1,}`,
		"an endless string open": `{"orderId":"`,
	}
	for _, spec := range s.API.Specs {
		if spec.Method != http.MethodPost || spec.IsRaw() || spec.Path == "/wx/auth/logout" {
			continue
		}
		for name, body := range bodies {
			a := me.POST(path(spec), "%s", body)
			clean(t, a)
			if a.Code() != errno.Invalid && a.Code() != errno.Missing {
				t.Errorf("%s takes %s: %s", spec.Key(), name, a.Body)
			}
		}
		if spec.Path == "/wx/storage/upload" { // takes more; its own limit is tested with it
			continue
		}
		a := me.POST(path(spec), "%s", `{"orderId":"`+strings.Repeat("x", 2<<20)+`"}`).Fails(errno.Invalid)
		require.Equal(t, http.StatusRequestEntityTooLarge, a.Status, spec.Key())
	}
}

// members are the names of a request's members, with their Go kinds.
func members(t reflect.Type) map[string]reflect.Type {
	all := map[string]reflect.Type{}
	if t == nil {
		return all
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			for name, typ := range members(f.Type) {
				all[name] = typ
			}
			continue
		}
		if f.Type.Kind() == reflect.Pointer {
			f.Type = f.Type.Elem()
		}
		all[f.Tag.Get("json")] = f.Type
	}
	return all
}

// What is no number where a number belongs, in every member of every operation, is refused as such.
func TestTextWhereANumberBelongs(t *testing.T) {
	s := apitest.Open(t)
	me := s.Shopper("lin")
	for _, spec := range s.API.Specs {
		for name, typ := range members(spec.Req) {
			if k := typ.Kind(); k != reflect.Int && k != reflect.Int64 {
				continue
			}
			for _, value := range []string{"x", "1 or 1=1", "1.5", "0x10", "1e", "--1", "９", "99999999999999999999", "1;drop table orders"} {
				var a *optest.Answer
				if spec.Method == http.MethodGet {
					a = me.GET(path(spec) + "?" + url.Values{name: {value}}.Encode())
				} else {
					a = me.POST(path(spec), `{"%s":"%s"}`, name, value)
				}
				clean(t, a)
				if a.Code() != errno.Invalid && a.Code() != errno.Missing {
					t.Errorf("%s reads %s=%s: %s", spec.Key(), name, value, a.Body)
				}
			}
		}
	}
}

// Whatever a list is asked for, it answers with a page or with 402.
// No sort word and no order reaches the database but those of a list itself.
func TestListWindows(t *testing.T) {
	s := apitest.Open(t)
	me := s.Shopper("lin")
	s.Domain.Product("tea", 100, 1)
	s.Domain.Exec("INSERT INTO brand (id, name, add_time, update_time) VALUES (1, 'b', '2030-01-01', '2030-01-01')")
	lists := 0
	for _, spec := range s.API.Specs {
		if _, paged := members(spec.Req)["limit"]; !paged || spec.Resp.Kind() == reflect.Slice {
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
	s := apitest.Open(t)
	for _, spec := range s.API.Specs {
		a := s.Guest().With("Origin", "https://evil.example").Send(spec.Method, path(spec), strings.NewReader(`{}`))
		require.Empty(t, a.Header.Get("Access-Control-Allow-Credentials"), fmt.Sprint(spec.Key()))
		require.Empty(t, a.Header.Values("Set-Cookie"))
	}
}
