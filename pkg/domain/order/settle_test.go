package order_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/opencases"
	"shop.internal/pkg/domain/order"
)

func (p *paying) open(kind opencases.Kind) []opencases.Case {
	p.t.Helper()
	l, err := p.Cases.List(p.t.Context(), kind, page.Query{Page: 1, Limit: 10})
	require.NoError(p.t, err)
	return l.Items
}

// A refund that the platform has accepted and then not paid waits for staff, and so does one that it paid
// isSimpleRequest.
func TestReturnedRefundNeedsStaff(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	id, _ := p.paid()
	require.NoError(t, p.Orders.AskRefund(t.Context(), p.lin, id))
	number := p.Text("SELECT out_refund_no FROM refund WHERE order_id = ?", id)
	require.NoError(t, p.take(p.platform.RefundNotification(number, "SUCCESS", 10000)))
	require.Len(t, p.open(opencases.ReturnedRefund), 1, "unasked")
	require.NoError(t, p.Orders.Refund(t.Context(), actor.Operator(1), id, 10000))
	header, body := p.platform.RefundNotification(number, "ABNORMAL", 10000)
	require.NoError(t, p.take(header, body))
	found := p.open(opencases.ReturnedRefund)
	require.Len(t, found, 2)
	require.Equal(t, number, found[1].Number)
	require.Equal(t, id, found[1].OrderID)
	require.NotEmpty(t, found[1].Detail)
	for _, c := range found {
		require.NoError(t, p.Orders.ResolveNotification(t.Context(), c.ID, "paid by bank"))
	}
	require.NoError(t, p.take(header, body), "a repetition is accepted")
	require.Empty(t, p.open(opencases.ReturnedRefund))
	require.ErrorIs(t, p.Orders.ResolveNotification(t.Context(), found[1].ID, "again"), errno.Stale)
	p.Agree()
}

// A payment of a wrong amount whose order ends is one case: that the payment cannot be closed tells nothing new, and is
// no dead letter.
func TestWrongAmountOfAnOrderThatEnds(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	id, number := p.announced()
	p.platform.Pay(number)
	p.Exec("UPDATE payment SET amount = 99 WHERE out_trade_no = ?", number)
	require.NoError(t, p.Orders.Cancel(t.Context(), p.lin, id))
	_, err := p.Outbox.Deliver(t.Context())
	require.NoError(t, err)
	require.Zero(t, p.Int("SELECT COUNT(*) FROM outbox_event WHERE topic = 'payment.close' AND state <> 1"))
	require.Len(t, p.open(opencases.RejectedNotification), 1)
}

// A payment of a wrong amount that only a query finds waits for staff too, once.
func TestWrongAmountFoundByQuery(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	_, number := p.announced()
	p.platform.Pay(number)
	p.Exec("UPDATE payment SET amount = 99 WHERE out_trade_no = ?", number)
	for range 3 {
		p.Clock.Move(2 * time.Minute)
		_, err := p.Payments.QueryOpen(t.Context())
		require.ErrorIs(t, err, order.ErrNotTaken)
	}
	found := p.open(opencases.RejectedNotification)
	require.Len(t, found, 1)
	require.EqualValues(t, 10000, found[0].Amount)
	require.NoError(t, p.Orders.ResolveNotification(t.Context(), found[0].ID, "paid back"))
	p.Clock.Move(2 * time.Minute)
	_, err := p.Payments.QueryOpen(t.Context())
	require.ErrorIs(t, err, order.ErrNotTaken)
	require.Empty(t, p.open(opencases.RejectedNotification))
	require.ErrorIs(t, p.take(p.platform.Notification(number, nil)), order.ErrNotTaken)
}
