package storefront

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/test/bench/ratio"
)

// BenchmarkSubmit compares purchases over HTTP with a loop that sends the same statements to the same MySQL through the
// driver alone: 32 connections, each buying one row of a prepared cart at a time. The limits are those that are
// delivered; so that none is reached, eight shoppers take turns on each connection, and cancel what they have ordered
// before the next round.
func BenchmarkSubmit(b *testing.B) {
	requireSameStatements(b)
	s := open(b, medium, delivered(b)...)
	const each = 8 * shoppers
	all := s.buyers(b, 2*each)
	s.fillApart(b, all, 500)
	buyers, others := all[:each], all[each:]
	for b.Loop() {
		var used time.Duration
		var orders float64
		ours := s.buying(circles(buyers, shoppers), func(u *buyer, c *ratio.Conn) error {
			u = u.turn()
			_, err := u.submit(c, u.next())
			return err
		})
		result, err := ratio.Comparison{
			Name: "submit, 32 at once, against the bare statements", Bar: 0.7,
			Baseline: s.afresh(b, others, s.replays(circles(others, shoppers), false)),
			Ours: s.afresh(b, buyers, func(ctx context.Context, turn time.Duration) (float64, error) {
				before := ratio.Processor(b, s.process)
				speed, err := ours(ctx, turn)
				used += ratio.Processor(b, s.process) - before
				orders += speed * turn.Seconds()
				return speed, err
			}),
		}.Measure(b.Context(), rounds, time.Second)
		require.NoError(b, err)
		ratio.Report(b, result)
		ratio.Figure(b, "processor time of the storefront for a submit", used.Seconds()*1000/orders, 1.2, "ms")
		s.ending(b, result.Ours)
	}
	s.verify(b)
}

// afresh has buyers cancel their unpaid orders before each turn.
func (s *shop) afresh(b *testing.B, buyers []*buyer, way ratio.Way) ratio.Way {
	b.Helper()
	return func(ctx context.Context, turn time.Duration) (float64, error) {
		var failed [shoppers]error
		var all sync.WaitGroup
		for i, head := range circles(buyers, shoppers) {
			unpaid := map[*buyer][]int64{}
			for _, u := range head.circle {
				unpaid[u] = s.ids(b, "SELECT id FROM orders WHERE user_id = ? AND order_status = 101", u.id)
			}
			all.Go(func() { failed[i] = s.cancel(ctx, unpaid) })
		}
		all.Wait()
		if err := errors.Join(failed[:]...); err != nil {
			return 0, err
		}
		return way(ctx, turn)
	}
}

// cancel has buyers cancel orders.
func (s *shop) cancel(ctx context.Context, orders map[*buyer][]int64) error {
	c, err := ratio.Dial(ctx, s.address)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	for u, mine := range orders {
		for _, order := range mine {
			if err := u.cancel(c, order); err != nil {
				return err
			}
		}
	}
	return nil
}

// BenchmarkBuying compares purchases from the cart to the paid order with a loop that sends the statements of a submit
// one by one, a round trip each. The bars are three times what the faster of two other shops reached beside such a
// loop, and for a paid purchase two and a half times what this shop reached before.
func BenchmarkBuying(b *testing.B) {
	s := open(b, medium, "STOREFRONT_PAYMENT_SANDBOX_DELAY=1ms")
	all := s.buyers(b, 4*shoppers)
	buyers, others := all[:2*shoppers], all[2*shoppers:] // the baseline needs prepared carts
	s.fill(b, others)
	for b.Loop() {
		for _, row := range []struct {
			shoppers int
			bar      float64
		}{{16, 0.90}, {32, 0.77}, {64, 0.71}} {
			result, err := ratio.Comparison{
				Name: fmt.Sprintf("cart add and submit, %d shoppers", row.shoppers), Bar: row.bar,
				Baseline: s.replays(others[:row.shoppers], true), Ours: s.buying(buyers[:row.shoppers], addAndSubmit),
			}.Measure(b.Context(), rounds, time.Second)
			require.NoError(b, err)
			ratio.Report(b, result)
		}
		s.paid(b, others[:shoppers])
	}
	s.verify(b)
}

// addAndSubmit buys any product.
func addAndSubmit(u *buyer, c *ratio.Conn) error {
	if err := u.add(c, u.any()); err != nil {
		return err
	}
	_, err := u.submit(c, 0)
	return err
}

// paid measures purchases with their payment: a turn ends when all of its orders are paid.
func (s *shop) paid(b *testing.B, buyers []*buyer) {
	b.Helper()
	ours := s.buying(buyers, func(u *buyer, c *ratio.Conn) error {
		order, err := u.submit(c, u.next())
		if err == nil {
			err = u.pay(c, order)
		}
		return err
	})
	var purchases, statements int64
	result, err := ratio.Comparison{
		Name: "submit, prepay and payment notice", Bar: 0.36, Baseline: s.replays(buyers, true),
		Ours: func(ctx context.Context, turn time.Duration) (float64, error) {
			first := s.number(b, "SELECT COALESCE(MAX(id), 0) FROM orders")
			asked := s.questions(b)
			began := time.Now()
			speed, err := ours(ctx, turn)
			for err == nil && s.number(b, "SELECT COUNT(*) FROM orders WHERE id > ? AND order_status = 101", first) > 0 {
				asked++                          // by us
				time.Sleep(5 * time.Millisecond) // lasts: the pause between two looks at what the job has left
			}
			statements += s.questions(b) - asked
			purchases += s.number(b, "SELECT COUNT(*) FROM orders WHERE id > ?", first)
			return speed * turn.Seconds() / time.Since(began).Seconds(), err
		},
	}.Measure(b.Context(), rounds, time.Second)
	require.NoError(b, err)
	ratio.Report(b, result)
	ratio.Figure(b, "statements of a paid purchase", float64(statements)/float64(purchases), 28, "")
}

