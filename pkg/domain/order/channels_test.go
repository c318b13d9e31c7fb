package order_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/domaintest/toypay"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/payment/stripe"
	"shop.internal/pkg/domain/payment/transfer"
)

// account is where shoppers of the tests transfer money to.
const account = "Bank of Tests, 1234"

// withToy are the providers of the tests and a further one: its package, and the line here.
type withToy struct {
	Sandbox  sandbox.Section
	Transfer transfer.Section
	Stripe   stripe.Section
	Toy      toypay.Section
}

// channelled is a shop with several channels, a shopper, and goods to buy.
type channelled struct {
	*domaintest.Shop
	t    *testing.T
	lin  int64
	toy  *toypay.Gateway
	list withToy
}

// offering is a shop that offers channels, of those in withToy.
func offering(t *testing.T, offered ...string) *channelled {
	t.Helper()
	c := &channelled{Shop: domaintest.Open(t), t: t, list: withToy{
		Transfer: transfer.Section{Account: account, Wait: 72 * time.Hour}, Toy: toypay.Section{Secret: "s", Platform: toypay.NewPlatform()},
	}}
	c.lin = c.Shopper("lin")
	c.offer(offered...)
	return c
}

// offer opens the shop again with other channels on offer.
func (c *channelled) offer(offered ...string) {
	c.t.Helper()
	c.Domain = c.With(func(cfg *app.Config) {
		cfg.Payment.Providers, cfg.Payment.Offered = payment.ProvidersOf(&c.list), offered
	})
	if toy := toypay.Of(c.Payments.Channels().Gateways()); toy != nil {
		c.toy = toy
	}
	if c.Sandbox != nil {
		c.Sandbox.Behave(sandbox.Behaviour{Silent: true})
	}
}

// begun is the number of an order's payment that has begun by a channel.
func (c *channelled) begun(id int64, channel string) string {
	c.t.Helper()
	_, err := c.Orders.Prepay(c.t.Context(), c.lin, id, "192.0.2.1", channel, "")
	require.NoError(c.t, err)
	return c.Text("SELECT out_trade_no FROM payment WHERE order_id = ? ORDER BY id DESC LIMIT 1", id)
}

// payByToy makes a payment by the toy and delivers the notification to the toy's address.
func (c *channelled) payByToy(number string) error {
	amount, err := money.Parse(c.Text("SELECT amount FROM payment WHERE out_trade_no = ?", number))
	require.NoError(c.t, err)
	header, body := c.toy.Pay(number, amount, c.Clock.Now())
	return c.Orders.HandleNotification(c.t.Context(), "toy", header, body)
}

func (c *channelled) tea(name string, stock int) cart.AddRequest {
	return c.Product(name, 10000, stock)
}

// A provider is one package and one line: an order is paid and refunded by it, and the books know its code and how it
// calls its refunds.
func TestAProviderIsOnePackageAndOneLine(t *testing.T) {
	t.Parallel()
	c := offering(t, "sandbox", "toy")
	require.Equal(t, "http://shop.test/wx/order/pay-notify/toy", c.toy.Address)
	id := c.Order(c.lin, c.tea("tea", 10))
	answer, err := c.Orders.Prepay(t.Context(), c.lin, id, "192.0.2.1", "toy", "")
	require.NoError(t, err)
	require.Equal(t, payment.KindQR, answer.Kind)
	number := c.Text("SELECT out_trade_no FROM payment WHERE channel = 'toy' AND trade_type = 'SCAN' AND status = 1")
	require.Equal(t, "toy://pay/"+number, answer.Code)
	require.NoError(t, c.payByToy(number))
	require.NoError(t, c.payByToy(number), "the same notification again")
	require.Equal(t, "toy", c.Text("SELECT pay_channel FROM orders WHERE order_status = 201"))
	c.Agree()
	require.NoError(t, c.Orders.AskRefund(t.Context(), c.lin, id))
	require.NoError(t, c.Orders.Refund(t.Context(), clerk, id, 10000))
	require.Equal(t, "玩具退款", c.Text("SELECT refund_type FROM orders"))
	require.Len(t, c.toy.Refunds(), 1)
	require.Empty(t, c.Sandbox.Refunds())
	c.Agree()
	c.Exec("UPDATE orders SET refund_type = '微信退款接口'")
	require.NotEmpty(t, c.Disagreements(), "the channel says how it was refunded")
}

