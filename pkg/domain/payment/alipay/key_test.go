package alipay_test

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/alipay"
)

// With certificates every request names them, and an answer names the one that has signed it.
func TestCertificates(t *testing.T) {
	t.Parallel()
	platform := domaintest.NewAlipay(t, atNoon)
	bare := platform.Options
	platform.WithCertificates()
	g, err := alipay.New(platform.Options)
	require.NoError(t, err)
	_, answer, err := g.Start(t.Context(), ask(payment.KindPage))
	require.NoError(t, err)
	platform.Visit(answer.Address)
	platform.Pay(number)
	_, err = g.Query(t.Context(), payment.Ref{OutTradeNo: number})
	require.NoError(t, err)
	_, err = g.Read(t.Context(), nil, platform.Notification(number, nil), atNoon())
	require.NoError(t, err)
	platform.Mangle(func(_, whole string) string {
		return strings.Replace(whole, `"alipay_cert_sn":"`, `"alipay_cert_sn":"0`, 1)
	})
	_, err = g.Query(t.Context(), payment.Ref{OutTradeNo: number})
	require.ErrorIs(t, err, payment.ErrSignature, "a certificate that is not listed")

	good := platform.Options
	for want, change := range map[string]func(*alipay.Options){
		"root-cert is needed":                        func(o *alipay.Options) { o.RootCert = "" },
		"app-cert is needed":                         func(o *alipay.Options) { o.AppCert = "" },
		"entry 1 must be a certificate with app-cer": func(o *alipay.Options) { o.PlatformKeys = bare.PlatformKeys },
		"app-cert is no certificate":                 func(o *alipay.Options) { o.AppCert = bare.PlatformKeys[0] },
		"app-cert belongs to another private-key":    func(o *alipay.Options) { o.AppCert = o.PlatformKeys[0] },
		"root-cert holds no certificate with RSA":    func(o *alipay.Options) { o.RootCert = bare.PlatformKeys[0] },
		"root-cert is neither PEM text nor a readab": func(o *alipay.Options) { o.RootCert = "/nowhere" },
	} {
		o := good
		change(&o)
		_, err := alipay.New(o)
		require.ErrorContains(t, err, want)
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	platform := domaintest.NewAlipay(t, atNoon)
	good := platform.Options
	file := filepath.Join(t.TempDir(), "key.txt")
	require.NoError(t, os.WriteFile(file, []byte(good.PrivateKey+"\n"), 0o600))
	for name, key := range map[string]string{
		"a file": file, "bare": good.PrivateKey, "in lines": good.PrivateKey[:64] + "\n" + good.PrivateKey[64:],
		"PEM": "-----BEGIN PRIVATE KEY-----\n" + good.PrivateKey + "\n-----END PRIVATE KEY-----\n",
	} {
		o := good
		o.PrivateKey = key
		g, err := alipay.New(o)
		require.NoError(t, err, name)
		_, _, err = g.Start(t.Context(), ask(payment.KindQR))
		require.NoError(t, err, name)
	}
	for want, change := range map[string]func(*alipay.Options){
		"app-id is needed":                func(o *alipay.Options) { o.AppID = "" },
		"seller-id is needed":             func(o *alipay.Options) { o.SellerID = "" },
		"private-key is needed":           func(o *alipay.Options) { o.PrivateKey = "" },
		"platform-keys is needed":         func(o *alipay.Options) { o.PlatformKeys = nil },
		"base-url is no address":          func(o *alipay.Options) { o.Base = "https://x/?a=b" },
		"private-key is no private key":   func(o *alipay.Options) { o.PrivateKey = o.PlatformKeys[0] },
		"entry 2 is no public key":        func(o *alipay.Options) { o.PlatformKeys = append(o.PlatformKeys, o.PrivateKey) },
		"entry 1 is neither PEM text nor": func(o *alipay.Options) { o.PlatformKeys = []string{"short"} },
	} {
		o := good
		change(&o)
		_, err := alipay.New(o)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), good.PrivateKey[:40], "no key in an error")
	}
	section := platform.Section()
	require.Empty(t, section.Mistakes())
	require.True(t, section.Configured())
	require.False(t, (&alipay.Section{BaseURL: alipay.Base}).Configured())
	require.True(t, (&alipay.Section{PrivateKey: "x"}).Configured(), "by half")
	section.SellerID = ""
	require.Equal(t, []string{"payment.alipay: payment by alipay: seller-id is needed"}, section.Mistakes())
}

// No error contains a key, or an address, since an address may contain personal data.
func TestErrorsAreDiscreet(t *testing.T) {
	t.Parallel()
	platform := domaintest.NewAlipay(t, atNoon)
	o := platform.Options
	o.Base = "http://127.0.0.1:1/secret-path"
	g, err := alipay.New(o)
	require.NoError(t, err)
	gone, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	for name, call := range calls(g) {
		for _, ctx := range []context.Context{t.Context(), gone} {
			err := call(ctx)
			expect(t, errUnknown, err, name)
			for _, secret := range []string{"secret-path", "http://", url.QueryEscape(number), o.PrivateKey[:40]} {
				require.NotContains(t, err.Error(), secret, name)
			}
		}
	}
}
