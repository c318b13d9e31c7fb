package alipay_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/alipay"
)

const number = "203001021234567890"

func atNoon() time.Time { return domaintest.Noon }

func open(t *testing.T) (*alipay.Gateway, *domaintest.Alipay) {
	t.Helper()
	platform := domaintest.NewAlipay(t, atNoon)
	g, err := alipay.New(platform.Options)
	require.NoError(t, err)
	return g, platform
}

func ask(kind payment.Kind) payment.StartRequest {
	return payment.StartRequest{Kind: kind, Now: domaintest.Noon, PrepayRequest: payment.PrepayRequest{
		OutTradeNo: number, Description: "订单 " + number, Address: "192.0.2.1", Amount: money.Yuan(81),
		Expire: domaintest.Noon.Add(30 * time.Minute), Back: "https://shop.test/paid/1?group=2",
	}}
}

// paid returns a gateway and a platform with a paid trade.
func paid(t *testing.T) (*alipay.Gateway, *domaintest.Alipay) {
	t.Helper()
	g, platform := open(t)
	_, _, err := g.Start(t.Context(), ask(payment.KindQR))
	require.NoError(t, err)
	platform.Pay(number)
	return g, platform
}

func back(refund string, amount money.Amount) payment.RefundRequest {
	return payment.RefundRequest{
		OutRefundNo: refund, OutTradeNo: number, Total: 8100, Amount: amount, Reason: "changed his mind",
	}
}

// calls are all calls to the platform, by name.
func calls(g *alipay.Gateway) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"precreate": func(ctx context.Context) error { _, _, err := g.Start(ctx, ask(payment.KindQR)); return err },
		"query":     func(ctx context.Context) error { _, err := g.Query(ctx, payment.Ref{OutTradeNo: number}); return err },
		"close":     func(ctx context.Context) error { return g.Close(ctx, payment.Ref{OutTradeNo: number}) },
		"refund":    func(ctx context.Context) error { _, err := g.Refund(ctx, back("r1", 4000)); return err },
		"status":    func(ctx context.Context) error { _, err := g.RefundStatus(ctx, back("r1", 4000)); return err },
	}
}

// The address of a page has the whole signed request. The platform hears of the payment when the payer gets there.
func TestPages(t *testing.T) {
	t.Parallel()
	g, platform := open(t)
	for kind, want := range map[payment.Kind][2]string{
		payment.KindPage:     {"alipay.trade.wap.pay", "QUICK_WAP_WAY"},
		payment.KindRedirect: {"alipay.trade.page.pay", "FAST_INSTANT_TRADE_PAY"},
	} {
		id, answer, err := g.Start(t.Context(), ask(kind))
		require.NoError(t, err)
		require.Equal(t, number, id)
		require.Empty(t, platform.Calls())
		trade := platform.Visit(answer.Address)
		require.Equal(t, want[0], trade.Method)
		asked := map[string]any{
			"out_trade_no": number, "total_amount": "81.00", "subject": "订单 " + number, "product_code": want[1],
			"time_expire": "2030-01-02 12:30:00",
		}
		if kind == payment.KindPage {
			asked["quit_url"] = "https://shop.test/paid/1?group=2"
		}
		require.Equal(t, asked, trade.Asked)
		require.Equal(t, "https://shop.test/wx/order/pay-notify/alipay", trade.NotifyURL)
		require.Equal(t, "https://shop.test/paid/1?group=2", trade.ReturnURL)
	}
	without := ask(payment.KindPage)
	without.Back = ""
	_, answer, err := g.Start(t.Context(), without)
	require.NoError(t, err)
	require.Empty(t, platform.Visit(answer.Address).ReturnURL)
	_, _, err = g.Start(t.Context(), ask(payment.KindApp))
	require.ErrorIs(t, err, payment.ErrRefused)
}

