package notify_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/notify"
)

const (
	hookSecret   = "5fbe41d7c0a96e283b7d5fbe41d7c0a9"
	aliyunSecret = "aliyun-pass-phrase"
	twilioToken  = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
)

// code is a message as the account area sends it.
var code = notify.SMS{
	ID: "1", Mobile: "13900000001", Name: "sms.code", Text: "您的验证码是 123456 & 5+1",
	Params: map[string]string{"code": "123456", "minutes": "5"},
}

// service is a fake service on this machine. check inspects each request; the service answers with its result.
func service(t *testing.T, check func(r *http.Request, body []byte) (status int, answer string)) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		status, answer := check(r, body)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// hookSigned verifies a signature like the receiver of a webhook, as documented.
func hookSigned(r *http.Request, body []byte) bool {
	mac := hmac.New(sha256.New, []byte(hookSecret))
	mac.Write([]byte(r.Header.Get("X-Shop-Timestamp") + "." + string(body)))
	want := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(want), []byte(r.Header.Get("X-Shop-Signature")))
}

func TestWebhook(t *testing.T) {
	var got []map[string]any
	to := service(t, func(r *http.Request, body []byte) (int, string) {
		if !hookSigned(r, body) || hookSigned(r, append(body, ' ')) {
			return http.StatusForbidden, ""
		}
		require.Equal(t, fmt.Sprint(noon().Unix()), r.Header.Get("X-Shop-Timestamp"))
		require.Equal(t, "application/json", r.Header.Get("Content-Type"))
		var m map[string]any
		require.NoError(t, json.Unmarshal(body, &m))
		got = append(got, m)
		return http.StatusAccepted, ""
	})
	s, err := notify.NewWebhook(to, hookSecret, noon)
	require.NoError(t, err)
	require.True(t, s.Sends(notify.ByPhone) && s.Sends(notify.ByMail))
	require.NoError(t, s.SMS(t.Context(), code))
	require.NoError(t, s.Mail(t.Context(), notify.Mail{ID: "2", Name: "mail.order-paid", Subject: "s", Text: "t"}))
	require.Equal(t, []map[string]any{
		{
			"id": "1", "kind": "sms", "name": "sms.code", "to": []any{"13900000001"}, "text": code.Text,
			"params": map[string]any{"code": "123456", "minutes": "5"},
		},
		{"id": "2", "kind": "mail", "name": "mail.order-paid", "to": []any{}, "subject": "s", "text": "t"},
	}, got)

	other, err := notify.NewWebhook(to, strings.ToUpper(hookSecret), noon)
	require.NoError(t, err)
	require.ErrorContains(t, other.SMS(t.Context(), code), "HTTP status 403")
	for _, bad := range []string{"", "shop.test", "http://shop.test/x", "https://a:b@shop.test/", "ftp://127.0.0.1/"} {
		_, err := notify.NewWebhook(bad, hookSecret, noon)
		require.ErrorContains(t, err, "url: ", bad)
	}
	_, err = notify.NewWebhook(to, "", noon)
	require.ErrorContains(t, err, "secret: is missing")
}

