// Package alipay is the gateway to Alipay's open platform: payments in the browser of a phone or of a computer, and by
// a code that the app scans; with public keys or certificates of the platform.
package alipay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/internal/platform"
)

// Base is the platform's address.
const Base = "https://openapi.alipay.com/gateway.do"

const (
	// signType is SHA-256 with RSA.
	signType = "RSA2"
	currency = "CNY"
)

// beijing is the time zone of the platform.
var beijing = time.FixedZone("", 8*60*60)

// Options are the merchant and the keys of both sides. Keys and certificates are PEM text or the name of a file; a key
// may also lack the lines around it.
type Options struct {
	// AppID is the application, SellerID the merchant's account that is paid.
	AppID, SellerID string
	// PrivateKey is the application's key.
	PrivateKey string
	// PlatformKeys are the public keys that the platform may sign with, or in certificate mode its certificates.
	PlatformKeys []string
	// AppCert and RootCert are the application's certificate and the platform's root certificates. Both are empty where
	// the application uses bare keys.
	AppCert, RootCert string
	// NotifyURL is the shop's public address for notifications of this platform.
	NotifyURL string
	// Base replaces the platform's address.
	Base string
	Now  func() time.Time
}

// Gateway is the gateway to Alipay.
type Gateway struct {
	o      Options
	keys   keys
	client *http.Client
}

// New parses the keys. Its errors never quote a key.
func New(o Options) (*Gateway, error) {
	if o.Base == "" {
		o.Base = Base
	}
	if wrong := o.wrong(); len(wrong) > 0 {
		return nil, fmt.Errorf("payment by alipay: %s", strings.Join(wrong, "; "))
	}
	k, err := readKeys(o)
	if err != nil {
		return nil, fmt.Errorf("payment by alipay: %w", err)
	}
	return &Gateway{o, k, platform.NewClient()}, nil
}

func (o Options) wrong() (wrong []string) {
	for _, k := range []struct {
		name    string
		missing bool
	}{
		{"app-id", o.AppID == ""},
		{"seller-id", o.SellerID == ""},
		{"private-key", o.PrivateKey == ""},
		{"platform-keys", len(o.PlatformKeys) == 0},
		{"app-cert", o.AppCert == "" && o.RootCert != ""},
		{"root-cert", o.RootCert == "" && o.AppCert != ""},
	} {
		if k.missing {
			wrong = append(wrong, k.name+" is needed")
		}
	}
	if !platform.IsAddress(o.Base) || strings.Contains(o.Base, "?") {
		wrong = append(wrong, "base-url is no address")
	}
	return wrong
}

// trade is a payment to create.
type trade struct {
	OutTradeNo  string `json:"out_trade_no"`
	TotalAmount string `json:"total_amount"`
	Subject     string `json:"subject"`
	ProductCode string `json:"product_code,omitempty"`
	TimeExpire  string `json:"time_expire"`
	QuitURL     string `json:"quit_url,omitempty"`
}

// theirs is our number of a payment as the platform takes it, with letters, digits and underscores only: numbers of
// orders are digits, and further payments have a number after a hyphen. ours reverses it.
func theirs(outTradeNo string) string { return strings.ReplaceAll(outTradeNo, "-", "_") }

func ours(number string) string { return strings.ReplaceAll(number, "_", "-") }

// numbers are how the platform identifies a trade: TradeNo is its own number.
type numbers struct {
	OutTradeNo string `json:"out_trade_no,omitempty"`
	TradeNo    string `json:"trade_no,omitempty"`
}