// The code of a payment stays the same, and is asked for once.
func TestCodeToScan(t *testing.T) {
	t.Parallel()
	g, platform := open(t)
	id, answer, err := g.Start(t.Context(), ask(payment.KindQR))
	require.NoError(t, err)
	require.Equal(t, "https://qr.alipay.test/2030010222001"+number, answer.Code)
	require.Equal(t, answer.Code, id)
	require.Equal(t, map[string]any{
		"out_trade_no": number, "total_amount": "81.00", "subject": "订单 " + number, "time_expire": "2030-01-02 12:30:00",
	}, platform.Trade(number).Asked)
	again := ask(payment.KindQR)
	again.Number = id
	_, second, err := g.Start(t.Context(), again)
	require.NoError(t, err)
	require.Equal(t, answer, second)
	require.Equal(t, []string{"alipay.trade.precreate"}, platform.Calls())
	for _, node := range []string{
		`{"code":"10000","out_trade_no":"` + number + `"}`, `{"code":"10000","out_trade_no":"2","qr_code":"https://x"}`,
		`{"code":"10000","out_trade_no":"` + number + `","qr_code":"` + strings.Repeat("x", 129) + `"}`,
	} {
		platform.Answer(func(string) (string, bool) { return node, true })
		_, _, err = g.Start(t.Context(), ask(payment.KindQR))
		require.Error(t, err, node)
	}
}

func TestQueryAndClose(t *testing.T) {
	t.Parallel()
	g, platform := open(t)
	_, err := g.Query(t.Context(), payment.Ref{OutTradeNo: number})
	require.ErrorIs(t, err, payment.ErrUnpaid, "the payer has not come yet")
	require.NoError(t, g.Close(t.Context(), payment.Ref{OutTradeNo: number}), "so there is nothing to close")
	_, _, err = g.Start(t.Context(), ask(payment.KindQR))
	require.NoError(t, err)
	_, err = g.Query(t.Context(), payment.Ref{OutTradeNo: number})
	require.ErrorIs(t, err, payment.ErrUnpaid)
	trade := platform.Pay(number)
	n, err := g.Query(t.Context(), payment.Ref{OutTradeNo: number})
	require.NoError(t, err)
	require.True(t, n.Time.Equal(time.Date(2030, 1, 2, 4, 0, 0, 0, time.UTC)), "the platform's clock is that of Beijing")
	require.Equal(t, payment.Notification{
		ID: "query-" + trade, OutTradeNo: number, TransactionID: trade, Amount: 8100, Currency: "CNY", Time: n.Time,
	}, n)
	require.ErrorIs(t, g.Close(t.Context(), payment.Ref{OutTradeNo: number}), payment.ErrRefused, "it is paid")

	for node, want := range map[string]error{
		`"out_trade_no":"` + number + `","trade_no":"2","total_amount":"81.00","trade_status":"TRADE_FINISHED"`: nil,
		`"out_trade_no":"` + number + `","trade_no":"2","total_amount":"81.00","trade_status":"TRADE_CLOSED"`:   payment.ErrUnpaid,
		`"out_trade_no":"` + number + `","trade_no":"2","total_amount":"81.00","trade_status":"NEW"`:            errUnknown,
		`"out_trade_no":"` + number + `","trade_no":"2","total_amount":"much","trade_status":"TRADE_SUCCESS"`:   errUnknown,
		`"out_trade_no":"` + number + `","trade_no":"","total_amount":"81.00","trade_status":"TRADE_SUCCESS"`:   errUnknown,
		`"out_trade_no":"2","trade_no":"2","total_amount":"81.00","trade_status":"TRADE_SUCCESS"`:               errUnknown,
	} {
		platform.Answer(func(string) (string, bool) { return `{"code":"10000",` + node + `}`, true })
		_, err := g.Query(t.Context(), payment.Ref{OutTradeNo: number})
		expect(t, want, err, node)
	}
	require.Error(t, g.Close(t.Context(), payment.Ref{OutTradeNo: "3"}), "an answer about another payment")
}

// errUnknown stands for an outcome that is neither success nor refusal.
var errUnknown = context.Canceled

func expect(t *testing.T, want, err error, what string) {
	t.Helper()
	if want != errUnknown { //nolint:errorlint // a mark
		require.ErrorIs(t, err, want, what)
		return
	}
	require.Error(t, err, what)
	require.NotErrorIs(t, err, payment.ErrRefused, what)
	require.NotErrorIs(t, err, payment.ErrUnpaid, what)
}

