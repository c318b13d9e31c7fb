package db_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/trace"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
)

// ticking is a clock that moves by each reading.
type ticking struct {
	mu   sync.Mutex
	at   time.Time
	tick time.Duration
}

func (c *ticking) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(c.tick)
	return c.at
}

// A slow statement is logged with its operation and the id of its request, and without the values of its parameters.
func TestASlowStatementIsLogged(t *testing.T) {
	t.Parallel()
	dbtest.Open(t)
	var out bytes.Buffer
	clock := &ticking{at: time.Unix(1000, 0)}
	d, err := db.Open(db.Options{
		DSN: dbtest.DSN(t), Log: slog.New(slog.NewJSONHandler(&out, nil)), Meter: meter.New(clock.now), Slow: time.Second,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	ctx := context.WithValue(t.Context(), trace.Key{}, &trace.Work{Kind: "POST", Name: "/wx/order/submit", Request: "r1"})
	find := func() {
		rows, err := db.Query(ctx, d, "SELECT id\n\t\tFROM user WHERE mobile = ? AND id IN ?", "13900000001", []int64{7, 8})
		require.NoError(t, err)
		defer rows.Close()
		require.NoError(t, rows.Err())
	}
	clock.tick = 999 * time.Millisecond
	find()
	require.Empty(t, out.String())
	clock.tick = time.Second
	find()
	var line map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &line), out.String())
	delete(line, "time")
	require.Equal(t, map[string]any{
		"level": "WARN", "msg": "slow statement", "ms": 1000., "operation": "POST /wx/order/submit", "request": "r1",
		"statement": "SELECT id FROM user WHERE mobile = ? AND id IN (?,?)",
	}, line)
	out.Reset()
	require.NoError(t, d.InTx(trace.With(t.Context(), "job", "purge"), func(tx *db.Tx) error {
		_, err := db.Exec(ctx, tx, "UPDATE user SET version = version WHERE id = ?", 7)
		return err
	}))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 2)
	require.Contains(t, lines[0], `"statement":"UPDATE user SET version = version WHERE id = ?"`)
	require.Contains(t, lines[1], `"operation":"job purge","statement":"COMMIT"`)
}
