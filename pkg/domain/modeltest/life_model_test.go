package modeltest_test

import (
	"fmt"
	"slices"
	"strings"

	"shop.internal/pkg/base/money"
)

// event is something that happens to an order, whoever causes it.
type event string

// The events of which sequences are made. again repeats the transaction of notice under another id of the platform;
// other is a second transaction for the same payment. prepayToy and noticeToy are prepay and notice of another provider.
const (
	submit    event = "submit"
	prepay    event = "prepay"
	notice    event = "notice"
	again     event = "notice-again"
	other     event = "other-notice"
	prepayToy event = "prepay-toy"
	noticeToy event = "notice-toy"
	cancel    event = "cancel"
	timeOut   event = "time-out"
	ask       event = "ask-refund"
	refund    event = "refund"
	reject    event = "reject"
	ship      event = "ship"
	confirm   event = "confirm"
)

var alphabet = []event{
	submit, prepay, notice, again, other, prepayToy, noticeToy, cancel, timeOut, ask, refund, reject, ship, confirm,
}

// toy is the channel of prepayToy; the empty one is the channel that a client gets that names none.
const toy = "toy"

// toyTakes is the greatest amount of the toy.
const toyTakes money.Amount = 1_000_00

// The answers of the contract.
const (
	done            = 0
	notTaken        = -1 // the platform sends the notification again
	stale           = 504
	notRefunded     = 621
	notPaid         = 724
	invalid         = 402
	unknownOrder    = 720
	notOffered      = 725 // to a shopper
	notAllowed      = 620 // to an operator
	absent          = 0   // the status of an order that was not submitted
	unpaid          = 101
	cancelled       = 102
	expired         = 103
	paid            = 201
	refundRequested = 202
	refunded        = 203
	shipped         = 301
	received        = 401
)

// The states of payments, refunds and user coupons in the contract.
const (
	paymentIssued, paymentPaid, paymentClosed, paymentLate       = 1, 2, 3, 5
	refundOpen, refundReleased, refundDone                       = 0, 1, 2
	refundFailed, refundRejected                                 = 3, 4
	couponUsable, couponUsed                               int64 = 0, 1
)

// life is what the contract says about one order: its tables of transitions and their effects, written down a second
// time and without the state machine of package order, so that the two can disagree.
type life struct {
	// amount is what the order costs, pieces what it takes from the stock, and discounted says that it uses a coupon.
	amount     money.Amount
	pieces     int
	discounted bool
	// back is how many pieces of a received order have come back.
	back int
	// platform is how the payment platform treats the next refund.
	platform mood

	status  int
	history []int
	// transaction is the one that paid the order.
	transaction string
	payments    []modelPayment
	refunds     []modelRefund
	coupon      int64
	// announced counts the messages about the order.
	announced map[string]int
}

// mood is how the payment platform treats refunds.
type mood string

const (
	answers mood = "answers"
	refuses mood = "refuses"
	silent  mood = "silent" // it refunds, and the answer is lost
)

type modelPayment struct {
	channel     string
	status      int
	transaction string
	// back is what was returned or is being returned.
	back money.Amount
}

type modelRefund struct {
	status int
	// payment is the index of the payment that it returns, and amount what of it.
	payment int
	amount  money.Amount
	// then is what the end of a case about lines changes, nil for the refund of an order or of a late payment.
	then func()
}

func newLife(amount money.Amount, pieces int) *life {
	return &life{amount: amount, pieces: pieces, discounted: true, platform: answers, announced: map[string]int{}}
}

func (l *life) move(to int) int {
	l.status = to
	l.history = append(l.history, to)
	return done
}

// happen applies an event and returns its answer.
func (l *life) happen(e event) int {
	switch e {
	case submit:
		if l.status != absent { // the cart is empty
			return invalid
		}
		if l.discounted {
			l.coupon = couponUsed
		}
		l.move(unpaid)
		if l.amount == 0 { // paid at once
			l.payments = append(l.payments, modelPayment{status: paymentPaid})
			l.announced["order.paid"]++
			l.move(paid)
		}
		return done
	case notice, again:
		return l.notified("", "one")
	case other:
		return l.notified("", "two")
	case noticeToy:
		return l.notified(toy, toy)
	case timeOut:
		if l.status == unpaid {
			l.end(expired)
		}
		return done
	case refund, reject, ship:
		return l.byOperator(e)
	case prepay, prepayToy, cancel, ask, confirm:
		return l.byShopper(e)
	}
	panic("no such event: " + string(e))
}

func (l *life) byShopper(e event) int {
	if l.status == absent {
		return unknownOrder
	}
	from := map[event]int{prepay: unpaid, prepayToy: unpaid, cancel: unpaid, ask: paid, confirm: shipped}[e]
	if l.status != from {
		return notOffered
	}
	switch e {
	case cancel:
		return l.end(cancelled)
	case ask:
		l.refunds = append(l.refunds, modelRefund{status: refundOpen, payment: l.paidBy(), amount: l.amount})
		l.announced["order.refund-asked"]++
		return l.move(refundRequested)
	case confirm:
		return l.move(received)
	case prepayToy:
		if l.amount > toyTakes {
			return notPaid
		}
		return l.begin(toy)
	default:
		return l.begin("")
	}
}

