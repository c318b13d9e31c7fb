package op_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/op"
)

// of runs a function inside an operation with a timeout.
func of(t *testing.T, limit time.Duration, do func(context.Context)) {
	t.Helper()
	s := mount(t, func(h *op.Hooks) { h.Timeout, h.Now = limit, time.Now }, op.Read[op.None, op.None]{
		Path: "/x", Title: "X", Access: op.Public,
		Do: func(ctx context.Context, _ op.None) (op.None, error) {
			do(ctx)
			return op.None{}, nil
		},
	})
	s.get(t, "/x")
}

func TestAnOperationHasADeadline(t *testing.T) {
	of(t, time.Minute, func(ctx context.Context) {
		deadline, ok := ctx.Deadline()
		require.True(t, ok)
		require.InDelta(t, time.Minute, time.Until(deadline), float64(10*time.Second))
		require.NoError(t, ctx.Err())
	})
	of(t, 10*time.Millisecond, func(ctx context.Context) {
		<-ctx.Done()
		require.ErrorIs(t, ctx.Err(), context.DeadlineExceeded)
	})
	of(t, 10*time.Millisecond, func(ctx context.Context) {
		time.Sleep(20 * time.Millisecond) // lasts longer than the operation may
		require.ErrorIs(t, ctx.Err(), context.DeadlineExceeded, "the time counts from the start, not from the first look")
	})
}

func TestTheContextEndsWithTheAnswer(t *testing.T) {
	var early, late context.Context
	of(t, time.Minute, func(ctx context.Context) {
		early = ctx
		require.NoError(t, early.Err())
	})
	of(t, time.Minute, func(ctx context.Context) { late = ctx })
	require.ErrorIs(t, early.Err(), context.Canceled)
	require.ErrorIs(t, late.Err(), context.Canceled)
}

func TestContextsMadeFromItFollowIt(t *testing.T) {
	const children = 100 // far more than the goroutines of earlier tests that may end meanwhile
	of(t, 10*time.Millisecond, func(ctx context.Context) {
		before := runtime.NumGoroutine()
		for range children {
			child, cancel := context.WithCancel(ctx)
			defer cancel()
			defer func() {
				<-child.Done()
				require.ErrorIs(t, child.Err(), context.DeadlineExceeded)
				require.NotEmpty(t, op.CallOf(child).ID)
			}()
		}
		require.Less(t, runtime.NumGoroutine(), before+children/2, "without a goroutine each")
	})
}
