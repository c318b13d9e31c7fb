package storefront

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/test/bench/ratio"
)

// BenchmarkOverload measures what more clients than the storefront can serve cost those that it serves.
func BenchmarkOverload(b *testing.B) {
	s := open(b, medium)
	buyers := s.buyers(b, shoppers)
	for b.Loop() {
		s.crowd(b)
		ordering := s.buying(buyers, addAndSubmit)
		result, err := ratio.Comparison{
			Name: "orders beside 64 login loops, against orders alone", Bar: 0.8, Baseline: ordering,
			Ours: beside(ordering, s.logins(64)),
		}.Measure(b.Context(), rounds, time.Second)
		require.NoError(b, err)
		ratio.Report(b, result)
		s.manyLogins(b)
		s.idle(b)
	}
	s.verify(b)
}

// crowd compares the good answers of 256 connections with those of 32, for lists of a million goods that nobody has
// asked for before.
func (s *shop) crowd(b *testing.B) {
	b.Helper()
	big := open(b, large)
	load := func(connections int) ratio.Way {
		path := anyList()
		return ratio.Load{
			Address: big.address, Connections: connections, Now: time.Now, Busy: new(atomic.Int64),
			Next: func(int) ([]byte, error) { return get(path(), ""), nil },
		}.Turn
	}
	result, err := ratio.Comparison{
		Name: "lists of 1,000,000 goods, 256 clients against 32", Bar: 0.8, Baseline: load(shoppers), Ours: load(256),
	}.Measure(b.Context(), rounds, turn)
	require.NoError(b, err)
	ratio.Report(b, result)
}

// logins log in repeatedly, each over a connection of its own; what is refused because the service is busy counts too.
func (s *shop) logins(n int) ratio.Way {
	return ratio.Load{
		Address: s.address, Connections: n, Now: time.Now, Busy: new(atomic.Int64),
		Next: func(i int) ([]byte, error) { return loginOf(fmt.Sprintf("bench%d", 1+i%shoppers), "demo-shop-1"), nil },
	}.Turn
}

// manyLogins requires that of 200 logins at once each is done or refused as busy.
func (s *shop) manyLogins(b *testing.B) {
	b.Helper()
	const logins = 200
	var refused, other atomic.Int64
	var wg sync.WaitGroup
	for i := range logins {
		wg.Go(func() {
			c, err := ratio.Dial(b.Context(), s.address)
			if err != nil {
				other.Add(1)
				return
			}
			defer c.Close()
			switch err := done(c.Do(loginOf(fmt.Sprintf("bench%d", 1+i%shoppers), "demo-shop-1"))); {
			case errors.Is(err, ratio.ErrBusy):
				refused.Add(1)
			case err != nil:
				other.Add(1)
			}
		})
	}
	wg.Wait()
	ratio.Figure(b, "200 logins at once, refused as busy", float64(refused.Load()), logins, "")
	ratio.Figure(b, "200 logins at once, failed otherwise", float64(other.Load()), 0, "")
}

// idle measures the memory of the storefront with 1,000 idle connections, more than proxies in front keep, and after them.
func (s *shop) idle(b *testing.B) {
	b.Helper()
	const many = 1000
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	all := make([]*ratio.Conn, 0, many)
	for range many {
		c, err := ratio.Dial(ctx, s.address)
		require.NoError(b, err)
		all = append(all, c)
		require.NoError(b, done(c.Do(get("/wx/index/index", ""))))
		c.Rest()
	}
	const settled = 15 * time.Second // memory is given back once the program has been quiet for a while
	time.Sleep(settled)              // lasts: the program is quiet
	ratio.Figure(b, "storefront with 1,000 idle connections", ratio.Memory(b, s.process, "VmRSS"), 150, "MiB")
	for _, c := range all {
		_ = c.Close()
	}
	time.Sleep(settled) // lasts: the program is quiet
	ratio.Figure(b, "storefront after them", ratio.Memory(b, s.process, "VmRSS"), 120, "MiB")
}
