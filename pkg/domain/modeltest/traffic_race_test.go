package modeltest_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/app"
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

const (
	actors          = 8
	actionsPerActor = 30
	// piecesOf is the stock of each product, few enough to be sold out.
	piecesOf = 12
	// groupOf is how many shoppers a group needs.
	groupOf = 3
)

// crowd is a shop in which many act at the same time, in two processes, and what is known about it from outside.
type crowd struct {
	*shop
	t         *testing.T
	processes []*app.Domain
	goods     []cart.AddRequest
	shoppers  []buyer
	coupon    int64
	rule      int64

	// calm is held for reading during each action. The clock makes its long steps between them: a call that takes minutes
	// outlives its deadline and the time after which others take its work up.
	calm sync.RWMutex

	mu sync.Mutex
	// orders are all that were submitted; edited what operators added to the stock of a product; taken the money that the
	// platform has, by transaction.
	orders []bought
	edited map[int64]int
	taken  map[string]payment.Notification
}

type buyer struct{ id, address int64 }

type bought struct {
	id, group int64
	sn        string
	buyer     buyer
	amount    money.Amount
}

func newCrowd(t *testing.T, s *shop, other *app.Domain, name string) *crowd {
	t.Helper()
	ctx := t.Context()
	c := &crowd{
		shop: s, t: t, processes: []*app.Domain{s.Domain, other}, edited: map[int64]int{},
		taken: map[string]payment.Notification{},
	}
	for _, d := range c.processes { // the test is the platform
		d.Sandbox.Behave(sandbox.Behaviour{Silent: true})
	}
	for i, price := range []money.Amount{1000, 10000, 4000} {
		c.goods = append(c.goods, s.Product(fmt.Sprintf("%s-%d", name, i), price, piecesOf))
	}
	for i := range 5 {
		id := s.Shopper(fmt.Sprintf("%s-%d", name, i))
		c.shoppers = append(c.shoppers, buyer{id, s.Address(id)})
	}
	var err error
	c.coupon, err = s.Promotions.Create(ctx, promotion.Coupon{
		Name: "满10减20", Discount: 2000, Min: 1000, Days: 30, PerShopper: couponLimit, Total: couponTotal,
	})
	require.NoError(t, err)
	c.rule, err = s.Promotions.CreateGroupRule(ctx, promotion.GroupRule{
		GoodsID: c.goods[1].GoodsID, GoodsName: name, Discount: 1000, Members: groupOf,
		ExpireTime: s.Clock.Now().Add(24 * time.Hour),
	})
	require.NoError(t, err)
	return c
}

// player is one of the actors, with its own source of chance.
type player struct {
	*crowd
	*rand.Rand
	ctx context.Context
	on  *app.Domain
}

// act does one thing and fails the test for an answer that the contract does not know. Some lead to others, as in a
// shop: what is submitted is mostly paid.
func (p player) act() {
	type action struct {
		name  string
		do    func(o bought) error
		codes []int
	}
	buyer, staff := p.shoppers[p.IntN(len(p.shoppers))], actor.Operator(int64(1+p.IntN(4)))
	o, known := p.any()
	all := []action{
		{"submit", func(bought) error { return p.buy(buyer) }, []int{invalid, stale, 710, 711, 730, 731, 732, 733}},
		{"coupon", func(bought) error { return p.on.Promotions.Receive(p.ctx, buyer.id, p.coupon) }, []int{740}},
		{"edit", func(bought) error { return p.edit(staff) }, []int{stale}},
	}
	if known {
		all = append(all, all[0], all[0],
			action{"prepay", func(o bought) error { return p.prepay(o, p.channel()) }, []int{notOffered, stale, notPaid}},
			action{"pay", p.pay, []int{notOffered, stale, notPaid, notTaken}},
			action{"pay", p.pay, []int{notOffered, stale, notPaid, notTaken}},
			action{"pay too", func(o bought) error { return p.notice(o, p.channel(), "two", 0) }, []int{notTaken}},
			action{"pay wrongly", func(o bought) error { return p.notice(o, p.channel(), "wrong", 1) }, []int{notTaken}},
			action{"cancel", func(o bought) error { return p.on.Orders.Cancel(p.ctx, o.buyer.id, o.id) }, []int{notOffered, stale}},
			action{"ask", func(o bought) error { return p.on.Orders.AskRefund(p.ctx, o.buyer.id, o.id) }, []int{notOffered, stale}},
			action{
				"refund", func(o bought) error { return p.on.Orders.Refund(p.ctx, staff, o.id, o.amount) },
				[]int{notAllowed, stale, notRefunded},
			},
			action{
				"reject", func(o bought) error { return p.on.Orders.RejectRefund(p.ctx, staff, o.id, "x") },
				[]int{notAllowed, stale},
			},
			action{
				"ship", func(o bought) error { return p.on.Orders.Ship(p.ctx, staff, o.id, "ZTO", "1") },
				[]int{notAllowed, stale},
			},
			action{
				"confirm", func(o bought) error { return p.on.Orders.Confirm(p.ctx, o.buyer.id, o.id) },
				[]int{notOffered, stale},
			},
			action{"comment", p.comment, []int{notOffered, 726, 727}},
			action{"after-sale", p.complain, []int{750, 752, stale}},
			action{"accept", func(o bought) error { return p.decide(o, staff) }, []int{invalid, notAllowed, notRefunded, stale}},
			action{"jobs", func(bought) error { _ = p.work(p.on); return nil }, nil}, // a silent platform fails them
			action{"platform", func(bought) error { p.mood(); return nil }, nil},
		)
	}
	p.Clock.Move(time.Millisecond)
	a := all[p.IntN(len(all))]
	if a.name == "jobs" {
		p.calm.Lock()
		p.Clock.Move(time.Minute)
		p.calm.Unlock()
	}
	p.calm.RLock()
	defer p.calm.RUnlock()
	err := a.do(o)
	got := domaintest.Code(err)
	if errors.Is(err, order.ErrNotTaken) {
		got = notTaken
	}
	if got != done && !slices.Contains(a.codes, got) {
		p.t.Errorf("%s of order %d is answered %d: %v", a.name, o.id, got, err)
	}
}

