package modeltest_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/domaintest/toypay"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/review"
)

// What the contract's defaults imply: freight for less than 88.00, and 30 minutes to pay.
const (
	freight     money.Amount = 800
	freightFree money.Amount = 8800
	toPay                    = 30 * time.Minute
)

// modelProduct is a product as the model knows it.
type modelProduct struct {
	cart.AddRequest
	price  money.Amount
	stock  int
	onSale bool
}

// modelShopper is a shopper with the coupons left in the hand.
type modelShopper struct {
	id, address   int64
	received, use int
}

// modelOrder is an order with what it took.
type modelOrder struct {
	*life
	id       int64
	sn       string
	shopper  *modelShopper
	lines    map[*modelProduct]int
	since    time.Time
	lost     bool // the platform has the money and its notification is lost
	reviewed bool
	settled  bool // its stock is back

	// bought are the lines as they were sold, freight what was charged for delivery, returned what was paid back for
	// lines, and open the case that waits for its money.
	bought   map[*modelProduct]*boughtLine
	freight  money.Amount
	returned money.Amount
	open     *modelReturn
}

// traffic is the state machine: every action does something to the shop and to the model, and compares the answers.
type traffic struct {
	*shop
	t        *rapid.T
	products []*modelProduct
	shoppers []*modelShopper
	orders   []*modelOrder
	coupon   int64
	given    int
	// returns counts the cases that were opened, answers the answers by their number.
	returns int
	answers map[int]int
}

// The coupon of a run: how many there are in all and for one shopper, and what it is worth.
const (
	couponTotal, couponLimit               = 4, 2
	couponDiscount, couponMin money.Amount = 3000, 1000
)

var traffics int

func newTraffic(t *rapid.T, s *shop) *traffic {
	m := &traffic{shop: s, t: t, answers: map[int]int{}}
	traffics++
	s.Sandbox.Behave(sandbox.Behaviour{Silent: true})
	var err error
	m.coupon, err = s.Promotions.Create(t.Context(), promotion.Coupon{
		Name: "满10减30", Discount: couponDiscount, Min: couponMin, Days: 30, PerShopper: couponLimit, Total: couponTotal,
	})
	require.NoError(t, err)
	for i, price := range []money.Amount{1000, 5000, 22200, 30000} {
		stock := 4 + i
		w := s.Product(fmt.Sprintf("traffic-%d-%d", traffics, i), price, stock)
		m.products = append(m.products, &modelProduct{AddRequest: w, price: price, stock: stock, onSale: true})
	}
	for i := range 3 {
		id := s.Shopper(fmt.Sprintf("traffic-%d-%d", traffics, i))
		m.shoppers = append(m.shoppers, &modelShopper{id: id, address: s.Address(id)})
	}
	return m
}

// answered compares an answer with the model's.
func (m *traffic) answered(what string, want int, err error) {
	got := domaintest.Code(err)
	if errors.Is(err, order.ErrNotTaken) {
		got = notTaken
	}
	m.answers[got]++
	if got != want {
		m.t.Fatalf("%s is answered %d (%v), not %d", what, got, err, want)
	}
}

func pick[T any](t *rapid.T, what string, from []T) T { return rapid.SampledFrom(from).Draw(t, what) }

// Buy fills a cart, lets an operator change something in between, and submits it.
func (m *traffic) Buy(t *rapid.T) {
	m.t = t
	ctx := m.t.Context()
	s := pick(t, "shopper", m.shoppers)
	lines := map[*modelProduct]int{}
	row := cart.Everything
	for range rapid.IntRange(1, 3).Draw(t, "lines") {
		p, n := pick(t, "product", m.products), rapid.IntRange(1, 3).Draw(t, "pieces")
		want := done
		switch {
		case !p.onSale:
			want = errno.GoodsUnshelved.Num
		case n > p.stock:
			want = errno.GoodsNoStock.Num
		default:
			lines[p] = n
		}
		w := p.AddRequest
		w.Number = n
		id, err := m.Cart.Set(ctx, s.id, w)
		m.answered("putting into the cart", want, err)
		if row = id; len(lines) != 1 {
			row = cart.Everything
		}
	}
	if rapid.IntRange(0, 4).Draw(t, "change in between") == 0 {
		m.Edit(t)
	}
	with := rapid.Bool().Draw(t, "coupon")
	o, want := m.sold(s, lines, with)
	choice := order.Choice{Cart: row, Address: s.address}
	if with {
		choice.Coupon = m.coupon
	}
	placed, err := m.Orders.Submit(ctx, s.id, order.Submission{Choice: choice})
	m.answered("submit", want, err)
	if want == done {
		o.id = placed.OrderID
		o.sn = m.Text("SELECT order_sn FROM orders WHERE id = ?", o.id)
		m.orders = append(m.orders, o)
	}
	m.Exec("UPDATE cart SET deleted = 1 WHERE user_id = ?", s.id) // the next purchase begins with an empty one
}

