// Command opbench measures what a typed operation costs: its requests per second beside those of a plain Gin handler that
// reads the same request and answers the same bytes, over loopback with keep-alive, both in one run and in turns, so that
// a busy machine slows both. It fails when a ratio is below the bar.
package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"time"

	"shop.internal/pkg/kit/logging"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/server"
)

const bar = 0.85

func main() {
	connections := flag.Int("connections", 32, "connections at once")
	rounds := flag.Int("rounds", 15, "turns of each handler")
	turn := flag.Duration("turn", 300*time.Millisecond, "length of a turn")
	flag.Parse()
	ok, err := run(os.Stdout, *connections, *rounds, *turn)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// run prints a line for each kind of request and reports whether all ratios reach the bar.
func run(w io.Writer, connections, rounds int, turn time.Duration) (bool, error) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	logged := server.Done(logging.New(logging.NewBuffer(io.Discard), slog.LevelInfo), server.NewMetrics())
	var addresses []string
	for _, engine := range []func() (handler, error){
		plain, written,
		func() (handler, error) { return typed(func(op.Result) {}) },
		func() (handler, error) { return typed(logged) },
	} {
		h, err := engine()
		if err != nil {
			return false, err
		}
		address, err := listen(ctx, h)
		if err != nil {
			return false, err
		}
		addresses = append(addresses, address)
	}
	ok := true
	fmt.Fprintf(w, "%-28s %10s %10s %8s %8s %14s %12s\n",
		"typed operation", "plain/s", "typed/s", "ratio", "bar", "with log/plain", "bytes only/s")
	for _, kind := range []request{get, post} {
		rates, err := measure(ctx, addresses, kind, connections, rounds, turn)
		if err != nil {
			return false, err
		}
		ratio := median(rates, 2)
		fmt.Fprintf(w, "%-28s %10.0f %10.0f %8.2f %8.2f %14.2f %12.0f\n",
			kind.name, rate(rates, 0), rate(rates, 2), ratio, bar, median(rates, 3), rate(rates, 1))
		ok = ok && ratio >= bar
	}
	return ok, nil
}

// measure returns the rates of all handlers for each round. The order of the handlers changes from round to round.
func measure(
	ctx context.Context, addresses []string, kind request, connections, rounds int, turn time.Duration,
) ([][]float64, error) {
	var answers [][]byte
	for _, address := range addresses {
		if err := once(ctx, address, kind, &answers); err != nil {
			return nil, err
		}
	}
	for _, answer := range answers {
		if !bytes.Equal(answer, answers[0]) {
			return nil, fmt.Errorf("%s: the handlers differ:\n%s\n%s", kind.name, answers[0], answer)
		}
	}
	rates := make([][]float64, rounds)
	for i := range rates {
		rates[i] = make([]float64, len(addresses))
		for j := range addresses {
			n := (i + j) % len(addresses)
			r, err := load(ctx, addresses[n], kind, connections, turn)
			if err != nil {
				return nil, err
			}
			rates[i][n] = r
		}
	}
	return rates, nil
}

// rate is the median of a handler's rates.
func rate(rates [][]float64, handler int) float64 {
	return middle(rates, func(r []float64) float64 { return r[handler] })
}

// median is the median of a handler's share of the plain handler, round by round.
func median(rates [][]float64, handler int) float64 {
	return middle(rates, func(r []float64) float64 { return r[handler] / r[0] })
}

func middle(rates [][]float64, of func([]float64) float64) float64 {
	values := make([]float64, len(rates))
	for i, r := range rates {
		values[i] = of(r)
	}
	slices.SortFunc(values, cmp.Compare[float64])
	return values[len(values)/2]
}
