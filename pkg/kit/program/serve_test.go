package program_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/platform/admission"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/program"
	"shop.internal/pkg/kit/server"
)

// A request that is held before it is refused does not keep a stopping service, and nobody is held on the private port.
func TestStoppingRefusesTheHeld(t *testing.T) {
	a := admission.New(map[admission.Class]admission.Limits{admission.Read: {Places: 1, Wait: time.Hour, Hold: true}})
	var holder admission.Ticket
	a.Issue(&holder, admission.Read)
	require.NoError(t, admission.Use(context.WithValue(t.Context(), admission.Key{}, &holder)))
	addresses := make(chan [2]net.Addr, 1)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	served := make(chan error, 1)
	go func() {
		served <- program.Serve(ctx, program.Deps{Now: time.Now, Clock: time.Now, Out: io.Discard}, program.Watching{Name: "test"},
			func(program.Tools) (program.Service, error) {
				return program.Service{Admission: a, Options: server.Options{
					Listen: "127.0.0.1:0", OpsListen: "127.0.0.1:0",
					Started: func(public, private net.Addr) { addresses <- [2]net.Addr{public, private} },
					Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
						var own admission.Ticket
						a.Issue(&own, admission.Read)
						if admission.Use(context.WithValue(r.Context(), admission.Key{}, &own)) == errno.ErrBusy { //nolint:errorlint // itself
							w.WriteHeader(http.StatusServiceUnavailable)
						}
					}),
				}}, nil
			})
	}()
	at := <-addresses
	get := func(address net.Addr, path string) int {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address.String()+path, nil)
		if err != nil {
			return 0
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return 0
		}
		return errOr(answer.Body.Close(), answer.StatusCode)
	}
	held := make(chan int, 1)
	go func() { held <- get(at[0], "/") }()
	require.Eventually(t, func() bool { return a.Delayed() == 1 }, time.Minute, time.Millisecond)
	require.Equal(t, http.StatusOK, get(at[1], "/readyz"))
	stop()
	require.NoError(t, <-served)
	require.Equal(t, http.StatusServiceUnavailable, <-held)
}

// errOr is a status, 0 after an error.
func errOr(err error, status int) int {
	if err != nil {
		return 0
	}
	return status
}
