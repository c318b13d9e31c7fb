package money

import "math/bits"

// mulDiv returns a*b/c rounded down; b must not exceed c.
func mulDiv(a, b, c uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	q, _ := bits.Div64(hi, lo, c)
	return q
}
