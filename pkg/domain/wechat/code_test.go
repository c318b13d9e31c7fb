package wechat_test

import (
	"bytes"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/wechat"
	"shop.internal/pkg/domain/wechat/wechattest"
)

func TestCode(t *testing.T) {
	p := wechattest.Open(t)
	file, err := open(t, p.Config()).Code(t.Context(), "pages/index/index", "goods,12")
	require.NoError(t, err)
	_, err = jpeg.Decode(bytes.NewReader(file))
	require.NoError(t, err)
}

func TestCodeRefused(t *testing.T) {
	p := wechattest.Open(t)
	for _, scene := range []string{"", "商品", "a b", "100%", "123456789012345678901234567890123"} {
		_, err := open(t, p.Config()).Code(t.Context(), "pages/index/index", scene)
		require.ErrorContains(t, err, "no scene", scene)
	}
	require.Zero(t, p.Calls())
	p.Refuse(41030)
	_, err := open(t, p.Config()).Code(t.Context(), "pages/nowhere", "goods,12")
	require.ErrorContains(t, err, "41030")
	wrong := p.Config()
	wrong.Secret = "not-the-" + wechattest.Secret
	_, err = open(t, wrong).Code(t.Context(), "pages/index/index", "goods,12")
	require.ErrorContains(t, err, "40125")
}

// No error contains the secret or the token in the address of the call.
func TestCodeKeepsItsSecrets(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"hangs up":  func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"no JSON":   func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"access_token":"the-tok`)) },
		"no token":  func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{}`)) },
		"a failure": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		"gives the token and hangs up": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/cgi-bin/stable_token" {
				panic(http.ErrAbortHandler)
			}
			_, _ = w.Write([]byte(`{"access_token":"the-token"}`))
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(answer)
			defer server.Close()
			client := open(t, wechat.Config{AppID: "app", Secret: "the-secret", BaseURL: server.URL})
			_, err := client.Code(t.Context(), "pages/index/index", "goods,12")
			require.Error(t, err)
			require.NotContains(t, err.Error(), "the-secret")
			require.NotContains(t, err.Error(), "the-tok")
		})
	}
}
