package consistency_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Whoever can write to the database may try to hide what they did. Each of these was once hidden.
func TestVerifySeesWhatIsReplacedTogether(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	defer s.close()
	for {
		n, err := s.Audit.Seal(t.Context())
		require.NoError(t, err)
		if n == 0 {
			break
		}
	}
	require.Empty(t, s.Disagreements())
	touched := []string{"audit_log", "list_counter", "admin", "orders", "outbox_event"}
	s.copyAgain(touched...)
	for name, c := range map[string]struct {
		finds      string
		statements []string
	}{
		"the audit log is emptied, with its counters": {"log ", []string{
			"DELETE FROM audit_log", "DELETE FROM list_counter WHERE scope LIKE 'audit:%'",
		}},
		"the first records are removed as if they were purged": {"audit_log the purge", []string{
			"DELETE FROM audit_log WHERE seal_no <= 10",
			"INSERT INTO list_counter (scope, total, refresh_time) VALUES ('audit:purged', 10, '2030-01-01')",
		}},
		"the password of an operator is replaced": {"password_hash", []string{
			"UPDATE admin SET password_hash = CONCAT(LEFT(password_hash, 50), REVERSE(RIGHT(password_hash, 10))) " +
				"WHERE id = (SELECT MAX(target_id) FROM audit_log WHERE target_type = 'admin' AND before_json IS NULL)",
		}},
		"an unpaid order costs more by its freight": {"order_price is", []string{
			"UPDATE orders SET order_price = order_price + 1, actual_price = actual_price + 1, " +
				"freight_price = freight_price + 1 WHERE order_status = 101",
		}},
		"the event of a paid order is deleted": {"order.paid", []string{
			"DELETE FROM outbox_event WHERE event_key LIKE 'order.paid:%'",
		}},
		"the event of a shipped order is deleted": {"order.shipped", []string{
			"DELETE FROM outbox_event WHERE event_key LIKE 'order.shipped:%'",
		}},
		"the event of a refunded order is deleted": {"order.refunded", []string{
			"UPDATE orders SET refund_time = '2030-02-01' WHERE order_status = 203",
			"DELETE FROM outbox_event WHERE event_key LIKE 'order.refunded:%'",
		}},
	} {
		for _, statement := range c.statements {
			s.Exec(statement)
		}
		var found string
		for _, d := range s.Disagreements() {
			found += d.String() + "\n"
		}
		require.Contains(t, found, c.finds, name)
		for _, name := range touched {
			s.restore(s.tables[name])
		}
	}
	require.Empty(t, s.Disagreements(), "all is as it was")
}
