package modeltest_test

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/domaintest/toypay"
	"shop.internal/pkg/domain/payment/sandbox"
)

// modelReturn is a case about pieces of a line.
type modelReturn struct {
	id      int64
	product *modelProduct
	pieces  int
	amount  money.Amount
	// back says that the pieces are sent back.
	back bool
	// refund is the index of its refund in the order, -1 before it is first tried.
	refund int
}

// boughtLine is a line as it was sold, and how many of its pieces were paid back.
type boughtLine struct {
	price            money.Amount
	pieces, refunded int
}

// Hurry brings an order to its shopper, paid by one channel or the other, as far as its state allows.
func (m *traffic) Hurry(t *rapid.T) {
	m.t = t
	if len(m.orders) == 0 {
		return
	}
	o := pick(t, "order", m.orders)
	way := pick(t, "way", [][]event{{prepay, notice, ship, confirm}, {prepayToy, noticeToy, ship, confirm}})
	for _, e := range way {
		m.happens(o, e)
	}
}

// Return is a shopper who asks for money for pieces of a line that was received, and staff who accept and refund it. If
// there is a case whose refund has failed or waits, staff try that again.
func (m *traffic) Return(t *rapid.T) {
	m.t = t
	if len(m.orders) == 0 {
		return
	}
	o := pick(t, "order", m.orders)
	for _, other := range m.orders {
		if o.status != received && rapid.Bool().Draw(t, "one that was received") {
			o = other
		}
	}
	m.Clock.Move(time.Second)
	if o.open == nil && !m.ask(o) {
		return
	}
	m.refundLine(o)
}

// ask is the request, which is accepted at once, and reports whether it is.
func (m *traffic) ask(o *modelOrder) bool {
	byID := func(a, b *modelProduct) int { return cmp.Compare(a.ProductID, b.ProductID) }
	products := slices.SortedFunc(maps.Keys(o.bought), byID)
	p := pick(m.t, "returned product", products)
	r := &modelReturn{
		product: p, pieces: rapid.IntRange(1, 3).Draw(m.t, "returned pieces"), back: rapid.Bool().Draw(m.t, "back"), refund: -1,
	}
	want := done
	switch line := o.bought[p]; {
	case o.status != received:
		want = errno.AftersaleNotAllowed.Num
	case r.pieces > line.pieces-line.refunded:
		want = invalid
	}
	s := aftersale.Submission{OrderID: o.id, Type: aftersale.RefundOnly, Lines: []aftersale.Wanted{{
		Line:   m.Int("SELECT id FROM order_goods WHERE order_id = ? AND product_id = ?", o.id, p.ProductID),
		Number: r.pieces,
	}}}
	if r.back {
		s.Type = aftersale.Returned
	}
	var err error
	r.id, err = m.Aftersales.Submit(m.t.Context(), o.shopper.id, s)
	m.answered("after-sale", want, err)
	if want != done {
		return false
	}
	m.answered("accept", done, m.Aftersales.Accept(m.t.Context(), actor.Operator(7), r.id, ""))
	r.amount, err = money.Parse(m.Text("SELECT amount FROM aftersale WHERE id = ?", r.id))
	require.NoError(m.t, err)
	o.open = r
	m.returns++
	m.fair(o)
	return true
}

// fair fails the test for an amount that is not what was paid for the pieces: their part of the goods by price, within
// the cents that three roundings leave. The last pieces have what is left.
func (m *traffic) fair(o *modelOrder) {
	r, all, left := o.open, money.Amount(0), 0
	for _, line := range o.bought {
		all += line.price.Times(line.pieces)
		left += line.pieces - line.refunded
	}
	goods := max(0, o.amount-o.freight)
	part := goods.Times(int(o.bought[r.product].price.Times(r.pieces))) / all
	rest := goods - o.returned
	if r.amount > rest || r.amount < part-3 || r.amount > part+3 || left == r.pieces && r.amount != rest {
		m.t.Fatalf("%s for %d pieces of product %d in order %d, where %s of %s is left and their part is %s", r.amount,
			r.pieces, r.product.ProductID, o.id, rest, goods, part)
	}
}

// refundLine is an operator who refunds the open case of an order, and what the platform does.
func (m *traffic) refundLine(o *modelOrder) {
	r := o.open
	mood := pick(m.t, "platform", []mood{answers, answers, refuses, silent})
	want := o.returnMoney(r, mood)
	m.Sandbox.Behave(sandbox.Behaviour{Silent: true, Refuse: mood == refuses, Unanswered: mood == silent})
	m.toy.Behave(toypay.Behaviour{Refuse: mood == refuses, Unanswered: mood == silent})
	m.answered("refund of a line", want, m.Aftersales.Refund(m.t.Context(), actor.Operator(7), r.id))
	m.Sandbox.Settle()
	m.Sandbox.Behave(sandbox.Behaviour{Silent: true})
	m.toy.Behave(toypay.Behaviour{})
}

// returnMoney is the model's answer to a refund of a case.
func (o *modelOrder) returnMoney(r *modelReturn, platform mood) int {
	if r.refund < 0 {
		r.refund = len(o.refunds)
		o.refunds = append(o.refunds, modelRefund{
			payment: o.paidBy(), amount: r.amount, then: func() { o.ended(r) },
		})
	}
	money := &o.refunds[r.refund]
	whole := r.amount == o.amount
	switch of := o.payments[money.payment]; {
	case money.status == refundReleased:
		return stale
	case (platform == refuses || of.channel == toy && !whole) && r.amount > 0: // the toy returns whole payments only
		money.status = refundFailed
		return notRefunded
	}
	o.payments[money.payment].back += r.amount
	if platform == silent && r.amount > 0 {
		money.status = refundReleased
		return notRefunded
	}
	money.status = refundDone
	o.ended(r)
	return done
}

// ended books a case whose money is back.
func (o *modelOrder) ended(r *modelReturn) {
	o.open = nil
	o.bought[r.product].refunded += r.pieces
	o.returned += r.amount
	if r.back {
		o.back += r.pieces
		r.product.stock += r.pieces
	}
}
