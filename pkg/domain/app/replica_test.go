package app

import (
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/lag"
	"shop.internal/pkg/domain/internal/store/db"
)

// Whoever has just changed something reads from the primary in every process, for longer than a replica may lack it.
func TestAWriterReadsFromThePrimary(t *testing.T) {
	t.Parallel()
	port := redisServer(t, "--port", "PORT")
	shop := func(replicas ...string) *Domain {
		d := shopWith(t, RedisConfig{Addrs: []string{"127.0.0.1:" + port}})
		var err error
		d.log = slog.New(slog.NewTextHandler(os.Stderr, nil))
		d.db, err = db.Open(db.Options{DSN: "shop@tcp(127.0.0.1:1)/shop", Replicas: db.Replicas{
			DSNs: replicas, MaxLag: 5 * time.Second, Clock: time.Now,
		}})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, d.db.Close()) })
		return d
	}
	alone := shop()
	require.Nil(t, alone.AllowStale())
	require.Nil(t, alone.RecordWrite())

	one, other := shop("shop@tcp(127.0.0.1:2)/shop"), shop("shop@tcp(127.0.0.1:2)/shop")
	answers(t, one)
	allowed := func(d *Domain, who string) bool {
		ctx := d.AllowStale()(t.Context(), who)
		return lag.Of(ctx).Replica(ctx, func(uint64) int { return 0 }) == 0
	}
	require.True(t, allowed(other, "shopper 1"))
	one.RecordWrite()(t.Context(), "shopper 1")
	for _, d := range []*Domain{one, other} {
		require.False(t, allowed(d, "shopper 1"))
		require.True(t, allowed(d, "shopper 2"))
		require.True(t, allowed(d, ""))
	}
	left, err := one.redis.PTTL(t.Context(), wroteKey("shopper 1")).Result()
	require.NoError(t, err)
	require.Greater(t, left, one.db.Fresh())

	require.NoError(t, one.redis.Do(t.Context(), "CLIENT", "PAUSE", (4*redisTimeout).Milliseconds(), "ALL").Err())
	require.False(t, allowed(other, "shopper 2"), "nobody knows what they have changed")
}