// Start implements payment.Gateway. An address has the whole signed request and is made without a call; the platform
// creates the trade when the payer gets there. The code of a trade is its number here.
func (g *Gateway) Start(
	ctx context.Context, a payment.StartRequest,
) (number string, answer payment.Answer, err error) {
	t := trade{
		OutTradeNo: theirs(a.OutTradeNo), TotalAmount: a.Amount.String(), Subject: form.Truncate(a.Description, 256),
		TimeExpire: a.Expire.In(beijing).Format(stampForm),
	}
	switch a.Kind {
	case payment.KindPage:
		t.ProductCode, t.QuitURL = "QUICK_WAP_WAY", a.Back
		answer.Address, err = g.address("alipay.trade.wap.pay", t, a.Back)
		return a.OutTradeNo, answer, err
	case payment.KindRedirect:
		t.ProductCode = "FAST_INSTANT_TRADE_PAY"
		answer.Address, err = g.address("alipay.trade.page.pay", t, a.Back)
		return a.OutTradeNo, answer, err
	case payment.KindQR:
		if answer.Code = a.Number; answer.Code == "" {
			answer.Code, err = g.precreate(ctx, t)
		}
		return answer.Code, answer, err
	case payment.KindApp, payment.KindOffline, payment.KindDelivery:
	}
	return "", answer, fmt.Errorf("no payment of the kind %q: %w", a.Kind, payment.ErrRefused)
}

func (g *Gateway) address(method string, t trade, back string) (string, error) {
	v, err := g.signed(method, t, map[string]string{"notify_url": g.o.NotifyURL, "return_url": back})
	return g.o.Base + "?" + v.Encode(), err
}

func (g *Gateway) precreate(ctx context.Context, t trade) (string, error) {
	var answer struct {
		numbers
		Code string `json:"qr_code"`
	}
	if err := g.call(ctx, "alipay.trade.precreate", t, &answer); err != nil {
		return "", err
	}
	if answer.OutTradeNo != t.OutTradeNo || answer.Code == "" || len(answer.Code) > 128 {
		return "", errors.New("the platform gives no code for the payment")
	}
	return answer.Code, nil
}

// Close implements payment.Gateway. The platform refuses it for a paid trade. A trade that the payer has not opened is
// not known there: there is nothing to close, and it expires with its time.
func (g *Gateway) Close(ctx context.Context, p payment.Ref) error {
	var answer numbers
	err := g.call(ctx, "alipay.trade.close", numbers{OutTradeNo: theirs(p.OutTradeNo)}, &answer)
	if errors.Is(err, errNotThere) {
		return nil
	}
	if err == nil && ours(answer.OutTradeNo) != p.OutTradeNo {
		err = errOther
	}
	return err
}

// errOther says that an answer is about something else than what was asked.
var errOther = errors.New("the answer is about another payment")

// Query implements payment.Gateway. A trade whose whole amount was refunded is closed too, and has no money.
func (g *Gateway) Query(ctx context.Context, p payment.Ref) (payment.Notification, error) {
	var answer struct {
		numbers
		Status string `json:"trade_status"`
		Amount string `json:"total_amount"`
		Time   string `json:"send_pay_date"`
	}
	err := g.call(ctx, "alipay.trade.query", numbers{OutTradeNo: theirs(p.OutTradeNo)}, &answer)
	switch {
	case errors.Is(err, errNotThere):
		return payment.Notification{}, fmt.Errorf("%w: %w", payment.ErrUnpaid, err)
	case err != nil:
		return payment.Notification{}, err
	case ours(answer.OutTradeNo) != p.OutTradeNo:
		return payment.Notification{}, errOther
	case answer.Status == waiting || answer.Status == closed:
		return payment.Notification{}, fmt.Errorf("%w: state %s", payment.ErrUnpaid, answer.Status)
	case answer.Status != succeeded && answer.Status != finished:
		return payment.Notification{}, fmt.Errorf("the payment has the unknown state %.40q", answer.Status)
	}
	n := payment.Notification{
		ID: "query-" + answer.TradeNo, OutTradeNo: p.OutTradeNo, TransactionID: answer.TradeNo, Currency: currency,
	}
	if n.Amount, err = money.Parse(answer.Amount); err != nil || !fits(n.TransactionID) {
		return payment.Notification{}, errors.New("the answer has no amount or no number")
	}
	if n.Time, err = timeOf(answer.Time); err != nil { // it is not always there; the money is
		n.Time = g.o.Now()
	}
	return n, nil
}

// The states of a trade.
const (
	waiting   = "WAIT_BUYER_PAY"
	closed    = "TRADE_CLOSED"
	succeeded = "TRADE_SUCCESS"
	finished  = "TRADE_FINISHED" // paid, and too long ago for a refund
)

// fits reports whether a number of the platform can be stored.
func fits(number string) bool { return number != "" && len(number) <= 63 }