// sold is the model's answer to a submit.
func (m *traffic) sold(s *modelShopper, lines map[*modelProduct]int, with bool) (*modelOrder, int) {
	goods, pieces := money.Amount(0), 0
	enough := true
	for p, n := range lines {
		if !p.onSale {
			return nil, errno.GoodsUnshelved.Num
		}
		goods, pieces, enough = goods+p.price*money.Amount(n), pieces+n, enough && n <= p.stock
	}
	charged := money.Amount(0)
	if goods < freightFree {
		charged = freight
	}
	total := goods + charged
	switch {
	case len(lines) == 0:
		return nil, invalid
	case with && (s.received == s.use || goods < couponMin):
		return nil, invalid
	case !enough:
		return nil, errno.GoodsNoStock.Num
	}
	if with {
		total = max(0, total-couponDiscount)
		s.use++
	}
	o := &modelOrder{
		life: newLife(total, pieces), shopper: s, lines: lines, since: m.Clock.Now(), freight: charged,
		bought: map[*modelProduct]*boughtLine{},
	}
	for p, n := range lines {
		p.stock -= n
		o.bought[p] = &boughtLine{price: p.price, pieces: n}
	}
	o.discounted = with
	o.happen(submit)
	return o, done
}

// after books what an event has returned.
func (m *traffic) after(o *modelOrder) {
	if o.settled || o.holds() {
		return
	}
	o.settled = true
	for p, n := range o.lines {
		p.stock += n
	}
	if o.discounted {
		o.shopper.use--
	}
}

// Edit is an operator's change of a product: its price, its stock, or whether it is sold.
func (m *traffic) Edit(t *rapid.T) {
	m.t = t
	p := pick(t, "edited product", m.products)
	edit := catalog.GoodsEdit{ID: p.GoodsID}
	switch rapid.IntRange(0, 2).Draw(t, "edit") {
	case 0:
		p.onSale = !p.onSale
		edit.Change = func(g *catalog.Goods) { g.OnSale = p.onSale }
	case 1:
		p.price += 100
	default:
		p.stock = rapid.IntRange(0, 6).Draw(t, "stock")
	}
	edit.Products = []catalog.ProductEdit{{
		ID: p.ProductID, Edited: true, Specifications: []string{"标准"}, Price: p.price, Number: p.stock,
	}}
	m.answered("edit", done, m.Catalog.Edit(m.t.Context(), actor.Operator(7), edit))
}

// Receive takes a coupon.
func (m *traffic) Receive(t *rapid.T) {
	m.t = t
	s := pick(t, "shopper", m.shoppers)
	want := done
	if s.received == couponLimit || m.given == couponTotal {
		want = errno.CouponExceedLimit.Num
	} else {
		s.received++
		m.given++
	}
	m.answered("coupon", want, m.Promotions.Receive(m.t.Context(), s.id, m.coupon))
}

// Happen lets one of the events of the life of an order happen.
func (m *traffic) Happen(t *rapid.T) {
	m.t = t
	if len(m.orders) == 0 {
		return
	}
	o := pick(t, "order", m.orders)
	e := pick(t, "event", []event{
		prepay, prepay, notice, again, other, prepayToy, noticeToy, cancel, ask, refund, reject, ship, confirm,
	})
	m.happens(o, e)
}