// The platform takes no hyphen, which the numbers of further payments of an order have.
func TestNumbersOfFurtherPayments(t *testing.T) {
	t.Parallel()
	g, platform := open(t)
	second := ask(payment.KindQR)
	second.OutTradeNo = number + "-2"
	_, _, err := g.Start(t.Context(), second)
	require.NoError(t, err)
	platform.Pay(second.OutTradeNo)
	n, err := g.Query(t.Context(), payment.Ref{OutTradeNo: second.OutTradeNo})
	require.NoError(t, err)
	require.Equal(t, second.OutTradeNo, n.OutTradeNo)
	n, err = g.Read(t.Context(), nil, platform.Notification(second.OutTradeNo, nil), atNoon())
	require.NoError(t, err)
	require.Equal(t, second.OutTradeNo, n.OutTradeNo)
	again := back("r1", 8100)
	again.OutTradeNo = second.OutTradeNo
	_, err = g.Refund(t.Context(), again)
	require.NoError(t, err)
	require.ErrorIs(t, g.Close(t.Context(), payment.Ref{OutTradeNo: second.OutTradeNo}), payment.ErrRefused)
}

func TestRefunds(t *testing.T) {
	t.Parallel()
	g, platform := paid(t)
	ctx := t.Context()
	_, err := g.RefundStatus(ctx, back("r1", 4000))
	require.ErrorIs(t, err, payment.ErrRefused, "it knows of none")
	for range 2 { // the second time no money moves
		id, err := g.Refund(ctx, back("r1", 4000))
		require.NoError(t, err)
		require.Equal(t, "r1", id)
	}
	own := back("r2", 4100)
	own.TransactionID, own.OutTradeNo = platform.Pay(number), number+"~2030"
	_, err = g.Refund(ctx, own)
	require.NoError(t, err, "by the platform's number")
	require.Equal(t, map[string]money.Amount{"r1": 4000, "r2": 4100}, platform.Trade(number).Refunds)
	_, err = g.RefundStatus(ctx, own)
	require.NoError(t, err)
	_, err = g.Refund(ctx, back("r3", 1))
	require.ErrorIs(t, err, payment.ErrRefused, "nothing is left")
	_, err = g.Refund(ctx, back("r1", 4001))
	require.ErrorIs(t, err, payment.ErrRefused, "the number was used for another amount")
	_, err = g.RefundStatus(ctx, back("r1", 4001))
	expect(t, errUnknown, err, "nor does it pass for the other one")
	_, err = g.Query(ctx, payment.Ref{OutTradeNo: number})
	require.ErrorIs(t, err, payment.ErrUnpaid, "its money has gone back")
}

// A refund that the platform has taken and not made is asked for again under its number.
func TestARefundInProgress(t *testing.T) {
	t.Parallel()
	g, platform := paid(t)
	platform.Hold(true)
	_, err := g.Refund(t.Context(), back("r1", 8100))
	expect(t, errUnknown, err, "in progress")
	platform.Hold(false)
	id, err := g.Refund(t.Context(), back("r1", 8100))
	require.NoError(t, err)
	require.Equal(t, "r1", id)
	for _, node := range []string{
		`"refund_status":"REFUND_PROCESSING"`, `"refund_status":"REFUND_SUCCESS","refund_amount":"1.00"`,
		`"refund_status":"REFUND_SUCCESS","out_request_no":"r2"`, `"refund_status":"REFUND_SUCCESS","out_trade_no":"2"`,
	} {
		platform.Answer(func(string) (string, bool) {
			return `{"code":"10000","out_trade_no":"` + number + `","out_request_no":"r1","refund_amount":"81.00",` + node + `}`, true
		})
		_, err := g.RefundStatus(t.Context(), back("r1", 8100))
		expect(t, errUnknown, err, node)
	}
}

