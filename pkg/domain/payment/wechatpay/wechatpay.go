// Package wechatpay is the gateway to WeChat Pay, API v3, with public keys of the platform.
package wechatpay

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/internal/apiv3"
	"shop.internal/pkg/domain/payment/internal/platform"
)

// Base is the platform's address.
const Base = "https://api.mch.weixin.qq.com"

// beijing is the time zone of the platform.
var beijing = time.FixedZone("", 8*60*60)

// Options are the merchant and the keys of both sides. Keys are PEM text or the name of a file.
type Options struct {
	AppID, MchID string
	// MchSerial is the serial number of the merchant's certificate, PrivateKey its key.
	MchSerial, PrivateKey string
	// PlatformKeys are the public keys that the platform may sign with, each as ID=key. The ID is the key's id, which
	// begins with PUB_KEY_ID_, or the serial number of a certificate. The platform is asked to sign answers with the
	// first.
	PlatformKeys []string
	// APIKey is the API v3 key of 32 bytes that decrypts notifications.
	APIKey string
	// NotifyURL is the shop's public address for notifications.
	NotifyURL string
	// Base replaces the platform's address.
	Base string
	Now  func() time.Time
}

// Gateway is the gateway to WeChat Pay.
type Gateway struct {
	o        Options
	key      *rsa.PrivateKey
	platform platformKeys
	client   *http.Client
}

// New parses the keys. Its errors never quote a key.
func New(o Options) (*Gateway, error) {
	if o.Base == "" {
		o.Base = Base
	}
	o.Base = strings.TrimRight(o.Base, "/")
	if wrong := o.wrong(); len(wrong) > 0 {
		return nil, fmt.Errorf("payment by wechat: %s", strings.Join(wrong, "; "))
	}
	key, keyErr := platform.PrivateKey("private-key", o.PrivateKey)
	public, publicErr := readPlatformKeys(o.PlatformKeys)
	if err := errors.Join(keyErr, publicErr); err != nil {
		return nil, fmt.Errorf("payment by wechat: %w", err)
	}
	return &Gateway{o: o, key: key, platform: public, client: platform.NewClient()}, nil
}

func (o Options) wrong() (wrong []string) {
	for _, k := range []struct{ name, value string }{
		{"app-id", o.AppID},
		{"mch-id", o.MchID},
		{"mch-serial", o.MchSerial},
		{"private-key", o.PrivateKey},
	} {
		if k.value == "" {
			wrong = append(wrong, k.name+" is needed")
		}
	}
	if len(o.PlatformKeys) == 0 {
		wrong = append(wrong, "platform-keys is needed")
	}
	if len(o.APIKey) != 32 {
		wrong = append(wrong, "api-key must have 32 bytes")
	}
	if !platform.IsAddress(o.Base) || strings.Contains(o.Base, "?") {
		wrong = append(wrong, "base-url is no address")
	}
	return wrong
}

// code is the code of the channel.
const code = "wechat"

// Start implements payment.Gateway. Addresses are short-lived, so every call for one asks anew; our number keeps it the
// same payment.
func (w *Gateway) Start(
	ctx context.Context, a payment.StartRequest,
) (number string, answer payment.Answer, err error) {
	if a.Kind == payment.KindPage {
		answer.Address, err = w.H5(ctx, a.PrepayRequest)
		return a.OutTradeNo, answer, err
	}
	if number = a.Number; number == "" {
		if number, err = w.Prepay(ctx, a.PrepayRequest); err != nil {
			return "", answer, err
		}
	}
	answer.Params, err = w.Sign(ctx, number, a.Now)
	return number, answer, err
}

type amount struct {
	Total    int64          `json:"total"`
	Refund   int64          `json:"refund,omitempty"`
	Currency money.Currency `json:"currency"`
}

type payer struct {
	OpenID string `json:"openid"`
}

type h5Info struct {
	Type string `json:"type"`
}

type sceneInfo struct {
	Address string  `json:"payer_client_ip"`
	H5      *h5Info `json:"h5_info,omitempty"`
}

type order struct {
	AppID       string     `json:"appid"`
	MchID       string     `json:"mchid"`
	Description string     `json:"description"`
	OutTradeNo  string     `json:"out_trade_no"`
	TimeExpire  string     `json:"time_expire"`
	NotifyURL   string     `json:"notify_url"`
	Amount      amount     `json:"amount"`
	Payer       *payer     `json:"payer,omitempty"`
	Scene       *sceneInfo `json:"scene_info,omitempty"`
}

