package db_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/meter/metertest"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
)

// A query that waits goes with the first reads, or before a change, and its verdict is known at the end.
func TestAhead(t *testing.T) {
	t.Parallel()
	m := meter.New(time.Now)
	d, err := db.Open(db.Options{DSN: dbtest.DSN(t), Meter: m})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	trips := func(do func()) int64 {
		before := metertest.Trips(t, m)
		do()
		return metertest.Trips(t, m) - before
	}
	refused := errors.New("refused")
	asks := func(text string) (func(db.Queue) (func() error, error), func() int) {
		var got func() int
		return func(q db.Queue) (func() error, error) {
			got = number(t, q, text)
			return func() error {
				if got() != 1 {
					return refused
				}
				return nil
			}, nil
		}, func() int { return got() }
	}
	for text, want := range map[string]error{"SELECT 1": nil, "SELECT 2": refused} {
		query, got := asks(text)
		ctx, settle, err := d.Ahead(t.Context(), query)
		require.NoError(t, err)
		q := d.Reads()
		seven := number(t, q, "SELECT 7")
		require.EqualValues(t, 1, trips(func() {
			require.NoError(t, q.Flush(ctx), "reads go on")
			require.ErrorIs(t, settle(ctx), want)
			require.ErrorIs(t, settle(ctx), want)
		}))
		require.Equal(t, 7, seven())
		require.NotZero(t, got())

		query, _ = asks(text)
		ctx, settle, err = d.Ahead(t.Context(), query)
		require.NoError(t, err)
		require.EqualValues(t, 1, trips(func() { require.ErrorIs(t, settle(ctx), want, "without reads") }))

		for name, change := range map[string]func() error{
			"a transaction": func() error { return d.InTx(ctx, func(*db.Tx) error { return nil }) },
			"a write":       func() error { return dbtest.Exec(ctx, d, "DELETE FROM keyword WHERE id = 0") },
		} {
			query, _ = asks(text)
			ctx, _, err = d.Ahead(t.Context(), query)
			require.NoError(t, err)
			require.ErrorIs(t, change(), want, name)
		}
	}
	query, _ := asks("SELECT a FROM nothing")
	ctx, settle, err := d.Ahead(t.Context(), query)
	require.NoError(t, err)
	require.Error(t, settle(ctx), "nothing is known")

	query, _ = asks("SELECT 1") // reads that fail decide nothing
	ctx, settle, err = d.Ahead(t.Context(), query)
	require.NoError(t, err)
	q := d.Reads()
	number(t, q, "SELECT a FROM nothing")
	require.Error(t, q.Flush(ctx))
	require.NoError(t, settle(ctx))

	query, _ = asks("SELECT 1")
	ctx, settle, err = d.Ahead(t.Context(), query)
	require.NoError(t, err)
	var all sync.WaitGroup
	for range 8 {
		q := d.Reads()
		number(t, q, "SELECT 3")
		all.Go(func() { _ = errors.Join(q.Flush(ctx), settle(ctx)) })
	}
	all.Wait()
	require.NoError(t, settle(ctx))
}
