package ratio_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/ratio"
)

func TestMedianAndRangeOfTheRounds(t *testing.T) {
	ours := []float64{999, 50, 80, 60} // the first is the warm-up
	way := func(speed func() float64) ratio.Way {
		return func(context.Context, time.Duration) (float64, error) { return speed(), nil }
	}
	r, err := ratio.Comparison{
		Name: "x", Bar: 0.7,
		Baseline: way(func() float64 { return 100 }),
		Ours:     way(func() float64 { n := ours[0]; ours = ours[1:]; return n }),
	}.Measure(t.Context(), 3, time.Second)
	require.NoError(t, err)
	require.Equal(t, "x\t100/s\t60/s\t0.60\t0.50 to 0.80\t0.70\tshort of the bar", r.String())
}

func TestLoad(t *testing.T) {
	answer := `{"errno":0,"errmsg":"ok"}`
	address, err := ratio.Listen(t.Context(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/there" {
			answer = `{"errno":502}`
		}
		_, _ = w.Write([]byte(answer))
	}))
	require.NoError(t, err)
	load := ratio.Load{
		Address: address, Connections: 1, Now: time.Now, Next: ratio.Same("GET /there HTTP/1.1\r\nHost: x\r\n\r\n"),
	}
	speed, err := load.Turn(t.Context(), 20*time.Millisecond)
	require.NoError(t, err)
	require.Positive(t, speed)

	load.Next = ratio.Same("GET /elsewhere HTTP/1.1\r\nHost: x\r\n\r\n")
	_, err = load.Turn(t.Context(), 20*time.Millisecond)
	require.ErrorContains(t, err, "no success")
}

func TestServe(t *testing.T) {
	ops, ended := ratio.FreePort(t), false
	t.Run("while it runs", func(t *testing.T) {
		ratio.Serve(t, ops, func(ctx context.Context, log io.Writer) error {
			s := http.Server{Addr: ops, Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
			_, err := fmt.Fprintln(log, "started")
			context.AfterFunc(ctx, func() { _ = s.Close() })
			if served := s.ListenAndServe(); !errors.Is(served, http.ErrServerClosed) {
				err = errors.Join(err, served)
			}
			ended = true
			return err
		})
		require.Positive(t, ratio.Memory(t, os.Getpid(), "VmRSS"))
	})
	require.True(t, ended)
}
