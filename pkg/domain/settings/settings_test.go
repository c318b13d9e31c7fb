package settings_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/country"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/settings"
)

// clock is a clock that stands still until it is moved. Values are renewed in the background, which reads it too.
type clock struct{ at atomic.Pointer[time.Time] }

func newClock() *clock {
	c := &clock{}
	at := time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)
	c.at.Store(&at)
	return c
}

func (c *clock) now() time.Time { return *c.at.Load() }

func (c *clock) move(by time.Duration) {
	at := c.now().Add(by)
	c.at.Store(&at)
}

// Settings are read again after a second, in each process.
func TestValues(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	c := newClock()
	s := settings.New(d, c.now, slog.New(slog.DiscardHandler), text.Chinese, country.Country{})
	set := func(key, value string) {
		require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE system_config SET key_value = ? WHERE key_name = ?", value, key))
	}

	v, err := s.Now(t.Context())
	require.NoError(t, err)
	require.Equal(t, money.Yuan(88), v.FreightMin, "an empty table answers the defaults")
	_, err = s.Fill(t.Context())
	require.NoError(t, err)
	_, err = s.Fill(t.Context())
	require.NoError(t, err, "filling twice changes nothing")
	var rows int64
	require.NoError(t, table.Scan(t.Context(), d, &rows, "SELECT COUNT(*) FROM system_config"))
	require.Equal(t, int64(26), rows)

	set("litemall_express_freight_min", "99.5")
	c.move(time.Second)
	v, err = s.Now(t.Context())
	require.NoError(t, err)
	require.Equal(t, money.Amount(9950), v.FreightMin, "a change acts after a second")

	for _, bad := range []string{"-88", "NaN", "1e9", "8.001", "", "100000000"} {
		set("litemall_express_freight_min", bad)
		c.move(time.Second)
		v, err = s.Now(t.Context())
		require.NoError(t, err)
		require.Equal(t, money.Yuan(88), v.FreightMin, "%q counts as the default", bad)
	}
	require.Equal(t, 30*time.Minute, v.UnpaidFor)
	require.Equal(t, 7*24*time.Hour, v.CommentFor)
}

// While the database hangs, readers get the values they had, for a bounded time, and only the first ones wait a little.
func TestValuesWhileTheDatabaseHangs(t *testing.T) {
	t.Parallel()
	through, freeze := dbtest.Freezable(t, dbtest.DSN(t))
	d, err := db.Open(db.Options{DSN: through})
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.Close() })
	c := newClock()
	s := settings.New(d, c.now, slog.New(slog.DiscardHandler), text.Chinese, country.Country{})
	want, err := s.Now(t.Context())
	require.NoError(t, err)
	thaw := freeze()
	for range 3 {
		c.move(5 * time.Second)
		got, err := s.Now(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	c.move(time.Minute)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = s.Now(ctx)
	require.Error(t, err, "older values are not served")
	thaw()
	_, err = s.Now(t.Context())
	require.NoError(t, err)
}
