package app_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/app"
)

// lines is a log for several goroutines.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// text returns the log, and checks that each line is JSON.
func (l *lines) text(t *testing.T) string {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range bytes.Lines(l.b.Bytes()) {
		require.True(t, json.Valid(line), "%s", line)
	}
	return l.b.String()
}

// A complaint of the Redis client is a normal line of the log.
func TestComplaintsOfRedis(t *testing.T) {
	t.Parallel()
	out := &lines{}
	app.LogRedis(slog.New(slog.NewJSONHandler(out, nil)))
	t.Cleanup(func() { app.LogRedis(slog.New(slog.DiscardHandler)) })
	client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, PoolSize: 1})
	for range 3 {
		require.Error(t, client.Ping(t.Context()).Err())
	}
	require.NoError(t, client.Close())
	require.Error(t, client.Close(), "closing twice is what the client complains about")
	require.Contains(t, out.text(t), "redis client")
}
