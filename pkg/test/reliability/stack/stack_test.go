package stack_test

import (
	"net/http"
	"testing"

	"shop.internal/pkg/test/reliability/stack"
)

// Each process of a stack is killed, hangs and comes back at its address.
func TestStack(t *testing.T) {
	s, err := stack.Start(t.Context(), stack.Options{Name: "stack", Storefronts: 2, Admins: 1, Quick: true})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	must(t, s.Verify(t.Context()))

	first := s.Storefronts[0]
	must(t, first.Kill())
	if answers(t, first) || !answers(t, s.Storefronts[1]) {
		t.Fatal("one storefront answers, the killed one does not")
	}
	must(t, first.Start(t.Context()))
	for _, server := range []*stack.Server{s.MariaDB, s.Redis} {
		must(t, server.Kill())
		must(t, server.Start(t.Context()))
		must(t, server.Hang())
		must(t, server.Resume())
		must(t, first.Await(t.Context()))
	}
	must(t, first.Stop())
	if first.Running() {
		t.Fatal("it still runs")
	}
	must(t, s.Verify(t.Context()))
}

func answers(t *testing.T, r *stack.Replica) bool {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.URL+"/wx/home/index", nil)
	must(t, err)
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return false
	}
	must(t, answer.Body.Close())
	return answer.StatusCode == http.StatusOK
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
