// Package bound defines the ranges of numbers that operators may enter. Requests, CSV imports and the areas use them,
// so that a number that would overflow a column, a sum or a date is refused on entry.
package bound

// Range is a closed range. Amounts of money are in cents.
type Range struct{ Min, Max int64 }

// Contains reports whether a number is in the range.
func (r Range) Contains(n int64) bool { return n >= r.Min && n <= r.Max }

// Clamp returns the number of the range that is nearest to n.
func (r Range) Clamp(n int64) int64 { return min(max(n, r.Min), r.Max) }

// The ranges, each with its name in request tags.
var (
	// Price is the price of one piece, also the minimum and the discount of a coupon and the freight: at most
	// 9,999,999.99.
	Price = declare("price", 0, 999_999_999)
	// Paid is the amount of an order or a refund: the maximum of a money column.
	Paid = declare("paid", 0, 999_999_999_999)
	// Stock is the stock of a product. Twice the maximum fits a column of 32 bits, so that returned stock never overflows
	// it.
	Stock = declare("stock", 0, 99_999_999)
	// StockSeen is a stock that a client has read, which may be outside of Stock.
	StockSeen = declare("stock-seen", -2_147_483_647, 2_147_483_647)
	// Weight is the weight of a piece, in grams: up to a ton.
	Weight = declare("weight", 0, 1_000_000)
	// FreightUnits are the grams or pieces that one price of a freight template covers.
	FreightUnits = declare("freight-units", 1, 1_000_000)
	// SortOrder is a position in a list.
	SortOrder = declare("sort-order", -999_999, 999_999)
	// CouponTotal is the total of a coupon, 0 for unlimited.
	CouponTotal = declare("coupon-total", 0, 99_999_999)
	// CouponEach is the number of a coupon per shopper, 0 for unlimited.
	CouponEach = declare("coupon-each", 0, 100)
	// CouponDays is the validity of a coupon after receipt; 0 for fixed dates.
	CouponDays = declare("coupon-days", 0, 3650)
	// GroupDiscount is the discount of a group purchase, in whole currency units.
	GroupDiscount = declare("group-discount", 1, 9_999_999)
	// GroupMembers is the size of a group.
	GroupMembers = declare("group-members", 2, 1000)
)

// named are the ranges by their names in request tags.
var named = map[string]Range{}

func declare(name string, least, most int64) Range {
	named[name] = Range{least, most}
	return named[name]
}

// Named returns the range with a name.
func Named(name string) (Range, bool) {
	r, ok := named[name]
	return r, ok
}
