package server

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"sync/atomic"

	"github.com/gin-gonic/gin"
)

// proxies find the client of a request that came through trusted proxies.
type proxies struct {
	trusted []*net.IPNet
	log     *slog.Logger
	// note says of the first header that could not be read whose it was.
	note atomic.Pointer[string]
}

func newProxies(addresses []string, log *slog.Logger) (*proxies, error) {
	p := &proxies{log: log}
	for _, text := range addresses {
		network, err := networkOf(text)
		if err != nil {
			return nil, fmt.Errorf("trusted proxies: %w", err)
		}
		p.trusted = append(p.trusted, network)
	}
	return p, nil
}

// networkOf reads an address or a network.
func networkOf(text string) (*net.IPNet, error) {
	if ip, err := netip.ParseAddr(text); err == nil && ip.Zone() == "" {
		ip = ip.Unmap()
		return &net.IPNet{IP: ip.AsSlice(), Mask: net.CIDRMask(ip.BitLen(), ip.BitLen())}, nil
	}
	_, network, err := net.ParseCIDR(text)
	return network, err
}

// handler makes the client the peer of a request, so that whoever asks for its address gets the right one.
func (p *proxies) handler(g *gin.Context) {
	peer, ok := hostOf(g.Request.RemoteAddr)
	if !ok || !p.trusts(peer) {
		return
	}
	name, text := forwarded(g.Request.Header)
	if name == "" {
		return
	}
	client, ok := p.client(name, text)
	if !ok {
		p.unread(name, peer)
		return
	}
	g.Request.RemoteAddr = net.JoinHostPort(client.String(), "0")
}

func (p *proxies) trusts(ip netip.Addr) bool {
	for _, network := range p.trusted {
		if network.Contains(ip.AsSlice()) {
			return true
		}
	}
	return false
}

// The headers that name the client, in the order of their trust.
const (
	forwardedFor = "X-Forwarded-For"
	standard     = "Forwarded"
	realIP       = "X-Real-Ip"
)

// forwarded returns the header that names the client, with its values in one. Almost every proxy appends to
// X-Forwarded-For and passes on a Forwarded that it does not know, which the client may have written. So Forwarded
// counts only without the other one, even if the other one cannot be read. X-Real-IP does not say who has set it: it
// is named only to be reported.
func forwarded(h http.Header) (name, text string) {
	for _, name := range []string{forwardedFor, standard, realIP} {
		if values := h[name]; len(values) > 0 {
			return name, strings.Join(values, ",")
		}
	}
	return "", ""
}

// client is the last address that is no trusted proxy, since each proxy appends whom it was called by and what stands
// before may be invented. It is the first address if all are trusted.
func (p *proxies) client(name, text string) (client netip.Addr, found bool) {
	for rest, more := text, true; more; {
		var element string
		i := strings.LastIndexByte(rest, ',')
		if more = i >= 0; more {
			rest, element = rest[:i], rest[i+1:]
		} else {
			element = rest
		}
		if element = strings.Trim(element, " \t"); element == "" {
			continue
		}
		if name == standard {
			element = forOf(element)
		}
		ip, ok := hostOf(element)
		if !ok || name == realIP {
			return netip.Addr{}, false
		}
		if client, found = ip, true; !p.trusts(ip) {
			break
		}
	}
	return client, found
}

// parameter is one of an element of Forwarded, by the grammar of RFC 7239 without escapes.
var parameter = regexp.MustCompile(`^([A-Za-z]+)=(?:"([^"\\]*)"|([^"\\]*))$`)

// forOf returns the parameter "for" of an element of Forwarded. An element with two, or with anything else than
// parameters, names no client: a proxy may quote the Host of the request, and a comma or semicolon in it would
// otherwise begin an element or a parameter of the client's invention.
func forOf(element string) string {
	found := ""
	for text := range strings.SplitSeq(element, ";") {
		part := parameter.FindStringSubmatch(strings.Trim(text, " \t"))
		if part == nil || found != "" && strings.EqualFold(part[1], "for") {
			return ""
		}
		if strings.EqualFold(part[1], "for") {
			found = part[2] + part[3]
		}
	}
	return found
}

// hostOf reads an address with or without a port: 192.0.2.1, 192.0.2.1:80, 2001:db8::1, [2001:db8::1]:80. A zone, which
// is any text, has no meaning outside of its machine.
func hostOf(text string) (netip.Addr, bool) {
	ip, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	if err != nil {
		pair, err := netip.ParseAddrPort(text)
		if err != nil {
			return netip.Addr{}, false
		}
		ip = pair.Addr()
	}
	return ip.Unmap(), ip.Zone() == ""
}

// unread reports a header that cannot be read, once: it would be in the log for every request. Its value, which may be
// somebody's address, is not shown.
func (p *proxies) unread(name string, peer netip.Addr) {
	note := fmt.Sprintf("cannot read %s of the trusted proxy %s: limits per address count it as one client", name, peer)
	if p.note.CompareAndSwap(nil, &note) && p.log != nil {
		p.log.Warn(note)
	}
}

// notes are for the answer of /readyz.
func (p *proxies) notes() []string {
	if note := p.note.Load(); note != nil {
		return []string{*note}
	}
	return nil
}
