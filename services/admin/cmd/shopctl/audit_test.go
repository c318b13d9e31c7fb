package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAudit(t *testing.T) {
	db := database(t)
	_, err := shopctl(t, "migrate")
	require.NoError(t, err)
	_, err = shopctl(t, "audit", "head")
	require.ErrorContains(t, err, "nothing is sealed yet")
	_, err = db.ExecContext(t.Context(), "INSERT INTO audit_log (admin_id, admin_name, method_path, target_type, target_id, "+
		"after_json, add_time) VALUES (1, 'clerk', 'POST /admin/order/ship', 'orders', 7, '{\"status\":301}', '2030-01-02 12:00:00')")
	require.NoError(t, err)
	_, err = shopctl(t, "jobs", "run", "auditSeal")
	require.NoError(t, err)
	head, err := shopctl(t, "audit", "head")
	require.NoError(t, err)
	require.Regexp(t, `^1:[0-9a-f]{64}\n$`, head)
	out, err := shopctl(t, "audit", "list", "--table", "orders", "--row", "7")
	require.NoError(t, err)
	require.Regexp(t, `1 +2030-01-02 12:00:00 +clerk +POST /admin/order/ship +orders 7 +- +{"status":301}`, out)
	_, err = shopctl(t, "audit", "list", "--row", "7")
	require.ErrorContains(t, err, "--table")

	noted := strings.TrimSpace(head)
	out, err = shopctl(t, "verify", "--audit-head", noted)
	require.NoError(t, err, out)
	_, err = shopctl(t, "verify", "--audit-head", "1")
	require.ErrorContains(t, err, "no place in the chain")
	_, err = db.ExecContext(t.Context(), "UPDATE audit_log SET after_json = '{}'")
	require.NoError(t, err)
	out, err = shopctl(t, "verify")
	require.ErrorIs(t, err, errDisagree)
	require.Contains(t, out, "audit_log 1: seal of the record")
	out, err = shopctl(t, "verify", "--audit-head", strings.Replace(noted, ":", "1:", 1))
	require.ErrorIs(t, err, errDisagree)
	require.Contains(t, out, "no record has the seal 11:")
}
