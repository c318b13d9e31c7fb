package report_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/report"
)

// compound are corruptions of several columns that agree with each other, which a corruption of one column is not.
var compound = map[string]struct {
	corrupt []string
	want    string
}{
	"a refund done while its order waits to be shipped": {[]string{
		"UPDATE refund SET status = 2, done_time = update_time, channel_refund_id = 'x' WHERE status = 4",
		"UPDATE refund SET active_mark = 0 WHERE channel_refund_id = 'x'",
	}, "refund"},
	"an order paid by an invented transaction": {[]string{
		"UPDATE orders SET pay_id = 'invented' WHERE order_status = 201 AND pay_channel = 'sandbox' ORDER BY id LIMIT 1",
		"UPDATE payment p JOIN orders o ON o.id = p.order_id SET p.transaction_id = o.pay_id, p.out_trade_no = " +
			"CONCAT(p.out_trade_no, 'x') WHERE o.pay_id = 'invented'",
	}, "payment"},
	"late money whose refund was refused": {[]string{
		"UPDATE refund r JOIN payment p ON p.id = r.payment_id SET r.status = 4, r.active_mark = r.id, p.refunded_amount = 0 " +
			"WHERE p.status = 5",
	}, "payment"},
	"two copies of a coupon for one per person": {[]string{
		"INSERT INTO coupon_user (user_id, coupon_id, seq, start_time, end_time, add_time, update_time) SELECT user_id, " +
			"coupon_id, seq + 1, start_time, end_time, add_time, update_time FROM coupon_user WHERE coupon_id = 1 ORDER BY id LIMIT 1",
		"UPDATE coupon SET received = received + 1, update_time = update_time + INTERVAL 1 DAY WHERE id = 1",
	}, "coupon_user"},
	"a discount without a coupon": {[]string{
		"UPDATE orders SET coupon_user_id = 0 WHERE coupon_price > 0 AND order_status = 201",
		"UPDATE coupon_user SET status = 0, order_id = NULL, used_time = NULL WHERE status = 1",
	}, "orders"},
	"stock raised by a row that names no audit record": {[]string{
		"UPDATE goods_product SET number = number + 5 WHERE id = 1",
		"INSERT INTO stock_log (product_id, reason, delta, ref_key, operator_type, operator_id, add_time) SELECT 1, 7, 5, " +
			"'edit:999999:1', 2, 1, MAX(add_time) FROM audit_log",
	}, "stock_log"},
	"a history without its middle": {[]string{
		"DELETE FROM order_status_log WHERE to_status = 201 AND from_status = 101 ORDER BY id LIMIT 1",
	}, "orders"},
	"an impossible history": {[]string{
		"UPDATE order_status_log SET to_status = 401 WHERE to_status = 201 ORDER BY id LIMIT 1",
		"UPDATE order_status_log SET from_status = 401 WHERE from_status = 201 ORDER BY id LIMIT 1",
	}, "orders"},
	"a live order removed with its lines": {[]string{
		"UPDATE orders SET deleted = 1 WHERE order_status = 301",
		"UPDATE order_goods g JOIN orders o ON o.id = g.order_id SET g.deleted = o.deleted",
	}, "orders"},
	"a shopper with live orders removed": {[]string{"UPDATE user SET deleted = 1, del_mark = id"}, "user"},
	"an account found by another identity": {[]string{
		"UPDATE user SET username = 'wx_lin', wx_openid = 'o-lin', username_key = '#o-mo' ORDER BY id LIMIT 1",
	}, "user"},
	"an account no longer found by its name": {[]string{
		"UPDATE user SET wx_openid = 'o-lin', username_key = '#o-lin' ORDER BY id LIMIT 1",
	}, "user"},
	"a dead letter": {[]string{"UPDATE outbox_event SET state = 2, locked_until = NULL ORDER BY id LIMIT 1"}, "outbox_event"},
	"a right granted without a record": {[]string{
		"INSERT INTO permission (role_id, permission, add_time, update_time) SELECT 2, 'admin:admin:create', MAX(add_time), " +
			"MAX(add_time) FROM audit_log",
	}, "permission"},
}

func TestCompoundCorruptionsAreNamed(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	defer b.close()
	for name, tt := range compound {
		t.Run(name, func(t *testing.T) {
			for _, statement := range tt.corrupt {
				n, err := b.TryExec(statement)
				require.NoError(t, err)
				require.Positive(t, n, statement)
			}
			var tables []string
			require.NoError(t, b.Report.Verify(t.Context(), func(d report.Disagreement) error {
				tables = append(tables, d.Table)
				return nil
			}, nil))
			require.Contains(t, tables, tt.want)
			for _, d := range b.tables {
				if unread[d.name] == "" {
					b.restore(d)
				}
			}
		})
	}
}

// A verification in steps finds what one at once does, wherever it pauses.
func TestStepsFindTheSame(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	s.Fill()
	s.Exec("UPDATE orders SET comments = 99")
	whole := 0
	count := func(report.Disagreement) error { whole++; return nil }
	require.NoError(t, s.Report.Verify(t.Context(), count, nil))
	require.Positive(t, whole)
	s.Report.SetSpan(3)
	round := s.Report.Begin()
	steps := 0
	for done := false; !done; steps++ {
		var err error
		done, err = round.Step(t.Context(), -1)
		require.NoError(t, err)
	}
	require.Equal(t, whole, round.Found)
	require.Len(t, round.First, 5)
	require.Greater(t, steps, 100)
}

func TestVerifyEndsWhereItsCallerDoes(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	s.Fill()
	s.Exec("UPDATE orders SET comments = 99")
	enough := errors.New("enough")
	n := 0
	err := s.Report.Verify(t.Context(), func(report.Disagreement) error { n++; return enough }, nil)
	require.ErrorIs(t, err, enough)
	require.Equal(t, 1, n)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, s.Report.Verify(ctx, nil, nil), context.Canceled)
}
