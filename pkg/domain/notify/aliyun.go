package notify

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"shop.internal/pkg/base/text"
)

// AliyunOptions is an account at Aliyun's SMS service. The service sends only templates that it has approved, so each
// message names one.
type AliyunOptions struct {
	// Endpoint is the service's address.
	Endpoint                     string
	AccessKeyID, AccessKeySecret string
	// SignName is the approved signature that precedes each text.
	SignName string
	// Templates map messages to templates, as in sms.code=SMS_123456789, or with the template's parameters if those are
	// not all of the message: sms.code=SMS_123456789:code. Several parameters are joined by +. A message without a
	// template is not sent.
	Templates []string
	// Now is the clock; the service refuses calls that are more than 15 minutes off.
	Now func() time.Time
}

// Aliyun sends text messages by the service SendSms (2017-05-25) under signatures of version 3.
type Aliyun struct {
	base      *url.URL
	o         AliyunOptions
	templates map[string]aliyunTemplate
	client    *http.Client
}

type aliyunTemplate struct {
	code   string
	params []string
}

// NewAliyun returns the sender. Its errors name the missing or wrong key.
func NewAliyun(o AliyunOptions) (*Aliyun, error) {
	base, err := address(o.Endpoint)
	if err != nil {
		return nil, fmt.Errorf("endpoint: %w", err)
	}
	if base.Path != "" && base.Path != "/" || base.RawQuery != "" {
		return nil, errors.New("endpoint: is an address without a path")
	}
	for _, k := range []struct{ name, value string }{
		{"access-key-id", o.AccessKeyID}, {"access-key-secret", o.AccessKeySecret}, {"sign-name", o.SignName},
	} {
		if k.value == "" {
			return nil, fmt.Errorf("%s: is missing", k.name)
		}
	}
	templates, err := aliyunTemplates(o.Templates)
	if err != nil {
		return nil, fmt.Errorf("templates: %w", err)
	}
	base.Path = "/"
	return &Aliyun{base, o, templates, newHTTP()}, nil
}

// aliyunTemplates parses entries of the form sms.code=SMS_1:code+minutes.
func aliyunTemplates(entries []string) (map[string]aliyunTemplate, error) {
	all := map[string]aliyunTemplate{}
	for _, entry := range entries {
		name, rest, ok := strings.Cut(entry, "=")
		code, list, some := strings.Cut(rest, ":")
		if !ok || code == "" || some && list == "" {
			return nil, fmt.Errorf("%q is not of the form sms.code=SMS_123456789 or sms.code=SMS_123456789:code", entry)
		}
		m, known := text.FindMessage(name)
		if !known || !strings.HasPrefix(name, "sms.") {
			return nil, fmt.Errorf("no text message has the name %q", name)
		}
		t := aliyunTemplate{code, m.Params}
		if some {
			t.params = strings.Split(list, "+")
		}
		for _, p := range t.params {
			if !slices.Contains(m.Params, p) {
				return nil, fmt.Errorf("%s has no parameter %q", name, p)
			}
		}
		if _, twice := all[name]; twice {
			return nil, fmt.Errorf("%s has two templates", name)
		}
		all[name] = t
	}
	if _, ok := all[text.SMSCode.Key]; !ok {
		return nil, errors.New("one for sms.code is needed")
	}
	return all, nil
}

// Sends is true for text messages.
func (a *Aliyun) Sends(k Kind) bool { return k == ByPhone }

// Mail fails with ErrUnsupported.
func (a *Aliyun) Mail(context.Context, Mail) error { return ErrUnsupported }

// SMS sends a message that has a template.
func (a *Aliyun) SMS(ctx context.Context, m SMS) error {
	t, ok := a.templates[m.Name]
	if !ok {
		return fmt.Errorf("no template for %s: %w", m.Name, ErrUnsupported)
	}
	params := map[string]string{}
	for _, p := range t.params {
		params[p] = m.Params[p]
	}
	filled, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("write the parameters of the template: %w", err)
	}
	r, err := a.request(ctx, url.Values{
		"PhoneNumbers": {strings.TrimPrefix(m.Mobile, "+")}, // the service wants international numbers without it
		"SignName":     {a.o.SignName}, "TemplateCode": {t.code}, "TemplateParam": {string(filled)},
	})
	if err != nil {
		return err
	}
	status, body, err := ask(a.client, r)
	if err != nil {
		return fmt.Errorf("send by Aliyun: %w", err)
	}
	var answer struct {
		Code string `json:"Code"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return fmt.Errorf("send by Aliyun: HTTP status %d without the JSON expected", status)
	}
	if status != http.StatusOK || answer.Code != "OK" {
		return fmt.Errorf("send by Aliyun: HTTP status %d, code %.60q", status, answer.Code)
	}
	return nil
}

// request is a signed call of SendSms. The parameters are in the query, as the service requires.
func (a *Aliyun) request(ctx context.Context, query url.Values) (*http.Request, error) {
	at := *a.base
	at.RawQuery = canonicalQuery(query)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, at.String(), http.NoBody)
	if err != nil {
		return nil, errors.New("the address of the service is malformed")
	}
	signAliyun(r, aliyunCall{
		action: "SendSms", version: "2017-05-25", nonce: rand.Text(), at: a.o.Now(),
		key: a.o.AccessKeyID, secret: a.o.AccessKeySecret,
	})
	return r, nil
}

// aliyunCall is the input of a signature, beside the request itself.
type aliyunCall struct {
	action, version, nonce string
	at                     time.Time
	key, secret            string
}

// signAliyun signs a request without a body with ACS3-HMAC-SHA256. The query must be canonical.
func signAliyun(r *http.Request, c aliyunCall) {
	none := sha256.Sum256(nil)
	signed := map[string]string{
		"host": r.URL.Host, "x-acs-action": c.action, "x-acs-version": c.version, "x-acs-signature-nonce": c.nonce,
		"x-acs-date": c.at.UTC().Format("2006-01-02T15:04:05Z"), "x-acs-content-sha256": hex.EncodeToString(none[:]),
	}
	names := slices.Sorted(maps.Keys(signed))
	var headers strings.Builder
	for _, name := range names {
		if name != "host" {
			r.Header.Set(name, signed[name])
		}
		headers.WriteString(name + ":" + signed[name] + "\n")
	}
	list := strings.Join(names, ";")
	canonical := sha256.Sum256([]byte(strings.Join([]string{
		r.Method, "/", r.URL.RawQuery, headers.String(), list, signed["x-acs-content-sha256"],
	}, "\n")))
	const algorithm = "ACS3-HMAC-SHA256"
	mac := hmac.New(sha256.New, []byte(c.secret))
	mac.Write([]byte(algorithm + "\n" + hex.EncodeToString(canonical[:])))
	r.Header.Set("Authorization", algorithm+" Credential="+c.key+",SignedHeaders="+list+
		",Signature="+hex.EncodeToString(mac.Sum(nil)))
}

// canonicalQuery encodes parameters as the service does: by RFC 3986, sorted.
func canonicalQuery(q url.Values) string { return strings.ReplaceAll(q.Encode(), "+", "%20") }
