package storage

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
)

// The uploads of one shopper wait for each other and make nobody else wait.
func TestEachOwnerHasOnePlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		places := newTurns(4 * time.Second)
		lin, mo := Owner{Kind: Shopper, ID: 1}, Owner{Kind: Shopper, ID: 2}
		leave, err := places.take(t.Context(), lin)
		require.NoError(t, err)
		_, err = places.take(t.Context(), lin)
		require.ErrorIs(t, err, errno.ErrBusy, "after the wait")
		other, err := places.take(t.Context(), mo)
		require.NoError(t, err)
		other()

		gone, goes := context.WithCancel(t.Context())
		goes()
		_, err = places.take(gone, lin)
		require.ErrorIs(t, err, context.Canceled)

		taken := make(chan func())
		go func() {
			next, err := places.take(t.Context(), lin)
			if err != nil {
				panic(err)
			}
			taken <- next
		}()
		synctest.Wait()
		leave()
		(<-taken)()
		require.Empty(t, places.held, "nobody is remembered")
	})
}
