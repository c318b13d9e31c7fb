package promotion

import "shop.internal/pkg/domain/internal/life"

// PartStatus is the state of a shopper's part in a group purchase; the numbers are the contract's.
type PartStatus int

// A part waits for its order to be paid, runs while the group gathers, and ends with the group come about or not.
const (
	PartUnpaid PartStatus = iota
	PartRunning
	PartSucceeded
	PartFailed
)

// PartEvent is what can happen to a part.
type PartEvent string

// The events, named after what brings them about.
const (
	// PartPay is the order being paid while the group is open, PartPayLate while it is not.
	PartPay     PartEvent = "pay"
	PartPayLate PartEvent = "pay late"
	// PartCancel is the unpaid order ending.
	PartCancel PartEvent = "cancel"
	// PartComplete is the group having all its members.
	PartComplete PartEvent = "complete"
	// PartLeave is a joiner asking for their money.
	PartLeave PartEvent = "leave"
	// PartDissolve is the group ending: its opener asks for their money, or the offer is over.
	PartDissolve PartEvent = "dissolve"
)

// partMoves is the whole life of a part. What is not in it cannot happen: a failed part never runs again, and one that
// succeeded stays so whatever becomes of its order.
var partMoves = life.New(map[PartStatus]map[PartEvent]PartStatus{
	PartUnpaid:    {PartPay: PartRunning, PartPayLate: PartFailed, PartCancel: PartFailed, PartDissolve: PartFailed},
	PartRunning:   {PartComplete: PartSucceeded, PartLeave: PartFailed, PartDissolve: PartFailed},
	PartSucceeded: {},
	PartFailed:    {},
})

// Next returns the state that an event leads to, and whether it may happen.
func (s PartStatus) Next(e PartEvent) (PartStatus, bool) {
	return partMoves.Next(s, e)
}

// Open reports whether it is not decided yet what becomes of the part.
func (s PartStatus) Open() bool { return s == PartUnpaid || s == PartRunning }
