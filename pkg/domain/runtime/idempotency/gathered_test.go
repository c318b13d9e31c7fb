package idempotency_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/runtime/idempotency"
)

var errRollBack = errors.New("rolled back")

// Requests of several callers claim their keys and store their answers together, or none of them does.
func TestSeveralRequestsInOneTransaction(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	s := idempotency.New(d, dbtest.Secret, time.Now)
	request := func(owner int64) idempotency.Request {
		return idempotency.Request{Scope: "order.submit", Owner: owner, Key: "k", Hash: "x"}
	}
	known := func(owner int64) (answer, bool) {
		a, known, err := idempotency.Known[answer](idempotency.With(t.Context(), request(owner)), s)
		require.NoError(t, err)
		return a, known
	}
	together := func(owners ...int64) (repeated bool) {
		all, results := make([]idempotency.Request, len(owners)), make([]answer, len(owners))
		for i, owner := range owners {
			all[i], results[i] = request(owner), answer{10 * owner}
		}
		_ = d.InTx(t.Context(), func(tx *db.Tx) (err error) {
			if repeated, err = s.ClaimAll(t.Context(), tx, all); err != nil || repeated {
				require.NoError(t, err)
				return errRollBack
			}
			return idempotency.AnswerAll(t.Context(), s, tx, all, results)
		})
		return repeated
	}
	require.False(t, together(2, 1))
	for owner := int64(1); owner < 3; owner++ {
		a, ok := known(owner)
		require.True(t, ok)
		require.Equal(t, answer{10 * owner}, a)
	}
	require.True(t, together(3, 2))
	_, ok := known(3)
	require.False(t, ok)
	require.False(t, together())
}
