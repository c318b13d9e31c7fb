package aftersale_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/platform/errno"
)

func (w *world) state() string {
	return w.Text("SELECT CONCAT_WS('/', (SELECT GROUP_CONCAT(CONCAT_WS('|', id, aftersale_status, version) ORDER BY id) " +
		"FROM orders), (SELECT GROUP_CONCAT(CONCAT_WS('|', id, status, deleted, version) ORDER BY id) FROM aftersale), " +
		"(SELECT COUNT(*) FROM log), (SELECT COUNT(*) FROM outbox_event), (SELECT COUNT(*) FROM stock_log), " +
		"(SELECT COUNT(*) FROM refund))")
}

// A case and its order change atomically.
func TestTransitionsAreAtomic(t *testing.T) {
	t.Parallel()
	w := open(t)
	id := w.received()
	w.ask(id, aftersale.RefundOnly, 1)
	unchanged := func() func(int) {
		before := w.state()
		return func(n int) { require.Equal(t, before, w.state(), "statement %d", n) }
	}
	var c int64
	w.FailEach(func(ctx context.Context) (err error) {
		c, err = w.Aftersales.Submit(ctx, w.lin, wish(id, aftersale.Returned, 2))
		return err
	}, unchanged())
	w.FailEach(func(ctx context.Context) error { return w.Aftersales.Cancel(ctx, w.lin, c) }, unchanged())
	c = w.ask(id, aftersale.Returned, 2900)
	w.FailEach(func(ctx context.Context) error { return w.Aftersales.Accept(ctx, staff, c) }, unchanged())
}

// However a refund is interrupted, the outbox or another attempt completes it once and leaves one record of the
// operator who requested it.
func TestARefundSurvivesEveryFailure(t *testing.T) {
	t.Parallel()
	w := open(t)
	for n := 1; ; n++ {
		require.Less(t, n, 60)
		before := w.stock()
		id, c := w.accepted(aftersale.Returned, 2900)
		ctx, reached := domaintest.FailAt(called(t.Context(), "退款"), n)
		err := w.Aftersales.Refund(ctx, staff, c)
		w.Agree()
		if !reached() {
			require.NoError(t, err)
			require.Greater(t, n, 15)
			return
		}
		require.Error(t, err, n)
		w.Clock.Move(10 * time.Minute)
		_, err = w.Outbox.Deliver(t.Context())
		require.NoError(t, err)
		w.Clock.Move(10 * time.Minute)
		if err := w.Aftersales.Refund(called(t.Context(), "退款"), staff, c); err != nil && !errors.Is(err, errno.OrderConfirmNotAllowed) {
			t.Fatal(n, err)
		}
		require.Equal(t, "3|3|401", w.shown(id), n)
		require.Equal(t, before, w.stock(), n)
		require.EqualValues(t, n, w.Int("SELECT COUNT(*) FROM refund WHERE status = 2"))
		require.EqualValues(t, 1, w.Int("SELECT COUNT(*) FROM audit_log WHERE target_id = ? AND admin_id = 7 AND "+
			"request_id = 'the request'", c), n)
		w.Agree()
	}
}
