package ratelimit_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/runtime/ratelimit"
)

func TestAnIPv6AddressCountsAsItsNetwork(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.1":                "192.0.2.1",
		"192.0.2.2":                "192.0.2.2",
		"::ffff:192.0.2.1":         "192.0.2.1",
		"2001:db8:1:2:3:4:5:6":     "2001:db8:1:2::/64",
		"2001:DB8:1:2::1":          "2001:db8:1:2::/64",
		"2001:db8:1:3::1":          "2001:db8:1:3::/64",
		"fe80::1%eth0":             "fe80::/64",
		"::1":                      "::/64",
		"":                         "",
		"nowhere":                  "nowhere",
		"2001:db8:1:2:3:4:5:6:7:8": "2001:db8:1:2:3:4:5:6:7:8",
	} {
		require.Equal(t, want, ratelimit.AddressKey(address), address)
	}
}

func limiter(t *testing.T, rdb *redis.Client) (*ratelimit.Limiter, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	return ratelimit.New(rdb, slog.New(slog.NewTextHandler(&log, nil)), time.Now), &log
}

func TestAWindowHasSoManyCalls(t *testing.T) {
	t.Parallel()
	rdb := dbtest.Redis(t)
	l, _ := limiter(t, rdb)
	hour := func(key string, most int) ratelimit.Limit {
		return ratelimit.Limit{Key: key, Max: most, Window: time.Hour}
	}
	var wg sync.WaitGroup
	var let, refused atomic.Int32
	for range 200 {
		wg.Go(func() {
			switch err := l.Take(t.Context(), hour("upload:s7", 120)); errno.Of(err) {
			case errno.OK:
				let.Add(1)
			case errno.Invalid:
				refused.Add(1)
			}
		})
	}
	wg.Wait()
	require.Equal(t, int32(120), let.Load())
	require.Equal(t, int32(80), refused.Load())
	require.InDelta(t, time.Hour, rdb.PTTL(t.Context(), "rate:{upload:s7}").Val(), float64(time.Minute))
	require.NoError(t, l.Take(t.Context(), hour("upload:s8", 120)), "another caller")
	require.NoError(t, l.Take(t.Context(), hour("upload:s7", 0)), "no limit")
	require.NoError(t, rdb.Del(t.Context(), "rate:{upload:s7}").Err()) // like the hour
	require.NoError(t, l.Take(t.Context(), hour("upload:s7", 120)))
}

func TestTheTightestLimitDecides(t *testing.T) {
	t.Parallel()
	rdb := dbtest.Redis(t)
	l, _ := limiter(t, rdb)
	call := func() error {
		return l.Take(t.Context(), ratelimit.Limit{Key: "a", Max: 5, Window: time.Minute},
			ratelimit.Limit{Key: "b", Max: 2, Window: time.Minute})
	}
	require.NoError(t, call())
	require.NoError(t, call())
	require.ErrorIs(t, call(), errno.Invalid)
	require.Equal(t, "2", rdb.HGet(t.Context(), "rate:{b}", "n").Val(), "what is refused does not count")
}

func TestWithoutRedisOnlyClosedLimitsRefuse(t *testing.T) {
	t.Parallel()
	rdb := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1})
	t.Cleanup(func() { _ = rdb.Close() })
	l, log := limiter(t, rdb)
	open := ratelimit.Limit{Key: "write:s7", Max: 1, Window: time.Minute}
	closed := ratelimit.Limit{Key: "upload:s7", Max: 1, Window: time.Minute, FailClosed: true}
	for range 3 {
		require.NoError(t, l.Take(t.Context(), open))
	}
	require.Equal(t, 1, strings.Count(log.String(), "Redis does not answer"), "one warning a minute")
	err := l.Take(t.Context(), open, closed)
	require.Error(t, err)
	require.NotErrorIs(t, err, errno.Invalid)
	closed.Max = 0
	require.NoError(t, l.Take(t.Context(), open, closed))
}