// aliyunSigned verifies a signature like the service, from the request and the secret of its key.
func aliyunSigned(r *http.Request, body []byte) bool {
	rest, ok := strings.CutPrefix(r.Header.Get("Authorization"), "ACS3-HMAC-SHA256 Credential=key1,SignedHeaders=")
	list, signature, also := strings.Cut(rest, ",Signature=")
	if !ok || !also || !slices.IsSorted(strings.Split(list, ";")) {
		return false
	}
	for name := range r.Header { // each of the service's own headers must be signed
		if n := strings.ToLower(name); strings.HasPrefix(n, "x-acs-") && !slices.Contains(strings.Split(list, ";"), n) {
			return false
		}
	}
	var headers strings.Builder
	for name := range strings.SplitSeq(list, ";") {
		value := r.Header.Get(name)
		if name == "host" {
			value = r.Host
		}
		headers.WriteString(name + ":" + strings.TrimSpace(value) + "\n")
	}
	var query []string
	for name, values := range r.URL.Query() {
		escape := func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
		query = append(query, escape(name)+"="+escape(values[0]))
	}
	slices.Sort(query)
	sum := sha256.Sum256(body)
	hash := hex.EncodeToString(sum[:])
	canonical := sha256.Sum256([]byte(r.Method + "\n" + r.URL.Path + "\n" + strings.Join(query, "&") + "\n" +
		headers.String() + "\n" + list + "\n" + hash))
	mac := hmac.New(sha256.New, []byte(aliyunSecret))
	mac.Write([]byte("ACS3-HMAC-SHA256\n" + hex.EncodeToString(canonical[:])))
	return signature == hex.EncodeToString(mac.Sum(nil)) && r.Header.Get("X-Acs-Content-Sha256") == hash
}

func aliyun(endpoint string) notify.AliyunOptions {
	return notify.AliyunOptions{
		Endpoint: endpoint, AccessKeyID: "key1", AccessKeySecret: aliyunSecret, SignName: "我的 商城",
		Templates: []string{"sms.code=SMS_1:code", "sms.order-shipped=SMS_2"}, Now: noon,
	}
}

func TestAliyun(t *testing.T) {
	var got []url.Values
	nonces := map[string]bool{}
	endpoint := service(t, func(r *http.Request, body []byte) (int, string) {
		if !aliyunSigned(r, body) {
			return http.StatusBadRequest, `{"Code":"SignatureDoesNotMatch","Message":"13900000001 123456"}`
		}
		require.Equal(t, "SendSms 2017-05-25 2026-11-21T12:00:00Z", r.Header.Get("X-Acs-Action")+" "+
			r.Header.Get("X-Acs-Version")+" "+r.Header.Get("X-Acs-Date"))
		nonces[r.Header.Get("X-Acs-Signature-Nonce")] = true
		got = append(got, r.URL.Query())
		if r.URL.Query().Get("PhoneNumbers") == "13900000002" {
			return http.StatusOK, `{"Code":"isv.BUSINESS_LIMIT_CONTROL","Message":"13900000002"}`
		}
		return http.StatusOK, `{"Code":"OK","Message":"OK","BizId":"1"}`
	})
	s, err := notify.NewAliyun(aliyun(endpoint))
	require.NoError(t, err)
	require.True(t, s.Sends(notify.ByPhone))
	require.False(t, s.Sends(notify.ByMail))
	require.ErrorIs(t, s.Mail(t.Context(), notify.Mail{}), notify.ErrUnsupported)
	require.NoError(t, s.SMS(t.Context(), code))
	shipped := notify.SMS{
		Mobile: "13900000001", Name: "sms.order-shipped",
		Params: map[string]string{"order": "567890", "carrier": "ZTO", "number": "a*b~c d/é"},
	}
	require.NoError(t, s.SMS(t.Context(), shipped))
	require.Equal(t, url.Values{
		"PhoneNumbers": {"13900000001"}, "SignName": {"我的 商城"}, "TemplateCode": {"SMS_1"},
		"TemplateParam": {`{"code":"123456"}`},
	}, got[0])
	require.JSONEq(t, `{"carrier":"ZTO","number":"a*b~c d/é","order":"567890"}`, got[1].Get("TemplateParam"))
	require.Len(t, nonces, 2, "none is used twice")

	require.ErrorIs(t, s.SMS(t.Context(), notify.SMS{Name: "sms.order-paid"}), notify.ErrUnsupported, "it has no template")
	shipped.Mobile = "13900000002"
	err = s.SMS(t.Context(), shipped)
	require.EqualError(t, err, `send by Aliyun: HTTP status 200, code "isv.BUSINESS_LIMIT_CONTROL"`)
	o := aliyun(endpoint)
	o.AccessKeySecret = "wrong-pass-phrase"
	wrong, err := notify.NewAliyun(o)
	require.NoError(t, err)
	require.EqualError(t, wrong.SMS(t.Context(), code), `send by Aliyun: HTTP status 400, code "SignatureDoesNotMatch"`)
}

