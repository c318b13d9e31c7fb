package ratelimit

import "net/netip"

// subscriber is the prefix length of what a provider gives one subscriber at least: whoever has a /64 has 2^64
// addresses, so a limit by single IPv6 address limits nobody.
const subscriber = 64

// AddressKey returns what a client address counts as in every rate limit: an IPv4 address itself, also where it is
// written as IPv6, and the /64 network of an IPv6 address. Text that is no address counts as it is.
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
