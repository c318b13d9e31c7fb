package settings_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/dbtest"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/settings"
)

// Settings are read again after a second, in each process.
func TestValues(t *testing.T) {
	d := dbtest.Open(t)
	now := time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)
	s := settings.New(d, func() time.Time { return now }, slog.New(slog.DiscardHandler))
	set := func(key, value string) {
		require.NoError(t, d.G(t.Context()).Exec(
			"UPDATE system_config SET key_value = ? WHERE key_name = ?", value, key).Error)
	}

	v, err := s.Now(t.Context())
	require.NoError(t, err)
	require.Equal(t, money.Yuan(88), v.FreightMin, "an empty table answers the defaults")
	_, err = s.Fill(t.Context())
	require.NoError(t, err)
	_, err = s.Fill(t.Context())
	require.NoError(t, err, "filling twice changes nothing")
	var rows int64
	require.NoError(t, d.G(t.Context()).Raw("SELECT COUNT(*) FROM system_config").Scan(&rows).Error)
	require.Equal(t, int64(18), rows)

	set("litemall_express_freight_min", "99.5")
	now = now.Add(time.Second)
	v, err = s.Now(t.Context())
	require.NoError(t, err)
	require.Equal(t, money.Amount(9950), v.FreightMin, "a change acts after a second")

	for _, bad := range []string{"-88", "NaN", "1e9", "8.001", "", "100000000"} {
		set("litemall_express_freight_min", bad)
		now = now.Add(time.Second)
		v, err = s.Now(t.Context())
		require.NoError(t, err)
		require.Equal(t, money.Yuan(88), v.FreightMin, "%q counts as the default", bad)
	}
	require.Equal(t, 30*time.Minute, v.UnpaidFor)
	require.Equal(t, 7*24*time.Hour, v.CommentFor)
}
