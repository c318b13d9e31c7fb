package orders_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/opencases"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/services/admin/internal/apitest"
)

const (
	cases   = "/admin/order/cases"
	settle  = "/admin/order/case/settle"
	repay   = "/admin/order/case/repay"
	retry   = "/admin/order/case/retry"
	dismiss = "/admin/order/case/dismiss"
)

// withCases is the shop of withOrders with an open case of each kind but returned refunds, a minute after another.
func withCases(t *testing.T) *apitest.Env {
	t.Helper()
	w := withOrders(t)
	s, ctx, lin := w.Shop, t.Context(), int64(2)
	s.Exec("DELETE FROM outbox_event WHERE topic NOT LIKE 'order.%'")
	shirt := s.Product("hat", money.Yuan(20), 50)
	_, err := s.Orders.Prepay(ctx, 1, 1, "192.0.2.1", "", "")
	require.NoError(t, err)
	wrong := s.Notification(1)
	wrong.Amount++
	require.Error(t, s.Deliver(wrong))

	s.Clock.Move(time.Minute)
	late := s.Order(lin, shirt)
	s.Exec("UPDATE orders SET order_sn = 'late' WHERE id = ?", late)
	_, err = s.Orders.Prepay(ctx, lin, late, "192.0.2.1", "", "")
	require.NoError(t, err)
	require.NoError(t, s.Orders.Cancel(ctx, lin, late))
	require.NoError(t, s.Deliver(s.Notification(late)))

	s.Clock.Move(time.Minute)
	s.Sandbox.Behave(sandbox.Behaviour{Mute: true})
	clerk(w).POST(refund, `{"orderId":4,"refundMoney":%s}`, s.Text("SELECT actual_price FROM orders WHERE id = 4")).
		Fails(errno.OrderRefundFailed)

	s.Clock.Move(time.Minute)
	s.Sandbox.Behave(sandbox.Behaviour{Refuse: true})
	clerk(w).POST(refund, `{"orderId":3,"refundMoney":%s}`, s.Text("SELECT actual_price FROM orders WHERE id = 3")).
		Fails(errno.OrderRefundFailed)
	s.Sandbox.Behave(sandbox.Behaviour{})

	s.Clock.Move(time.Minute)
	openGroup(t, w, lin)

	s.Clock.Move(time.Minute)
	s.Exec("DELETE FROM outbox_event WHERE topic NOT LIKE 'order.%'")
	s.Exec("INSERT INTO outbox_event (topic, event_key, payload, available_time, add_time) VALUES ('nobody.handles', "+
		"'nobody:1', 'null', ?, ?)", s.Clock.Now(), s.Clock.Now())
	_, err = s.Outbox.Deliver(ctx)
	require.NoError(t, err)
	s.Clock.Move(time.Hour)
	return w
}

// openGroup lets a shopper pay for the opening of a group whose offer then ends.
func openGroup(t *testing.T, w *apitest.Env, shopper int64) {
	t.Helper()
	s, ctx := w.Shop, t.Context()
	tea := s.Product("tea", money.Yuan(30), 50)
	rule, err := s.Promotions.CreateGroupRule(ctx, promotion.GroupRule{
		GoodsID: tea.GoodsID, GoodsName: "tea", Discount: money.Yuan(1), Members: 2,
		ExpireTime: s.Clock.Now().Add(time.Hour),
	})
	require.NoError(t, err)
	row, err := s.Cart.Set(ctx, shopper, tea)
	require.NoError(t, err)
	placed, err := s.Orders.Submit(ctx, shopper, order.Submission{Choice: order.Choice{
		Cart: row, Rule: rule, Address: s.Int("SELECT MAX(id) FROM address WHERE user_id = ?", shopper),
	}})
	require.NoError(t, err)
	s.Exec("UPDATE orders SET order_sn = 'group' WHERE id = ?", placed.OrderID)
	s.Pay(shopper, placed.OrderID)
	require.NoError(t, s.Orders.CloseGroupRule(ctx, rule, promotion.GroupRuleTakenDown))
}

// kinds returns the kinds of the open cases and their ids.
func kinds(w *apitest.Env, query string) map[string]int64 {
	var page struct {
		List []struct {
			Kind string
			ID   int64
		}
	}
	clerk(w).GET(cases + query).OK().Data(&page)
	found := map[string]int64{}
	for _, c := range page.List {
		found[c.Kind] = c.ID
	}
	return found
}

func TestCases(t *testing.T) {
	t.Parallel()
	w := withCases(t)
	clerk(w).GET(cases).OK().Golden("cases")
	require.Len(t, kinds(w, ""), len(opencases.Kinds())-1)
	for _, kind := range opencases.Kinds() {
		if kind == opencases.ReturnedRefund {
			clerk(w).GET(cases + "?kind=" + string(kind)).Empty()
			continue
		}
		require.Len(t, kinds(w, "?kind="+string(kind)), 1, kind)
	}
	require.Equal(t, clerk(w).GET(cases+"?limit=2&page=2").IDs(), clerk(w).GET(cases + "?limit=4").IDs()[2:])
	newest := clerk(w).GET(cases + "?order=desc").IDs()
	oldest := clerk(w).GET(cases).IDs()
	for i, id := range newest {
		require.Equal(t, oldest[len(oldest)-1-i], id)
	}
	clerk(w).GET(cases + "?kind=other").Fails(errno.Invalid)
	w.Operator("lister", "admin:order:list").GET(cases).Fails(errno.NoPermission)
	agree(t, w.Shop)
}

