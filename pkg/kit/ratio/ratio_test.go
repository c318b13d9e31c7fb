package ratio_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync/atomic"
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
	require.Equal(t, "x\t100/s\t60/s\t0.60\t0.50 to 0.80\t0.70\tbelow what is wanted", r.String())
}

func TestLoad(t *testing.T) {
	ctx, enough := context.WithCancel(t.Context())
	defer enough()
	answer, n := `{"errno":0,"errmsg":"ok"}`, 0
	address, err := ratio.Listen(t.Context(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/there" {
			answer = `{"errno":502}`
		}
		if n++; n == 10 {
			enough()
		}
		_, _ = w.Write([]byte(answer))
	}))
	require.NoError(t, err)
	load := ratio.Load{
		Address: address, Connections: 1, Now: time.Now, Next: ratio.Same("GET /there HTTP/1.1\r\nHost: x\r\n\r\n"),
	}
	speed, err := load.Turn(ctx, time.Minute)
	require.NoError(t, err)
	require.Positive(t, speed)

	load.Next = ratio.Same("GET /elsewhere HTTP/1.1\r\nHost: x\r\n\r\n")
	_, err = load.Turn(t.Context(), time.Minute)
	require.ErrorContains(t, err, "no success")
}

func TestBusyAnswersAreCountedApart(t *testing.T) {
	ctx, enough := context.WithCancel(t.Context())
	defer enough()
	n := 0
	address, err := ratio.Listen(t.Context(), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if n++; n%2 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		if n == 10 {
			enough()
		}
		_, _ = w.Write([]byte(`{"errno":0,"errmsg":"ok"}`))
	}))
	require.NoError(t, err)
	load := ratio.Load{
		Address: address, Connections: 1, Now: time.Now, Next: ratio.Same("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
	}
	_, err = load.Turn(t.Context(), time.Minute)
	require.ErrorIs(t, err, ratio.ErrBusy)

	load.Took, load.Busy = &ratio.Latencies{}, &atomic.Int64{}
	speed, err := load.Turn(ctx, time.Minute)
	require.NoError(t, err)
	require.Positive(t, speed)
	require.Positive(t, load.Busy.Load())
	require.Positive(t, load.Took.Median())
}

func TestPercentile(t *testing.T) {
	var l ratio.Latencies
	require.Zero(t, l.Median())
	for i := range 200 {
		l.Add(time.Duration(200-i) * time.Millisecond)
	}
	require.InDelta(t, 100, l.Median(), 0.01)
	require.InDelta(t, 198, l.Percentile(99), 0.01)
	require.InDelta(t, 200, l.Percentile(100), 0.01)
}

func TestProcessor(t *testing.T) {
	before := ratio.Processor(t, os.Getpid())
	for end := time.Now().Add(time.Minute); ratio.Processor(t, os.Getpid()) == before && time.Now().Before(end); {
		continue // without a pause it uses the processor
	}
	require.Greater(t, ratio.Processor(t, os.Getpid()), before)
}

func TestAwaitGauge(t *testing.T) {
	n := 0
	address, err := ratio.Listen(t.Context(), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n++
		_, _ = fmt.Fprintf(w, "# HELP goods Goods.\nother 9\ngoods %d\n", n)
	}))
	require.NoError(t, err)
	ratio.AwaitGauge(t, address, "goods", 3, time.Minute)
	require.Equal(t, 3, n)
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
