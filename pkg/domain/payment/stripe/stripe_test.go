package stripe_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/stripe"
)

const number = "203001021234567890"

func noon() time.Time { return domaintest.Noon }

// opened is a gateway to a platform.
func opened(t *testing.T) (payment.Gateway, *domaintest.Stripe) {
	t.Helper()
	p := domaintest.OpenStripe(t, noon)
	return open(t, p.Section), p
}

func open(t *testing.T, s stripe.Section) payment.Gateway {
	t.Helper()
	g, err := s.Open(payment.Env{NotifyURL: "https://shop.test/wx/order/pay-notify", Now: noon})
	require.NoError(t, err)
	return g
}

func ask() payment.StartRequest {
	return payment.StartRequest{
		PrepayRequest: payment.PrepayRequest{
			OutTradeNo: number, Description: "Order " + number, TradeType: "CHECKOUT", Amount: money.Yuan(81), Currency: "EUR",
			Expire: domaintest.Noon.Add(30 * time.Minute), Back: "https://shop.test/pay/1/result",
		},
		Kind: payment.KindRedirect, Now: domaintest.Noon,
	}
}

func giveBack(id string, amount money.Amount) payment.RefundRequest {
	return payment.RefundRequest{
		OutRefundNo: id, OutTradeNo: number, TransactionID: "pi_1", Total: money.Yuan(81), Amount: amount, Currency: "EUR",
	}
}

// begun is the platform's number of a payment that has begun.
func begun(t *testing.T, g payment.Gateway) payment.Ref {
	t.Helper()
	id, _, err := g.Start(t.Context(), ask())
	require.NoError(t, err)
	return payment.Ref{OutTradeNo: number, Number: id}
}

// A payment is a session at the platform: a repeated request, and one with the session's number, lead to the same page.
func TestStart(t *testing.T) {
	t.Parallel()
	g, platform := opened(t)
	for _, known := range []string{"", "", "cs_test_1"} {
		a := ask()
		a.Number = known
		id, answer, err := g.Start(t.Context(), a)
		require.NoError(t, err)
		require.Equal(t, "cs_test_1", id)
		require.Equal(t, payment.Answer{Address: "https://checkout.stripe.test/c/pay/cs_test_1#fid"}, answer)
	}
	require.Len(t, platform.Sessions, 1)
	first := platform.Requests[0]
	require.Equal(t, "pay-"+number, first.Key)
	for key, want := range map[string]string{
		"client_reference_id": number, "metadata[out_no]": number, "payment_intent_data[metadata][out_no]": number,
		"line_items[0][price_data][currency]": "eur", "line_items[0][price_data][unit_amount]": "8100",
		"success_url": "https://shop.test/pay/1/result", "cancel_url": "https://shop.test/pay/1/result",
	} {
		require.Equal(t, want, first.Form.Get(key), key)
	}
	a := ask()
	a.OutTradeNo, a.Back = "2", ""
	_, _, err := g.Start(t.Context(), a)
	require.NoError(t, err)
	require.Equal(t, "https://shop.test/", platform.Requests[3].Form.Get("success_url"))
}

// A session lives at least half an hour and at most a day; the shop hears of one that ends before the order does.
func TestHowLongASessionLives(t *testing.T) {
	t.Parallel()
	for waits, ends := range map[time.Duration]time.Time{
		time.Second: {}, 30 * time.Minute: {}, 22 * time.Hour: {},
		24 * time.Hour: domaintest.Noon.Add(23 * time.Hour), 720 * time.Hour: domaintest.Noon.Add(23 * time.Hour),
	} {
		g, _ := opened(t)
		a := ask()
		a.Expire = a.Now.Add(waits)
		_, answer, err := g.Start(t.Context(), a)
		require.NoError(t, err, waits)
		require.Equal(t, ends, answer.Expire, waits)
	}
}

// Who comes back to a payment that was made is led to the shop, and one that has ended cannot be made.
func TestStartAfterTheEnd(t *testing.T) {
	t.Parallel()
	g, platform := opened(t)
	paid := begun(t, g)
	platform.Pay(number)
	a := ask()
	a.Number = paid.Number
	_, answer, err := g.Start(t.Context(), a)
	require.NoError(t, err)
	require.Equal(t, "https://shop.test/pay/1/result", answer.Address)
	platform.Sessions[paid.Number]["status"] = "expired"
	_, _, err = g.Start(t.Context(), a)
	require.Error(t, err)
}