func (p player) any() (bought, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.orders) == 0 {
		return bought{}, false
	}
	return p.orders[p.IntN(len(p.orders))], true
}

// buy submits one product or several, with or without a coupon, alone or in a group.
func (p player) buy(b buyer) error {
	sub := order.Submission{Choice: order.Choice{Cart: cart.Everything, Address: b.address}}
	for range 1 + p.IntN(2) {
		w := p.goods[p.IntN(len(p.goods))]
		w.Number = 1 + p.IntN(2)
		row, err := p.on.Cart.Set(p.ctx, b.id, w)
		if err != nil {
			return err
		}
		if w.ProductID == p.goods[1].ProductID && p.IntN(2) == 0 {
			sub.Cart, sub.Rule = row, p.rule
			if o, ok := p.any(); ok && o.group > 0 {
				sub.Link = o.group
			}
		}
	}
	if p.IntN(3) == 0 {
		sub.Coupon = p.coupon
	}
	placed, err := p.on.Orders.Submit(p.ctx, b.id, sub)
	if err != nil {
		return err
	}
	o := bought{id: placed.OrderID, group: placed.Group, buyer: b}
	o.sn = p.Text("SELECT order_sn FROM orders WHERE id = ?", o.id)
	o.amount = money.Amount(p.crowd.Int("SELECT CAST(actual_price * 100 AS SIGNED) FROM orders WHERE id = ?", o.id))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.orders = append(p.orders, o)
	return nil
}

func (p player) comment(o bought) error {
	line := p.crowd.Int("SELECT MIN(id) FROM order_goods WHERE order_id = ?", o.id)
	return p.on.LineComments.Comment(p.ctx, o.buyer.id, line, review.Comment{Content: "x", Star: 5})
}

func (p player) complain(o bought) error {
	s := aftersale.Submission{
		OrderID: o.id, Type: []aftersale.Type{aftersale.RefundOnly, aftersale.Returned}[p.IntN(2)],
		Amount: new(min(100, max(0, o.amount-freight))),
	}
	if p.IntN(2) > 0 { // a piece of a line, for what was paid for it
		line := p.crowd.Int("SELECT MAX(id) FROM order_goods WHERE order_id = ?", o.id)
		s.Amount, s.Lines = nil, []aftersale.Wanted{{Line: line, Number: 1}}
	}
	_, err := p.on.Aftersales.Submit(p.ctx, o.buyer.id, s)
	return err
}

// decide is an operator's next step with the case of an order.
func (p player) decide(o bought, staff actor.Actor) error {
	found, err := p.on.Aftersales.Find(p.ctx, o.buyer.id, o.id)
	if err != nil || found.Case.ID == 0 {
		return err
	}
	id := found.Case.ID
	switch p.IntN(5) {
	case 0, 1:
		return p.on.Aftersales.Accept(p.ctx, staff, id, "")
	case 2:
		return p.on.Aftersales.Reject(p.ctx, staff, id, "no")
	default:
		return p.on.Aftersales.Refund(p.ctx, staff, id)
	}
}

