package stripe_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/stripe"
)

// A paid session is a payment.
func TestRead(t *testing.T) {
	t.Parallel()
	g, platform := opened(t)
	begun(t, g)
	header, body := platform.Pay(number)
	n, err := g.Read(t.Context(), header, body, domaintest.Noon)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(n.ID, "evt_"))
	require.Equal(t, payment.Notification{
		ID: n.ID, OutTradeNo: number, TransactionID: "pi_1", Amount: money.Yuan(81), Currency: "EUR",
		Time: domaintest.Noon.In(n.Time.Location()),
	}, n)
	header, body = platform.Tell("checkout.session.async_payment_succeeded", platform.Session(number))
	n, err = g.Read(t.Context(), header, body, domaintest.Noon)
	require.NoError(t, err)
	require.Equal(t, "pi_1", n.TransactionID)
}

// Only the platform's signature over the exact bytes counts, at about the time it was made.
func TestSignatures(t *testing.T) {
	t.Parallel()
	g, platform := opened(t)
	begun(t, g)
	_, body := platform.Pay(number)
	for age, good := range map[time.Duration]bool{
		0: true, 299 * time.Second: true, -299 * time.Second: true, 301 * time.Second: false, -301 * time.Second: false,
	} {
		_, err := g.Read(t.Context(), platform.Signed(body, domaintest.Noon.Add(-age), domaintest.StripeSecret), body,
			domaintest.Noon)
		require.Equal(t, good, err == nil, age)
	}
	right := platform.Signed(body, domaintest.Noon, domaintest.StripeSecret)("Stripe-Signature")
	for what, header := range map[string]string{
		"another secret": platform.Signed(body, domaintest.Noon, "whsec_x")("Stripe-Signature"),
		"another body":   platform.Signed(append([]byte(" "), body...), domaintest.Noon, domaintest.StripeSecret)("Stripe-Signature"),
		"another time":   strings.Replace(right, "t=", "t=1", 1),
		"no time":        right[strings.Index(right, ",")+1:],
		"an old scheme":  strings.ReplaceAll(right, "v1=", "v0="),
		"nothing":        "", "no signature": "t=1893585600", "no number": "t=x,v1=00", "no hex": "t=1893585600,v1=xyz",
	} {
		_, err := g.Read(t.Context(), func(string) string { return header }, body, domaintest.Noon)
		require.ErrorIs(t, err, payment.ErrSignature, what)
	}
}

// What is no payment and no refund of this shop is no news; what is not usable is refused.
func TestWhatIsRead(t *testing.T) {
	t.Parallel()
	g, platform := opened(t)
	begun(t, g)
	platform.Pay(number)
	with := func(key string, value any) map[string]any {
		s := map[string]any{}
		for k, v := range platform.Session(number) {
			s[k] = v
		}
		s[key] = value
		return s
	}
	for _, tt := range []struct {
		what, event string
		object      any
		want        error
	}{
		{"the money is on its way", "checkout.session.completed", with("payment_status", "unpaid"), payment.ErrNoNews},
		{"of somebody else", "checkout.session.completed", with("metadata", map[string]any{}), payment.ErrNoNews},
		{"ended", "checkout.session.expired", with("status", "expired"), payment.ErrNoNews},
		{"a charge", "charge.refunded", map[string]any{"id": "ch_1"}, payment.ErrNoNews},
		{"another event", "customer.created", map[string]any{}, payment.ErrNoNews},
		{"a refund made by hand", "refund.updated", map[string]any{"id": "re_9", "status": "succeeded"}, payment.ErrNoNews},
		{"no object", "checkout.session.completed", "x", payment.ErrRefused},
		{"no refund", "refund.failed", "x", payment.ErrRefused},
		{"no payment", "checkout.session.completed", with("payment_intent", nil), payment.ErrRefused},
		{"less than nothing", "checkout.session.completed", with("amount_total", -1), payment.ErrRefused},
		{"too much", "checkout.session.completed", with("amount_total", int64(1)<<62), payment.ErrRefused},
		{"three decimals", "checkout.session.completed", with("currency", "kwd"), payment.ErrRefused},
		{"a long number", "checkout.session.completed", with("payment_intent", strings.Repeat("p", 64)), payment.ErrRefused},
	} {
		header, body := platform.Tell(tt.event, tt.object)
		_, err := g.Read(t.Context(), header, body, domaintest.Noon)
		require.ErrorIs(t, err, tt.want, tt.what)
	}
	for _, body := range []string{"", "{}", "[]", `{"id":""}`, `{"id":"` + strings.Repeat("e", 97) + `"}`} {
		_, err := g.Read(t.Context(), platform.Signed([]byte(body), domaintest.Noon, domaintest.StripeSecret), []byte(body),
			domaintest.Noon)
		require.ErrorIs(t, err, payment.ErrRefused, body)
	}
}