func TestCasesAreCounted(t *testing.T) {
	t.Parallel()
	w := withCases(t)
	n, _ := w.Shop.Cases.Backlog(opencases.DeadLetter)
	require.True(t, math.IsNaN(n), "nothing is known before the first count")
	require.NoError(t, w.Shop.Cases.Refresh(t.Context()))
	n, age := w.Shop.Cases.Backlog(opencases.DeadLetter)
	require.InDelta(t, 1, n, 0)
	require.InDelta(t, time.Hour.Seconds(), age, 0)
	n, age = w.Shop.Cases.Backlog(opencases.ReturnedRefund)
	require.Zero(t, n)
	require.Zero(t, age)
}

func TestSettleCase(t *testing.T) {
	t.Parallel()
	w := withCases(t)
	id := kinds(w, "")["refused-notice"]
	clerk(w).POST(settle, `{"id":%d}`, id).Fails(errno.Missing)
	clerk(w).POST(settle, `{"id":99,"note":"paid back"}`).Fails(errno.Invalid)
	keyed := clerk(w).With("Idempotency-Key", "settle-1")
	keyed.POST(settle, `{"id":%d,"note":"已在平台退款"}`, id).OK().Golden("settle")
	keyed.POST(settle, `{"id":%d,"note":"已在平台退款"}`, id).OK()
	clerk(w).POST(settle, `{"id":%d,"note":"again"}`, id).Fails(errno.Stale)
	require.NotContains(t, kinds(w, ""), "refused-notice")
	wrong := w.Shop.Notification(1)
	wrong.Amount++
	require.NoError(t, w.Shop.Deliver(wrong), "the platform need not send it again")
	require.NotContains(t, kinds(w, ""), "refused-notice")
	agree(t, w.Shop)
}

func TestRepayCase(t *testing.T) {
	t.Parallel()
	w := withCases(t)
	s := w.Shop
	open := kinds(w, "")
	clerk(w).POST(repay, `{"id":99,"note":"by bank"}`).Fails(errno.Invalid)
	clerk(w).POST(repay, `{"id":%d,"note":"by bank"}`, open["unanswered-refund"]).Fails(errno.Stale)
	clerk(w).POST(repay, `{"id":%d,"note":"by bank"}`, open["late-money"]).Fails(errno.Stale)
	keyed := clerk(w).With("Idempotency-Key", "repay-1")
	keyed.POST(repay, `{"id":%d,"note":"银行转账"}`, open["refused-refund"]).OK().Golden("repay")
	keyed.POST(repay, `{"id":%d,"note":"银行转账"}`, open["refused-refund"]).OK()
	require.EqualValues(t, 203, s.Int("SELECT order_status FROM orders WHERE id = 3"))
	require.NotContains(t, kinds(w, ""), "refused-refund")
	s.Sandbox.Behave(sandbox.Behaviour{Refuse: true})
	_, err := s.Payments.RetryRefunds(t.Context()) // the platform refuses the late money
	require.NoError(t, err)
	clerk(w).POST(repay, `{"id":%d,"note":"银行转账"}`, open["late-money"]).OK()
	require.EqualValues(t, payment.RefundDone, s.Int("SELECT status FROM refund WHERE id = ?", open["late-money"]))
	require.NotContains(t, kinds(w, ""), "late-money")
	agree(t, s)
}

func TestRefundOfAFailedGroupClosesTheCase(t *testing.T) {
	t.Parallel()
	w := withCases(t)
	of := w.Shop.Int("SELECT order_id FROM refund WHERE id = ?", kinds(w, "")["failed-group"])
	clerk(w).POST(refund, `{"orderId":%d,"refundMoney":%s}`, of,
		w.Shop.Text("SELECT actual_price FROM orders WHERE id = ?", of)).OK()
	require.NotContains(t, kinds(w, ""), "failed-group")
	_, err := w.Shop.Payments.RetryRefunds(t.Context())
	require.NoError(t, err)
	require.NotContains(t, kinds(w, ""), "unanswered-refund", "the job has settled it")
	require.NotContains(t, kinds(w, ""), "late-money")
	agree(t, w.Shop)
}

func TestRetryAndDismissCase(t *testing.T) {
	t.Parallel()
	w := withCases(t)
	id := kinds(w, "")["dead-letter"]
	clerk(w).POST(retry, `{"id":99}`).Fails(errno.Invalid)
	clerk(w).POST(retry, `{"id":%d}`, id).OK().Golden("retry")
	clerk(w).POST(retry, `{"id":%d}`, id).Fails(errno.Stale)
	clerk(w).POST(dismiss, `{"id":%d,"note":"early"}`, id).Fails(errno.Stale)
	require.NotContains(t, kinds(w, ""), "dead-letter")
	_, err := w.Shop.Outbox.Deliver(t.Context())
	require.NoError(t, err)
	require.Equal(t, id, kinds(w, "")["dead-letter"], "it was given up again")
	clerk(w).POST(dismiss, `{"id":99,"note":"no longer"}`).Fails(errno.Invalid)
	clerk(w).POST(dismiss, `{"id":%d,"note":"不再需要"}`, id).OK().Golden("dismiss")
	require.NotContains(t, kinds(w, ""), "dead-letter")
}

// agree fails the test if the books disagree otherwise than by their dead letter, which waits for staff.
func agree(t *testing.T, s *domaintest.Shop) {
	t.Helper()
	for _, d := range s.Disagreements() {
		if d.Table != "outbox_event" || d.What != "state" {
			t.Errorf("the books disagree: %s", d)
		}
	}
}