// happens lets an event happen, and compares its answer with the model's.
func (m *traffic) happens(o *modelOrder, e event) {
	t := m.t
	b := sandbox.Behaviour{Silent: true}
	if e == refund {
		o.platform = pick(t, "platform", []mood{answers, answers, refuses, silent})
		b.Refuse, b.Unanswered = o.platform == refuses, o.platform == silent
	}
	if e == prepay && len(o.payments) == 0 && o.status == unpaid && rapid.IntRange(0, 3).Draw(t, "lost") == 0 {
		b, o.lost = sandbox.Behaviour{Lost: true}, true
	}
	if o.amount == 0 && slices.Contains([]event{notice, again, other, noticeToy}, e) { // no platform takes nothing
		return
	}
	m.Clock.Move(time.Second)
	m.Sandbox.Behave(b)
	m.toy.Behave(toypay.Behaviour{Refuse: b.Refuse, Unanswered: b.Unanswered})
	w := &batch{shop: m.shop}
	r := &run{shopper: o.shopper.id, order: o.id, sn: o.sn, life: o.life}
	want, got := o.happen(e), w.happen(m.t.Context(), r, e)
	m.Sandbox.Settle()
	m.Sandbox.Behave(sandbox.Behaviour{Silent: true})
	m.toy.Behave(toypay.Behaviour{})
	m.answers[got]++
	if got != want {
		t.Fatalf("%s of order %d is answered %d, not %d", e, o.id, got, want)
	}
	m.after(o)
}

// Wrong delivers a notification with another amount: it is never accepted and changes nothing, unless the order has been
// paid by that transaction.
func (m *traffic) Wrong(t *rapid.T) {
	m.t = t
	if len(m.orders) == 0 {
		return
	}
	o := pick(t, "order", m.orders)
	m.answered("notification of a wrong amount", notTaken, m.Deliver(payment.Notification{
		OutTradeNo: o.sn, TransactionID: "wrong-" + o.sn, Amount: o.amount + 1, Currency: "CNY", Time: m.Clock.Now(),
	}))
}

// Comment comments on the first line of an order.
func (m *traffic) Comment(t *rapid.T) {
	m.t = t
	if len(m.orders) == 0 {
		return
	}
	o := pick(t, "order", m.orders)
	want := done
	switch {
	case o.status != received:
		want = notOffered
	case o.reviewed:
		want = errno.OrderCommented.Num
	}
	o.reviewed = o.reviewed || want == done
	line := m.Int("SELECT MIN(id) FROM order_goods WHERE order_id = ?", o.id)
	m.answered("comment", want, m.LineComments.Comment(m.t.Context(), o.shopper.id, line, review.Comment{Content: "x", Star: 5}))
}

// Wait lets time pass and then the jobs work.
func (m *traffic) Wait(t *rapid.T) {
	m.t = t
	m.Clock.Move(pick(t, "minutes", []time.Duration{6 * time.Minute, 31 * time.Minute}))
	ctx := m.t.Context()
	must := func(_ int, err error) { require.NoError(t, err) }
	must(m.Payments.QueryOpen(ctx))
	must(m.Orders.ExpireUnpaid(ctx))
	for n := 1; n > 0; {
		var err error
		n, err = m.Outbox.Deliver(ctx)
		require.NoError(t, err)
	}
	must(m.Payments.RetryRefunds(ctx))
	for n := 1; n > 0; {
		var err error
		n, err = m.Outbox.Deliver(ctx)
		require.NoError(t, err)
	}
	for _, o := range m.orders {
		if o.lost && o.status == unpaid && o.payments[0].status == paymentIssued { // a query finds it
			o.notified("", "lost")
		}
		if o.status == unpaid && m.Clock.Now().Sub(o.since) >= toPay {
			o.happen(timeOut)
		}
		if o.lost && o.payments[0].status == paymentClosed { // the close is refused: it was paid
			o.notified("", "lost")
		}
		o.settle()
		m.after(o)
	}
}

// ofSandbox is a transaction that the sandbox has made by itself.
var ofSandbox = regexp.MustCompile(`\b42[0-9a-f]{26}\b`)

// Check compares all books with the model.
func (m *traffic) Check(t *rapid.T) {
	m.t = t
	for _, o := range m.orders {
		got := m.Text(orderQuery, o.id)
		got = ofSandbox.ReplaceAllString(got, "lost")
		if want := o.String(); got != want {
			t.Fatalf("order %d of %s is stored as\n  %s\nnot %s", o.id, o.amount, got, want)
		}
	}
	for _, p := range m.products {
		if got := m.Stock(p.AddRequest); got != p.stock {
			t.Fatalf("product %d has %d pieces, not %d", p.ProductID, got, p.stock)
		}
	}
	for _, s := range m.shoppers {
		got := m.Text("SELECT CONCAT(COUNT(*), ' ', COALESCE(SUM(status = 1), 0)) FROM coupon_user WHERE user_id = ?", s.id)
		if want := strconv.Itoa(s.received) + " " + strconv.Itoa(s.use); got != want {
			t.Fatalf("shopper %d has received and used coupons %s, not %s", s.id, got, want)
		}
	}
}
