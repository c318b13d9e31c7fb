package modeltest_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/promotion"
)

const (
	// price is what every order of a sequence costs, after the coupon.
	price money.Amount = 9500
	// products and coupons are shared by the sequences of a batch, so that their rows are not waited for too long.
	products, coupons = 16, 8
	// opening is the stock of each product.
	opening = 1_000_000
	// workers is how many sequences of a batch take their next step at the same time.
	workers = 16
)

// run is one sequence of events, the order that it happens to, and what the model says about that order.
type run struct {
	events  []event
	life    *life
	shopper int64
	address int64
	item    int64
	product int
	coupon  int64
	order   int64
	sn      string
	// trace lists the events with their answers.
	trace []string
}

func (r *run) name() string {
	names := make([]string, len(r.events))
	for i, e := range r.events {
		names[i] = string(e)
	}
	return strings.Join(names, ",")
}

// batch runs sequences side by side on a shop of its own: step by step, all of them take the first, the second and so
// on, so that one clock and one run of a job serve them all.
type batch struct {
	*shop
	t     *testing.T
	runs  []*run
	goods []cart.AddRequest
	calls int

	mu    sync.Mutex
	wrong []string
}

// disagree notes a disagreement between the shop and the model.
func (b *batch) disagree(r *run, format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wrong = append(b.wrong, fmt.Sprintf("SHOP_SEQUENCE=%s: %s\n  %s", r.name(), fmt.Sprintf(format, args...),
		strings.Join(r.trace, ", ")))
}

// runSequences runs sequences on a shop of their own. The batch then has what disagrees.
func runSequences(t *testing.T, sequences [][]event) *batch {
	t.Helper()
	b := &batch{shop: open(t), t: t}
	b.prepare(sequences)
	longest := 0
	for _, events := range sequences {
		longest = max(longest, len(events))
	}
	for step := range longest {
		b.step(step)
		b.compare(step)
	}
	b.settle()
	return b
}

// each calls do for every run, several at the same time.
func (b *batch) each(do func(r *run)) {
	next := make(chan *run)
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for r := range next {
				do(r)
			}
		})
	}
	for _, r := range b.runs {
		next <- r
	}
	close(next)
	all.Wait()
}

// prepare gives every sequence a shopper with an address, a coupon and one item in the cart.
func (b *batch) prepare(sequences [][]event) {
	b.t.Helper()
	ctx := b.t.Context()
	offered := make([]int64, coupons)
	for i := range offered {
		var err error
		offered[i], err = b.Promotions.Create(ctx, promotion.Coupon{
			Name: "满50减5", Discount: 500, Min: 5000, Days: 30, PerShopper: 1,
		})
		require.NoError(b.t, err)
	}
	for i := range products {
		b.goods = append(b.goods, b.Product("tea-"+strconv.Itoa(i), 10000, opening))
	}
	for i := range sequences {
		b.runs = append(b.runs, &run{
			events: sequences[i], life: newLife(price, 1), shopper: int64(i + 1), address: int64(i + 1), item: int64(i + 1),
			product: i % products, coupon: offered[i%coupons],
		})
	}
	b.insert("user (id, username, username_key, nickname, add_time, update_time)", func(r *run) string {
		return fmt.Sprintf("%[1]d, 's%[1]d', 's%[1]d', 's%[1]d', @now, @now", r.shopper)
	})
	b.insert("address (id, user_id, name, province, city, county, area_code, tel, add_time, update_time)", func(r *run) string {
		return fmt.Sprintf("%d, %d, '林一', '浙江省', '杭州市', '西湖区', '', '13900000001', @now, @now", r.address, r.shopper)
	})
	b.insert("cart (id, user_id, goods_id, product_id, specifications, pic_url, add_time, update_time)", func(r *run) string {
		w := b.goods[r.product]
		return fmt.Sprintf("%d, %d, %d, %d, '[]', '', @now, @now", r.item, r.shopper, w.GoodsID, w.ProductID)
	})
	b.insert("coupon_user (user_id, coupon_id, seq, start_time, end_time, add_time, update_time)", func(r *run) string {
		return fmt.Sprintf("%d, %d, 1, @now, '2030-02-01 04:00:00', @now, @now", r.shopper, r.coupon)
	})
	b.Exec("UPDATE coupon SET received = (SELECT COUNT(*) FROM coupon_user WHERE coupon_id = coupon.id)")
}