// A payment without money pays for nothing where the key moves some.
func TestTestPaymentsInALiveShop(t *testing.T) {
	t.Parallel()
	_, platform := opened(t)
	live := open(t, stripe.Section{SecretKey: "sk_live_1", WebhookSecret: domaintest.StripeSecret})
	header, body := platform.Tell("checkout.session.completed", map[string]any{})
	n, err := live.Read(t.Context(), header, body, domaintest.Noon)
	require.ErrorIs(t, err, payment.ErrRefused)
	require.NotEmpty(t, n.ID, "it is stored")
}

// The outcome of a refund is reported; one that is pending is no news.
func TestReadRefunds(t *testing.T) {
	t.Parallel()
	g, platform := opened(t)
	begun(t, g)
	platform.Pay(number)
	_, err := g.Refund(t.Context(), giveBack("refund_1", 4000))
	require.NoError(t, err)
	for _, tt := range []struct {
		event, status string
		failed        bool
		want          error
	}{
		{"refund.created", "pending", false, payment.ErrNoNews},
		{"refund.updated", "requires_action", false, payment.ErrNoNews},
		{"refund.created", "succeeded", false, nil},
		{"refund.updated", "succeeded", false, nil},
		{"refund.updated", "canceled", true, nil},
		{"refund.failed", "failed", true, nil},
	} {
		platform.Refunds["re_1"]["status"] = tt.status
		header, body := platform.Tell(tt.event, platform.Refunds["re_1"])
		n, err := g.Read(t.Context(), header, body, domaintest.Noon)
		require.ErrorIs(t, err, tt.want, tt)
		if tt.want == nil {
			require.Equal(t, payment.Notification{
				ID: n.ID, Refund: true, OutRefundNo: "refund_1", RefundID: "re_1", RefundFailed: tt.failed, TransactionID: "pi_1",
				Amount: 4000, Currency: "EUR", Time: domaintest.Noon.In(n.Time.Location()),
			}, n, tt)
		}
	}
}

// Whatever is sent, reading it does not panic, and what is not signed is not read.
func FuzzRead(f *testing.F) {
	p := domaintest.OpenStripe(f, noon)
	g, err := p.Section.Open(payment.Env{Now: noon})
	require.NoError(f, err)
	header, body := p.Tell("refund.updated", map[string]any{"id": "re_1"})
	f.Add(header("Stripe-Signature"), body, true)
	f.Add("t=1,v1=00,", []byte("{}"), false)
	f.Fuzz(func(t *testing.T, header string, body []byte, signed bool) {
		headers := func(string) string { return header }
		if signed {
			headers = p.Signed(body, domaintest.Noon, domaintest.StripeSecret)
		}
		n, err := g.Read(t.Context(), headers, body, domaintest.Noon)
		if !signed && err == nil {
			t.Fatal("it is not signed")
		}
		if err == nil && (n.ID == "" || n.Amount < 0 || n.Amount > money.Max) {
			t.Fatal(n)
		}
	})
}
