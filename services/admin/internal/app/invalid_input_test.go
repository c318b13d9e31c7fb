package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/apitest"
)

// clean fails the test where an answer shows the inside of the shop.
func clean(t *testing.T, a *optest.Answer) {
	t.Helper()
	require.NotEqual(t, errno.Internal, a.Code(), "%s: %s", a.Request, a.Body)
	body := strings.ToLower(string(a.Body))
	for _, word := range []string{"sql", "goroutine", ".go:", "select ", "panic", "gorm", "/internal/", "/etc/"} {
		require.NotContains(t, body, word, a.Request)
	}
}

// sends reports whether an operation reads a JSON body.
func sends(s op.Spec) bool {
	return s.Method == http.MethodPost && s.FilePart() == "" && (len(s.Fields()) > 0 || s.Free())
}

// refuses reports whether an answer is that of a request that was not understood.
func refuses(a *optest.Answer) bool { return a.Code() == errno.Invalid || a.Code() == errno.Missing }

// Reading changes nothing, and what changes something is not reached by reading.
// TestWrongMethods asks by every method that is not offered.
func TestWrongMethods(t *testing.T) {
	w := apitest.Open(t)
	super, all := w.Super(), digest(w)
	before := w.Shop.Text(all)
	for _, spec := range w.Handler.Specs {
		for _, method := range []string{
			http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch, "TRACE", "BREW",
		} {
			if slices.ContainsFunc(w.Handler.Specs, func(o op.Spec) bool { return o.Path == spec.Path && o.Method == method }) {
				continue
			}
			a := super.Send(method, spec.Path+"?id=1&orderId=1", strings.NewReader(`{"id":1}`)).Fails(errno.WrongMethod)
			require.Equal(t, http.StatusMethodNotAllowed, a.Status, a.Request)
			if spec.Access.NeedsToken() {
				w.Nobody().Send(method, spec.Path, nil).Fails(errno.LoginRequired)
			}
		}
	}
	require.Equal(t, before, w.Shop.Text(all))
}

// Deep, large and foreign bodies, and forms, are refused, and change nothing.
func TestBadBodies(t *testing.T) {
	w := apitest.Open(t)
	super, all, read := w.Super(), digest(w), 0
	before := w.Shop.Text(all)
	bodies := map[string]string{
		"10,000 brackets":        strings.Repeat("[", 10_000),
		"10,000 nested objects":  strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000),
		"deep in a member":       `{"id":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`,
		"a list":                 `[]`,
		"a list of one":          `[{"id":1}]`,
		"a number":               `1`,
		"a text":                 `"{}"`,
		"half an object":         `{"id":1`,
		"two objects":            `{}{}`,
		"a form":                 `id=1&userId=2`,
		"XML":                    `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>`,
		"not text":               "\xff\xfe\x00",
		"a comment":              `{/* */}`,
		"a comma too many":       `{"id":1,}`,
		"an endless string open": `{"id":"`,
	}
	for _, spec := range w.Handler.Specs {
		if !sends(spec) || spec.Path == "/admin/auth/login" {
			continue
		}
		read++
		for name, body := range bodies {
			a := super.POST(spec.Path, "%s", body)
			clean(t, a)
			if !refuses(a) {
				t.Errorf("%s takes %s: %s", spec.Key(), name, a.Body)
			}
		}
		a := super.POST(spec.Path, "%s", `{"id":"`+strings.Repeat("x", 10<<20)+`"}`).Fails(errno.Invalid)
		require.Equal(t, http.StatusRequestEntityTooLarge, a.Status, spec.Key())
		require.Equal(t, before, w.Shop.Text(all), spec.Key())
	}
	require.Greater(t, read, 40)
}

// numeric reports whether a field, or each member of the list that it is, is a number.
func numeric(f op.Field) bool {
	if f.Kind == op.List && f.Item != nil {
		return numeric(*f.Item)
	}
	return f.Kind == op.Integer || f.Kind == op.ID || f.Kind == op.Decimal
}

// What is no number where a number belongs, in every member of every operation, is refused as such.
//
// What is missing and what is malformed are told apart, and no text of a check
// comes out.
func TestTextWhereANumberBelongs(t *testing.T) {
	w := apitest.Open(t)
	super, all, tried := w.Super(), digest(w), 0
	before := w.Shop.Text(all)
	values := []string{"x", "1 or 1=1", "0x10", "1e", "--1", "９", "99999999999999999999", "1;drop table orders", "1,x"}
	for _, spec := range w.Handler.Specs {
		for _, f := range spec.Fields() {
			if !numeric(f) {
				continue
			}
			tried++
			for _, value := range values {
				var a *optest.Answer
				if spec.Method == http.MethodGet {
					a = super.GET("%s", spec.Path+"?"+url.Values{f.Name: {value}}.Encode())
				} else {
					a = super.POST(spec.Path, "%s", fmt.Sprintf("{%q:%q}", f.Name, value))
				}
				clean(t, a)
				if !refuses(a) {
					t.Errorf("%s reads %s=%s: %s", spec.Key(), f.Name, value, a.Body)
				}
			}
		}
	}
	require.Greater(t, tried, 100)
	require.Equal(t, before, w.Shop.Text(all))
}

// TestListWindows asks every list for an order that no list has.
//
// No sort word and no order reaches the database but those of a list itself.
func TestListWindows(t *testing.T) {
	w := furnished(t)
	super, asked := w.Super(), 0
	for _, spec := range w.Handler.Specs {
		base := url.Values{}
		for _, f := range spec.Fields() {
			if f.Required {
				base.Set(f.Name, "1")
			}
		}
		for _, f := range spec.Fields() {
			for name, values := range map[string][]string{
				"sort": {
					"password", "id,add_time", "id desc", "(select sleep(5))", "`id`", "o.id", "add_time desc,(select sleep(5))",
					"add_time;drop table orders", "1", "add_time/**/",
				},
				"order": {"up", "desc limit 1,1", "desc,id", "desc--", "1", "(select 1)"},
				"limit": {"-1", "x", "1.5", "2147483648", "1 procedure analyse()"},
				"page":  {"0", "-1", "x", "2147483648"},
			} {
				if f.Name != name || spec.Method != http.MethodGet {
					continue
				}
				for _, v := range values {
					base.Set(name, v)
					clean(t, super.GET("%s", spec.Path+"?"+base.Encode()).Fails(errno.Invalid))
					asked++
				}
				base.Del(name)
			}
		}
	}
	require.Greater(t, asked, 400)
}
