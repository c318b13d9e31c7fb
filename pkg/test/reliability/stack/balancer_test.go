package stack_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"shop.internal/pkg/test/reliability/stack"
)

// A balancer without a ready replica refuses all requests, as real ones do.
func TestABalancerWithoutReadyReplicas(t *testing.T) {
	var ready atomic.Bool
	replica := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/readyz" && !ready.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(replica.Close)
	b, err := stack.NewBalancer(t.Context())
	must(t, err)
	t.Cleanup(b.Close)
	at := &stack.Replica{Name: "one", URL: replica.URL, Ops: replica.URL}
	ended, end := context.WithCancel(t.Context())
	end()
	if b.Use(ended, at) == nil {
		t.Fatal("it is in use before it is ready")
	}
	for _, front := range b.URLs() {
		if status := ask(t, front); status == http.StatusOK {
			t.Fatalf("%s answers without a ready replica", front)
		}
	}
	b.Drop(at)
	ready.Store(true)
	must(t, b.Use(t.Context(), at))
	for _, front := range b.URLs() {
		if status := ask(t, front); status != http.StatusOK {
			t.Fatalf("%s answers %d with a ready replica", front, status)
		}
	}
}

// ask returns the status of an answer, 0 for none.
func ask(t *testing.T, address string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	must(t, err)
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	must(t, answer.Body.Close())
	return answer.StatusCode
}