func TestAliyunRefusesSettings(t *testing.T) {
	tests := map[string]struct {
		change func(*notify.AliyunOptions)
		want   string
	}{
		"no address":        {func(o *notify.AliyunOptions) { o.Endpoint = "dysmsapi.aliyuncs.com" }, "endpoint: "},
		"an open address":   {func(o *notify.AliyunOptions) { o.Endpoint = "http://dysmsapi.aliyuncs.com" }, "endpoint: must begin with https://"},
		"a path":            {func(o *notify.AliyunOptions) { o.Endpoint = "https://a.test/b" }, "endpoint: is an address without a path"},
		"no key":            {func(o *notify.AliyunOptions) { o.AccessKeyID = "" }, "access-key-id: is missing"},
		"no secret":         {func(o *notify.AliyunOptions) { o.AccessKeySecret = "" }, "access-key-secret: is missing"},
		"no name":           {func(o *notify.AliyunOptions) { o.SignName = "" }, "sign-name: is missing"},
		"no template":       {func(o *notify.AliyunOptions) { o.Templates = nil }, "templates: one for sms.code is needed"},
		"no equals sign":    {func(o *notify.AliyunOptions) { o.Templates = []string{"SMS_1"} }, "is not of the form"},
		"an unknown name":   {func(o *notify.AliyunOptions) { o.Templates = []string{"sms.pin=SMS_1"} }, `no text message has the name "sms.pin"`},
		"a mail":            {func(o *notify.AliyunOptions) { o.Templates = []string{"mail.test=SMS_1"} }, "no text message"},
		"an unknown member": {func(o *notify.AliyunOptions) { o.Templates = []string{"sms.code=SMS_1:pin"} }, `no parameter "pin"`},
		"twice":             {func(o *notify.AliyunOptions) { o.Templates = []string{"sms.code=SMS_1", "sms.code=SMS_2"} }, "two templates"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			o := aliyun("https://dysmsapi.aliyuncs.com")
			tt.change(&o)
			_, err := notify.NewAliyun(o)
			require.ErrorContains(t, err, tt.want)
			require.NotContains(t, err.Error(), "phrase")
		})
	}
}

func twilio(base string) notify.TwilioOptions {
	return notify.TwilioOptions{
		BaseURL: base, AccountSID: "AC0123456789abcdef0123456789abcdef", AuthToken: twilioToken, From: "+15005550006",
		Prefix: "+86",
	}
}

func TestTwilio(t *testing.T) {
	var got []url.Values
	base := service(t, func(r *http.Request, body []byte) (int, string) {
		user, token, _ := r.BasicAuth()
		if user != "AC0123456789abcdef0123456789abcdef" || token != twilioToken {
			return http.StatusUnauthorized, `{"code":20003,"message":"Authenticate 13900000001","status":401}`
		}
		require.Equal(t, "/2010-04-01/Accounts/AC0123456789abcdef0123456789abcdef/Messages.json", r.URL.Path)
		form, err := url.ParseQuery(string(body))
		require.NoError(t, err)
		got = append(got, form)
		if form.Get("To") == "+8613900000002" {
			return http.StatusBadRequest, `{"code":21211,"message":"+8613900000002 is no number","status":400}`
		}
		return http.StatusCreated, `{"sid":"SM1"}`
	})
	s, err := notify.NewTwilio(twilio(base))
	require.NoError(t, err)
	require.True(t, s.Sends(notify.ByPhone))
	require.False(t, s.Sends(notify.ByMail))
	require.ErrorIs(t, s.Mail(t.Context(), notify.Mail{}), notify.ErrUnsupported)
	require.NoError(t, s.SMS(t.Context(), code))
	require.Equal(t, url.Values{"To": {"+8613900000001"}, "From": {"+15005550006"}, "Body": {code.Text}}, got[0])
	require.EqualError(t, s.SMS(t.Context(), notify.SMS{Mobile: "13900000002"}), "send by Twilio: HTTP status 400, code 21211")

	o := twilio(base)
	o.From = "MG0123456789abcdef0123456789abcdef"
	byService, err := notify.NewTwilio(o)
	require.NoError(t, err)
	require.NoError(t, byService.SMS(t.Context(), code))
	require.Equal(t, o.From, got[2].Get("MessagingServiceSid"))
	require.Empty(t, got[2].Get("From"))
	o.AuthToken = "f" + twilioToken[1:]
	wrong, err := notify.NewTwilio(o)
	require.NoError(t, err)
	require.EqualError(t, wrong.SMS(t.Context(), code), "send by Twilio: HTTP status 401, code 20003")
}

