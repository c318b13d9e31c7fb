package redis_test

import (
	"context"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/meter/metertest"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/redis"
)

// Each round trip is one call, whatever it carries; what fails is counted, and a value that is not there is no failure.
func TestWatch(t *testing.T) {
	t.Parallel()
	ctx, c, m := t.Context(), dbtest.Redis(t), meter.New(time.Now)
	redis.Watch(c, m)
	trips := func(calls, failures int64, do func()) {
		t.Helper()
		before := metertest.Read(t, m)
		do()
		after := metertest.Read(t, m)
		require.Equal(t, calls, after["shop_redis_call_seconds"]-before["shop_redis_call_seconds"])
		require.Equal(t, failures, after["shop_redis_failures_total"]-before["shop_redis_failures_total"])
	}
	trips(1, 0, func() { require.NoError(t, c.Set(ctx, "n", 1, time.Microsecond).Err()) })
	trips(2, 0, func() {
		require.ErrorIs(t, c.Get(ctx, "none").Err(), goredis.Nil)
		require.NoError(t, c.Ping(ctx).Err())
	})
	script := goredis.NewScript("return redis.call('INCRBY', KEYS[1], ARGV[1]) -- " + t.Name())
	run := func() { require.NoError(t, script.Run(ctx, c, []string{"i"}, 2).Err()) }
	require.NoError(t, c.ScriptFlush(ctx).Err())
	trips(2, 0, run) // the server did not know it
	trips(1, 0, run)
	together := func() {
		_, err := c.Pipelined(ctx, func(p goredis.Pipeliner) error {
			p.Get(ctx, "none")
			p.LPush(ctx, "i", "x")
			script.Eval(ctx, p, []string{"i"}, 3)
			return nil
		})
		require.Error(t, err)
	}
	trips(1, 1, together) // a missing value hides no error
	require.Equal(t, "7", c.Get(ctx, "i").Val(), "the commands after an error are run")
	trips(0, 0, func() {
		_, err := c.Pipelined(ctx, func(goredis.Pipeliner) error { return nil })
		require.NoError(t, err)
	})
	gone, cancel := context.WithCancel(ctx)
	cancel()
	trips(1, 1, func() { require.Error(t, c.Get(gone, "n").Err()) })
}

// What a new connection begins with is no call of the shop.
func TestConnectingIsNoCall(t *testing.T) {
	t.Parallel()
	o := *dbtest.Redis(t).Options()
	o.OnConnect = nil
	c, m := goredis.NewClient(&o), meter.New(time.Now)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	redis.Watch(c, m)
	require.NoError(t, c.Ping(t.Context()).Err())
	all := metertest.Read(t, m)
	require.EqualValues(t, 1, all["shop_redis_call_seconds"])
	require.Zero(t, all["shop_redis_failures_total"])
}
