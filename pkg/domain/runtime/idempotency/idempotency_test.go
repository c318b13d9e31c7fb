package idempotency_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/idempotency"
)

type answer struct{ ID int64 }

func TestInTx(t *testing.T) {
	t.Parallel()
	s := idempotency.New(dbtest.Open(t), dbtest.Secret, time.Now)
	runs := int64(0)
	run := func(key, hash string, fail error) (answer, error) {
		ctx := t.Context()
		if key != "" {
			ctx = idempotency.With(ctx, idempotency.Request{Scope: "order.submit", Owner: 7, Key: key, Hash: hash})
		}
		return idempotency.InTx(ctx, s, func(*db.Tx) (answer, error) {
			runs++
			return answer{runs}, fail
		})
	}

	boom := errors.New("boom")
	_, err := run("a", "x", boom)
	require.ErrorIs(t, err, boom)
	first, err := run("a", "x", nil)
	require.NoError(t, err)
	require.Equal(t, answer{2}, first, "a failed request leaves no trace")
	again, err := run("a", "x", nil)
	require.NoError(t, err)
	require.Equal(t, first, again, "the first answer again")
	_, err = run("a", "y", nil)
	require.ErrorIs(t, err, errno.Invalid, "another body")
	other, err := run("b", "x", nil)
	require.NoError(t, err)
	require.Equal(t, answer{3}, other)
	_, err = run("", "", nil)
	require.NoError(t, err)
	require.Equal(t, int64(4), runs)
}

// Work without a result is not repeated either, nor is its preparation.
func TestDo(t *testing.T) {
	t.Parallel()
	s := idempotency.New(dbtest.Open(t), dbtest.Secret, time.Now)
	ctx := idempotency.With(t.Context(), idempotency.Request{Scope: "s", Owner: 1, Key: "do", Hash: "x"})
	runs, boom := 0, errors.New("boom")
	for _, fail := range []error{boom, nil, boom} {
		err := idempotency.Do(ctx, s, func(*db.Tx) error { runs++; return fail })
		require.Equal(t, runs == 1, errors.Is(err, boom))
	}
	require.Equal(t, 2, runs)
	ctx = idempotency.With(t.Context(), idempotency.Request{Scope: "s", Owner: 1, Key: "after", Hash: "x"})
	require.ErrorIs(t, idempotency.DoAfter(ctx, s, func() (func(*db.Tx) error, error) { return nil, boom }), boom)
}

// After a day a key can be used again, even for another body.
func TestExpiry(t *testing.T) {
	t.Parallel()
	now := time.Date(2030, 1, 2, 4, 0, 0, 0, time.UTC)
	s := idempotency.New(dbtest.Open(t), dbtest.Secret, func() time.Time { return now })
	runs := int64(0)
	run := func(hash string) (answer, error) {
		ctx := idempotency.With(t.Context(), idempotency.Request{Scope: "s", Owner: 1, Key: "k", Hash: hash})
		return idempotency.InTx(ctx, s, func(*db.Tx) (answer, error) {
			runs++
			return answer{runs}, nil
		})
	}
	for _, step := range []struct {
		wait time.Duration
		hash string
		want int64
	}{
		{0, "a", 1},
		{24*time.Hour - time.Millisecond, "a", 1},
		{time.Millisecond, "b", 2},
		{0, "b", 2},
	} {
		now = now.Add(step.wait)
		got, err := run(step.hash)
		require.NoError(t, err)
		require.Equal(t, step.want, got.ID)
	}
}

// Twenty concurrent equal requests run once, and all get the same answer.
func TestRace(t *testing.T) {
	t.Parallel()
	s := idempotency.New(dbtest.Open(t), dbtest.Secret, time.Now)
	var runs atomic.Int64
	var wg sync.WaitGroup
	answers := make([]answer, 20)
	errs := make([]error, 20)
	for i := range answers {
		wg.Go(func() {
			ctx := idempotency.With(t.Context(), idempotency.Request{Scope: "s", Owner: 1, Key: "k", Hash: "h"})
			answers[i], errs[i] = idempotency.InTx(ctx, s, func(*db.Tx) (answer, error) {
				return answer{runs.Add(1)}, nil
			})
		})
	}
	wg.Wait()
	for i := range answers {
		require.NoError(t, errs[i])
		require.Equal(t, answer{1}, answers[i])
	}
	require.Equal(t, int64(1), runs.Load())
}

// Without the secret, the table reveals nothing about a body; replicas with the same secret understand each other.
func TestTheStoredHashIsKeyed(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	body := sha256.Sum256([]byte(`{"password":"123456"}`))
	r := idempotency.Request{Scope: "admin.create", Owner: 1, Key: "k", Hash: hex.EncodeToString(body[:])}
	run := func(secret []byte, r idempotency.Request, n int64) (answer, error) {
		return idempotency.InTx(idempotency.With(t.Context(), r), idempotency.New(d, secret, time.Now),
			func(*db.Tx) (answer, error) { return answer{n}, nil })
	}
	stored := func(key string) (hash string) {
		require.NoError(t, table.Scan(t.Context(), d, &hash, "SELECT request_hash FROM idempotency WHERE idem_key = ?", key))
		require.Len(t, hash, 64)
		return hash
	}
	_, err := run(dbtest.Secret, r, 1)
	require.NoError(t, err)
	require.NotEqual(t, r.Hash, stored("k"))
	got, err := run(slices.Clone(dbtest.Secret), r, 2)
	require.NoError(t, err)
	require.Equal(t, answer{1}, got, "another replica")
	_, err = run([]byte("another"), r, 3)
	require.ErrorIs(t, err, errno.Invalid, "another secret makes another hash")

	r.Key = "other"
	_, err = run(dbtest.Secret, r, 4)
	require.NoError(t, err)
	require.NotEqual(t, stored("k"), stored("other"), "equal bodies look different")

	// A row of a release that stored the plain hash still answers its repetition, and refuses another body.
	require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE idempotency SET request_hash = ? WHERE idem_key = 'k'", r.Hash))
	r.Key = "k"
	got, err = run(dbtest.Secret, r, 5)
	require.NoError(t, err)
	require.Equal(t, answer{1}, got)
	r.Hash = strings.Repeat("0", 64)
	_, err = run(dbtest.Secret, r, 6)
	require.ErrorIs(t, err, errno.Invalid)
}