func TestTwilioRefusesSettings(t *testing.T) {
	tests := map[string]struct {
		change func(*notify.TwilioOptions)
		want   string
	}{
		"an open address": {func(o *notify.TwilioOptions) { o.BaseURL = "http://api.twilio.com" }, "base-url: must begin"},
		"no account":      {func(o *notify.TwilioOptions) { o.AccountSID = "" }, "account-sid: "},
		"a strange token": {func(o *notify.TwilioOptions) { o.AuthToken = "pass phrase" }, "auth-token: "},
		"no sender":       {func(o *notify.TwilioOptions) { o.From = "15005550006" }, "from: "},
		"no country":      {func(o *notify.TwilioOptions) { o.Prefix = "86" }, "prefix: "},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			o := twilio("https://api.twilio.com")
			tt.change(&o)
			_, err := notify.NewTwilio(o)
			require.ErrorContains(t, err, tt.want)
			require.NotContains(t, err.Error(), "phrase")
		})
	}
}

// Whatever a service does, a message ends within its deadline, follows no redirect and reads a bounded answer, and its
// error contains neither a secret nor the number nor the text.
func TestServicesThatMisbehave(t *testing.T) {
	var mu sync.Mutex
	elsewhere := 0
	other := service(t, func(*http.Request, []byte) (int, string) {
		mu.Lock()
		defer mu.Unlock()
		elsewhere++
		return http.StatusOK, `{"Code":"OK","sid":"SM1"}`
	})
	ways := map[string]http.HandlerFunc{
		"redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other, http.StatusTemporaryRedirect) },
		"nonsense": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadGateway)
			_, _ = io.WriteString(w, "<html>13900000001")
		},
		"no end": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusBadGateway)
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		},
		"silence": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"hang up": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	}
	for name, way := range ways {
		fake := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice the disconnect
			way(w, r)
		}))
		hook, err := notify.NewWebhook(fake.URL+"/key-pass-phrase", hookSecret, noon)
		require.NoError(t, err)
		ali, err := notify.NewAliyun(aliyun(fake.URL))
		require.NoError(t, err)
		twi, err := notify.NewTwilio(twilio(fake.URL))
		require.NoError(t, err)
		for kind, s := range map[string]notify.Sender{"webhook": hook, "aliyun": ali, "twilio": twi} {
			t.Run(kind+" "+name, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
				defer cancel()
				err := s.SMS(ctx, code)
				require.Error(t, err)
				for _, secret := range []string{"13900000001", "123456", hookSecret, "phrase", twilioToken, "127.0.0.1"} {
					if name == "hang up" && secret == "127.0.0.1" {
						continue // the error of a connection contains its addresses
					}
					require.NotContains(t, err.Error(), secret)
				}
			})
		}
		fake.CloseClientConnections()
		fake.Close()
	}
	mu.Lock()
	defer mu.Unlock()
	require.Zero(t, elsewhere, "no redirect is followed")
}
