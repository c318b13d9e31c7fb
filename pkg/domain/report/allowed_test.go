package report_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/promotion"
)

// What the shop may do, verify accepts: each of these would raise an alarm if a rule did not allow for it.
func TestVerifyAcceptsWhatIsRare(t *testing.T) {
	t.Parallel()
	s := newBooks(t)
	defer s.close()
	owner := actor.Operator(s.Int("SELECT MIN(id) FROM admin"))
	call := func(target string) audit.Call {
		return audit.Call{By: owner, Name: "owner", Operation: "POST /" + target, Target: target, At: s.Clock.Now()}
	}

	refused := s.Int("SELECT order_id FROM refund WHERE status = 3 AND operator_id <> ?", owner.ID)
	require.NoError(t, s.Orders.RejectRefund(audit.With(t.Context(), call("orders")), owner, refused, "used"))
	require.Empty(t, s.Disagreements(), "the platform refused a refund, and another operator rejects it")

	// A coupon and a case that change after what they were for.
	_, err := s.Promotions.EditCoupon(audit.With(t.Context(), call("coupon")), 1, promotion.CouponChange{Days: new(9)})
	require.NoError(t, err)
	s.Clock.Move(time.Hour)
	require.NoError(t, s.Aftersales.Refund(t.Context(), owner, s.Int("SELECT id FROM aftersale WHERE status = 2")))
	require.Empty(t, s.Disagreements(), "the last without an audit record, as a job does it")

	// A browser pays. Hours later the platform collects once more under that number.
	id := s.Int("SELECT MAX(id) FROM orders WHERE order_status = 101")
	shopper := s.Int("SELECT user_id FROM orders WHERE id = ?", id)
	_, err = s.Orders.PrepayH5(t.Context(), shopper, id, "192.0.2.1")
	require.NoError(t, err)
	require.NoError(t, s.Deliver(s.Notification(id)))
	s.Clock.Move(3 * time.Hour)
	again := s.Notification(id)
	again.ID, again.TransactionID, again.Time = "again", "again", s.Clock.Now()
	require.NoError(t, s.Deliver(again))
	require.Empty(t, s.Disagreements())

	shipped := s.Int("SELECT MAX(id) FROM orders WHERE order_status = 301")
	require.NoError(t, s.Orders.Reship(audit.With(t.Context(), call("orders")), owner, shipped, "YTO", "YTO-1"))
	s.Exec("UPDATE payment_notify SET body = RPAD(body, 65536, ' ') WHERE notify_id = 'again'")
	s.Exec("UPDATE payment_notify SET body = CONCAT(LEFT(body, 65535), 'x') WHERE notify_id = 'again'")
	require.Empty(t, s.Disagreements(), "a corrected parcel, and a body that was cut off")

	s.Exec("INSERT INTO import_run (source, source_tz, add_time, update_time) VALUES ('shop', 'UTC', '2030-01-01', '2030-01-01')")
	s.Exec("UPDATE coupon_user SET end_time = end_time + INTERVAL 1 DAY")
	require.Empty(t, s.Disagreements(), "what was imported may have other dates")

	// Rows of earlier releases and of other shops: they say less, and their changes were not counted here.
	for _, statement := range []string{
		"UPDATE audit_log SET seal_no = NULL, seal_prev = NULL, seal_hash = NULL",
		"DELETE FROM list_counter WHERE scope LIKE 'audit:%'",
		"UPDATE audit_log SET after_json = JSON_REMOVE(after_json, '$.handleTime') WHERE target_type = 'aftersale'",
		"UPDATE order_status_log SET amount = NULL, reason = ''",
		"UPDATE coupon_user SET name = NULL, version = 0, start_time = add_time",
		"UPDATE orders SET version = 0", "UPDATE payment SET version = 0, trade_type = ''",
		"UPDATE refund SET version = 0, reason = 'none'", "UPDATE aftersale SET version = 0",
		"UPDATE groupon SET version = 0, creator_user_time = creator_user_time + INTERVAL 1 SECOND",
		"UPDATE coupon SET version = 0 WHERE id <> 1", "UPDATE user SET version = 0",
		"UPDATE refund SET add_time = add_time - INTERVAL 3 HOUR, update_time = update_time + INTERVAL 3 HOUR",
		"UPDATE payment_notify SET add_time = add_time - INTERVAL 3 HOUR",
	} {
		s.Exec(statement)
	}
	require.Empty(t, s.Disagreements())
	s.Exec("UPDATE payment_notify SET add_time = add_time + INTERVAL 1 DAY")
	for _, d := range s.Disagreements() {
		require.NotContains(t, d.String(), "not before its notice")
	}
}
