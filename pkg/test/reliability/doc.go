// Package reliability tests the promises of the shop from outside, with several processes of each service at once:
// every pair of writes, processes that are killed, servers that hang or are cut off. After each trial the shop's own
// `shopctl verify` must find nothing. It imports nothing of the shop. `make reliability` starts it.
package reliability
