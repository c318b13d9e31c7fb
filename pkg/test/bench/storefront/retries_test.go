package storefront

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/test/bench/ratio"
)

// BenchmarkOverloadRetries compares the orders that are placed while 30 times as many clients order, each of which asks
// again at once when it is refused, with those of the shop alone.
func BenchmarkOverloadRetries(b *testing.B) {
	const times, longTurn, fewRounds, rows = 30, 4 * time.Second, 5, 800
	s := open(b, medium)
	buyers := s.buyers(b, 5*shoppers)
	for _, u := range buyers {
		s.putInCart(b, u.id, 0, rows)
		u.rows = s.ids(b, "SELECT id FROM cart WHERE user_id = ? AND deleted = 0 ORDER BY RAND()", u.id)
	}
	for b.Loop() {
		result, err := ratio.Comparison{
			Name: "orders of 960 clients that ask again at once, against 32", Bar: 0.8,
			Baseline: s.insisting(buyers, shoppers), Ours: s.insisting(buyers, times*shoppers),
		}.Measure(b.Context(), fewRounds, longTurn)
		require.NoError(b, err)
		ratio.Report(b, result)
		ratio.Figure(b, "storefront, most memory with them", ratio.Memory(b, s.process, "VmHWM"), 200, "MiB")
	}
	s.verify(b)
}

// insisting places orders over a number of connections, which share the buyers, and returns how many are placed in a
// second of the turn; what is still held at its end does not count. Who is refused because the service is busy asks for
// the same again.
func (s *shop) insisting(buyers []*buyer, connections int) ratio.Way {
	var taking sync.Mutex
	first := 0 // of the buyers of a turn, so that all carts are used alike
	return func(ctx context.Context, turn time.Duration) (float64, error) {
		first += connections
		var placed atomic.Int64
		var began sync.Once
		var over time.Time
		_, err := ratio.Workers(ctx, connections, turn, time.Now, func(ctx context.Context, i int) (func() error, func(), error) {
			c, err := ratio.Dial(ctx, s.address)
			if err != nil {
				return nil, nil, err
			}
			u := buyers[(first+i)%len(buyers)]
			take := func() int64 {
				taking.Lock()
				defer taking.Unlock()
				return u.next()
			}
			row := take()
			work := func() error {
				began.Do(func() { over = time.Now().Add(turn) })
				_, err := u.submit(c, row)
				if errors.Is(err, ratio.ErrBusy) {
					return ratio.ErrUncounted
				}
				if err == nil {
					row = take()
					if time.Now().Before(over) {
						placed.Add(1)
					}
				}
				return err
			}
			end := func() {
				taking.Lock()
				defer taking.Unlock()
				u.rows = append(u.rows, row)
				_ = c.Close()
			}
			return work, end, nil
		})
		return float64(placed.Load()) / turn.Seconds(), err
	}
}
