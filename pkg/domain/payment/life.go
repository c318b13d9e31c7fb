package payment

import (
	"io"

	"shop.internal/pkg/domain/internal/store/statemachine"
)

// Status is the state of a payment, with the numbers of the contract.
type Status int

// The states. Late is a payment that arrived when its order was not unpaid any more; it is refunded. The contract's 4,
// failed, is never used: a payment that the payer abandons stays open until its order ends.
const (
	Created Status = 0
	Issued  Status = 1
	Paid    Status = 2
	Closed  Status = 3
	Late    Status = 5
)

// Event is an event in the life of a payment.
type Event string

// The events.
const (
	// Issue is the platform issuing its number of the payment.
	Issue Event = "issue"
	// Collect is the money arriving for an unpaid order, ArriveLate for any other.
	Collect    Event = "collect"
	ArriveLate Event = "arrive late"
	// Close is the end of the order, or another payment replacing this one.
	Close Event = "close"
)

// transitions are all transitions of payments. A closed payment can still be collected: the payer was faster than the
// close at the platform.
var transitions = statemachine.New(map[Status]map[Event]Status{
	Created: {Issue: Issued, Collect: Paid, ArriveLate: Late, Close: Closed},
	Issued:  {Collect: Paid, ArriveLate: Late, Close: Closed},
	Closed:  {Collect: Paid, ArriveLate: Late},
	Paid:    {},
	Late:    {},
})

// Life returns the state machine of payments, for verifying the books.
func Life() statemachine.Machine[Status, Event] { return transitions }

// RefundStatus is the state of a refund, with the numbers of the contract.
type RefundStatus int

// The states. The contract's 5, withdrawn, is never used: no operation withdraws a refund request.
const (
	RefundAsked    RefundStatus = 0
	RefundReleased RefundStatus = 1
	RefundDone     RefundStatus = 2
	RefundFailed   RefundStatus = 3
	RefundRejected RefundStatus = 4
)

// RefundEvent is an event in the life of a refund.
type RefundEvent string

// The events.
const (
	// ReleaseRefund passes the refund to the platform, also again if there was no answer.
	ReleaseRefund RefundEvent = "release"
	// FinishRefund is the platform's acceptance, FailRefund its refusal.
	FinishRefund RefundEvent = "finish"
	FailRefund   RefundEvent = "fail"
	RejectRefund RefundEvent = "reject"
)

// refundTransitions are all transitions of refunds. A released refund cannot be rejected: the money may be gone.
var refundTransitions = statemachine.New(map[RefundStatus]map[RefundEvent]RefundStatus{
	RefundAsked:    {ReleaseRefund: RefundReleased, RejectRefund: RefundRejected},
	RefundReleased: {ReleaseRefund: RefundReleased, FinishRefund: RefundDone, FailRefund: RefundFailed},
	RefundFailed:   {ReleaseRefund: RefundReleased, RejectRefund: RefundRejected},
	RefundDone:     {},
	RefundRejected: {},
})

// RefundLife returns the state machine of refunds, for verifying the books.
func RefundLife() statemachine.Machine[RefundStatus, RefundEvent] { return refundTransitions }

// WriteLife writes the life of a payment as a section of the documentation.
func WriteLife(w io.Writer) error {
	names := map[Status]string{Created: "Created", Issued: "Issued", Paid: "Paid", Closed: "Closed", Late: "Late"}
	return statemachine.Chart[Status, Event]{
		Title: "## The life of a payment",
		Intro: "Each attempt to collect the money of an order is a payment. A late payment is refunded at once.",
		Note:  "State 4 of the contract is never used.",
		Starts: []statemachine.Start[Status]{
			{To: Created, What: "prepay"},
			{To: Paid, What: "free of charge, or recorded by an operator"},
			{To: Late, What: "a second transaction under one number"},
		},
		Machine: transitions, Languages: []string{"English"},
		Names: func(s Status) []string { return []string{names[s]} },
	}.Write(w)
}

// WriteRefundLife writes the life of a refund as a section of the documentation.
func WriteRefundLife(w io.Writer) error {
	names := map[RefundStatus]string{
		RefundAsked: "Requested", RefundReleased: "Released", RefundDone: "Done", RefundFailed: "Failed",
		RefundRejected: "Rejected",
	}
	return statemachine.Chart[RefundStatus, RefundEvent]{
		Title: "## The life of a refund",
		Intro: "A refund is requested by the shopper, released by an operator, and done when the platform has accepted it.",
		Note:  "State 5 of the contract is never used.",
		Starts: []statemachine.Start[RefundStatus]{
			{To: RefundAsked, What: "requested by the shopper"}, {To: RefundReleased, What: "a late payment"},
		},
		Machine: refundTransitions, Languages: []string{"English"},
		Names: func(s RefundStatus) []string { return []string{names[s]} },
	}.Write(w)
}
