package order

import (
	"slices"
	"time"

	"shop.internal/pkg/domain/internal/life"
	"shop.internal/pkg/domain/text"
)

// Status is the state of an order; the numbers are the contract's.
type Status int

// The states.
const (
	Unpaid       Status = 101
	Cancelled    Status = 102
	Expired      Status = 103
	Dropped      Status = 104
	Paid         Status = 201
	RefundAsked  Status = 202
	Refunded     Status = 203
	GroupFailed  Status = 204
	Shipped      Status = 301
	Received     Status = 401
	AutoReceived Status = 402
)

// Event is what can happen to an order.
type Event string

// The events, named after who does what.
const (
	Pay          Event = "pay"
	Cancel       Event = "cancel"
	Expire       Event = "expire"
	Ship         Event = "ship"
	AskRefund    Event = "ask for refund"
	RejectRefund Event = "reject refund"
	Refund       Event = "refund"
	Receive      Event = "receive"
	AutoReceive  Event = "receive by time"
)

// moves is the whole life of an order. What is not in it cannot happen: a cancelled order is never paid, a shipped one
// never cancelled.
var moves = life.New(map[Status]map[Event]Status{
	Unpaid:       {Pay: Paid, Cancel: Cancelled, Expire: Expired},
	Paid:         {Ship: Shipped, AskRefund: RefundAsked},
	RefundAsked:  {RejectRefund: Paid, Refund: Refunded},
	Shipped:      {Receive: Received, AutoReceive: AutoReceived},
	Received:     {},
	AutoReceived: {},
	Cancelled:    {},
	Expired:      {},
	Dropped:      {}, // read from imported data only
	Refunded:     {},
	GroupFailed:  {}, // likewise
})

// Next returns the state that an event leads to, and whether it may happen.
func (s Status) Next(e Event) (Status, bool) {
	return moves.Next(s, e)
}

// Ended reports whether the order has ended without a sale, its stock and coupon given back.
func (s Status) Ended() bool {
	return slices.Contains([]Status{Cancelled, Expired, Dropped, Refunded}, s)
}

// Done reports whether the goods have been received.
func (s Status) Done() bool { return s == Received || s == AutoReceived }

// Text is what a shopper reads, empty for a state that nobody knows.
func (s Status) Text(language string) string {
	t := texts[s]
	if language == text.English {
		return t[1]
	}
	return t[0]
}

// label is the text of a state as an entry of the catalogue.
func (s Status) label() *text.Text {
	return &text.Text{Key: "order.state", ZH: s.Text(text.Chinese), EN: s.Text(text.English)}
}

var texts = map[Status][2]string{
	Unpaid:       {"未付款", "Unpaid"},
	Cancelled:    {"已取消", "Cancelled"},
	Expired:      {"已取消(系统)", "Cancelled (system)"},
	Dropped:      {"已取消(管理员)", "Cancelled (operator)"},
	Paid:         {"已付款", "Paid"},
	RefundAsked:  {"订单取消，退款中", "Refund requested"},
	Refunded:     {"已退款", "Refunded"},
	GroupFailed:  {"已超时团购", "Group-buy expired"},
	Shipped:      {"已发货", "Shipped"},
	Received:     {"已收货", "Received"},
	AutoReceived: {"已收货(系统)", "Received (system)"},
}

// Options are the operations that a shopper is offered for an order.
type Options struct {
	Cancel, Delete, Pay, Comment, Confirm, Refund, Rebuy, Aftersale bool
}

// Options returns what is offered now; commentFor is how long after receipt comments are taken. All but comments
// follows from the table of moves and from whether an after-sale case is pending.
func (o Order) Options(now time.Time, commentFor time.Duration) Options {
	can := func(e Event) bool { _, ok := o.Status.Next(e); return ok }
	return Options{
		Cancel: can(Cancel), Pay: can(Pay), Refund: can(AskRefund), Confirm: can(Receive),
		Delete:    o.deletable(),
		Comment:   o.Status.Done() && o.Comments > 0 && o.Commentable(now, commentFor),
		Rebuy:     o.Status.Done(),
		Aftersale: o.Status.Done(),
	}
}

// Commentable reports whether the time for comments is not over; it begins with the receipt.
func (o Order) Commentable(now time.Time, commentFor time.Duration) bool {
	return !now.After(o.ConfirmTime.Add(commentFor))
}

// The states of an after-sale case that an operator must still act on.
const (
	aftersaleAsked    = 1
	aftersaleAccepted = 2
)

func (o Order) deletable() bool { return o.Status.Ended() || o.Status.Done() && !o.pending() }

// pending reports whether an operator must still act on the order's after-sale case.
func (o Order) pending() bool {
	return o.Aftersale == aftersaleAsked || o.Aftersale == aftersaleAccepted
}
