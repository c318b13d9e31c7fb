package redirect_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/services/storefront/internal/redirect"
)

func TestWhereABrowserIsSentBack(t *testing.T) {
	t.Parallel()
	listed := []string{"https://m.example.com", "*"}
	tests := map[string]struct {
		shop string
		want map[string]string
	}{
		"a shop in the open": {"https://shop.example.com/wx/order/pay-notify", map[string]string{
			"/#/?orderId=5&tip=yes":                      "/#/?orderId=5&tip=yes",
			"/order?id=1":                                "/order?id=1",
			"https://shop.example.com/#/x":               "https://shop.example.com/#/x",
			"https://SHOP.example.com:8443/":             "https://SHOP.example.com:8443/",
			"https://m.example.com/#/order":              "https://m.example.com/#/order",
			"http://shop.example.com/":                   "",
			"http://m.example.com/":                      "",
			"https://m.example.com:8443/":                "",
			"https://evil.example/":                      "",
			"https://shop.example.com.evil.example/":     "",
			"https://shop.example.com@evil.example/":     "",
			"https://user@shop.example.com/":             "",
			"//evil.example/":                            "",
			"///evil.example/":                           "",
			"/\\evil.example/":                           "",
			"\\\\evil.example/":                          "",
			"/%2fevil.example":                           "",
			"/\t/evil.example":                           "",
			"https:evil.example":                         "",
			"https:///evil.example":                      "",
			"javascript:alert(1)":                        "",
			"data:text/html,<script>alert(1)</script>":   "",
			"http://localhost:6255/":                     "",
			"order":                                      "",
			"?x":                                         "",
			"https://shop.example.com/\r\nSet-Cookie: x": "",
			"/" + strings.Repeat("a", redirect.Max):      "",
		}},
		"a shop on this machine": {"http://127.0.0.1:8080/wx/order/pay-notify", map[string]string{
			"http://localhost:6255/#/?orderId=5": "http://localhost:6255/#/?orderId=5",
			"http://127.0.0.1:6255/":             "http://127.0.0.1:6255/",
			"http://[::1]:6255/":                 "http://[::1]:6255/",
			"http://192.0.2.1/":                  "",
			"http://localhost.evil.example/":     "",
		}},
		"a shop without an address": {"", map[string]string{
			"/x": "/x", "http:///x": "", "https://shop.example.com/": "", "https://m.example.com/x": "https://m.example.com/x",
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := redirect.New(tt.shop, listed)
			for address, want := range tt.want {
				got, given := b.To(address)
				require.True(t, given, address)
				require.Equal(t, want, got, address)
			}
			got, given := b.To("")
			require.Empty(t, got)
			require.False(t, given)
		})
	}
}

// A payment platform needs the whole address.
func TestTheWholeAddress(t *testing.T) {
	t.Parallel()
	ours := redirect.New("https://shop.example.com/wx/order/pay-notify", nil)
	require.Equal(t, "https://shop.example.com/paid/1?x=y", ours.Absolute("/paid/1?x=y"))
	require.Equal(t, "https://shop.example.com:8443/paid/1", ours.Absolute("https://shop.example.com:8443/paid/1"))
	require.Empty(t, ours.Absolute("https://evil.example/"))
	require.Empty(t, ours.Absolute(""))
	require.Empty(t, redirect.New("", nil).Absolute("/paid/1"))
}