// insert writes one row for every run, in one statement: what sequences begin with is no part of the proof.
func (b *batch) insert(into string, values func(r *run) string) {
	b.t.Helper()
	rows := make([]string, len(b.runs))
	for i, r := range b.runs {
		rows[i] = "(" + strings.ReplaceAll(values(r), "@now", "'2030-01-02 04:00:00'") + ")"
	}
	b.Exec("INSERT INTO " + into + " VALUES " + strings.Join(rows, ","))
}

// step lets the event at an index of every sequence happen. Orders that are to time out become old together, and one run
// of the job expires them.
func (b *batch) step(at int) {
	b.t.Helper()
	b.Clock.Move(time.Second)
	var old []int64
	for _, r := range b.runs {
		if at < len(r.events) && r.events[at] == timeOut {
			old = append(old, r.order)
		}
	}
	b.each(func(r *run) {
		if at >= len(r.events) || r.events[at] == timeOut {
			return
		}
		want, got := r.life.happen(r.events[at]), b.happen(b.t.Context(), r, r.events[at])
		r.trace = append(r.trace, fmt.Sprintf("%s=%d", r.events[at], got))
		if got != want {
			b.disagree(r, "event %d is answered %d, not %d", at+1, got, want)
		}
	})
	if len(old) == 0 {
		return
	}
	b.Exec("UPDATE orders SET add_time = add_time - INTERVAL 1 HOUR WHERE id IN ?", old)
	b.Exec("UPDATE order_status_log SET add_time = add_time - INTERVAL 1 HOUR WHERE from_status = 0 AND order_id IN ?", old)
	b.Exec("UPDATE order_goods SET add_time = add_time - INTERVAL 1 HOUR WHERE order_id IN ?", old)
	b.Exec("UPDATE stock_log SET add_time = add_time - INTERVAL 1 HOUR WHERE delta < 0 AND order_id IN ?", old)
	for {
		n, err := b.Orders.ExpireUnpaid(b.t.Context())
		require.NoError(b.t, err)
		if n == 0 {
			break
		}
	}
	for _, r := range b.runs {
		if at < len(r.events) && r.events[at] == timeOut {
			r.life.happen(timeOut)
			r.trace = append(r.trace, string(timeOut))
		}
	}
}

// happen lets an event happen and returns its answer: the number of its code, or notTaken for a notification that is
// refused.
func (b *batch) happen(ctx context.Context, r *run, e event) int {
	staff := actor.Operator(7)
	var err error
	switch e {
	case submit:
		err = b.submit(ctx, r)
	case prepay:
		_, err = b.Orders.Prepay(ctx, r.shopper, r.order, "192.0.2.1", "", "")
	case prepayToy:
		_, err = b.Orders.Prepay(ctx, r.shopper, r.order, "192.0.2.1", toy, "")
	case noticeToy:
		err = b.notifyToy(ctx, r)
	case notice:
		err = b.notify(r, "one", "EV-1-")
	case again:
		err = b.notify(r, "one", "EV-2-")
	case other:
		err = b.notify(r, "two", "EV-3-")
	case cancel:
		err = b.Orders.Cancel(ctx, r.shopper, r.order)
	case ask:
		err = b.Orders.AskRefund(ctx, r.shopper, r.order)
	case refund:
		err = b.Orders.Refund(ctx, staff, r.order, r.life.amount)
	case reject:
		err = b.Orders.RejectRefund(ctx, staff, r.order, "已打包")
	case ship:
		err = b.Orders.Ship(ctx, staff, r.order, "ZTO", "75001")
	case confirm:
		err = b.Orders.Confirm(ctx, r.shopper, r.order)
	case timeOut: // for all at once
	}
	if errors.Is(err, order.ErrNotTaken) {
		return notTaken
	}
	return domaintest.Code(err)
}

func (b *batch) submit(ctx context.Context, r *run) error {
	p, err := b.Orders.Submit(ctx, r.shopper, order.Submission{
		Choice: order.Choice{Cart: r.item, Address: r.address, Coupon: r.coupon},
	})
	if err != nil {
		return err
	}
	r.order = p.OrderID
	r.sn = b.Text("SELECT order_sn FROM orders WHERE id = ?", r.order)
	return nil
}

// number is what the order is known by at the platforms.
func (r *run) number() string {
	if r.sn == "" {
		return fmt.Sprintf("none-%d", r.shopper)
	}
	return r.sn
}

