package op_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/kit/envelope"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
)

// long is an answer that is worth compressing.
var long = strings.Repeat("tea ", 1000)

// shelf declares one operation of each kind that matters to caches.
func shelf() []op.Op {
	body := envelope.NewBody([]byte(`"` + long + `"`))
	say := func(context.Context, op.None) (string, error) { return long, nil }
	return []op.Op{
		op.Read[op.None, string]{Path: "/public", Title: "Public", Access: op.Public, Do: say},
		op.Read[op.None, string]{Path: "/private", Title: "Private", Access: op.Public, Private: true, Do: say},
		op.Read[op.None, string]{Path: "/optional", Title: "Optional", Access: op.Optional, Do: say},
		op.Read[op.None, string]{Path: "/mine", Title: "Mine", Access: op.SignedIn, Do: say},
		op.Read[op.None, string]{
			Path: "/short", Title: "Short", Access: op.Public,
			Do: func(context.Context, op.None) (string, error) { return "tea", nil },
		},
		op.Read[op.None, wire.Raw[string]]{
			Path: "/kept", Title: "Kept", Access: op.Optional,
			Do: func(context.Context, op.None) (wire.Raw[string], error) { return wire.RawBody[string](body), nil },
		},
		op.Read[op.None, string]{
			Path: "/failing", Title: "Failing", Access: op.Public, Fails: []*errno.Code{errno.Stale},
			Do: func(context.Context, op.None) (string, error) { return "", errno.Stale },
		},
		op.Write[op.None, string]{Path: "/public", Title: "Write", Access: op.Public, Do: say},
	}
}

// ask sends a request with headers, given as alternating names and values.
func (s *service) ask(t *testing.T, method, path string, headers ...string) reply {
	t.Helper()
	r := httptest.NewRequest(method, path, http.NoBody)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return s.send(t, r)
}

const kept = "public, max-age=0, s-maxage=1"

func TestWhatACacheMayKeep(t *testing.T) {
	s := mount(t, nil, shelf()...)
	for name, tt := range map[string]struct {
		method, path, token, cache, vary string
	}{
		"public":                    {"GET", "/public", "", kept, "Accept-Encoding"},
		"public, with a token":      {"GET", "/public", "t1", "no-store", "Accept-Encoding"},
		"said to be private":        {"GET", "/private", "", "no-store", ""},
		"optional, guest":           {"GET", "/optional", "", kept, "Accept-Encoding, X-Token"},
		"optional, somebody":        {"GET", "/optional", "t1", "no-store", "Accept-Encoding, X-Token"},
		"optional, a foreign token": {"GET", "/optional", "t9", "no-store", "Accept-Encoding, X-Token"},
		"a kept page":               {"GET", "/kept", "", kept, "Accept-Encoding, X-Token"},
		"a kept page, somebody":     {"GET", "/kept", "t1", "no-store", "Accept-Encoding, X-Token"},
		"signed in":                 {"GET", "/mine", "t1", "no-store", ""},
		"a failure":                 {"GET", "/failing", "", "no-store", "Accept-Encoding"},
		"a change":                  {"POST", "/public", "", "no-store", ""},
		"no such path":              {"GET", "/nothing", "", "no-store", ""},
		"HEAD":                      {"HEAD", "/public", "", "no-store", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.ask(t, tt.method, tt.path, "X-Token", tt.token, "Accept-Encoding", "gzip, br")
			require.Equal(t, tt.cache, a.Header.Get("Cache-Control"))
			require.Equal(t, tt.vary, strings.Join(a.Header.Values("Vary"), ", "))
			tag := a.Header.Get("Etag")
			require.Equal(t, tt.cache == kept, tag != "")
			require.Equal(t, tt.cache == kept, a.Header.Get("Content-Encoding") != "")
			again := s.ask(t, tt.method, tt.path, "X-Token", tt.token, "If-None-Match", "*")
			require.Equal(t, tt.cache == kept, again.Status == http.StatusNotModified)
			if tt.cache == kept {
				require.Empty(t, again.Body)
				require.Equal(t, tag, again.Header.Get("Etag"))
				require.Equal(t, tt.vary, strings.Join(again.Header.Values("Vary"), ", "))
			}
		})
	}
	require.Equal(t, http.StatusMethodNotAllowed, s.ask(t, http.MethodHead, "/public").Status)
}

func TestConditions(t *testing.T) {
	s := mount(t, nil, shelf()...)
	tag := s.ask(t, http.MethodGet, "/public").Header.Get("Etag")
	require.Equal(t, tag, s.ask(t, http.MethodGet, "/kept").Header.Get("Etag"), "of equal data, wherever they come from")
	for condition, status := range map[string]int{
		tag: 304, strings.TrimPrefix(tag, "W/"): 304, `"a", ` + tag: 304, `"a"`: 200, "": 200, "W/": 200,
	} {
		require.Equal(t, status, s.ask(t, http.MethodGet, "/public", "If-None-Match", condition).Status, condition)
	}
}

func TestCodings(t *testing.T) {
	s := mount(t, nil, shelf()...)
	for accepted, want := range map[string][2]string{ // of an answer that is encoded each time, and of a cached one
		"":                           {"", ""},
		"gzip":                       {"gzip", "gzip"},
		"gzip, deflate, br":          {"gzip", "br"},
		"br":                         {"", "br"},
		"*":                          {"gzip", "br"},
		"gzip;q=0":                   {"", ""},
		"gzip;q=0, *":                {"", "br"},
		"gzip;q=1, br;q=0.5":         {"gzip", "gzip"},
		"gzip; q=0.5 , br; Q=1":      {"gzip", "br"},
		"br;q=0, gzip;q=0.001":       {"gzip", "gzip"},
		"identity;q=1, gzip;q=0.5":   {"", ""},
		"identity;q=0.5, gzip;q=0.8": {"gzip", "gzip"},
		"GZIP":                       {"gzip", "gzip"},
		"gzip;q=nonsense":            {"", ""},
		"deflate":                    {"", ""},
	} {
		for i, path := range []string{"/public", "/kept"} {
			a := s.ask(t, http.MethodGet, path, "Accept-Encoding", accepted)
			require.Equal(t, want[i], a.Header.Get("Content-Encoding"), "%s of %q", path, accepted)
			var from io.Reader = strings.NewReader(a.Body)
			switch want[i] {
			case "gzip":
				z, err := gzip.NewReader(from)
				require.NoError(t, err)
				from = z
			case "br":
				from = brotli.NewReader(from)
			}
			var e reply
			require.NoError(t, json.NewDecoder(from).Decode(&e))
			require.Zero(t, e.Errno)
			require.JSONEq(t, `"`+long+`"`, string(e.Data))
		}
	}
	require.Empty(t, s.ask(t, http.MethodGet, "/short", "Accept-Encoding", "gzip").Header.Get("Content-Encoding"))
}

func TestWhatStaffSeeIsNeverShared(t *testing.T) {
	_, err := tryMount(func(h *op.Hooks) { h.GuardAll = "/admin/" }, shelf()[0])
	require.ErrorContains(t, err, "has to be Private")
	_, err = tryMount(func(h *op.Hooks) { h.Credentials = nil }, shelf()[2])
	require.ErrorContains(t, err, "no Credentials")
}