// questions is the number of statements that the database has executed.
func (s *shop) questions(b *testing.B) (n int64) {
	b.Helper()
	var name string
	require.NoError(b, s.db.QueryRowContext(b.Context(), "SHOW GLOBAL STATUS LIKE 'Questions'").Scan(&name, &n))
	return n
}

// BenchmarkHot compares buying one product with buying different ones, 64 shoppers at once, and the page of a product
// that eight shoppers are buying with that of a quiet one.
func BenchmarkHot(b *testing.B) {
	s := open(b, medium)
	buyers := s.buyers(b, 2*shoppers)
	hot := buyers[0].items[0]
	s.stock(b, fmt.Sprintf("id = %d", hot.product), many)
	buy := func(u *buyer, c *ratio.Conn) error {
		if err := u.add(c, hot); err != nil {
			return err
		}
		_, err := u.submit(c, 0)
		return err
	}
	for b.Loop() {
		result, err := ratio.Comparison{
			Name: "one product, 64 shoppers, against different ones", Bar: 0.95,
			Baseline: s.buying(buyers, addAndSubmit), Ours: s.buying(buyers, buy),
		}.Measure(b.Context(), rounds, time.Second)
		require.NoError(b, err)
		ratio.Report(b, result)

		var took ratio.Latencies
		quiet := s.guests(fmt.Sprintf("/wx/goods/detail?id=%d", hot.goods), nil)
		busy := s.guests(fmt.Sprintf("/wx/goods/detail?id=%d", hot.goods), &took)
		result, err = ratio.Comparison{
			Name: "page of a product that 8 buy, against a quiet one", Bar: 0.7, Baseline: quiet,
			Ours: beside(busy, s.buying(buyers[:8], buy)),
		}.Measure(b.Context(), rounds, time.Second)
		require.NoError(b, err)
		ratio.Report(b, result)
		ratio.Figure(b, "page of a product that 8 buy, p99", took.Percentile(99), 20, "ms")
	}
	s.verify(b)
}

// guests ask for one page over 32 connections; their waiting times are added to took unless it is nil.
func (s *shop) guests(path string, took *ratio.Latencies) ratio.Way {
	return ratio.Load{
		Address: s.address, Connections: shoppers, Next: ratio.Same(string(get(path, ""))), Now: time.Now, Took: took,
	}.Turn
}

// beside runs a second load during the first; the speed is that of the first.
func beside(first, second ratio.Way) ratio.Way {
	return func(ctx context.Context, turn time.Duration) (speed float64, err error) {
		var other error
		var wg sync.WaitGroup
		wg.Go(func() { _, other = second(ctx, turn) })
		speed, err = first(ctx, turn)
		wg.Wait()
		if err == nil {
			err = other
		}
		return speed, err
	}
}

// buying runs a step of each buyer repeatedly, each on a connection of its own.
func (s *shop) buying(buyers []*buyer, step func(u *buyer, c *ratio.Conn) error) ratio.Way {
	return func(ctx context.Context, turn time.Duration) (float64, error) {
		return ratio.Workers(ctx, len(buyers), turn, time.Now, func(ctx context.Context, i int) (func() error, func(), error) {
			c, err := ratio.Dial(ctx, s.address)
			if err != nil {
				return nil, nil, err
			}
			return func() error { return step(buyers[i], c) }, func() { _ = c.Close() }, nil
		})
	}
}

// requireSameStatements checks that the replayed statements are those that the service sends.
func requireSameStatements(b *testing.B) {
	b.Helper()
	r := record(b, domaintest.OpenBench(b, "STOREFRONT_MYSQL_DSN").DSN)
	s := open(b, medium, append(delivered(b), "STOREFRONT_MYSQL_DSN="+r.dsn)...)
	u := s.buyers(b, 1)[0]
	s.fill(b, []*buyer{u})
	connection, err := ratio.Dial(b.Context(), s.address)
	require.NoError(b, err)
	defer connection.Close()
	_ = r.take()
	_, err = u.submit(connection, u.next())
	require.NoError(b, err)
	sent := r.take()
	for i, statement := range sent {
		sent[i] = shape(statement)
	}
	// The settings and the changes of goods are read several times a second, however many submit.
	sent = slices.DeleteFunc(sent, func(s string) bool {
		return strings.Contains(s, "FROM system_config") || strings.Contains(s, "goods_change")
	})
	require.Equal(b, replayed(), sent, "submit sends other statements than replay: bring replay up to date")
}

// replays is the loop of the bare statements, each shopper on its own connection; apart sends each statement alone.
func (s *shop) replays(buyers []*buyer, apart bool) ratio.Way {
	return func(ctx context.Context, turn time.Duration) (float64, error) {
		return ratio.Workers(ctx, len(buyers), turn, time.Now, func(ctx context.Context, i int) (func() error, func(), error) {
			conn, err := s.db.Conn(ctx)
			if err != nil {
				return nil, nil, err
			}
			_, err = conn.ExecContext(ctx, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
			return func() error { return buyers[i].turn().replay(ctx, sender{conn, apart}) }, func() { _ = conn.Close() }, err
		})
	}
}
