// Package redirect decides where browsers may be sent after a payment.
package redirect

import (
	"net"
	"net/url"
	"slices"
	"strings"
)

// Targets are where a browser may be redirected after the payment. The address comes from the author of the link or of
// the request, so following any address would be an open redirect.
type Targets struct {
	shop    *url.URL
	origins []string
}

// New returns the targets of a shop, of which one address is given, such as that of payment notifications, and the
// origins of its other pages.
func New(shop string, origins []string) Targets {
	u, err := url.Parse(shop)
	if err != nil {
		u = &url.URL{}
	}
	return Targets{u, origins}
}

// Max bounds the bytes of the address to return to.
const Max = 2048

// To returns the address to return to, "" if it is not allowed, and whether one was given. Allowed are paths of the
// shop, addresses at its host on any port, and those at listed origins; * lists none. The names of this machine count
// as one host.
func (b Targets) To(address string) (string, bool) {
	if address == "" {
		return "", false
	}
	clean := len(address) <= Max && !strings.ContainsFunc(address, func(r rune) bool {
		return r <= ' ' || r == '\\' || r == 0x7f
	})
	u, err := url.Parse(address)
	if !clean || err != nil || u.User != nil || u.Opaque != "" {
		return "", true
	}
	if u.Scheme == "" && u.Host == "" {
		if strings.HasPrefix(address, "//") || !strings.HasPrefix(u.Path, "/") || strings.HasPrefix(u.Path, "//") {
			return "", true
		}
		return u.String(), true
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", true
	}
	ours := b.shop.Hostname() != "" && sameHost(u.Hostname(), b.shop.Hostname()) &&
		(u.Scheme == "https" || b.shop.Scheme == "http")
	if !ours && !slices.Contains(b.origins, u.Scheme+"://"+u.Host) {
		return "", true
	}
	return u.String(), true
}

// Absolute returns the whole address to return to, "" if it is not allowed or the shop's own is unknown.
func (b Targets) Absolute(address string) string {
	to, _ := b.To(address)
	u, err := url.Parse(to)
	if to == "" || err != nil {
		return ""
	}
	if u = b.shop.ResolveReference(u); u.Host == "" {
		return ""
	}
	return u.String()
}

func sameHost(a, b string) bool {
	return strings.EqualFold(a, b) || loopback(a) && loopback(b)
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