// An order that is paid through two channels at the same moment is paid once, and the other payment goes back by its
// own provider.
func TestPaidByTwoChannelsAtOnce(t *testing.T) {
	t.Parallel()
	c := offering(t, "sandbox", "toy")
	for round := range 2 * rounds {
		tea := c.tea(strings.Repeat("x", round+1), 10)
		id := c.Order(c.lin, tea)
		channels := []string{"sandbox", "toy"}
		if round%2 == 1 {
			channels = []string{"toy", "sandbox"}
		}
		numbers := map[string]string{channels[0]: c.begun(id, channels[0])}
		first := c.Notification(id)
		numbers[channels[1]] = c.begun(id, channels[1])
		n := c.Notification(id)
		if round%2 == 0 {
			n = first
		}
		n.ID = "sandbox-" + n.OutTradeNo
		codes := domaintest.AtOnce(
			func() error { return c.Deliver(n) },
			func() error { return c.payByToy(numbers["toy"]) },
		)
		require.Equal(t, outcomes{0: 2}, codes)
		require.Equal(t, "2,5", c.Text("SELECT GROUP_CONCAT(status ORDER BY status) FROM payment WHERE order_id = ?", id))
		_, err := c.Outbox.Deliver(t.Context())
		require.NoError(t, err)
		late := c.Text("SELECT channel FROM payment WHERE order_id = ? AND status = 5", id)
		require.NotEqual(t, late, c.Text("SELECT pay_channel FROM orders WHERE id = ?", id))
		require.Equal(t, "2|"+numbers[late], c.Text(`SELECT CONCAT_WS('|', r.status, p.out_trade_no)
			FROM refund r JOIN payment p ON p.id = r.payment_id WHERE r.order_id = ?`, id))
		back := c.toy.Refunds()
		if late == "sandbox" {
			back = c.Sandbox.Refunds()
		}
		found := false
		for _, r := range back {
			found = found || r.OutTradeNo == numbers[late]
		}
		require.True(t, found, "its own provider returns the money")
		c.Agree()
	}
}

// What a channel has collected is refunded, queried and notified by it, also when the shop no longer offers it.
func TestAChannelThatIsNoLongerOffered(t *testing.T) {
	t.Parallel()
	c := offering(t, "toy")
	tea := c.tea("tea", 10)
	paid, open, silent := c.Order(c.lin, tea), c.Order(c.lin, tea), c.Order(c.lin, tea)
	require.NoError(t, c.payByToy(c.begun(paid, "toy")))
	require.NoError(t, c.Orders.AskRefund(t.Context(), c.lin, paid))
	told, asked := c.begun(open, "toy"), c.begun(silent, "toy")
	c.offer("sandbox")
	_, err := c.Orders.Prepay(t.Context(), c.lin, open, "192.0.2.1", "toy", "")
	require.ErrorIs(t, err, errno.OrderPayFailed)
	require.NoError(t, c.payByToy(told))
	require.NoError(t, c.Orders.Refund(t.Context(), clerk, paid, 10000))
	require.Len(t, c.toy.Refunds(), 1)
	c.toy.Pay(asked, 10000, c.Clock.Now())
	c.Clock.Move(2 * time.Minute)
	n, err := c.Payments.QueryOpen(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, "203,201,201", c.Text("SELECT GROUP_CONCAT(order_status ORDER BY id) FROM orders"))
	c.Agree()
	// Without its section no gateway can refund: the refund waits, and nothing is lost.
	require.NoError(t, c.Orders.AskRefund(t.Context(), c.lin, open))
	c.list.Toy.Secret = ""
	c.offer("sandbox")
	require.ErrorIs(t, c.Orders.Refund(t.Context(), clerk, open, 10000), errno.OrderRefundFailed)
	require.EqualValues(t, 1, c.Int("SELECT status FROM refund WHERE order_id = ?", open))
	c.list.Toy.Secret = "s"
	c.offer("sandbox")
	c.Clock.Move(6 * time.Minute)
	_, err = c.Payments.RetryRefunds(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 203, c.Int("SELECT order_status FROM orders WHERE id = ?", open))
	c.Agree()
}

// After a restore, the shop asks every channel about orders of whose payment no row is left.
func TestReconcilingAsksEveryChannel(t *testing.T) {
	t.Parallel()
	c := offering(t, "sandbox", "toy")
	id := c.Order(c.lin, c.tea("tea", 10))
	c.toy.Pay(c.Text("SELECT order_sn FROM orders"), 10000, c.Clock.Now())
	require.NoError(t, c.Orders.ReconcilePayments(t.Context(), func(a order.Reconciled) {
		require.NoError(t, a.Err)
		require.True(t, a.Paid)
	}))
	require.Equal(t, "201|toy", c.Text("SELECT CONCAT_WS('|', order_status, pay_channel) FROM orders WHERE id = ?", id))
	c.Agree()
}

