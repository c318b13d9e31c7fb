package site_test

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/site"
)

func TestThePageHasTheSettingsInAllEncodings(t *testing.T) {
	files := pages()
	files["index.html"] = &fstest.MapFile{Data: []byte(`<!doctype html><html lang="zh-CN"><p>shop</p></html>`)}
	o := site.Options{Pictures: nil, Reserved: nil, Settings: map[string]string{"lang": "en", "data-zone": `"A&B"`}}
	s, err := site.New(files, o)
	require.NoError(t, err)
	for encoding, open := range map[string]func(io.Reader) (io.Reader, error){
		"":     func(r io.Reader) (io.Reader, error) { return r, nil },
		"br":   func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	} {
		w := get(s.Before(service), "GET", "/goods/1", "Accept", browser, "Accept-Encoding", encoding)
		require.Equal(t, encoding, w.Header().Get("Content-Encoding"))
		r, err := open(w.Body)
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, `<!doctype html><html data-zone="&#34;A&amp;B&#34;" lang="en"><p>shop</p></html>`, string(text), encoding)
	}
	_, err = site.New(pages(), o)
	require.Error(t, err, "a page without an element html")
}

// Settings that change while the service runs are in the next page that is served.
func TestThePageHasTheCurrentSettings(t *testing.T) {
	files := pages()
	files["index.html"] = &fstest.MapFile{Data: []byte(`<html lang="zh-CN"></html>`)}
	current, failed := map[string]string{"data-currency": "CNY"}, error(nil)
	s, err := site.New(files, site.Options{
		Settings: map[string]string{"lang": "en"},
		Current:  func(context.Context) (map[string]string, error) { return current, failed },
	})
	require.NoError(t, err)
	shown := func() string { return get(s.Before(service), "GET", "/", "Accept", browser).Body.String() }
	require.Equal(t, `<html data-currency="CNY" lang="en"></html>`, shown())
	before := get(s.Before(service), "GET", "/", "Accept", browser).Header().Get("ETag")
	current = map[string]string{"data-currency": "JPY"}
	require.Equal(t, `<html data-currency="JPY" lang="en"></html>`, shown())
	require.NotEqual(t, before, get(s.Before(service), "GET", "/", "Accept", browser).Header().Get("ETag"))
	current, failed = nil, errors.New("the database does not answer")
	require.Equal(t, `<html data-currency="JPY" lang="en"></html>`, shown(), "as it was")
}
