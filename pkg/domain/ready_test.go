package domain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain"
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
	refused := s.With(func(c *domain.Config) { c.MySQLDSN += "?" + readOnly + "=1" })
	require.ErrorContains(t, refused.PingMySQL(t.Context()), "write to idempotency")

	s.Exec("RENAME TABLE brand TO brand_away")
	err := s.PingMySQL(t.Context())
	s.Exec("RENAME TABLE brand_away TO brand")
	require.ErrorContains(t, err, "read the tables")
	require.NoError(t, s.PingMySQL(t.Context()))
	require.Zero(t, s.Int("SELECT COUNT(*) FROM idempotency"))
}
