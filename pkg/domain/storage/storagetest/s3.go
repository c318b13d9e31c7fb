// Package storagetest runs an object store for tests.
package storagetest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
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
)

// What the requests to a store are signed with.
const (
	Region    = "test-region"
	AccessKey = "access"
	SecretKey = "secret"
)

// Object is an object of a store.
type Object struct{ Type, Data string }

// Store is an object store with the part of S3 that a bucket needs. It accepts only signed requests.
type Store struct {
	// Address serves all buckets, by their path or, as a proxy, by their host.
	Address string

	mu      sync.Mutex
	secret  string
	objects map[string]Object
	refused int
	methods []string
}

// Open starts an empty store, which is closed after the test.
func Open(t *testing.T) *Store {
	t.Helper()
	s := &Store{secret: SecretKey, objects: map[string]Object{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.Address = server.URL
	return s
}

// Client returns a client that reaches the store under each host.
func (s *Store) Client(t *testing.T) *http.Client {
	t.Helper()
	address, err := url.Parse(s.Address)
	require.NoError(t, err)
	return &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(address)}}
}

// Expect changes the secret that requests must be signed with.
func (s *Store) Expect(secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.secret = secret
}

// Objects returns the objects by their paths.
func (s *Store) Objects() map[string]Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.objects)
}

// Methods returns the methods of the accepted requests, in their order.
func (s *Store) Methods() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.methods)
}

// Refused returns the number of requests with a wrong signature.
func (s *Store) Refused() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused
}

// stored is the time of all objects.
var stored = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

// ServeHTTP answers a request to the store.
func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Header.Get("Authorization") != s.signature(r, body) {
		s.refused++
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte(`<Error><Code>SignatureDoesNotMatch</Code></Error>`))
		return
	}
	s.methods = append(s.methods, r.Method)
	o, found := s.objects[r.URL.Path]
	switch {
	case r.URL.Query().Get("list-type") == "2":
		s.list(w, r)
	case r.Method == http.MethodPut:
		s.objects[r.URL.Path] = Object{r.Header.Get("Content-Type"), string(body)}
		w.Header().Set("ETag", `"x"`)
	case !found:
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`<Error><Code>NoSuchKey</Code></Error>`))
	case r.Method == http.MethodDelete:
		delete(s.objects, r.URL.Path)
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Content-Type", o.Type)
		w.Header().Set("Last-Modified", stored.Format(http.TimeFormat))
		http.ServeContent(w, r, "", stored, strings.NewReader(o.Data))
	}
}

// list answers with the keys of a bucket, all in one page.
func (s *Store) list(w http.ResponseWriter, r *http.Request) {
	type contents struct {
		Key          string
		LastModified string
		Size         int
	}
	page := struct {
		XMLName  xml.Name `xml:"ListBucketResult"`
		Contents []contents
	}{}
	for _, path := range slices.Sorted(maps.Keys(s.objects)) {
		key, inside := strings.CutPrefix(path, strings.TrimSuffix(r.URL.Path, "/")+"/")
		if inside && strings.HasPrefix(key, r.URL.Query().Get("prefix")) {
			page.Contents = append(page.Contents, contents{key, stored.Format(time.RFC3339), len(s.objects[path].Data)})
		}
	}
	w.Header().Set("Content-Type", "application/xml")
	_ = xml.NewEncoder(w).Encode(page) // the client sees a truncated answer
}

// signature is what the request must contain: signature version 4 over its method, path, query, signed headers and
// body.
func (s *Store) signature(r *http.Request, body []byte) string {
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
	if id != AccessKey || !strings.HasSuffix(scope, "/"+Region+"/s3/aws4_request") {
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