// A channel proves payments of its own only, wherever its notification is sent to.
func TestAChannelProvesNoOtherPayments(t *testing.T) {
	t.Parallel()
	c := offering(t, "sandbox", "toy")
	id := c.Order(c.lin, c.tea("tea", 10))
	number := c.begun(id, "sandbox")
	header, body := c.toy.Pay(number, 10000, c.Clock.Now())
	for _, address := range []string{"", "toy"} {
		err := c.Orders.HandleNotification(t.Context(), address, header, body)
		require.ErrorIs(t, err, order.ErrNotTaken)
	}
	for _, address := range []string{"sandbox", "nobody"} {
		err := c.Orders.HandleNotification(t.Context(), address, header, body)
		require.ErrorIs(t, err, payment.ErrSignature)
	}
	require.EqualValues(t, order.Unpaid, c.Int("SELECT order_status FROM orders"))
	own, text, err := c.Sandbox.Compose(t.Context(), c.Notification(id))
	require.NoError(t, err)
	require.ErrorIs(t, c.Orders.HandleNotification(t.Context(), "toy", own.Get, text), payment.ErrSignature)
	require.NoError(t, c.Orders.HandleNotification(t.Context(), "sandbox", own.Get, text))
	require.EqualValues(t, order.Paid, c.Int("SELECT order_status FROM orders"))
	c.Agree()
}

// A client that names no channel gets the first one that answers in the contract's shape; where there is none, it is
// told how the shop is paid, and nothing is written.
func TestTheFirstChannelThatFits(t *testing.T) {
	t.Parallel()
	c := offering(t, "toy", "transfer", "sandbox")
	ctx := t.Context()
	id := c.Order(c.lin, c.tea("tea", 10))
	answer, err := c.Orders.Prepay(ctx, c.lin, id, "192.0.2.1", "", "")
	require.NoError(t, err)
	require.Equal(t, "sandbox", answer.Channel.Code)
	require.NotEmpty(t, answer.Params.PaySign)
	answer, err = c.Orders.PrepayH5(ctx, c.lin, id, "192.0.2.1", "", "", "")
	require.NoError(t, err)
	require.Equal(t, payment.KindPage, answer.Kind)
	require.NotEmpty(t, answer.Address)
	answer, err = c.Orders.Prepay(ctx, c.lin, id, "192.0.2.1", "sandbox", payment.KindOffline)
	require.NoError(t, err)
	require.NotEmpty(t, answer.Reference)
	_, err = c.Orders.PrepayH5(ctx, c.lin, id, "192.0.2.1", "", "toy", "")
	require.ErrorIs(t, err, errno.OrderPayFailed, "the toy has no page")
	c.Agree()

	for _, tt := range []struct {
		offered []string
		says    string
	}{
		{[]string{"toy", "transfer"}, "this shop is paid by: Toy Pay, Bank transfer or in the shop"},
		{nil, "this shop takes no payments online; please ask the shop how to pay"},
	} {
		c.offer(tt.offered...)
		before := c.Text("SELECT CONCAT_WS('|', COUNT(*), MAX(update_time)) FROM payment")
		for _, pay := range []func() (payment.Answer, error){
			func() (payment.Answer, error) { return c.Orders.Prepay(ctx, c.lin, id, "192.0.2.1", "", "") },
			func() (payment.Answer, error) { return c.Orders.PrepayH5(ctx, c.lin, id, "192.0.2.1", "", "", "") },
		} {
			_, err := pay()
			require.ErrorIs(t, err, errno.OrderPayFailed)
			require.Equal(t, tt.says, errno.Text(err, text.English))
		}
		require.Equal(t, before, c.Text("SELECT CONCAT_WS('|', COUNT(*), MAX(update_time)) FROM payment"))
		offers, err := c.Orders.PaymentOffers(ctx, c.lin, id)
		require.NoError(t, err)
		require.Len(t, offers, len(tt.offered))
	}
	c.offer("toy")
	dear := c.Order(c.lin, c.Product("dear", 1_000_00, 1))
	offers, err := c.Orders.PaymentOffers(ctx, c.lin, dear)
	require.NoError(t, err)
	require.Len(t, offers, 1)
	dearer := c.Order(c.lin, c.Product("dearer", 1_000_01, 1))
	offers, err = c.Orders.PaymentOffers(ctx, c.lin, dearer)
	require.NoError(t, err)
	require.Empty(t, offers, "above what the toy takes")
	_, err = c.Orders.Prepay(ctx, c.lin, dearer, "192.0.2.1", "toy", "")
	require.ErrorIs(t, err, errno.OrderPayFailed)
}

