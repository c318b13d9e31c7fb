package wechatpay

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/internal/apiv3"
	"shop.internal/pkg/domain/payment/internal/platform"
)

// errNotThere says that the platform does not know the payment or refund. This is final, so it is a payment.ErrRefused
// too.
var errNotThere = fmt.Errorf("%w: it knows of nothing", payment.ErrRefused)

// call sends a signed request and decodes the signed answer into answer, unless that is nil. It fails with
// payment.ErrRefused if the platform refuses. After any other error the outcome is unknown: the platform may have been
// too slow or overloaded, or the answer may be forged.
func (w *Gateway) call(ctx context.Context, method, path string, body, answer any) error {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return fmt.Errorf("write the request: %w", err)
		}
	}
	req, err := w.request(ctx, method, path, text)
	if err != nil {
		return err
	}
	got, err := platform.Do(w.client, req)
	if err != nil {
		return err
	}
	// The signature over the exact bytes is verified first, also for a refusal, since an unsigned answer proves nothing.
	if err := apiv3.Verify(w.platform.all, got.Header.Get, got.Body, w.o.Now()); err != nil {
		return fmt.Errorf("answer %d: %w", got.Status, err)
	}
	if got.Status/100 != 2 {
		return refusalOf(got.Status, got.Body)
	}
	if answer == nil {
		return nil
	}
	if err := json.Unmarshal(got.Body, answer); err != nil {
		return fmt.Errorf("read the platform's answer: %w", err)
	}
	return nil
}

func (w *Gateway) request(ctx context.Context, method, path string, text []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, w.o.Base+path, bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", platform.WithoutAddress(err))
	}
	stamp, nonce := strconv.FormatInt(w.o.Now().Unix(), 10), rand.Text()
	sign, err := apiv3.Sign(w.key, method, req.URL.RequestURI(), stamp, nonce, string(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", fmt.Sprintf(`WECHATPAY2-SHA256-RSA2048 mchid="%s",nonce_str="%s",timestamp="%s",`+
		`serial_no="%s",signature="%s"`, w.o.MchID, nonce, stamp, w.o.MchSerial, sign))
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(apiv3.HeaderSerial, w.platform.first) // requests the key for signing the answer
	return req, nil
}

// refusalOf distinguishes a refusal from an error of the platform.
func refusalOf(status int, body []byte) error {
	var e struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	if err := json.Unmarshal(body, &e); err != nil || e.Code == "" {
		e.Code = "no code"
	}
	switch {
	case status/100 != 4 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout,
		e.Code == "SYSTEM_ERROR" || e.Code == "FREQUENCY_LIMITED":
		return fmt.Errorf("the platform answers %d %.40s: %.100s", status, e.Code, e.Message)
	case status == http.StatusNotFound:
		return fmt.Errorf("%w: %d %.40s: %.100s", errNotThere, status, e.Code, e.Message)
	}
	return fmt.Errorf("%w: %d %.40s: %.100s", payment.ErrRefused, status, e.Code, e.Message)
}
