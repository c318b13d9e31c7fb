package storage_test

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/storage"
	"shop.internal/services/storefront/internal/apitest"
)

func picture(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 2))))
	return b.Bytes()
}

func TestFetchAndDownload(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	data := picture(t)
	o, err := s.Domain.Storage.Put(t.Context(), storage.Owner{}, "tea.png", data)
	require.NoError(t, err)

	a := s.Guest().GET("/wx/storage/fetch/" + o.Key)
	require.Equal(t, http.StatusOK, a.Status)
	require.Equal(t, data, a.Body)
	require.Equal(t, "image/png", a.Header.Get("Content-Type"))
	require.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"))
	require.Contains(t, a.Header.Get("Cache-Control"), "max-age=31536000")
	require.Contains(t, a.Header.Get("Content-Security-Policy"), "default-src 'none'")
	require.Empty(t, a.Header.Get("Content-Disposition"))

	a = s.Guest().GET("/wx/storage/download/" + o.Key)
	require.Equal(t, http.StatusOK, a.Status)
	require.Equal(t, data, a.Body)
	require.Equal(t, `attachment; filename="`+o.Key+`"`, a.Header.Get("Content-Disposition"))

	a = s.Guest().With("If-None-Match", a.Header.Get("ETag")).GET("/wx/storage/fetch/" + o.Key)
	require.Equal(t, http.StatusNotModified, a.Status)
	require.Empty(t, a.Body)
}

// Files that are not pictures are never displayed inline, whatever stored them.
// Previews of links and caches ask for the head of a picture alone.
func TestHeadOfAPicture(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	o, err := s.Domain.Storage.Put(t.Context(), storage.Owner{}, "tea.png", picture(t))
	require.NoError(t, err)
	for _, path := range []string{"/wx/storage/fetch/", "/wx/storage/download/"} {
		whole := s.Guest().GET(path + o.Key)
		w := httptest.NewRecorder()
		s.API.Handler.ServeHTTP(w, httptest.NewRequest(http.MethodHead, path+o.Key, nil))
		require.Equal(t, http.StatusOK, w.Code)
		require.Empty(t, w.Body.Bytes())
		for _, name := range []string{"Content-Type", "Content-Length", "Etag", "Cache-Control"} {
			require.Equal(t, whole.Header.Get(name), w.Header().Get(name), name)
		}
	}
}

func TestOtherTypesAreDownloaded(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	o, err := s.Domain.Storage.Put(t.Context(), storage.Owner{}, "tea.png", picture(t))
	require.NoError(t, err)
	s.Domain.Exec("UPDATE storage SET type = 'text/html'")
	a := s.Guest().GET("/wx/storage/fetch/" + o.Key)
	require.Equal(t, http.StatusOK, a.Status)
	require.Contains(t, a.Header.Get("Content-Disposition"), "attachment")
	require.NotContains(t, a.Header.Get("Content-Security-Policy"), "script")
}

func TestUnknownKey(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	for _, path := range []string{"/wx/storage/fetch/", "/wx/storage/download/"} {
		a := s.Guest().GET(path + "abcdefghij0123456789.png")
		require.Equal(t, http.StatusNotFound, a.Status)
		require.Empty(t, a.Body)
	}
}

// CVE-2018-18434: any file was readable through the storage.
func TestNoOtherFileIsReached(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	for _, key := range []string{
		"../../etc/passwd", "..%2f..%2fetc%2fpasswd", "%2e%2e%2f", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "%252e%252e%252f",
		"..%5c..%5c", "/etc/passwd", "%2fetc%2fpasswd", "a.png%00.txt", "..", ".", "", strings.Repeat("a", 300),
	} {
		for _, path := range []string{"/wx/storage/fetch/", "/wx/storage/download/"} {
			a := s.Guest().GET(path + key)
			require.Equal(t, http.StatusNotFound, a.Status, path+key)
			require.NotContains(t, string(a.Body), "root:")
		}
	}
}

func TestADatabaseThatFails(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	s.Domain.Exec("RENAME TABLE storage TO away")
	a := s.Guest().GET("/wx/storage/fetch/abcdefghij0123456789.png")
	s.Domain.Exec("RENAME TABLE away TO storage")
	require.GreaterOrEqual(t, a.Status, 500)
	require.Empty(t, a.Body)
}
