// Package bound is the table of the numbers that operators may enter. Requests, CSV imports and the areas themselves
// take their bounds from here, so that a number which would overflow a column, a sum or a date is refused where it is
// entered.
package bound

// Range is what a number may be, both ends included. Amounts of money are in cents.
type Range struct{ Min, Max int64 }

// Holds reports whether a number lies in the range.
func (r Range) Holds(n int64) bool { return n >= r.Min && n <= r.Max }

// Cut returns the number of the range that is nearest to n.
func (r Range) Cut(n int64) int64 { return min(max(n, r.Min), r.Max) }

// The ranges.
var (
	// Price is what one piece costs, also the least sum and the reduction of a coupon: 9,999,999.99 at most, as the
	// freight.
	Price = Range{0, 999_999_999}
	// Paid is what an order costs or gives back: as much as a column for money holds.
	Paid = Range{0, 999_999_999_999}
	// Stock is the pieces of a product in stock. Two of them still fit a column of 32 bits, so that pieces which come
	// back never overflow it.
	Stock = Range{0, 99_999_999}
	// StockSeen is a stock as somebody has read it, which may be older than the bound.
	StockSeen = Range{-2_147_483_647, 2_147_483_647}
	// SortOrder is a place in a list.
	SortOrder = Range{-999_999, 999_999}
	// CouponTotal is how many of a coupon are given out, 0 for any number.
	CouponTotal = Range{0, 99_999_999}
	// CouponEach is how many of a coupon one shopper gets, 0 for any number.
	CouponEach = Range{0, 100}
	// CouponDays is how long a coupon is good after receipt; 0 is for those with dates of their own.
	CouponDays = Range{0, 3650}
	// GroupDiscount is the reduction of a group purchase, in whole currency units.
	GroupDiscount = Range{1, 9_999_999}
	// GroupMembers is the size of a group.
	GroupMembers = Range{2, 1000}
)

// named are the ranges by the names under which requests declare them.
var named = map[string]Range{
	"price": Price, "paid": Paid, "stock": Stock, "stock-seen": StockSeen, "sort-order": SortOrder,
	"coupon-total": CouponTotal, "coupon-each": CouponEach, "coupon-days": CouponDays,
	"group-discount": GroupDiscount, "group-members": GroupMembers,
}

// Named returns the range of a name.
func Named(name string) (Range, bool) {
	r, ok := named[name]
	return r, ok
}