// Each currency is converted to the platform's units, and back.
func TestCurrencies(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		currency money.Currency
		amount   money.Amount
		units    string // empty if it is refused
	}{
		{"EUR", 1050, "1050"},
		{"USD", 999, "999"},
		{"CNY", 8100, "8100"},
		{"HUF", 1050, "1050"},
		{"TWD", 1050, "1050"},
		{"JPY", 105000, "1050"},
		{"KRW", 100, "1"},
		{"VND", 9_999_999_900, "99999999"},
		{"ISK", 50000, "50000"},
		{"UGX", 50000, "50000"},
		{"JPY", 1050, ""},
		{"MGA", 150, ""},
		{"KWD", 1000, ""},
		{"TND", 1000, ""},
	} {
		g, platform := opened(t)
		a := ask()
		a.Amount, a.Currency = tt.amount, tt.currency
		id, _, err := g.Start(t.Context(), a)
		if tt.units == "" {
			require.ErrorIs(t, err, payment.ErrRefused, tt)
			require.Empty(t, platform.Requests, "nothing is asked")
			continue
		}
		require.NoError(t, err, tt)
		require.Equal(t, tt.units, platform.Requests[0].Form.Get("line_items[0][price_data][unit_amount]"), tt)
		platform.Pay(number)
		n, err := g.Query(t.Context(), payment.Ref{OutTradeNo: number, Number: id})
		require.NoError(t, err, tt)
		require.Equal(t, []any{tt.amount, tt.currency}, []any{n.Amount, n.Currency}, tt)
		back := giveBack("refund_1", tt.amount)
		back.Currency = tt.currency
		_, err = g.Refund(t.Context(), back)
		require.NoError(t, err, tt)
		require.Equal(t, tt.units, platform.Requests[len(platform.Requests)-1].Form.Get("amount"), tt)
	}
}

// An open session is ended with its payment, a paid one is not; one that has ended or is not there needs nothing.
func TestClose(t *testing.T) {
	t.Parallel()
	g, platform := opened(t)
	require.NoError(t, g.Close(t.Context(), payment.Ref{OutTradeNo: number}))
	require.Empty(t, platform.Requests, "nobody knows its page")
	require.NoError(t, g.Close(t.Context(), payment.Ref{OutTradeNo: number, Number: "cs_test_9"}))
	p := begun(t, g)
	for range 2 {
		require.NoError(t, g.Close(t.Context(), p))
	}
	require.Equal(t, "expired", platform.Sessions[p.Number]["status"])
	_, err := g.Query(t.Context(), p)
	require.ErrorIs(t, err, payment.ErrUnpaid)

	other := ask()
	other.OutTradeNo = "2"
	id, _, err := g.Start(t.Context(), other)
	require.NoError(t, err)
	platform.Pay("2")
	require.ErrorIs(t, g.Close(t.Context(), payment.Ref{OutTradeNo: "2", Number: id}), payment.ErrRefused)
	platform.Fail("POST /v1/checkout/sessions/ID/expire", domaintest.StripeFailure{Status: 500, Type: "api_error"})
	err = g.Close(t.Context(), p)
	require.Error(t, err)
	require.NotErrorIs(t, err, payment.ErrRefused)
}

// A payment is found by the platform's number, and by ours where that was lost.
func TestQuery(t *testing.T) {
	t.Parallel()
	g, platform := opened(t)
	p := begun(t, g)
	ours := payment.Ref{OutTradeNo: number}
	for _, ref := range []payment.Ref{p, ours, {OutTradeNo: number, Number: "cs_test_9"}} {
		_, err := g.Query(t.Context(), ref)
		require.ErrorIs(t, err, payment.ErrUnpaid, ref)
	}
	platform.Pay(number)
	for _, ref := range []payment.Ref{p, ours} {
		n, err := g.Query(t.Context(), ref)
		require.NoError(t, err)
		require.Equal(t, payment.Notification{
			ID: "query-pi_1", OutTradeNo: number, TransactionID: "pi_1", Amount: money.Yuan(81), Currency: "EUR",
			Time: domaintest.Noon.In(n.Time.Location()),
		}, n)
	}
	_, err := g.Query(t.Context(), payment.Ref{OutTradeNo: "2", Number: p.Number})
	require.Error(t, err)
	require.NotErrorIs(t, err, payment.ErrUnpaid, "a session of another payment proves nothing")
	platform.Sessions[p.Number]["payment_status"] = "unpaid"
	_, err = g.Query(t.Context(), p)
	require.ErrorIs(t, err, payment.ErrUnpaid, "the money is on its way")
}

