package ratelimit

import "net/netip"

// subscriber is the smallest network that a provider assigns to a subscriber: a /64 has 2^64 addresses, so a limit per
// IPv6 address would limit nobody.
const subscriber = 64

// AddressKey returns the key of a client address in every rate limit: an IPv4 address itself, also in its IPv6 form,
// and the /64 network of an IPv6 address. Other text is returned unchanged.
func AddressKey(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	a = a.Unmap().WithZone("")
	if a.Is4() {
		return a.String()
	}
	network, err := a.Prefix(subscriber)
	if err != nil {
		return a.String() // cannot be: an IPv6 address has 128 bits
	}
	return network.String()
}
