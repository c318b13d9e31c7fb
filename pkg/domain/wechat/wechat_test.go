package wechat_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/wechat"
	"shop.internal/pkg/domain/wechat/wechattest"
)

func open(t *testing.T, c wechat.Config) *wechat.Client {
	t.Helper()
	client, err := wechat.New(c)
	require.NoError(t, err)
	return client
}

func TestSession(t *testing.T) {
	p := wechattest.Open(t)
	openID, key, err := open(t, p.Config()).Session(t.Context(), "code-of-lin")
	require.NoError(t, err)
	require.Equal(t, "o-lin", openID)
	require.Equal(t, p.Key("lin"), key)
}

func TestSessionRefused(t *testing.T) {
	wrong := wechattest.Open(t).Config()
	wrong.Secret = "not-the-" + wechattest.Secret
	for name, tt := range map[string]struct{ code, want string }{
		"unknown code":  {"nobody", "40029"},
		"no code":       {"", "40029"},
		"a second name": {"x&appid=other", "40029"},
		"endless code":  {strings.Repeat("x", 513), "too long"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := open(t, wechattest.Open(t).Config()).Session(t.Context(), tt.code)
			require.ErrorContains(t, err, tt.want)
		})
	}
	_, _, err := open(t, wrong).Session(t.Context(), "code-of-lin")
	require.ErrorContains(t, err, "40125")
}

// No error of a call contains the secret, wherever the call fails.
func TestErrorsHideTheSecret(t *testing.T) {
	const good = `{"openid":"o-lin","session_key":"a2V5"}`
	tests := map[string]struct {
		serve http.HandlerFunc
		want  string
	}{
		"an error status": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }, "502"},
		"a redirection": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://evil.test/?"+r.URL.RawQuery, http.StatusFound)
		}, "302"},
		"no JSON":            {says(`<html>the-secret-of-the-app</html>`), "not the JSON"},
		"another type":       {says(`{"openid":5}`), "not the JSON"},
		"an endless answer":  {says(`{"openid":"` + strings.Repeat("x", 1<<20) + `"}`), "not the JSON"},
		"the secret in text": {says(`{"errcode":40001,"errmsg":"the-secret-of-the-app is wrong"}`), "40001"},
		"no identity":        {says(`{"session_key":"a2V5"}`), "no identity"},
		"a long identity":    {says(`{"openid":"` + strings.Repeat("x", 64) + `","session_key":"a2V5"}`), "no identity"},
		"no session key":     {says(`{"openid":"o-lin"}`), "no session key"},
		"a long session key": {says(`{"openid":"o-lin","session_key":"` + strings.Repeat("x", 129) + `"}`), "no session key"},
		"broken off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "500")
			_, _ = w.Write([]byte(good))
		}, "EOF"},
		"silence": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "deadline"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(tt.serve)
			defer s.Close()
			c := wechat.Config{
				AppID: wechattest.AppID, Secret: wechattest.Secret, BaseURL: s.URL, Timeout: 100 * time.Millisecond,
			}
			_, _, err := open(t, c).Session(t.Context(), "code-of-lin")
			require.ErrorContains(t, err, tt.want)
			hidden(t, err)
		})
	}
	t.Run("nobody listens", func(t *testing.T) {
		c := wechat.Config{AppID: wechattest.AppID, Secret: wechattest.Secret, BaseURL: "http://127.0.0.1:1"}
		_, _, err := open(t, c).Session(t.Context(), "code-of-lin")
		require.ErrorContains(t, err, "refused")
		hidden(t, err)
	})
	t.Run("the caller has gone", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, _, err := open(t, wechattest.Open(t).Config()).Session(ctx, "code-of-lin")
		require.ErrorIs(t, err, context.Canceled)
		hidden(t, err)
	})
}

func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) }
}

func hidden(t *testing.T, err error) {
	t.Helper()
	for _, form := range []string{"%v", "%+v", "%#v"} {
		require.NotContains(t, fmt.Sprintf(form, err), wechattest.Secret)
		require.NotContains(t, fmt.Sprintf(form, err), "code-of-lin")
	}
}

func TestNewNeedsAnAddress(t *testing.T) {
	for _, address := range []string{"", "api.weixin.qq.com", "ftp://x", "http://", "http://a b", "::"} {
		_, err := wechat.New(wechat.Config{BaseURL: address})
		require.Error(t, err, address)
	}
}

