package bench

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/ratio"
)

// BenchmarkSubmit compares purchases over HTTP with a loop that sends the same statements to the same MySQL through the
// driver alone: 32 concurrent shoppers, each buying one item of a prepared cart at a time.
func BenchmarkSubmit(b *testing.B) {
	c := config(b)
	requireSameStatements(b)
	s := open(b, c)
	buyers := s.buyers(b, shoppers)
	for b.Loop() {
		result, err := ratio.Comparison{
			Name: "POST /wx/order/submit, 32 shoppers", Bar: 0.6,
			Baseline: s.replays(buyers),
			Ours: ratio.Load{
				Address: s.address, Connections: shoppers, Now: time.Now,
				Next: func(i int) ([]byte, error) { return buyers[i].submit(), nil },
			}.Turn,
		}.Measure(b.Context(), rounds, time.Second)
		require.NoError(b, err)
		ratio.Report(b, result)
	}
}

// requireSameStatements checks that the replayed statements are those that the service sends.
func requireSameStatements(b *testing.B) {
	b.Helper()
	c := config(b)
	r := record(b, c.MySQL.DSN)
	c.MySQL.DSN = r.dsn
	s := open(b, c)
	u := s.buyers(b, 1)[0]
	connection, err := ratio.Dial(b.Context(), s.address)
	require.NoError(b, err)
	defer connection.Close()
	_ = r.take()
	body, err := connection.Do(u.submit())
	require.NoError(b, err)
	require.Contains(b, string(body), `"orderId":`)
	sent := r.take()
	for i, statement := range sent {
		sent[i] = shape(statement)
	}
	// The settings are read once a second, however many submit.
	sent = slices.DeleteFunc(sent, func(s string) bool { return strings.Contains(s, "FROM system_config") })
	require.Equal(b, replayed(), sent, "submit sends other statements than replay: bring replay up to date")
}

// replays is the loop of the bare statements, each shopper on its own connection.
func (s *shop) replays(buyers []*buyer) ratio.Way {
	return func(ctx context.Context, turn time.Duration) (float64, error) {
		return ratio.Workers(ctx, shoppers, turn, time.Now, func(ctx context.Context, i int) (func() error, func(), error) {
			conn, err := s.db.Conn(ctx)
			if err != nil {
				return nil, nil, err
			}
			_, err = conn.ExecContext(ctx, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
			return func() error { return buyers[i].replay(ctx, conn) }, func() { _ = conn.Close() }, err
		})
	}
}
