package storage_test

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/idempotency"
	"shop.internal/pkg/domain/storage"
)

// An upload under an Idempotency-Key is stored once, however often and however concurrently it is sent.
func TestKeyedUploads(t *testing.T) {
	t.Parallel()
	s, d, dir := open(t)
	put := func(key, hash string) (storage.Object, error) {
		ctx := idempotency.With(t.Context(), idempotency.Request{Scope: "storage.upload", Owner: 7, Key: key, Hash: hash})
		return s.Put(ctx, lin, "x.png", picture(t))
	}
	stored := func(want int) {
		t.Helper()
		var rows int
		require.NoError(t, table.Scan(t.Context(), d, &rows, "SELECT COUNT(*) FROM storage"))
		require.Equal(t, want, rows)
		files, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, files, want, "bytes that no row names")
	}
	first, err := put("k", "h")
	require.NoError(t, err)
	again, err := put("k", "h")
	require.NoError(t, err)
	require.Equal(t, first, again)
	_, err = put("k", "another file")
	require.ErrorIs(t, err, errno.Invalid)
	stored(1)

	const callers = 8
	for round := range 5 {
		var wg sync.WaitGroup
		objects, errs := make([]storage.Object, callers), make([]error, callers)
		for i := range callers {
			wg.Go(func() { objects[i], errs[i] = put(fmt.Sprint("race ", round), "h") })
		}
		wg.Wait()
		for i := range callers {
			require.NoError(t, errs[i])
			require.Equal(t, objects[0], objects[i])
		}
		stored(2 + round)
	}
}