// begin announces a payment to the platform of a channel, once; one of another channel is closed.
func (l *life) begin(channel string) int {
	for i := range l.payments {
		p := &l.payments[i]
		switch {
		case p.status != paymentIssued:
		case p.channel == channel:
			return done
		default:
			p.status = paymentClosed
		}
	}
	l.payments = append(l.payments, modelPayment{channel: channel, status: paymentIssued})
	return done
}

// first is the index of the first payment by a channel, -1 for none.
func (l *life) first(channel string) int {
	return slices.IndexFunc(l.payments, func(p modelPayment) bool { return p.channel == channel })
}

func (l *life) byOperator(e event) int {
	if l.status == absent {
		return invalid
	}
	if from := map[event]int{refund: refundRequested, reject: refundRequested, ship: paid}[e]; l.status != from {
		return notAllowed
	}
	switch e {
	case ship:
		l.announced["order.shipped"]++
		return l.move(shipped)
	case reject:
		r := l.openRefund()
		if r.status == refundReleased {
			return stale
		}
		r.status = refundRejected
		return l.move(paid)
	default:
		return l.refund(l.openRefund())
	}
}

func (l *life) refund(r *modelRefund) int {
	switch {
	case r.status == refundReleased:
		return stale
	case l.platform == refuses && l.amount > 0:
		r.status = refundFailed
		return notRefunded
	}
	l.payments[r.payment].back += l.amount
	if l.platform == silent && l.amount > 0 {
		r.status = refundReleased
		return notRefunded
	}
	return l.finish(r)
}

// finish ends the order of a refund that was paid.
func (l *life) finish(r *modelRefund) int {
	r.status = refundDone
	l.coupon = couponUsable
	l.announced["order.refunded"]++
	return l.move(refunded)
}

// end cancels an unpaid order.
func (l *life) end(status int) int {
	for i := range l.payments {
		l.payments[i].status = paymentClosed
	}
	l.coupon = couponUsable
	return l.move(status)
}

// notified is a notification of a platform, about the first payment that was announced to it. Money is never lost: what
// does not pay the order is returned.
func (l *life) notified(channel, transaction string) int {
	about := l.first(channel)
	if about < 0 {
		return notTaken
	}
	if slices.ContainsFunc(l.payments, func(p modelPayment) bool { return p.transaction == transaction }) {
		return done // a repetition
	}
	if l.status == unpaid {
		for i := range l.payments { // one that has begun since
			l.payments[i].status = paymentClosed
		}
		l.payments[about].status, l.payments[about].transaction = paymentPaid, transaction
		l.transaction = transaction
		l.announced["order.paid"]++
		return l.move(paid)
	}
	late := about
	if l.payments[about].transaction != "" { // a second transaction is a payment of its own
		l.payments = append(l.payments, modelPayment{})
		late = len(l.payments) - 1
	}
	l.payments[late] = modelPayment{channel: channel, status: paymentLate, transaction: transaction, back: l.amount}
	l.refunds = append(l.refunds, modelRefund{status: refundReleased, payment: late, amount: l.amount})
	return done
}

// settle is when the outbox has sent what it had to: the money of late payments is back, and refunds whose answer was
// lost are finished.
func (l *life) settle() {
	for i := range l.refunds {
		switch r := &l.refunds[i]; {
		case r.status != refundReleased:
		case l.payments[r.payment].status == paymentLate:
			r.status = refundDone
		case r.then != nil:
			r.status = refundDone
			r.then()
		default:
			l.finish(r)
		}
	}
}

func (l *life) paidBy() int {
	return slices.IndexFunc(l.payments, func(p modelPayment) bool { return p.status == paymentPaid })
}

// openRefund is the refund that an operator has to decide about.
func (l *life) openRefund() *modelRefund {
	return &l.refunds[slices.IndexFunc(l.refunds, func(r modelRefund) bool {
		return l.payments[r.payment].status == paymentPaid && r.status != refundRejected
	})]
}

// holds reports whether the order has taken its piece from the stock.
func (l *life) holds() bool {
	return !slices.Contains([]int{absent, cancelled, expired, refunded}, l.status)
}

// given is what the platform has returned of a transaction.
func (l *life) given(transaction string) money.Amount {
	for _, p := range l.payments {
		if p.transaction == transaction {
			return p.back
		}
	}
	return 0
}

// String is the state as booksQuery reads it.
func (l *life) String() string {
	var b strings.Builder
	held := 0
	if l.holds() {
		held = l.back - l.pieces
	}
	fmt.Fprintf(&b, "status %d, paid by %s, coupon %d, stock %d, history", l.status, l.transaction, l.coupon, held)
	for _, s := range l.history {
		fmt.Fprintf(&b, " %d", s)
	}
	b.WriteString(", payments")
	for _, p := range l.payments {
		taken := money.Amount(0)
		if p.transaction != "" {
			taken = l.amount
		}
		fmt.Fprintf(&b, " %s%d:%s:%s:%s", p.channel, p.status, p.transaction, taken, p.back)
	}
	b.WriteString(", refunds")
	for _, r := range l.refunds {
		fmt.Fprintf(&b, " %d:%s", r.status, r.amount)
	}
	return b.String()
}
