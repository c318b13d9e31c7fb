package site_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/site"
)

const built = `<html lang="zh-CN"><head><meta charset="utf-8" /><meta name="theme-color" content="#fff" />` +
	`<title>shop</title><script src="/assets/a-1.js"></script></head><body><div id="app"></div></body></html>`

func TestTheTemplateIsFilled(t *testing.T) {
	template, err := site.NewTemplate(fstest.MapFS{"index.html": &fstest.MapFile{Data: []byte(built)}})
	require.NoError(t, err)
	page := string(template.Page(map[string]string{"lang": "en", "data-name": `"A&B"`}, []byte("<title>tea</title>"), []byte("<p>tea</p>")))
	require.Equal(t, `<html data-name="&#34;A&amp;B&#34;" lang="en"><head><meta charset="utf-8" /><title>tea</title>`+
		`<script src="/assets/a-1.js"></script></head><body><div id="app"><p>tea</p></div></body></html>`, page)
	for _, place := range []string{`<meta name="theme-color"`, "</title>", `<div id="app">`} {
		_, err := site.NewTemplate(fstest.MapFS{"index.html": &fstest.MapFile{
			Data: []byte(strings.Replace(built, place, "", 1)),
		}})
		require.Error(t, err, place)
	}
	_, err = site.NewTemplate(fstest.MapFS{})
	require.Error(t, err)
}

// What a service makes itself comes before the built files, whatever the client accepts; for the rest the site answers.
func TestDocuments(t *testing.T) {
	tea := site.NewDocument("text/plain", []byte(strings.Repeat("tea ", 1000)))
	missing := site.NewDocument("text/html; charset=utf-8", []byte("missing"))
	missing.Status, missing.Cache = http.StatusNotFound, "public"
	moved := &site.Document{Status: http.StatusFound, Cache: "no-cache", Location: "/tea"}
	require.Equal(t, 4000, tea.Size())
	require.Zero(t, moved.Size())
	s, err := site.New(pages(), site.Options{Reserved: []string{"wx"}, Document: func(r *http.Request) *site.Document {
		return map[string]*site.Document{"/tea": tea, "/nowhere": missing, "/old": moved, "/wx/tea": tea}[r.URL.Path]
	}})
	require.NoError(t, err)
	h := s.Before(service)
	for target, want := range map[string]struct {
		status int
		body   string
	}{
		"/tea": {200, strings.Repeat("tea ", 1000)}, "/nowhere": {404, "missing"}, "/old": {302, ""},
		"/wx/tea": {404, "service"}, "/assets/a-1.js": {200, "code"}, "/elsewhere": {200, "<!doctype html>"},
		"/": {200, "<!doctype html>"}, "/none.js": {404, "service"},
	} {
		for _, accept := range []string{"*/*", "", "application/json", browser} {
			w := get(h, "GET", target, "Accept", accept)
			require.Equal(t, want.status, w.Code, target)
			require.Equal(t, want.body, w.Body.String(), target)
			require.NotContains(t, w.Header().Values("Vary"), "Accept", target)
		}
		require.Equal(t, want.status, get(h, "HEAD", target).Code, target)
	}
	require.Equal(t, "service", get(h, "POST", "/tea").Body.String())
	require.Equal(t, "/tea", get(h, "GET", "/old").Header().Get("Location"))
	packed := get(h, "GET", "/tea", "Accept-Encoding", "gzip, br")
	require.Equal(t, "br", packed.Header().Get("Content-Encoding"))
	require.Less(t, packed.Body.Len(), 100)
	require.Equal(t, "no-cache", packed.Header().Get("Cache-Control"))
	require.Contains(t, packed.Header().Get("Content-Security-Policy"), "default-src 'none'")
	tag := get(h, "GET", "/tea").Header().Get("ETag")
	require.Equal(t, http.StatusNotModified, get(h, "GET", "/tea", "If-None-Match", tag).Code)
	tag = get(h, "GET", "/nowhere").Header().Get("ETag")
	require.Equal(t, http.StatusNotFound, get(h, "GET", "/nowhere", "If-None-Match", tag).Code, "it is no success")
}
