package redis_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/dbtest"
	"shop.internal/pkg/domain/internal/redis"
)

func TestValues(t *testing.T) {
	t.Parallel()
	ctx, c := t.Context(), redis.Of(dbtest.Redis(t))
	_, found, err := c.Get(ctx, "a")
	require.NoError(t, err)
	require.False(t, found)
	done, err := c.Replace(ctx, "a", "1")
	require.NoError(t, err)
	require.False(t, done, "there is nothing to replace")
	done, err = c.SetNew(ctx, "a", []byte("1"), time.Hour)
	require.NoError(t, err)
	require.True(t, done)
	done, err = c.SetNew(ctx, "a", "2", 0)
	require.NoError(t, err)
	require.False(t, done, "there is one")
	done, err = c.Replace(ctx, "a", "3")
	require.NoError(t, err)
	require.True(t, done)
	left, err := c.Do(ctx, "PTTL", "a")
	require.NoError(t, err)
	require.InDelta(t, time.Hour.Milliseconds(), left, 60_000, "what is replaced lives as long as before")
	value, found, err := c.GetDel(ctx, "a")
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, "3", value)
	require.NoError(t, c.Set(ctx, "a", "4", 0))
	left, err = c.Do(ctx, "PTTL", "a")
	require.NoError(t, err)
	require.Equal(t, int64(-1), left, "it lives forever")
	require.NoError(t, c.Set(ctx, "b", "5", time.Microsecond), "a time below that of Redis is not forever")
	require.NoError(t, c.Del(ctx, "a", "none"))
	require.NoError(t, c.Del(ctx))
	_, found, err = c.Get(ctx, "a")
	require.NoError(t, err)
	require.False(t, found)
}

func TestCommandsTogether(t *testing.T) {
	t.Parallel()
	ctx, c := t.Context(), redis.Of(dbtest.Redis(t))
	script := redis.Script("return redis.call('INCRBY', KEYS[1], ARGV[1])")
	replies, err := c.DoAll(ctx, [][]any{{"GET", "n"}, script.Eval("n", 2), {"GET", "n"}})
	require.NoError(t, err)
	require.Equal(t, []any{nil, int64(2), "2"}, replies)
	_, err = c.DoAll(ctx, [][]any{{"GET", "none"}, {"LPUSH", "n", "x"}, {"INCR", "n"}})
	require.ErrorContains(t, err, "WRONGTYPE", "a missing value hides no error")
	n, err := script.Run(ctx, c, "n", 4)
	require.NoError(t, err)
	require.Equal(t, int64(7), n)
}

func TestRepliesOfAnotherKind(t *testing.T) {
	t.Parallel()
	ctx, c := t.Context(), redis.Of(dbtest.Redis(t))
	_, err := redis.List[string](c.Do(ctx, "INCR", "n"))
	require.ErrorContains(t, err, "int64 instead of a list")
	_, err = c.Do(ctx, "RPUSH", "l", "a", "b")
	require.NoError(t, err)
	list, err := redis.List[string](c.Do(ctx, "LRANGE", "l", 0, -1))
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, list)
	_, err = redis.List[int64](c.Do(ctx, "LRANGE", "l", 0, -1))
	require.ErrorContains(t, err, "a list with a string")
}
