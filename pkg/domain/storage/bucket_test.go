package storage_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/dbtest"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/storage"
	"shop.internal/pkg/domain/storage/s3"
)

// store is an object store with the part of S3 that a bucket needs; it accepts only requests signed with its key.
type store struct {
	mu      sync.Mutex
	secret  string
	objects map[string]object
	refused int
	asked   []string
}

type object struct{ kind, data string }

func (s *store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Header.Get("Authorization") != s.signature(r, body) {
		s.refused++
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte(`<Error><Code>SignatureDoesNotMatch</Code></Error>`))
		return
	}
	s.asked = append(s.asked, r.Method)
	o, found := s.objects[r.URL.Path]
	switch {
	case r.Method == http.MethodPut:
		s.objects[r.URL.Path] = object{r.Header.Get("Content-Type"), string(body)}
		w.Header().Set("ETag", `"x"`)
	case !found:
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`<Error><Code>NoSuchKey</Code></Error>`))
	case r.Method == http.MethodDelete:
		delete(s.objects, r.URL.Path)
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Content-Type", o.kind)
		w.Header().Set("Last-Modified", noon.Format(http.TimeFormat))
		http.ServeContent(w, r, "", noon, strings.NewReader(o.data))
	}
}

// signature is what the request must contain: signature version 4 over its method, path, query, signed headers and
// body.
func (s *store) signature(r *http.Request, body []byte) string {
	const prefix = "AWS4-HMAC-SHA256 "
	parts := map[string]string{}
	for part := range strings.SplitSeq(strings.TrimPrefix(r.Header.Get("Authorization"), prefix), ", ") {
		name, value, _ := strings.Cut(part, "=")
		parts[name] = value
	}
	sum := sha256.Sum256(body)
	hash := r.Header.Get("X-Amz-Content-Sha256")
	if hash != hex.EncodeToString(sum[:]) {
		return "the body is another"
	}
	signed := strings.Split(parts["SignedHeaders"], ";")
	for _, name := range []string{"host", "x-amz-content-sha256", "x-amz-date"} {
		if !slices.Contains(signed, name) {
			return name + " is not signed"
		}
	}
	var headers strings.Builder
	for _, name := range signed {
		value := r.Header.Get(name)
		switch name {
		case "host":
			value = r.Host
		case "content-length":
			value = strconv.FormatInt(r.ContentLength, 10)
		}
		fmt.Fprintf(&headers, "%s:%s\n", name, strings.TrimSpace(value))
	}
	request := strings.Join([]string{
		r.Method, r.URL.EscapedPath(), strings.ReplaceAll(r.URL.Query().Encode(), "+", "%20"), headers.String(),
		parts["SignedHeaders"], hash,
	}, "\n")
	id, scope, _ := strings.Cut(parts["Credential"], "/")
	if id != "access" || !strings.HasSuffix(scope, "/test-region/s3/aws4_request") {
		return "another credential"
	}
	requestSum := sha256.Sum256([]byte(request))
	text := strings.Join([]string{
		"AWS4-HMAC-SHA256", r.Header.Get("X-Amz-Date"), scope, hex.EncodeToString(requestSum[:]),
	}, "\n")
	key := []byte("AWS4" + s.secret)
	for step := range strings.SplitSeq(scope, "/") {
		key = mac(key, step)
	}
	return prefix + "Credential=" + parts["Credential"] + ", SignedHeaders=" + parts["SignedHeaders"] +
		", Signature=" + hex.EncodeToString(mac(key, text))
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// overS3 returns a service that stores objects in an object store.
func overS3(t *testing.T, pathStyle bool) (*storage.Service, *store) {
	t.Helper()
	s := &store{secret: "secret", objects: map[string]object{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	require.NoError(t, err)
	bucket, err := s3.Open(storage.S3{
		Endpoint: "http://store.test", Region: "test-region", Bucket: "shop", AccessKey: "access", SecretKey: "secret",
		PathStyle: pathStyle, Client: &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(address)}},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, bucket.Close()) })
	d, clock := dbtest.Open(t), func() time.Time { return noon }
	return storage.New(d, bucket, "http://shop/", nil, idempotency.New(d, dbtest.Secret, clock), clock), s
}

func TestS3(t *testing.T) {
	t.Parallel()
	for name, pathStyle := range map[string]bool{"path": true, "host": false} {
		t.Run(name, func(t *testing.T) {
			s, far := overS3(t, pathStyle)
			o, err := s.Put(t.Context(), lin, "tea.png", picture(t))
			require.NoError(t, err)
			at := "/" + o.Key
			if pathStyle {
				at = "/shop" + at
			}
			require.Equal(t, object{"image/png", string(picture(t))}, far.objects[at])
			require.Equal(t, picture(t), read(t, s, o))
			require.Zero(t, far.refused)

			_, r, err := s.Open(t.Context(), o.Key)
			require.NoError(t, err)
			end, err := r.Seek(-4, io.SeekEnd) // like a request for a part of the file
			require.NoError(t, err)
			require.Equal(t, o.Size-4, end)
			tail, err := io.ReadAll(r)
			require.NoError(t, err)
			require.Len(t, tail, 4)
			require.NoError(t, r.Close())
			_, _, err = s.Open(t.Context(), "unknown.png")
			require.ErrorIs(t, err, storage.ErrUnknown)
		})
	}
}

func TestAnObjectStoreThatRefuses(t *testing.T) {
	t.Parallel()
	s, far := overS3(t, true)
	far.secret = "another"
	_, err := s.Put(t.Context(), lin, "tea.png", picture(t))
	require.Error(t, err)
	require.NotZero(t, far.refused)
	require.Empty(t, far.objects)
}

// An object that cannot be recorded leaves nothing in the store.
func TestAFailedRecordLeavesNothingInTheStore(t *testing.T) {
	t.Parallel()
	s, far := overS3(t, true)
	_, err := s.Put(failingInsert(t), lin, "x", picture(t))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Empty(t, far.objects)
	require.Equal(t, []string{http.MethodPut, http.MethodHead, http.MethodDelete}, far.asked)
}

func TestABucketNeedsAName(t *testing.T) {
	t.Parallel()
	_, err := s3.Open(storage.S3{Region: "test-region"})
	require.ErrorContains(t, err, "bucket")
}
