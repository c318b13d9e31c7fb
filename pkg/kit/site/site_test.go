package site_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/site"
)

// pages are a site as it is built: what is compressed stands beside what it was made of.
func pages() fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"index.html": "<!doctype html>", "index.html.br": "page br", "index.html.gz": "page gz",
		"assets/a-1.js": "code", "assets/a-1.js.br": "code br", "assets/a-1.js.gz": "code gz",
		"assets/a-1.woff2": "font", "icons/shop.svg": "<svg/>", "manifest.webmanifest": "{}",
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

// service answers what the site leaves to it.
var service = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write([]byte("service"))
})

func handler(t *testing.T, pictures ...string) http.Handler {
	t.Helper()
	s, err := site.New(pages(), site.Options{Pictures: pictures, Reserved: []string{"wx", "docs"}, Settings: nil})
	require.NoError(t, err)
	return s.Before(service)
}

// get asks with headers given as pairs.
func get(h http.Handler, method, target string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

const browser = "text/html,application/xhtml+xml,*/*;q=0.8"

func TestWhoAnswers(t *testing.T) {
	h := handler(t)
	tests := map[string]struct {
		method, target, accept, body string
	}{
		"the root":                          {"GET", "/", "*/*", "<!doctype html>"},
		"the root by HEAD":                  {"HEAD", "/", browser, "<!doctype html>"}, // net/http leaves the body out
		"the root with a query":             {"GET", "/?a=1", browser, "<!doctype html>"},
		"a file":                            {"GET", "/assets/a-1.js", "*/*", "code"},
		"an address that one navigates to":  {"GET", "/goods/12", browser, "<!doctype html>"},
		"a deep one with a slash":           {"GET", "/a/b/c/", browser, "<!doctype html>"},
		"the same asked for by a program":   {"GET", "/goods/12", "application/json", "service"},
		"the same without Accept":           {"GET", "/goods/12", "", "service"},
		"a post to it":                      {"POST", "/goods/12", browser, "service"},
		"a post to the root":                {"POST", "/", browser, "service"},
		"a missing file":                    {"GET", "/assets/b-2.js", browser, "service"},
		"a file elsewhere":                  {"GET", "/robots.txt", browser, "service"},
		"a compressed file by its own name": {"GET", "/index.html.br", browser, "service"},
		"a folder":                          {"GET", "/assets", "*/*", "service"},
		"an operation":                      {"GET", "/wx/home/index", browser, "service"},
		"an unknown operation":              {"GET", "/wx/nothing", browser, "service"},
		"the prefix alone":                  {"GET", "/wx", browser, "service"},
		"documents":                         {"GET", "/docs/", browser, "service"},
		"a path that climbs":                {"GET", "/../site.go", "*/*", "service"},
		"a word that begins like a prefix":  {"GET", "/wxyz", browser, "<!doctype html>"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := get(h, tt.method, tt.target, "Accept", tt.accept)
			require.Equal(t, tt.body, w.Body.String())
			if tt.body == "service" {
				require.Empty(t, w.Header().Get("Content-Security-Policy"))
				return
			}
			require.Equal(t, http.StatusOK, w.Code)
		})
	}
}

func TestEncodings(t *testing.T) {
	h := handler(t)
	for accept, want := range map[string]string{
		"":                            "",
		"br":                          "br",
		"gzip":                        "gzip",
		"gzip, deflate, br":           "br",
		"gzip, deflate, br;q=0":       "gzip",
		"BR;Q=0.5, gzip":              "br",
		"br;q=0, gzip;q=0":            "",
		"br;q=nonsense":               "",
		"*":                           "br",
		"*;q=0":                       "",
		"*, br;q=0":                   "gzip",
		"identity":                    "",
		"gzip;level=9;q=0.1, deflate": "gzip",
	} {
		w := get(h, "GET", "/", "Accept-Encoding", accept)
		require.Equal(t, want, w.Header().Get("Content-Encoding"), accept)
		require.Equal(t, map[string]string{"": "<!doctype html>", "br": "page br", "gzip": "page gz"}[want], w.Body.String(), accept)
		require.Equal(t, "text/html; charset=utf-8", w.Header().Get("Content-Type"))
		require.Contains(t, w.Header().Values("Vary"), "Accept-Encoding")
	}
	w := get(h, "GET", "/assets/a-1.woff2", "Accept-Encoding", "br")
	require.Equal(t, "font", w.Body.String(), "a file that was not compressed")
	require.Empty(t, w.Header().Get("Vary"))
}

func TestWhatBrowsersKeep(t *testing.T) {
	h := handler(t)
	require.Equal(t, "public, max-age=31536000, immutable", get(h, "GET", "/assets/a-1.js").Header().Get("Cache-Control"))
	for _, target := range []string{"/", "/goods/1", "/icons/shop.svg", "/manifest.webmanifest"} {
		w := get(h, "GET", target, "Accept", browser)
		require.Equal(t, "no-cache", w.Header().Get("Cache-Control"), target)
		tag := w.Header().Get("ETag")
		require.NotEmpty(t, tag, target)
		again := get(h, "GET", target, "Accept", browser, "If-None-Match", `"x", W/`+tag)
		require.Equal(t, http.StatusNotModified, again.Code, target)
		require.Empty(t, again.Body.String(), target)
		require.Equal(t, tag, again.Header().Get("ETag"), target)
		require.Equal(t, http.StatusOK, get(h, "GET", target, "Accept", browser, "If-None-Match", `"x"`).Code, target)
	}
	plain, packed := get(h, "GET", "/"), get(h, "GET", "/", "Accept-Encoding", "br")
	require.NotEqual(t, plain.Header().Get("ETag"), packed.Header().Get("ETag"), "each encoding has its own")
	require.Contains(t, get(h, "GET", "/goods/1", "Accept", browser).Header().Values("Vary"), "Accept")
}

func TestThePagesAreConfined(t *testing.T) {
	h := handler(t, "https://cdn.test", "https://cdn.test")
	for _, target := range []string{"/", "/goods/1", "/assets/a-1.js"} {
		header := get(h, "GET", target, "Accept", browser).Header()
		policy := header.Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';")
		require.Contains(t, policy, "img-src 'self' data: blob: https://cdn.test;")
		require.Contains(t, policy, "frame-ancestors 'none'")
		require.NotContains(t, policy, "unsafe")
		require.Equal(t, "nosniff", header.Get("X-Content-Type-Options"))
		require.Equal(t, "DENY", header.Get("X-Frame-Options"))
		require.NotEmpty(t, header.Get("Referrer-Policy"))
		require.NotEmpty(t, header.Get("Permissions-Policy"))
	}
}

func TestMediaTypes(t *testing.T) {
	h := handler(t)
	for target, kind := range map[string]string{
		"/assets/a-1.js": "text/javascript; charset=utf-8", "/icons/shop.svg": "image/svg+xml",
		"/manifest.webmanifest": "application/manifest+json", "/assets/a-1.woff2": "font/woff2",
	} {
		require.Equal(t, kind, get(h, "GET", target).Header().Get("Content-Type"), target)
	}
}

func TestAFolderWithoutPages(t *testing.T) {
	_, err := site.New(fstest.MapFS{}, site.Options{})
	require.Error(t, err)
}