// edit changes a price, the shelf or the stock; the stock by a difference, as an operator does who has seen it.
func (p player) edit(staff actor.Actor) error {
	w := p.goods[p.IntN(len(p.goods))]
	seen, more, on := p.Stock(w), p.IntN(2), p.IntN(4) > 0
	err := p.on.Catalog.Edit(p.ctx, staff, catalog.GoodsEdit{
		ID: w.GoodsID, Change: func(g *catalog.Goods) { g.OnSale = on },
		Products: []catalog.ProductEdit{{
			ID: w.ProductID, Edited: true, Specifications: []string{"标准"}, Price: money.Amount(2000 + 100*p.IntN(90)),
			Number: seen + more, Base: &seen,
		}},
	})
	if err == nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.edited[w.ProductID] += more
	}
	return err
}

func (p player) mood() {
	for _, d := range p.processes {
		d.Sandbox.Behave(sandbox.Behaviour{Silent: true, Refuse: p.IntN(4) == 0, Unanswered: p.IntN(4) == 0})
	}
	p.toy.Behave(toypay.Behaviour{Refuse: p.IntN(4) == 0, Unanswered: p.IntN(4) == 0})
}

// work runs the jobs once.
func (c *crowd) work(d *app.Domain) error {
	ctx := c.t.Context()
	errs := make([]error, 0, 6)
	for _, job := range []func(context.Context) (int, error){
		d.Outbox.Deliver, d.Payments.QueryOpen, d.Payments.RetryRefunds, d.Orders.ExpireUnpaid, d.Orders.ReceiveShipped,
		d.Orders.EndGroupRules,
	} {
		_, err := job(ctx)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Random traffic of many at the same time, in two processes, leaves exact books: pieces, coupons, seats, and the money
// that the platform has. Every answer is one of the contract's. SHOP_SEED repeats the actors of a failure, though not
// the moments at which they meet.
func TestTrafficAtTheSameTime(t *testing.T) {
	orders, runs, goOn := 0, 0, inTime(t, 1)
	for part := range slices.Chunk(seeds(t, map[form]int{quick: 3, short: 30, long: 1000}), 25) {
		t.Run(fmt.Sprintf("from %d", part[0]), func(t *testing.T) {
			s := open(t)
			other := s.replica()
			for _, seed := range part {
				if runs > 0 && !goOn() {
					break
				}
				runs++
				c := newCrowd(t, s, other, fmt.Sprintf("race-%d", seed))
				c.mess(seed)
				c.settle()
				c.check()
				orders += len(c.orders)
				if t.Failed() {
					t.Fatalf("SHOP_SEED=%d", seed)
				}
			}
		})
	}
	t.Logf("%d runs with %d orders", runs, orders)
}

// mess lets all actors act, while the books are verified.
func (c *crowd) mess(seed uint64) {
	var all sync.WaitGroup
	defer c.whileVerifying()()
	for i := range uint64(actors) {
		p := player{c, rand.New(rand.NewPCG(seed, i)), c.t.Context(), c.processes[i%2]}
		all.Go(func() {
			for range actionsPerActor {
				p.act()
			}
		})
	}
	all.Wait()
}

// settle ends what waits for the platform or for time: the platform repeats its notifications until they are taken, the
// offer ends, and the jobs run until nothing is left.
func (c *crowd) settle() {
	ctx := c.t.Context()
	for _, d := range c.processes {
		d.Sandbox.Behave(sandbox.Behaviour{Silent: true})
	}
	c.toy.Behave(toypay.Behaviour{})
	p := player{crowd: c, on: c.Domain}
	for _, n := range c.taken {
		if err := p.deliver(ctx, n); errors.Is(err, order.ErrNotTaken) {
			require.Zero(c.t, c.Int("SELECT COUNT(*) FROM payment WHERE out_trade_no = ? AND channel = ?", n.OutTradeNo,
				n.Channel), n.TransactionID)
			delete(c.taken, n.TransactionID) // never announced to the platform, which therefore has no such money
		} else {
			require.NoError(c.t, err, n.TransactionID)
		}
	}
	require.NoError(c.t, c.Orders.CloseGroupRule(ctx, c.rule, promotion.GroupRuleTakenDown))
	for range 4 {
		c.Clock.Move(2 * time.Hour)
		require.NoError(c.t, c.work(c.Domain))
	}
}
