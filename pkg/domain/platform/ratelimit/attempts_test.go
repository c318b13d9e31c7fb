package ratelimit_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/dbtest"
	kv "shop.internal/pkg/domain/internal/redis"
	"shop.internal/pkg/domain/platform/ratelimit"
)

func attempts(rdb *redis.Client, kind string, perAccount, perAddress int) *ratelimit.Attempts {
	l := ratelimit.New(kv.Of(rdb), slog.New(slog.DiscardHandler), time.Now)
	return ratelimit.NewAttempts(l, kind, perAccount, perAddress)
}

func TestAttempts(t *testing.T) {
	t.Parallel()
	type try struct{ account, address string }
	tests := map[string]struct {
		perAccount, perAddress int
		failures               []try
		want                   bool
	}{
		"none yet":               {2, 5, nil, false},
		"one below the limit":    {2, 5, []try{{"lin", "a"}}, false},
		"account used up":        {2, 5, []try{{"lin", "b"}, {"lin", "c"}}, true},
		"other accounts":         {2, 5, []try{{"mei", "b"}, {"mei", "b"}}, false},
		"address used up":        {2, 2, []try{{"mei", "a"}, {"bo", "a"}}, true},
		"account switched off":   {0, 9, []try{{"lin", "b"}, {"lin", "b"}}, false},
		"address switched off":   {9, 0, []try{{"mei", "a"}, {"bo", "a"}}, false},
		"name like an address":   {9, 2, []try{{"ip:a", "b"}, {"ip:a", "c"}}, false},
		"both limits at nothing": {0, 0, []try{{"lin", "a"}, {"lin", "a"}}, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			g := attempts(dbtest.Redis(t), "shopper", tt.perAccount, tt.perAddress)
			for _, f := range tt.failures {
				require.NoError(t, g.Failed(t.Context(), f.account, f.address))
			}
			got, err := g.Blocked(t.Context(), "lin", "a")
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

func TestAttemptsAreForgottenAfterTheirWindow(t *testing.T) {
	t.Parallel()
	rdb := dbtest.Redis(t)
	g := attempts(rdb, "shopper", 10, 100)
	require.NoError(t, g.Failed(t.Context(), "lin", "10.0.0.1"))
	for _, key := range []string{"rate:{attempt:shopper:lin}", "rate:{attempt:shopper:ip:10.0.0.1}"} {
		require.NoError(t, rdb.PExpire(t.Context(), key, time.Minute).Err())
		require.NoError(t, g.Failed(t.Context(), "lin", "10.0.0.1"))
		d, err := rdb.PTTL(t.Context(), key).Result()
		require.NoError(t, err)
		require.Positive(t, d, "the window ends")
		require.LessOrEqual(t, d, time.Minute, "a failure does not prolong the window")
		require.NoError(t, rdb.Del(t.Context(), "rate:{attempt:shopper:lin}", "rate:{attempt:shopper:ip:10.0.0.1}").Err())
		require.NoError(t, g.Failed(t.Context(), "lin", "10.0.0.1"))
		require.InDelta(t, 15*time.Minute, rdb.PTTL(t.Context(), key).Val(), float64(time.Minute))
	}
}

func TestAttemptsLoseNoFailure(t *testing.T) {
	t.Parallel()
	rdb := dbtest.Redis(t)
	g := attempts(rdb, "staff", 1000, 0)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { _ = g.Failed(context.WithoutCancel(t.Context()), "super", "a") })
	}
	wg.Wait()
	require.Equal(t, fmt.Sprint(20), rdb.HGet(t.Context(), "rate:{attempt:staff:super}", "n").Val())
}

// Only the first refusal of a window is announced; a name that looks like the key of another one is distinct.
func TestRefusalsAreAnnouncedOnceAWindow(t *testing.T) {
	t.Parallel()
	rdb := dbtest.Redis(t)
	g := attempts(rdb, "staff", 1, 0)
	first := func(account string) bool {
		f, err := g.Announce(t.Context(), account, "a")
		require.NoError(t, err)
		return f
	}
	require.False(t, first("super"), "nothing was refused")
	require.NoError(t, g.Failed(t.Context(), "super", "a"))
	require.True(t, first("super"))
	require.False(t, first("super"))
	require.InDelta(t, 15*time.Minute, rdb.PTTL(t.Context(), "rate:{announced:attempt:staff:super}").Val(), float64(time.Minute))
	require.NoError(t, g.Failed(t.Context(), "announced:super", "a"))
	require.True(t, first("announced:super"))
}
