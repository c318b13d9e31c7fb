package stripe_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/stripe"
)

// The mock of Stripe itself, which `make tools` builds, takes every request: it knows the paths and parameters of the
// API, and stores nothing.
func TestRequestsAreThoseOfTheAPI(t *testing.T) {
	t.Parallel()
	base := startMock(t)
	g := open(t, stripe.Section{SecretKey: "sk_test_123", WebhookSecret: "whsec_1", BaseURL: base})
	again, long := ask(), ask()
	again.Number = "cs_1"
	long.Expire = long.Now.Add(72 * time.Hour)
	ours := payment.Ref{OutTradeNo: number}
	for name, call := range map[string]func(context.Context) error{
		"start":  func(ctx context.Context) error { _, _, err := g.Start(ctx, ask()); return err },
		"long":   func(ctx context.Context) error { _, _, err := g.Start(ctx, long); return err },
		"again":  func(ctx context.Context) error { _, _, err := g.Start(ctx, again); return err },
		"close":  func(ctx context.Context) error { return g.Close(ctx, payment.Ref{OutTradeNo: number, Number: "cs_1"}) },
		"query":  func(ctx context.Context) error { _, err := g.Query(ctx, payment.Ref{Number: "cs_1"}); return err },
		"search": func(ctx context.Context) error { _, err := g.Query(ctx, ours); return err },
		"refund": func(ctx context.Context) error { _, err := g.Refund(ctx, giveBack("refund_1", 4000)); return err },
	} {
		require.NotErrorIs(t, call(t.Context()), payment.ErrRefused, name)
	}
	wrong, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/v1/refunds?order=1", nil)
	require.NoError(t, err)
	wrong.Header.Set("Authorization", "Bearer sk_test_123")
	res, err := http.DefaultClient.Do(wrong)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusBadRequest, res.StatusCode, "the mock checks parameters")
}

// startMock starts the mock, if it was built.
func startMock(t *testing.T) (base string) {
	t.Helper()
	program, err := filepath.Abs("../../../../.local/bin/stripe-mock")
	require.NoError(t, err)
	if program, err = exec.LookPath(program); err != nil {
		t.Skip("make tools builds stripe-mock")
	}
	ports := [2]int{}
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		ports[i] = l.Addr().(*net.TCPAddr).Port
		require.NoError(t, l.Close())
	}
	run := exec.CommandContext(t.Context(), program,
		"-http-port", fmt.Sprint(ports[0]), "-https-port", fmt.Sprint(ports[1]))
	run.Stdout, run.Stderr = io.Discard, io.Discard
	require.NoError(t, run.Start())
	t.Cleanup(func() { _ = run.Wait() }) // the context of the test ends first, and the program with it
	base = fmt.Sprintf("http://127.0.0.1:%d", ports[0])
	require.Eventually(t, func() bool {
		c, err := net.Dial("tcp", base[len("http://"):])
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	}, 20*time.Second, 20*time.Millisecond)
	return base
}