func (w *Gateway) order(a payment.PrepayRequest) order {
	o := order{
		AppID: w.o.AppID, MchID: w.o.MchID, Description: form.Truncate(a.Description, 127), OutTradeNo: a.OutTradeNo,
		TimeExpire: a.Expire.In(beijing).Format(time.RFC3339), NotifyURL: w.o.NotifyURL,
		Amount: amount{Total: int64(a.Amount), Currency: apiv3.Currency},
	}
	if a.Address != "" {
		o.Scene = &sceneInfo{Address: a.Address}
	}
	return o
}

// Prepay creates a payment inside the app.
func (w *Gateway) Prepay(ctx context.Context, a payment.PrepayRequest) (string, error) {
	o := w.order(a)
	o.Payer = &payer{OpenID: a.OpenID}
	var answer struct {
		PrepayID string `json:"prepay_id"`
	}
	if err := w.call(ctx, http.MethodPost, "/v3/pay/transactions/jsapi", o, &answer); err != nil {
		return "", err
	}
	if answer.PrepayID == "" || len(answer.PrepayID) > 128 {
		return "", errors.New("the platform gives no number for the payment")
	}
	return answer.PrepayID, nil
}

// H5 creates a payment in a browser.
func (w *Gateway) H5(ctx context.Context, a payment.PrepayRequest) (string, error) {
	o := w.order(a)
	if o.Scene == nil { // the platform requires an address
		o.Scene = &sceneInfo{Address: "127.0.0.1"}
	}
	o.Scene.H5 = &h5Info{Type: "Wap"}
	var answer struct {
		Address string `json:"h5_url"`
	}
	if err := w.call(ctx, http.MethodPost, "/v3/pay/transactions/h5", o, &answer); err != nil {
		return "", err
	}
	if !platform.IsAddress(answer.Address) {
		return "", errors.New("the platform gives no address for the payment")
	}
	return apiv3.LeadingBack(answer.Address, a.Back), nil
}

// Sign signs what the app passes to the platform.
func (w *Gateway) Sign(_ context.Context, prepayID string, now time.Time) (payment.PrepayParams, error) {
	t := payment.PrepayParams{
		AppID: w.o.AppID, TimeStamp: strconv.FormatInt(now.Unix(), 10), NonceStr: rand.Text(),
		Package: "prepay_id=" + prepayID, SignType: "RSA",
	}
	var err error
	t.PaySign, err = apiv3.Sign(w.key, t.AppID, t.TimeStamp, t.NonceStr, t.Package)
	return t, err
}

// Close closes a payment. The platform refuses it for a paid one.
func (w *Gateway) Close(ctx context.Context, p payment.Ref) error {
	body := struct {
		MchID string `json:"mchid"`
	}{w.o.MchID}
	path := "/v3/pay/transactions/out-trade-no/" + url.PathEscape(p.OutTradeNo) + "/close"
	err := w.call(ctx, http.MethodPost, path, body, nil)
	if errors.Is(err, errNotThere) { // never created: nothing to close
		return nil
	}
	return err
}

// Query queries a payment.
func (w *Gateway) Query(ctx context.Context, p payment.Ref) (payment.Notification, error) {
	path := "/v3/pay/transactions/out-trade-no/" + url.PathEscape(p.OutTradeNo) + "?mchid=" + url.QueryEscape(w.o.MchID)
	var raw json.RawMessage
	err := w.call(ctx, http.MethodGet, path, nil, &raw)
	if errors.Is(err, errNotThere) {
		return payment.Notification{}, fmt.Errorf("%w: %w", payment.ErrUnpaid, err)
	}
	if err != nil {
		return payment.Notification{}, err
	}
	var t apiv3.Transaction
	if err := json.Unmarshal(raw, &t); err != nil {
		return payment.Notification{}, fmt.Errorf("read the payment: %w", err)
	}
	if t.OutTradeNo != p.OutTradeNo {
		return payment.Notification{}, errors.New("the answer is about another payment")
	}
	if t.TradeState != apiv3.TradeSuccess {
		return payment.Notification{}, fmt.Errorf("%w: state %.40q", payment.ErrUnpaid, t.TradeState)
	}
	n := payment.Notification{ID: "query-" + t.TransactionID}
	err = t.Into(&n, w.o.AppID, w.o.MchID)
	return n, err
}

// Read verifies and decrypts a notification.
func (w *Gateway) Read(
	_ context.Context, header func(string) string, body []byte, now time.Time,
) (payment.Notification, error) {
	if err := apiv3.Verify(w.platform.all, header, body, now); err != nil {
		return payment.Notification{}, err
	}
	return apiv3.Open(body, []byte(w.o.APIKey), w.o.AppID, w.o.MchID)
}
