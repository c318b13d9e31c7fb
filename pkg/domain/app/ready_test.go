package app_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/domaintest"
)

// The database answers each time, but requests need more of it.
func TestReadinessNeedsWhatRequestsNeed(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	require.NoError(t, s.PingMySQL(t.Context()))
	readOnly := "transaction_read_only"
	if strings.Contains(s.Text("SELECT VERSION()"), "MariaDB") {
		readOnly = "tx_read_only"
	}
	refused := s.With(func(c *app.Config) { c.MySQLDSN += "?" + readOnly + "=1" })
	err := refused.PingMySQL(t.Context())
	require.ErrorContains(t, err, "write to idempotency")
	require.False(t, app.Away(err))

	s.Exec("RENAME TABLE brand TO brand_away")
	err = s.PingMySQL(t.Context())
	s.Exec("RENAME TABLE brand_away TO brand")
	require.False(t, app.Away(err))
	require.ErrorContains(t, err, "read the tables")
	require.NoError(t, s.PingMySQL(t.Context()))
	require.False(t, app.Away(nil))

	gone := s.With(func(c *app.Config) { c.MySQLDSN = "shop@tcp(127.0.0.1:1)/shop" }) // nothing listens there
	require.True(t, app.Away(gone.PingMySQL(t.Context())))
	hanging, freeze := s.Freezable()
	require.NoError(t, hanging.PingMySQL(t.Context()))
	thaw := freeze()
	short, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	err = hanging.PingMySQL(short)
	thaw()
	require.Error(t, err)
	require.True(t, app.Away(err))
	require.Zero(t, s.Int("SELECT COUNT(*) FROM idempotency"))
}
