package order_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// The platform accepts the refund and its answer is lost: the operator gets an error, and the notification, the outbox
// or the job completes the refund. None of them pays twice, and the audit record names the operator.
func TestWechatRefundWithoutAnswer(t *testing.T) {
	t.Parallel()
	for name, finish := range map[string]func(p *paying, refund string){
		"notice": func(p *paying, refund string) {
			require.NoError(p.t, p.take(p.platform.RefundNotification(refund, "SUCCESS", 10000)))
			require.Equal(p.t, int64(order.RefundAsked), p.Int("SELECT order_status FROM orders"), "the notice moves no order")
			p.deliver()
		},
		"outbox": func(p *paying, _ string) {
			p.Clock.Move(31 * time.Second)
			p.deliver()
		},
		"job": func(p *paying, _ string) {
			p.Clock.Move(5*time.Minute + time.Second)
			changed, err := p.Payments.RetryRefunds(p.t.Context())
			require.NoError(p.t, err)
			require.Equal(p.t, 1, changed)
		},
		"a refusal of the repetition": func(p *paying, _ string) {
			p.platform.Answer(func(r *http.Request) (int, string, bool) {
				return 403, `{"code":"NOT_ENOUGH","message":"x"}`, r.Method == http.MethodPost
			})
			p.Clock.Move(5*time.Minute + time.Second)
			_, err := p.Payments.RetryRefunds(p.t.Context())
			require.NoError(p.t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := openWechat(t)
			id, refund := p.asked()
			p.platform.Answer(func(*http.Request) (int, string, bool) { return 502, "", true })
			ctx := keyed(called(t.Context(), "r1", "退款"), "h")
			require.ErrorIs(t, p.Orders.Refund(ctx, clerk, id, 10000), errno.OrderRefundFailed)
			require.ErrorIs(t, p.Orders.Refund(ctx, clerk, id, 10000), errno.Stale, "it is under way, not failed")
			require.ErrorIs(t, p.Orders.Refund(keyed(ctx, "other"), clerk, id, 10000), errno.Invalid, "another body")
			require.Equal(t, int64(order.RefundAsked), p.status(id))
			require.Equal(t, int64(1), p.Int("SELECT status FROM refund"))
			require.Equal(t, []string{"clerk|退款|0||2030-01-02 04:00:00.000"}, records(p.Shop))
			p.Agree()
			p.platform.Answer(nil)
			finish(p, refund)
			require.Equal(t, int64(order.Refunded), p.status(id))
			require.NoError(t, p.Orders.Refund(ctx, clerk, id, 10000), "the answer of whoever has finished it")
			require.ErrorIs(t, p.Orders.Refund(t.Context(), clerk, id, 10000), errno.OrderConfirmNotAllowed, "without the key")
			require.Equal(t, int64(2), p.Int("SELECT status FROM refund"))
			at := p.Clock.Now().Format("2006-01-02 15:04:05.000")
			require.Equal(t, []string{
				"clerk|r1|1|" + at, "clerk|退款|0||2030-01-02 04:00:00.000", "clerk|退款|1||" + at,
			}, records(p.Shop), "the operator's own record, of the moment when the money went")
			p.Agree()
		})
	}
}

// keyed returns the context of a call with an idempotency key; hash stands for its body.
func keyed(ctx context.Context, hash string) context.Context {
	return idempotency.With(ctx, idempotency.Request{Scope: "order.refund", Owner: 1, Key: "k", Hash: hash})
}

// An operator whose call timed out releases the refund again, under another key: both keys get the answer.
func TestTwoKeysOfARefund(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	id, _ := p.asked()
	second := idempotency.With(t.Context(), idempotency.Request{Scope: "order.refund", Owner: 2, Key: "k2", Hash: "h"})
	p.platform.Answer(func(*http.Request) (int, string, bool) { return 502, "", true })
	for _, ctx := range []context.Context{keyed(t.Context(), "h"), second} {
		require.ErrorIs(t, p.Orders.Refund(ctx, actor.Operator(1), id, 10000), errno.OrderRefundFailed)
		p.Clock.Move(5*time.Minute + time.Second)
	}
	p.platform.Answer(nil)
	_, err := p.Payments.RetryRefunds(t.Context())
	require.NoError(t, err)
	for _, ctx := range []context.Context{keyed(t.Context(), "h"), second} {
		require.NoError(t, p.Orders.Refund(ctx, actor.Operator(1), id, 10000))
	}
	require.EqualValues(t, 2, p.Int("SELECT COUNT(*) FROM idempotency WHERE state = 1"))
	p.Agree()
}

// Twenty equal requests with one key: one refund, and no answer but success or that it is in progress.
func TestKeyedRefundsAtOnce(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	id, _ := p.asked()
	ctx := keyed(t.Context(), "h")
	got := domaintest.Together(20, func(int) error { return p.Orders.Refund(ctx, actor.Operator(1), id, 10000) })
	require.Equal(t, 20, got[0]+got[504], "%v", got)
	require.NoError(t, p.Orders.Refund(ctx, actor.Operator(1), id, 10000))
	require.EqualValues(t, 1, p.Int("SELECT attempts FROM refund"))
	p.Agree()
}

func TestWechatRefundFails(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	id, refund := p.asked()
	ctx := keyed(t.Context(), "h")
	p.platform.Answer(func(*http.Request) (int, string, bool) { return 502, "", true })
	require.ErrorIs(t, p.Orders.Refund(ctx, actor.Operator(1), id, 10000), errno.OrderRefundFailed)
	p.platform.Answer(nil)
	require.NoError(t, p.take(p.platform.RefundNotification(refund, "CLOSED", 10000)))
	require.Equal(t, int64(3), p.Int("SELECT status FROM refund"))
	require.Equal(t, int64(order.RefundAsked), p.status(id))
	p.Agree()
	require.NoError(t, p.Orders.Refund(ctx, actor.Operator(1), id, 10000), "it is tried again, under the same key")
	require.NoError(t, p.Orders.Refund(ctx, actor.Operator(1), id, 10000), "the first answer")
	require.Equal(t, int64(order.Refunded), p.status(id))
	p.Agree()
}

// refusedLate returns the refund of a late payment that the platform has refused; it accepts later ones.
func (p *paying) refusedLate() (refund int64) {
	p.t.Helper()
	id, number := p.announced()
	p.platform.Pay(number)
	require.NoError(p.t, p.Orders.Cancel(p.t.Context(), p.lin, id))
	require.NoError(p.t, p.take(p.platform.Notification(number, nil)))
	p.platform.Answer(func(r *http.Request) (int, string, bool) {
		return 403, `{"code":"NOT_ENOUGH","message":"x"}`, r.URL.Path != "/v3/pay/transactions/out-trade-no/"+number+"/close"
	})
	p.deliver()
	p.platform.Answer(nil)
	return p.Int("SELECT id FROM refund WHERE status = 3")
}

func TestWechatRefusedRefundOfLateMoney(t *testing.T) {
	t.Parallel()
	p := openWechat(t)
	p.refusedLate()
	p.Agree()
	changed, err := p.Payments.RetryRefunds(t.Context())
	require.NoError(t, err)
	require.Zero(t, changed, "not at once")
	p.Clock.Move(time.Hour + time.Second)
	changed, err = p.Payments.RetryRefunds(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, changed)
	require.Equal(t, int64(2), p.Int("SELECT status FROM refund"))
	p.Agree()
}