// A refund is made once, however often it is asked for, also when the platform has forgotten the first request.
func TestRefund(t *testing.T) {
	t.Parallel()
	g, platform := opened(t)
	begun(t, g)
	platform.Pay(number)
	_, err := g.RefundStatus(t.Context(), giveBack("refund_1", 4000))
	require.ErrorIs(t, err, payment.ErrRefused, "it knows of none")
	platform.Fail("POST /v1/refunds", domaintest.StripeFailure{Status: 502, Body: "<html>", Late: true})
	_, err = g.Refund(t.Context(), giveBack("refund_1", 4000))
	require.Error(t, err)
	require.NotErrorIs(t, err, payment.ErrRefused, "the outcome is unknown")
	for range 2 {
		platform.Forget()
		id, err := g.Refund(t.Context(), giveBack("refund_1", 4000))
		require.NoError(t, err)
		require.Equal(t, "re_1", id)
		id, err = g.RefundStatus(t.Context(), giveBack("refund_1", 4000))
		require.NoError(t, err)
		require.Equal(t, "re_1", id)
	}
	require.Len(t, platform.Refunds, 1)
	id, err := g.Refund(t.Context(), giveBack("refund_2", 4100))
	require.NoError(t, err)
	require.Equal(t, "re_2", id)
	_, err = g.Refund(t.Context(), giveBack("refund_3", 1))
	require.ErrorIs(t, err, payment.ErrRefused, "more than was paid")
	// One that has failed is made again.
	platform.Refunds["re_2"]["status"] = "failed"
	_, err = g.RefundStatus(t.Context(), giveBack("refund_2", 4100))
	require.ErrorIs(t, err, payment.ErrRefused)
	id, err = g.Refund(t.Context(), giveBack("refund_2", 4100))
	require.NoError(t, err)
	require.Equal(t, "re_3", id)
	_, err = g.Refund(t.Context(), payment.RefundRequest{OutRefundNo: "refund_4", Amount: 100, Currency: "EUR"})
	require.ErrorIs(t, err, payment.ErrRefused)
}

// What the platform answers is a refusal or an unknown outcome, and never quoted with the key.
func TestFailures(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		f       domaintest.StripeFailure
		refused bool
	}{
		{domaintest.StripeFailure{Status: 400, Type: "invalid_request_error"}, true},
		{domaintest.StripeFailure{Status: 400, Type: "idempotency_error"}, true},
		{domaintest.StripeFailure{Status: 401, Type: "invalid_request_error"}, true},
		{domaintest.StripeFailure{Status: 402, Type: "card_error"}, true},
		{domaintest.StripeFailure{Status: 404, Type: "invalid_request_error", Code: "resource_missing"}, true},
		{domaintest.StripeFailure{Status: 409, Type: "idempotency_error", Code: "idempotency_key_in_use"}, false},
		{domaintest.StripeFailure{Status: 429, Type: "invalid_request_error", Code: "rate_limit"}, false},
		{domaintest.StripeFailure{Status: 500, Type: "api_error"}, false},
		{domaintest.StripeFailure{Status: 400, Body: "<html>"}, false},
		{domaintest.StripeFailure{Status: 400, Body: "{}"}, false},
		{domaintest.StripeFailure{Status: 200, Body: "<html>"}, false},
		{domaintest.StripeFailure{Status: 200, Body: "{}"}, false},
		{domaintest.StripeFailure{Status: 302, Body: "{}"}, false},
		{domaintest.StripeFailure{Status: 200, Body: `{"id":"` + strings.Repeat("x", 1<<20) + `"}`}, false},
	} {
		g, platform := opened(t)
		platform.Fail("POST /v1/checkout/sessions", tt.f)
		_, _, err := g.Start(t.Context(), ask())
		require.Error(t, err, tt)
		require.Equal(t, tt.refused, errors.Is(err, payment.ErrRefused), err)
		require.NotContains(t, err.Error(), domaintest.StripeKey)
	}
}

// A platform that does not answer fails the call at its deadline, without a second try.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	calls := make(chan struct{}, 9)
	stuck := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		calls <- struct{}{}
		<-stuck
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(stuck) })
	g := open(t, stripe.Section{SecretKey: domaintest.StripeKey, WebhookSecret: domaintest.StripeSecret, BaseURL: server.URL})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, _, err := g.Start(ctx, ask())
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NotContains(t, err.Error(), server.URL)
	require.Len(t, calls, 1)
}

// The section is filled in or it is not; mistakes name the key and no value.
func TestMistakes(t *testing.T) {
	t.Parallel()
	require.False(t, (&stripe.Section{}).Configured())
	for _, tt := range []struct {
		key, secret string
		wrong       int
	}{
		{"sk_live_1", "whsec_1", 0},
		{"rk_test_1", "whsec_1", 0},
		{"pk_live_1", "whsec_1", 1},
		{"sk_live_", "whsec_1", 1},
		{"sk_live_1\n", "whsec_1", 1},
		{"sk_live_1", "", 1},
		{"", "whsec_1", 1},
		{"private", "private", 2},
	} {
		s := &stripe.Section{SecretKey: tt.key, WebhookSecret: tt.secret}
		require.True(t, s.Configured())
		wrong := s.Mistakes()
		require.Len(t, wrong, tt.wrong, tt)
		require.NotContains(t, strings.Join(wrong, ""), "private")
	}
}