// A decision of the platform is a refusal; after any other failure the result is unknown.
func TestAnswers(t *testing.T) {
	t.Parallel()
	g, platform := paid(t)
	for node, want := range map[string]error{
		`{"code":"40001","sub_code":"isv.missing-app-id"}`:               payment.ErrRefused,
		`{"code":"40002","sub_code":"isv.invalid-timestamp"}`:            payment.ErrRefused,
		`{"code":"40004","sub_code":"ACQ.SELLER_BALANCE_NOT_ENOUGH"}`:    payment.ErrRefused,
		`{"code":"40006","sub_code":"isv.insufficient-isv-permissions"}`: payment.ErrRefused,
		`{"code":"40004","sub_code":"ACQ.SYSTEM_ERROR"}`:                 errUnknown,
		`{"code":"40004","sub_code":"aop.ACQ.SYSTEM_ERROR"}`:             errUnknown,
		`{"code":"20000","sub_code":"isp.unknow-error"}`:                 errUnknown,
		`{"code":"20000","sub_code":"aop.unknow-error"}`:                 errUnknown,
		`{"code":"40004","sub_code":"isp.unknow-error"}`:                 errUnknown,
		`{"code":"40005","sub_code":"isv.app-call-limited"}`:             errUnknown,
		`{"code":"10003","sub_code":""}`:                                 errUnknown,
		`{}`:                                                             errUnknown,
		`[]`:                                                             errUnknown,
		`"x"`:                                                            errUnknown,
	} {
		platform.Answer(func(string) (string, bool) { return node, true })
		for name, call := range calls(g) {
			expect(t, want, call(t.Context()), name+" "+node)
		}
	}
}

// An answer without the platform's signature over its exact bytes decides nothing, be it a success or a refusal.
func TestUnsignedAnswers(t *testing.T) {
	t.Parallel()
	g, platform := paid(t)
	for what, mangle := range map[string]func(node, whole string) string{
		"no signature":     func(node, _ string) string { return `{"alipay_trade_refund_response":` + node + `}` },
		"other bytes":      func(node, whole string) string { return strings.Replace(whole, node, node[:len(node)-1]+" }", 1) },
		"another node":     func(_, whole string) string { return strings.Replace(whole, "_response", "_answer", 1) },
		"a gateway error":  func(string, string) string { return `{"error_response":{"code":"20000","msg":"busy"}}` },
		"no JSON":          func(string, string) string { return "<html>busy</html>" },
		"an empty answer":  func(string, string) string { return "" },
		"a number as sign": func(node, _ string) string { return `{"alipay_trade_refund_response":` + node + `,"sign":1}` },
		"two nodes": func(_, whole string) string {
			return strings.Replace(whole, `,"sign"`, `,"alipay_trade_refund_response":{"code":"10000","fund_change":"Y"},`+
				`"alipay_trade_query_response":{"code":"10000"},"alipay_trade_close_response":{"code":"10000"},`+
				`"alipay_trade_precreate_response":{"code":"10000"},`+
				`"alipay_trade_fastpay_refund_query_response":{"code":"10000"},"sign"`, 1)
		},
	} {
		platform.Mangle(mangle)
		for name, call := range calls(g) {
			expect(t, errUnknown, call(t.Context()), what+" "+name)
		}
	}
	platform.Mangle(nil)
	o := platform.Options
	o.AppID = "2021000000000002" // the platform does not find the key of the signature, and does not sign that
	stranger, err := alipay.New(o)
	require.NoError(t, err)
	for name, call := range calls(stranger) {
		require.ErrorIs(t, call(t.Context()), payment.ErrSignature, name)
	}
}

// Another status than 200 decides nothing either, whatever comes with it, and no redirect is followed.
func TestOtherStatuses(t *testing.T) {
	t.Parallel()
	g, platform := paid(t)
	for _, status := range []int{301, 302, 307, 400, 403, 404, 429, 500, 502, 503} {
		platform.Status(status)
		for name, call := range calls(g) {
			err := call(t.Context())
			expect(t, errUnknown, err, name)
			require.ErrorContains(t, err, strconv.Itoa(status), name)
		}
	}
}

// The platform refuses requests of a shop whose clock is off.
func TestClockSkew(t *testing.T) {
	t.Parallel()
	_, platform := paid(t)
	o := platform.Options
	o.Now = func() time.Time { return domaintest.Noon.Add(20 * time.Minute) }
	g, err := alipay.New(o)
	require.NoError(t, err)
	_, err = g.Refund(t.Context(), back("r1", 4000))
	require.ErrorIs(t, err, payment.ErrRefused)
	require.ErrorContains(t, err, "isv.invalid-timestamp")
	require.Empty(t, platform.Trade(number).Refunds)
}
