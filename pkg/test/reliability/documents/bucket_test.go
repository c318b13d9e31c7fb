package documents

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// bucket is an object store that everybody may read; who writes names the key of the tutorial.
type bucket struct {
	address string
	mu      sync.Mutex
	objects map[string][]byte // by path
	types   map[string]string
}

func openBucket(t *testing.T) *bucket {
	t.Helper()
	b := &bucket{objects: map[string][]byte{}, types: map[string]string{}}
	web := httptest.NewServer(b)
	t.Cleanup(web.Close)
	b.address = web.URL
	return b
}

func (b *bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	content, found := b.objects[r.URL.Path]
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch {
	case !reads && !strings.Contains(r.Header.Get("Authorization"), "Credential=ACCESS_KEY/"):
		w.WriteHeader(http.StatusForbidden)
	case r.Method == http.MethodPut:
		content, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		b.objects[r.URL.Path], b.types[r.URL.Path] = content, r.Header.Get("Content-Type")
	case r.URL.Query().Has("list-type"):
		b.list(w, r)
	case !found:
		w.WriteHeader(http.StatusNotFound)
	case reads:
		w.Header().Set("Content-Type", b.types[r.URL.Path])
		_, _ = w.Write(content)
	default:
		delete(b.objects, r.URL.Path)
		w.WriteHeader(http.StatusNoContent)
	}
}

// list lists the keys that begin with a prefix; the caller holds the lock.
func (b *bucket) list(w io.Writer, r *http.Request) {
	_, _ = io.WriteString(w, "<ListBucketResult>")
	for _, path := range slices.Sorted(maps.Keys(b.objects)) {
		key, ours := strings.CutPrefix(path, strings.TrimSuffix(r.URL.Path, "/")+"/")
		if ours && strings.HasPrefix(key, r.URL.Query().Get("prefix")) {
			_, _ = fmt.Fprintf(w, `<Contents><Key>%s</Key><Size>%d</Size><ETag>"x"</ETag>`+
				"<LastModified>2030-01-01T00:00:00Z</LastModified></Contents>", key, len(b.objects[path]))
		}
	}
	_, _ = io.WriteString(w, "</ListBucketResult>")
}

// pictures counts those below a path.
func (b *bucket) pictures(below string) (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for path, kind := range b.types {
		if strings.HasPrefix(path, below) && strings.HasPrefix(kind, "image/") {
			n++
		}
	}
	return n
}
