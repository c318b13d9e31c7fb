package order

import (
	"slices"
	"time"

	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/statemachine"
	"shop.internal/pkg/domain/settings"
)

// Status is the state of an order, with the numbers of the contract.
type Status int

// The states.
const (
	Unpaid    Status = 101
	Cancelled Status = 102
	Expired   Status = 103
	Dropped   Status = 104
	// Paid is also the state of an order that is to be paid on delivery, until it is shipped: see Order.Owed.
	Paid         Status = 201
	RefundAsked  Status = 202
	Refunded     Status = 203
	GroupFailed  Status = 204
	Shipped      Status = 301
	Received     Status = 401
	AutoReceived Status = 402
)

// Event is an event in the life of an order.
type Event string

// The events, named after what the actor does.
const (
	Pay          Event = "pay"
	PayLater     Event = "pay on delivery"
	Cancel       Event = "cancel"
	CallOff      Event = "call off"
	Expire       Event = "expire"
	Ship         Event = "ship"
	AskRefund    Event = "ask for refund"
	RejectRefund Event = "reject refund"
	Refund       Event = "refund"
	Receive      Event = "receive"
	// Collect is the check-off of what its shopper collects in the shop.
	Collect     Event = "collect"
	AutoReceive Event = "receive by time"
)

// moves are all transitions of orders; any other is impossible: a cancelled order is never paid, a shipped one never
// cancelled.
var moves = statemachine.New(map[Status]map[Event]Status{
	Unpaid:      {Pay: Paid, PayLater: Paid, Cancel: Cancelled, Expire: Expired},
	Paid:        {Ship: Shipped, Collect: Received, AskRefund: RefundAsked, Cancel: Cancelled, CallOff: Dropped},
	RefundAsked: {RejectRefund: Paid, Refund: Refunded},
	Shipped: {
		Receive: Received, Collect: Received, AutoReceive: AutoReceived, AskRefund: RefundAsked, CallOff: Dropped,
	},
	Received:     {},
	AutoReceived: {},
	Cancelled:    {},
	Expired:      {},
	Dropped:      {},
	Refunded:     {},
	GroupFailed:  {}, // only in imported data
})

// Life returns the state machine of orders, for verifying the books.
func Life() statemachine.Machine[Status, Event] { return moves }

// Next returns the state after an event, and whether the event is allowed. What an order owes, and how it is delivered,
// restrict it further.
func (s Status) Next(e Event) (Status, bool) {
	return moves.Next(s, e)
}

// Owed reports whether the order is to be paid on delivery and the money is not recorded yet. Such an order is shipped
// and received like a paid one; until it is shipped its shopper may cancel it, until it is received staff may call it
// off, and there is nothing to refund.
func (o Order) Owed() bool { return o.PayChannel != "" && o.PayTime.IsZero() && !o.Status.Ended() }

// Owed is the condition that the money of an order with an alias is owed, for statements on orders that have not ended.
func Owed(alias string) string {
	return "(" + alias + ".pay_channel IS NOT NULL AND " + alias + ".pay_time IS NULL)"
}

// next returns the state after an event, and whether the event is allowed.
func (o Order) next(e Event) (Status, bool) {
	onlyOwed := e == CallOff || e == Cancel && o.Status != Unpaid
	if onlyOwed && !o.Owed() || e == AskRefund && o.Owed() {
		return 0, false
	}
	collected := o.Delivery == settings.Collect
	onItsWay := o.Status == Shipped && !collected
	if e == Collect && !collected || e == AutoReceive && collected || e == AskRefund && onItsWay {
		return 0, false
	}
	return o.Status.Next(e)
}

// Ended reports whether the order ended without a sale, with stock and coupon released.
func (s Status) Ended() bool {
	return slices.Contains([]Status{Cancelled, Expired, Dropped, Refunded}, s)
}

// received are the states of orders whose goods have been received, sold those of orders that were paid and are not
// being refunded.
var (
	received = []Status{moves.To(Receive), moves.To(AutoReceive)}
	sold     = append([]Status{Paid, Shipped}, received...)
)

// Sold returns the states of orders that count as sold.
func Sold() []Status { return slices.Clone(sold) }

// Done returns the states of orders whose goods have been received.
func Done() []Status { return slices.Clone(received) }

// Done reports whether the goods have been received.
func (s Status) Done() bool { return slices.Contains(received, s) }

// Text returns the label that a shopper sees, empty for an unknown state.
func (s Status) Text(language string) string {
	if label := labels[s]; label != nil {
		return label.In(language)
	}
	return ""
}

// Text returns the label that a shopper sees. An order that is to be paid on delivery is not paid, and one to be
// collected not on its way.
func (o Order) Text(language string) string {
	switch {
	case o.Status == Paid && o.Owed():
		return text.OrderOnDelivery.In(language)
	case o.Status == Shipped && o.Delivery == settings.Collect:
		return text.OrderReady.In(language)
	}
	return o.Status.Text(language)
}

// Choices returns every state with its label.
func Choices() []text.Choice { return text.ChoicesOf(labels) }

// labels are the catalogue's entries of the states.
var labels = map[Status]*text.Text{
	Unpaid:       text.OrderUnpaid,
	Cancelled:    text.OrderCancelled,
	Expired:      text.OrderExpired,
	Dropped:      text.OrderDropped,
	Paid:         text.OrderPaid,
	RefundAsked:  text.OrderRefundAsked,
	Refunded:     text.OrderRefunded,
	GroupFailed:  text.OrderGroupExpired,
	Shipped:      text.OrderShipped,
	Received:     text.OrderReceived,
	AutoReceived: text.OrderAutoReceived,
}

// Options are the operations that a shopper is offered for an order.
type Options struct {
	Cancel, Delete, Pay, Comment, Confirm, Refund, Rebuy, Aftersale bool
	// Remind asks for the order to be shipped, Readdress has it sent elsewhere.
	Remind, Readdress bool
}

// Options returns the operations that are allowed now; commentFor is the comment period after the receipt. All but
// Comment follow from the state machine and from whether an after-sale case is pending.
func (o Order) Options(now time.Time, commentFor time.Duration) Options {
	can := func(e Event) bool { _, ok := o.next(e); return ok }
	return Options{
		Cancel: can(Cancel), Pay: can(Pay), Refund: can(AskRefund), Confirm: can(Receive),
		Delete:    o.deletable(),
		Comment:   o.Status.Done() && o.Comments > 0 && o.Commentable(now, commentFor),
		Rebuy:     o.Status.Done(),
		Aftersale: o.Status.Done(),
		Remind:    o.Status == Paid,
		Readdress: o.readdressable(),
	}
}

// readdressable reports whether the order may still be sent to another address.
func (o Order) readdressable() bool { return o.Status == Paid && o.Delivery != settings.Collect }

// Commentable reports whether the comment period, which starts with the receipt, is still open.
func (o Order) Commentable(now time.Time, commentFor time.Duration) bool {
	return !now.After(o.ConfirmTime.Add(commentFor))
}

// The states of an after-sale case that an operator must still handle.
const (
	aftersaleAsked    = 1
	aftersaleAccepted = 2
)

func (o Order) deletable() bool { return o.Status.Ended() || o.Status.Done() && !o.pending() }

// pending reports whether an operator must still handle the order's after-sale case.
func (o Order) pending() bool {
	return o.Aftersale == aftersaleAsked || o.Aftersale == aftersaleAccepted
}
