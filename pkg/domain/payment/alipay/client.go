package alipay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/internal/platform"
)

// stampForm is the form of times, which are those of Beijing.
const stampForm = "2006-01-02 15:04:05"

// errNotThere says that the platform does not know the trade. This is final, so it is a payment.ErrRefused too.
var errNotThere = fmt.Errorf("%w: it knows of nothing", payment.ErrRefused)

// result is what every answer begins with.
type result struct {
	Code    string `json:"code"`
	Message string `json:"msg"`
	SubCode string `json:"sub_code"`
	Says    string `json:"sub_msg"`
}

// call sends a signed request and decodes the signed answer into answer. It fails with payment.ErrRefused if the
// platform refuses. After any other error the outcome is unknown: the platform may have been too slow or overloaded, or
// the answer may be forged.
func (g *Gateway) call(ctx context.Context, method string, content, answer any) error {
	v, err := g.signed(method, content, nil)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.o.Base, strings.NewReader(v.Encode()))
	if err != nil {
		return fmt.Errorf("make the request: %w", platform.WithoutAddress(err))
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded;charset=utf-8")
	got, err := platform.Do(g.client, req)
	if err != nil {
		return err
	}
	if got.Status != http.StatusOK {
		return fmt.Errorf("the platform answers %d", got.Status)
	}
	// The signature over the exact bytes is verified first, also for a refusal, since an unsigned answer proves nothing.
	node, err := g.node(got.Body, strings.ReplaceAll(method, ".", "_")+"_response")
	if err != nil {
		return err
	}
	var r result
	if err := errors.Join(json.Unmarshal(node, &r), json.Unmarshal(node, answer)); err != nil {
		return fmt.Errorf("read the platform's answer: %w", err)
	}
	return r.refusal()
}

// node returns the signed part of an answer.
func (g *Gateway) node(body []byte, name string) (json.RawMessage, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(body, &all); err != nil {
		return nil, fmt.Errorf("read the platform's answer: %w", err)
	}
	var signature, number string
	if all["sign"] != nil {
		if err := json.Unmarshal(all["sign"], &signature); err != nil {
			return nil, fmt.Errorf("read the signature of the answer: %w", err)
		}
	}
	if all["alipay_cert_sn"] != nil {
		if err := json.Unmarshal(all["alipay_cert_sn"], &number); err != nil {
			return nil, fmt.Errorf("read the certificate of the answer: %w", err)
		}
	}
	if err := g.keys.verify(all[name], signature, number); err != nil {
		return nil, fmt.Errorf("the answer %.200s: %w", all[name], err)
	}
	return all[name], nil
}

// refusals are the codes of a request that the platform has not carried out. After any other one, such as 20000 for an
// error of the platform or 40005 for too many calls, the outcome is unknown.
var refusals = []string{"20001", "40001", "40002", "40004", "40006"}

// refusal distinguishes success, refusal, and an error of the platform.
func (r result) refusal() error {
	switch {
	case r.Code == "10000":
		return nil
	case r.SubCode == "ACQ.TRADE_NOT_EXIST":
		return errNotThere
	case slices.Contains(refusals, r.Code) && !strings.Contains(r.SubCode, "SYSTEM_ERROR") &&
		!strings.HasPrefix(r.SubCode, "isp."):
		return fmt.Errorf("%w: %.20s %.60s: %.100s", payment.ErrRefused, r.Code, r.SubCode, r.Says)
	}
	return fmt.Errorf("the platform answers %.20s %.60s: %.100s", r.Code, r.SubCode, r.Says)
}

// signed returns the parameters of a request with their signature. Those without a value are left out.
func (g *Gateway) signed(method string, content any, more map[string]string) (url.Values, error) {
	text, err := json.Marshal(content)
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	v := url.Values{}
	for name, value := range map[string]string{
		"app_id": g.o.AppID, "method": method, "format": "JSON", "charset": "utf-8", "sign_type": signType,
		"timestamp": g.o.Now().In(beijing).Format(stampForm), "version": "1.0", "biz_content": string(text),
		"app_cert_sn": g.keys.appSN, "alipay_root_cert_sn": g.keys.rootSN,
		"notify_url": more["notify_url"], "return_url": more["return_url"],
	} {
		if value != "" {
			v.Set(name, value)
		}
	}
	signature, err := g.keys.sign(contentOf(v))
	if err != nil {
		return nil, err
	}
	v.Set("sign", signature)
	return v, nil
}

// timeOf parses one of the platform's times.
func timeOf(text string) (time.Time, error) { return time.ParseInLocation(stampForm, text, beijing) }
