package paypage

import (
	"net"
	"net/url"
	"slices"
	"strings"
)

// back decides where a browser may be redirected after the payment. The address comes from the author of the link, so
// following any address would be an open redirect.
type back struct {
	shop    *url.URL
	origins []string
}

func newBack(shop string, origins []string) back {
	u, err := url.Parse(shop)
	if err != nil {
		u = &url.URL{}
	}
	return back{u, origins}
}

// maxBack bounds the bytes of the address to return to.
const maxBack = 2048

// to returns the address to return to, "" if it is not allowed, and whether one was given. Allowed are paths of the
// shop, addresses at its host on any port, and those at listed origins; * lists none. The names of this machine count
// as one host.
func (b back) to(address string) (string, bool) {
	if address == "" {
		return "", false
	}
	clean := len(address) <= maxBack && !strings.ContainsFunc(address, func(r rune) bool {
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

func sameHost(a, b string) bool {
	return strings.EqualFold(a, b) || loopback(a) && loopback(b)
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
