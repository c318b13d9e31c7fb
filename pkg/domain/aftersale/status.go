package aftersale

import (
	"shop.internal/pkg/domain/internal/life"
	"shop.internal/pkg/domain/text"
)

// Status is the state of a case; the numbers are the contract's.
type Status int

// The states. None is that of an order without a case.
const (
	None Status = iota
	Requested
	Accepted
	Refunded
	Rejected
	Cancelled
)

// Event is what can happen to a case.
type Event string

// The events. Request is the shopper's: it makes a case, and takes the place of one that is not accepted.
const (
	Request Event = "request"
	Cancel  Event = "cancel"
	Accept  Event = "accept"
	Reject  Event = "reject"
	Refund  Event = "refund"
)

// moves is the whole life of a case. What is not in it cannot happen: what an operator has accepted can neither be
// replaced nor withdrawn, and nothing follows a refund.
var moves = life.New(map[Status]map[Event]Status{
	None:      {Request: Requested},
	Requested: {Request: Requested, Cancel: Cancelled, Accept: Accepted, Reject: Rejected},
	Accepted:  {Refund: Refunded},
	Refunded:  {},
	Rejected:  {Request: Requested},
	Cancelled: {Request: Requested},
})

// Next returns the state that an event leads to, and whether it may happen.
func (s Status) Next(e Event) (Status, bool) {
	return moves.Next(s, e)
}

// Open reports whether an operator must still act on a case in the state.
func (s Status) Open() bool { return s == Requested || s == Accepted }

// label is what people call a state.
func (s Status) label() *text.Text {
	return [...]*text.Text{
		text.CaseNone, text.CaseRequested, text.CaseAccepted, text.CaseRefunded, text.CaseRejected, text.CaseCancelled,
	}[s]
}
