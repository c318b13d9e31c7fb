package promotion

import "shop.internal/pkg/domain/internal/life"

// UserCouponEvent is what can happen to a coupon in a shopper's hand.
type UserCouponEvent string

// The events.
const (
	// HeldSpend is an order using the coupon.
	HeldSpend UserCouponEvent = "spend"
	// HeldReturn is that order ending without a sale while the coupon's time runs, HeldReturnLate when it is over.
	HeldReturn     UserCouponEvent = "give back"
	HeldReturnLate UserCouponEvent = "give back late"
	// HeldExpire is the job finding that the coupon's time is over.
	HeldExpire UserCouponEvent = "expire"
)

// heldMoves is the whole life of a coupon in a shopper's hand. What is not in it cannot happen: one that is used is
// never used again before its order gives it back, and one that has expired stays so.
var heldMoves = life.New(map[UserCouponStatus]map[UserCouponEvent]UserCouponStatus{
	Unused:    {HeldSpend: Used, HeldExpire: PastDue},
	Used:      {HeldReturn: Unused, HeldReturnLate: PastDue},
	PastDue:   {},
	TakenBack: {}, // read from imported data only
})

// Next returns the state that an event leads to, and whether it may happen.
func (s UserCouponStatus) Next(e UserCouponEvent) (UserCouponStatus, bool) {
	return heldMoves.Next(s, e)
}