// Staff choose which of the offered channels shoppers see; other payments that have begun go on.
func TestChannelsThatStaffShow(t *testing.T) {
	t.Parallel()
	c := offering(t, "sandbox", "toy", "transfer")
	ctx := t.Context()
	id := c.Order(c.lin, c.tea("tea", 10))
	number := c.begun(id, "toy")
	codes := func() (all []string) {
		offers, err := c.Orders.PaymentOffers(ctx, c.lin, id)
		require.NoError(t, err)
		for _, one := range offers {
			if len(all) == 0 || all[len(all)-1] != one.Channel.Code {
				all = append(all, one.Channel.Code)
			}
		}
		return all
	}
	require.Equal(t, []string{"sandbox", "toy", "transfer"}, codes())
	require.NoError(t, c.Payments.Show(called(ctx, "s", "修改配置"), []string{"transfer", "sandbox"}))
	require.Equal(t, []string{"transfer", "sandbox"}, codes())
	_, err := c.Orders.Prepay(ctx, c.lin, id, "192.0.2.1", "toy", "")
	require.ErrorIs(t, err, errno.OrderPayFailed)
	require.NoError(t, c.payByToy(number))
	c.offer("toy") // of the chosen channels none is left
	id = c.Order(c.lin, c.tea("oolong", 10))
	require.Equal(t, []string{"toy"}, codes())
	c.Agree()
}

// A transfer makes the order wait for days; staff record the money, under what the bank calls it.
func TestBankTransfer(t *testing.T) {
	t.Parallel()
	c := offering(t, "transfer", "sandbox")
	ctx := t.Context()
	tea := c.tea("tea", 10)
	id, other := c.Order(c.lin, tea), c.Order(c.lin, tea)
	number := c.begun(id, "transfer")
	again, err := c.Orders.Prepay(ctx, c.lin, id, "192.0.2.1", "transfer", "")
	require.NoError(t, err)
	require.Equal(t, []string{account, number}, []string{again.Account, again.Reference})
	require.Equal(t, c.Clock.Now().Add(72*time.Hour), again.Expire)
	c.begun(other, "transfer")
	c.Clock.Move(2 * time.Minute)
	n, err := c.Payments.QueryOpen(ctx)
	require.NoError(t, err)
	require.Zero(t, n, "a transfer cannot be queried")
	c.begun(other, "sandbox") // who changes their mind waits no longer
	require.Equal(t, "1", c.Text("SELECT COUNT(*) FROM orders WHERE pay_before IS NOT NULL"))
	c.Agree()
	c.Clock.Move(71 * time.Hour)
	_, err = c.Orders.ExpireUnpaid(ctx)
	require.NoError(t, err)
	require.Equal(t, "101,103", c.Text("SELECT GROUP_CONCAT(order_status ORDER BY id) FROM orders"))
	shown, err := c.Payments.ShownOf(ctx, id)
	require.NoError(t, err)
	require.Equal(t, "Bank transfer or in the shop|"+number, shown.Channel.In(text.English)+"|"+shown.Reference)
	receipt := order.Receipt{Amount: 10000, Reference: "20300105-7", Note: "by lin's husband"}
	require.NoError(t, c.Orders.PayOffline(called(ctx, "r", "收款"), clerk, id, receipt))
	require.Equal(t, "offline|transfer|2|20300105-7", c.Text(`SELECT CONCAT_WS('|', channel, trade_type, status, reference)
		FROM payment WHERE order_id = ? AND active_mark = 0`, id))
	require.Equal(t, "by lin's husband", c.Text("SELECT content FROM order_note WHERE order_id = ?", id))
	require.Contains(t, c.Text("SELECT comment FROM log"), "20300105-7；by lin's husband")
	shown, err = c.Payments.ShownOf(ctx, id)
	require.NoError(t, err)
	require.Equal(t, "20300105-7", shown.Reference)
	_, err = c.Outbox.Deliver(ctx)
	require.NoError(t, err)
	c.Agree()
	require.NoError(t, c.Orders.AskRefund(ctx, c.lin, id))
	require.NoError(t, c.Orders.Refund(ctx, clerk, id, 10000))
	require.Equal(t, "线下退款", c.Text("SELECT refund_type FROM orders WHERE id = ?", id))
	late := c.Order(c.lin, tea)
	c.begun(late, "transfer")
	c.Clock.Move(73 * time.Hour)
	_, err = c.Orders.ExpireUnpaid(ctx)
	require.NoError(t, err)
	require.EqualValues(t, order.Expired, c.Int("SELECT order_status FROM orders WHERE id = ?", late))
	c.Agree()
}