// outTradeNo is what the first payment by a channel is or would be announced with.
func (r *run) outTradeNo(channel string) string {
	before := max(0, r.life.first(channel))
	if before == 0 {
		return r.number()
	}
	return r.number() + "-" + strconv.Itoa(before+1)
}

// transaction is the platform's number of a payment of the order.
func (r *run) transaction(name string) string { return name + "-" + r.number() }

// notify delivers a transaction for the order.
func (b *batch) notify(r *run, transaction, id string) error {
	return b.Deliver(payment.Notification{
		ID: id + r.number(), OutTradeNo: r.outTradeNo(""), TransactionID: r.transaction(transaction),
		Amount: r.life.amount, Currency: "CNY", Time: b.Clock.Now(),
	})
}

// notifyToy delivers the toy's transaction for the order.
func (b *batch) notifyToy(ctx context.Context, r *run) error {
	header, body := b.toy.Compose(payment.Notification{
		ID: "EV-4-" + r.number(), OutTradeNo: r.outTradeNo(toy), TransactionID: r.transaction(toy), Amount: r.life.amount,
		Currency: "CNY", Time: b.Clock.Now(),
	})
	return b.Orders.HandleNotification(ctx, "", header, body)
}

const (
	// orderColumns reads the state of an order as life.String writes it.
	orderColumns = `'status ', COALESCE(o.order_status, 0),
		', paid by ', COALESCE(SUBSTRING_INDEX(o.pay_id, '-', 1), ''),
		', coupon ', COALESCE((SELECT SUM(status) FROM coupon_user WHERE user_id = o.user_id
			AND (order_id = o.id OR order_id IS NULL AND last_order_id = o.id)), 0),
		', stock ', COALESCE((SELECT SUM(delta) FROM stock_log WHERE order_id = o.id), 0),
		', history', COALESCE((SELECT GROUP_CONCAT(' ', to_status ORDER BY id SEPARATOR '') FROM order_status_log
			WHERE order_id = o.id), ''),
		', payments', COALESCE((SELECT GROUP_CONCAT(' ', IF(channel = 'toy', channel, ''), status, ':', SUBSTRING_INDEX(COALESCE(transaction_id, ''), '-', 1),
			':', paid_amount, ':', refunded_amount ORDER BY id SEPARATOR '') FROM payment WHERE order_id = o.id), ''),
		', refunds', COALESCE((SELECT GROUP_CONCAT(' ', status, ':', amount ORDER BY id SEPARATOR '') FROM refund
			WHERE order_id = o.id), '')`
	orderQuery = "SELECT CONCAT(" + orderColumns + ") FROM orders o WHERE o.id = ?"
	// booksQuery reads all orders of a batch, with the shopper before each.
	booksQuery = "SELECT CONCAT(u.id, ' ', " + orderColumns + ") FROM user u LEFT JOIN orders o ON o.user_id = u.id"
)

// compare compares every order with its model after a step.
func (b *batch) compare(step int) {
	b.t.Helper()
	stored := map[int64]string{}
	for _, line := range b.Texts(booksQuery) {
		id, state, _ := strings.Cut(line, " ")
		shopper, err := strconv.ParseInt(id, 10, 64)
		require.NoError(b.t, err)
		stored[shopper] = state
	}
	for _, r := range b.runs {
		if step >= len(r.events) {
			continue
		}
		if want := r.life.String(); stored[r.shopper] != want {
			b.disagree(r, "after event %d the shop has\n    %s\n  not %s", step+1, stored[r.shopper], want)
		}
	}
}

// settle lets the outbox work, and compares the money, the stock, the messages and all books.
func (b *batch) settle() {
	b.t.Helper()
	ctx := b.t.Context()
	for n := 1; n > 0; {
		b.Clock.Move(time.Minute)
		var err error
		n, err = b.Outbox.Deliver(ctx)
		require.NoError(b.t, err)
	}
	held := make([]int, products)
	for _, r := range b.runs {
		b.calls += len(r.events)
		r.life.settle()
		if r.life.holds() {
			held[r.product]++
		}
	}
	b.compare(0)
	b.compareMoney()
	b.compareMessages()
	for i, w := range b.goods {
		if got := b.Stock(w); got != opening-held[i] {
			b.wrong = append(b.wrong, fmt.Sprintf("product %d has %d pieces, not %d", i, got, opening-held[i]))
		}
	}
	for _, d := range b.Disagreements() {
		b.wrong = append(b.wrong, "verify: "+d.String())
	}
}
