package storage_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/storage"
	"shop.internal/services/storefront/internal/apitest"
)

// CVE-2025-8764: files of operators other than pictures are downloaded by a browser and never shown as a page of the
// shop.
func TestDocumentsAreDownloaded(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	for kind, data := range map[string]string{
		"text/plain":      "hello <script>alert(1)</script>",
		"application/pdf": "%PDF-1.7\n1 0 obj\n<<>>\nendobj\n",
		"video/mp4":       "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom\x00\x00\x00\x08free",
	} {
		o, err := s.Domain.Storage.Put(t.Context(), storage.Owner{Kind: storage.Operator, ID: 1}, "x.html", []byte(data))
		require.NoError(t, err)
		for _, path := range []string{"/wx/storage/fetch/", "/wx/storage/download/"} {
			a := s.Guest().GET(path + o.Key)
			require.Equal(t, http.StatusOK, a.Status)
			require.Equal(t, data, string(a.Body))
			require.Equal(t, kind, a.Header.Get("Content-Type"))
			require.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"))
			require.Equal(t, `attachment; filename="`+o.Key+`"`, a.Header.Get("Content-Disposition"))
			require.Contains(t, a.Header.Get("Content-Security-Policy"), "default-src 'none'")
		}
		require.NoError(t, s.Domain.Storage.Delete(t.Context(), o.Key))
		require.Equal(t, http.StatusNotFound, s.Guest().GET("/wx/storage/fetch/"+o.Key).Status)
	}
}
