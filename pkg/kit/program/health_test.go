package program

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHealthy(t *testing.T) {
	status := http.StatusOK
	ops := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			t.Errorf("asked %s", r.URL.Path)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `{"ready":false,"wrong":["mysql"]}`)
	}))
	defer ops.Close()
	address := strings.TrimPrefix(ops.URL, "http://")
	p := Program[settings]{
		Name: "test", Prefix: "TEST",
		Load:   func(string) (settings, error) { return settings{}, nil },
		Health: func(settings) string { return address },
		Run:    func(context.Context, settings, Deps) error { panic("must not run") },
	}
	healthy := func() error { return p.start(t.Context(), []string{"--healthy"}, io.Discard, io.Discard) }
	require.NoError(t, healthy())
	status = http.StatusServiceUnavailable
	require.ErrorContains(t, healthy(), `not ready: {"ready":false,"wrong":["mysql"]}`)
	_, port, _ := strings.Cut(address, ":")
	status, address = http.StatusOK, ":"+port
	require.NoError(t, healthy(), "a port on all addresses is asked on this machine")
	ops.Close()
	require.ErrorContains(t, healthy(), "nothing answers")
}
