package db_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/lag"
	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/meter/metertest"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
)

// number queues a query for a number; the function returns it.
func number(t *testing.T, q db.Queue, text string, args ...any) func() int {
	t.Helper()
	n := 0
	require.NoError(t, db.QueryLater(t.Context(), q, func(rows *sql.Rows) error {
		for rows.Next() {
			if err := rows.Scan(&n); err != nil {
				return err
			}
		}
		return rows.Err()
	}, text, args...))
	return func() int { return n }
}

// Reads of any number make one round trip, of which each counts as a statement.
func TestReads(t *testing.T) {
	t.Parallel()
	m := meter.New(time.Now)
	d, err := db.Open(db.Options{DSN: dbtest.DSN(t), Meter: m})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	ctx := t.Context()
	q := d.Reads()
	require.NoError(t, q.Flush(ctx), "nothing")
	first, second := number(t, q, "SELECT ?", 1), number(t, q, "SELECT COUNT(*) FROM job_lease WHERE name IN ?", []string{"x;y"})
	require.Zero(t, first())
	require.NoError(t, q.Flush(ctx))
	require.Equal(t, 1, first())
	require.Zero(t, second())
	third := number(t, q, "SELECT ?", 3)
	require.NoError(t, q.Flush(ctx))
	require.Equal(t, 3, third())
	require.EqualValues(t, 2, metertest.Trips(t, m))

	number(t, q, "SELECT 1")
	number(t, q, "SELECT a FROM nothing")
	number(t, q, "SELECT 2")
	require.ErrorContains(t, q.Flush(ctx), "nothing")
}

// Reads that may lag go to a replica, and all of them to the primary if it fails.
func TestReadsOnAReplica(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.good()
	read := func(ctx context.Context) (at [2]int) {
		q := p.Reads()
		const text = "SELECT COUNT(*) FROM keyword WHERE keyword = ?"
		first, second := number(t, q, text, "replica"), number(t, q, text, "primary")
		require.NoError(t, q.Flush(ctx))
		return [2]int{first(), second()}
	}
	require.Equal(t, [2]int{0, 1}, read(t.Context()))
	require.Equal(t, [2]int{1, 0}, read(lag.Allow(t.Context(), nil)))
	p.exec(p.replica, "RENAME TABLE keyword TO away")
	require.Equal(t, [2]int{0, 1}, read(lag.Allow(t.Context(), nil)))
	p.exec(p.replica, "RENAME TABLE away TO keyword")
}
