package search

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
)

// A transaction that commits after others with later numbers is not missed, nor one that began before the start.
func TestTheFeedMissesNothing(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	ctx := t.Context()
	now := time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)
	entry := func(goods int64) func(context.Context, *db.Tx) error {
		return func(ctx context.Context, tx *db.Tx) error { return Append(ctx, tx, []int64{goods}, now) }
	}
	write := func(goods int64) {
		require.NoError(t, d.InTx(ctx, func(tx *db.Tx) error { return entry(goods)(ctx, tx) }))
	}
	open := make(chan struct{})
	late := func(goods int64) <-chan error {
		written, done := make(chan struct{}), make(chan error, 1)
		go func() {
			done <- d.InTx(ctx, func(tx *db.Tx) error {
				err := entry(goods)(ctx, tx)
				close(written)
				<-open
				return err
			})
		}()
		<-written
		return done
	}
	write(1)
	before := late(2)
	write(3)
	f, err := openFeed(ctx, d, now)
	require.NoError(t, err)
	write(4)
	during := late(5)
	write(6)
	write(6)
	got, err := f.next(ctx, d, now)
	require.NoError(t, err)
	require.Equal(t, []int64{4, 6}, got)
	got, err = f.next(ctx, d, now)
	require.NoError(t, err)
	require.Empty(t, got)
	require.Len(t, f.gaps, 2)
	close(open)
	require.NoError(t, <-before)
	require.NoError(t, <-during)
	got, err = f.next(ctx, d, now)
	require.NoError(t, err)
	require.Equal(t, []int64{2, 5}, got)
	require.Empty(t, f.gaps)

	require.Error(t, d.InTx(ctx, func(tx *db.Tx) error {
		_ = entry(7)(ctx, tx)
		return context.Canceled
	}))
	write(8)
	got, err = f.next(ctx, d, now)
	require.NoError(t, err)
	require.Equal(t, []int64{8}, got)
	require.Len(t, f.gaps, 1)
	_, err = f.next(ctx, d, now.Add(gapTime+1))
	require.NoError(t, err)
	require.Empty(t, f.gaps, "rolled back")
}