func TestPhone(t *testing.T) {
	c := open(t, wechattest.Open(t).Config())
	key := base64.StdEncoding.EncodeToString([]byte("sixteen bytes !!"))
	for _, mobile := range []string{"13900000001", "+8613900000001", ""} {
		iv, sealed := wechattest.Seal(t, key, wechattest.Number(mobile, wechattest.AppID))
		got, err := c.Phone(key, iv, sealed)
		require.NoError(t, err)
		require.Equal(t, mobile, got)
	}
	abroad := wechattest.Open(t).Config()
	abroad.International = true
	iv, sealed := wechattest.Seal(t, key, wechattest.Number("13900000001", wechattest.AppID))
	got, err := open(t, abroad).Phone(key, iv, sealed)
	require.NoError(t, err)
	require.Equal(t, "+8613900000001", got, "a number of China is not taken for one of the shop's country")
}

// Every failure has the same error, which reveals nothing else.
func TestPhoneCannotBeOpened(t *testing.T) {
	key := base64.StdEncoding.EncodeToString([]byte("sixteen bytes !!"))
	other := base64.StdEncoding.EncodeToString([]byte("!! sixteen bytes"))
	iv, sealed := wechattest.Seal(t, key, wechattest.Number("13900000001", wechattest.AppID))
	foreignIV, foreign := wechattest.Seal(t, key, wechattest.Number("13900000001", "wx-another-app"))
	textIV, text := wechattest.Seal(t, key, "no JSON")
	blank := base64.StdEncoding.EncodeToString(make([]byte, 32))
	tests := map[string]struct{ key, iv, sealed string }{
		"another key":           {other, iv, sealed},
		"no key":                {"", iv, sealed},
		"a key of another size": {base64.StdEncoding.EncodeToString(make([]byte, 32)), iv, sealed},
		"another vector":        {key, base64.StdEncoding.EncodeToString(make([]byte, 16)), sealed},
		"a short vector":        {key, "AAAA", sealed},
		"no base64":             {key, iv, "§" + sealed},
		"a vector of no base64": {key, "§", sealed},
		"nothing":               {key, iv, ""},
		"half a block":          {key, iv, sealed[:len(sealed)-8]},
		"a block less":          {key, iv, base64.StdEncoding.EncodeToString([]byte(sealed)[:16])},
		"no padding":            {key, iv, blank},
		"too much":              {key, iv, strings.Repeat("A", 8<<10+4)},
		"another app's":         {key, foreignIV, foreign},
		"no JSON":               {key, textIV, text},
	}
	c := open(t, wechattest.Open(t).Config())
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := c.Phone(tt.key, tt.iv, tt.sealed)
			require.EqualError(t, err, "the sealed mobile number cannot be opened")
			require.Empty(t, got)
		})
	}
}

// An app without an id accepts no number, although an empty watermark would equal it.
func TestPhoneNeedsAnApp(t *testing.T) {
	key := base64.StdEncoding.EncodeToString(make([]byte, 16))
	iv, sealed := wechattest.Seal(t, key, `{"phoneNumber":"13900000001"}`)
	_, err := open(t, wechat.Config{BaseURL: "http://shop.test"}).Phone(key, iv, sealed)
	require.Error(t, err)
}

func TestSigned(t *testing.T) {
	const token, at, nonce = "token", "1893470400", "n-1"
	good := wechattest.Sign(token, at, nonce)
	require.Equal(t, "eca7bcb32bc87122d563aa0f763bda3f5d92f7c7", good, "SHA-1 of 1893470400n-1token")
	require.True(t, wechat.Signed(token, good, at, nonce))
	require.True(t, wechat.Signed(token, strings.ToUpper(good), at, nonce))
	require.False(t, wechat.Signed(token, good, at, "n-2"))
	require.False(t, wechat.Signed(token, good, "1893470401", nonce))
	require.False(t, wechat.Signed("other", good, at, nonce))
	require.False(t, wechat.Signed(token, "", at, nonce))
	require.False(t, wechat.Signed(token, good[:39], at, nonce))
	require.False(t, wechat.Signed("", wechattest.Sign("", at, nonce), at, nonce), "no token, no signature")
}

func FuzzPhone(f *testing.F) {
	f.Add("a2V5", "AAAA", "AAAA")
	c, err := wechat.New(wechat.Config{AppID: wechattest.AppID, BaseURL: "http://shop.test"})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, key, iv, sealed string) {
		if got, err := c.Phone(key, iv, sealed); err == nil {
			t.Fatalf("opened %q", got)
		}
	})
}
