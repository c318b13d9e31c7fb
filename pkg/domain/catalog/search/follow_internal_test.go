package search

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// Few rows have no index: it is looked again later whether there are enough.
func TestFewRowsAreNotFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		e := New(nil, time.Now, Rows{About: func(context.Context) (int64, error) {
			asked++
			return 9, nil
		}})
		ctx, stop := context.WithCancel(t.Context())
		go e.Follow(ctx, 10, slog.New(slog.DiscardHandler))
		time.Sleep(2*growAfter + time.Second)
		synctest.Wait()
		require.Equal(t, 3, asked)
		require.Nil(t, e.Current())
		require.False(t, e.hasAbout(ctx, 10))
		require.True(t, e.hasAbout(ctx, 9))
		require.True(t, e.hasAbout(ctx, 0))
		stop()
		synctest.Wait()
	})
}
