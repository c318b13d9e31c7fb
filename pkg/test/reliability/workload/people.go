package workload

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/tidwall/gjson"

	"shop.internal/pkg/test/reliability/client"
)

// retryFor is how long a call is repeated under its key. Longer than any disturbance lasts.
const retryFor = 25 * time.Second

// unpaidFor is how long the shop waits for a payment, less what the clocks may differ.
const unpaidFor = 29 * time.Minute

// The codes with which a call may be repeated: it was not done, or is not finished.
var unsettled = map[int64]bool{502: true, 504: true, 621: true}

// call makes a call with a key until it is answered for good, and reports false if it never was. It complains about
// what is no answer of the contract.
func (w *World) call(
	ctx context.Context, who *Person, path string, body client.Fields, r *rand.Rand,
) (client.Answer, bool) {
	text, err := json.Marshal(body)
	if err != nil {
		w.Complain(err)
		return client.Answer{}, false
	}
	key := fmt.Sprintf("crowd-%x%x", r.Uint64(), r.Uint64())
	for end := time.Now().Add(w.RetryFor); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		a, err := w.send(ctx, who.Now(), path, string(text), key)
		w.Calls.Add(1)
		switch {
		case err != nil: // no answer: the process was killed, or has not started yet
		case w.Stack.Balanced && a.Errno == -1 && a.Status == http.StatusBadGateway: // the balancer's: the same
		case a.Errno == -1:
			w.Complain(fmt.Errorf("%s answers %d %.200s, no envelope", path, a.Status, a.Body))
		case a.Errno == 501 && (w.MayLogOut.Load() || who.loggedOut.Load()):
			_ = who.again(ctx) // the next attempt tells
		case a.Errno == 501:
			w.Complain(fmt.Errorf("%s: %s is no longer logged in", path, who.Name))
			return a, false
		case !unsettled[a.Errno]:
			if a.Errno == 0 && path != prepay {
				w.keep(kept{who, path, string(text), key, a.Data.Raw, a.Errno}, r)
			}
			return a, true
		}
		if ctx.Err() != nil {
			break
		}
	}
	return client.Answer{}, false
}

func (w *World) send(ctx context.Context, c client.Caller, path, body, key string) (client.Answer, error) {
	return w.watched(ctx, c, client.Request{
		Method: http.MethodPost, Path: path, ContentType: "application/json", Body: []byte(body),
		Header: http.Header{"Idempotency-Key": {key}},
	})
}

// watched sends a request and tells whoever watches.
func (w *World) watched(ctx context.Context, c client.Caller, r client.Request) (client.Answer, error) {
	began := time.Now()
	a, err := c.Send(ctx, r)
	if w.Watch != nil && ctx.Err() == nil {
		w.Watch(Sample{Began: began, Took: time.Since(began), By: c, Path: r.Path, Answer: a, Err: err})
	}
	return a, err
}

// keep remembers an answer, a random choice of all.
func (w *World) keep(k kept, r *rand.Rand) {
	const most = 60
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.kept) < most {
		w.kept = append(w.kept, k)
	} else {
		w.kept[r.IntN(most)] = k
	}
}

// live is the life of a shopper.
func (s *Shopper) live(ctx context.Context, w *World, r *rand.Rand) {
	for ctx.Err() == nil {
		w.gate.RLock()
		switch n := r.IntN(100); {
		case n < 45:
			s.buy(ctx, w, r)
		case n < 55:
			s.receive(ctx, w, r)
		default:
			if o := w.pick(r, s); o != nil {
				s.touch(ctx, w, o, r)
				o.mu.Unlock()
			}
		}
		w.gate.RUnlock()
		time.Sleep(time.Duration(r.IntN(10)) * time.Millisecond)
	}
}

// buy orders a piece, now and then with a coupon or in a group, and mostly begins to pay.
func (s *Shopper) buy(ctx context.Context, w *World, r *rand.Rand) {
	g := w.Goods[r.IntN(len(w.Goods))]
	group := r.IntN(4) == 0
	body := client.Fields{"addressId": s.address, "couponId": -1}
	if group {
		g = w.Goods[0]
		body["grouponRulesId"], body["grouponLinkId"] = w.rule, w.link(r)
	} else if r.IntN(3) == 0 {
		body["couponId"] = w.coupon
	}
	if o := s.order(ctx, w, g, body, r); o != nil {
		if r.IntN(5) > 0 {
			s.pay(ctx, w, o, r)
		}
		o.mu.Unlock()
	}
}

// order orders a piece and returns the order, locked, or nil if there is none.
func (s *Shopper) order(ctx context.Context, w *World, g client.Goods, body client.Fields, r *rand.Rand) *order {
	row, ok := w.call(ctx, &s.Person, "/wx/cart/fastadd",
		client.Fields{"goodsId": g.ID, "productId": g.Product, "number": 1}, r)
	if !ok || row.Errno != 0 {
		return nil
	}
	body["cartId"] = row.Data.Int()
	a, ok := w.call(ctx, &s.Person, "/wx/order/submit", body, r)
	if !ok {
		w.mu.Lock()
		w.uncertain.orders++
		w.mu.Unlock()
		return nil
	}
	if a.Errno != 0 {
		return nil
	}
	_, grouped := body["grouponRulesId"]
	o := &order{
		id: a.Data.Get("orderId").Int(), owner: s, goods: g, grouped: grouped, states: states{client.Unpaid: true},
		due: time.Now().Add(unpaidFor),
	}
	o.mu.Lock()
	w.mu.Lock()
	w.orders = append(w.orders, o)
	if link := a.Data.Get("grouponLinkId").Int(); link > 0 {
		w.links = append(w.links, link)
	}
	w.mu.Unlock()
	return o
}

// link is a group to join, 0 to open one.
func (w *World) link(r *rand.Rand) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(w.links); n > 0 && r.IntN(3) > 0 {
		return w.links[max(0, n-1-r.IntN(4))]
	}
	return 0
}

// prepay takes no key: a repetition makes the same payment and signs it anew.
const prepay = "/wx/order/prepay"

// pay begins the payment; the platform makes it by itself.
func (s *Shopper) pay(ctx context.Context, w *World, o *order, r *rand.Rand) {
	o.prepaid = true // it may be done although no answer comes
	body := client.Fields{"orderId": o.id}
	if w.Stack.Platform != nil && r.IntN(2) == 0 {
		body["channel"] = "stripe"
	}
	a, ok := w.call(ctx, &s.Person, prepay, body, r)
	if ok && a.Errno != 0 && a.Errno != 725 && a.Errno != 724 {
		w.Complain(fmt.Errorf("prepay of order %d answers %d %s", o.id, a.Errno, a.Errmsg))
	}
}

func (s *Shopper) receive(ctx context.Context, w *World, r *rand.Rand) {
	a, ok := w.call(ctx, &s.Person, "/wx/coupon/receive", client.Fields{"couponId": w.coupon}, r)
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case !ok:
		w.uncertain.coupons++
	case a.Errno == 0:
		w.received++
	}
}

// pick finds an order that nobody else is busy with, of a shopper or of anybody, and locks it.
func (w *World) pick(r *rand.Rand, of *Shopper) *order {
	w.mu.Lock()
	defer w.mu.Unlock()
	for range 20 {
		if len(w.orders) == 0 {
			return nil
		}
		o := w.orders[max(0, len(w.orders)-1-r.IntN(60))]
		if (of == nil || o.owner == of) && o.mu.TryLock() {
			if !o.left {
				return o
			}
			o.mu.Unlock()
		}
	}
	return nil
}

// touch is what a shopper does with an order.
func (s *Shopper) touch(ctx context.Context, w *World, o *order, r *rand.Rand) {
	switch call := []string{"cancel", "refund", "confirm", "pay"}[r.IntN(4)]; call {
	case "pay":
		s.pay(ctx, w, o, r)
	default:
		w.change(ctx, &s.Person, o, call, "/wx/order/"+call, client.Fields{"orderId": o.id}, r)
	}
}

// work is what operators do.
func (p *Person) work(ctx context.Context, w *World, r *rand.Rand) {
	for ctx.Err() == nil {
		w.gate.RLock()
		if o := w.pick(r, nil); o != nil {
			switch n := r.IntN(5); {
			case n < 2:
				body := client.Fields{"orderId": o.id, "shipChannel": "ZTO", "shipSn": fmt.Sprintf("CR%d", o.id)}
				w.change(ctx, p, o, "ship", "/admin/order/ship", body, r)
			case n < 4:
				p.payOut(ctx, w, o, r)
			default:
				w.change(ctx, p, o, "reject", "/admin/order/reject", client.Fields{"orderId": o.id}, r)
			}
			o.mu.Unlock()
		}
		w.gate.RUnlock()
		time.Sleep(time.Duration(r.IntN(10)) * time.Millisecond)
	}
}

// payOut refunds an order with the amount that its detail shows.
func (p *Person) payOut(ctx context.Context, w *World, o *order, r *rand.Rand) {
	if o.actual == 0 {
		a, err := w.watched(ctx, p.Now(), client.Request{
			Method: http.MethodGet, Path: fmt.Sprintf("/admin/order/detail?id=%d", o.id),
		})
		if err != nil || a.Errno != 0 {
			return
		}
		if o.actual, err = client.Cents(gjson.GetBytes(a.Body, "data.order.actualPrice")); err != nil {
			w.Complain(err)
			return
		}
	}
	w.change(ctx, p, o, "pay out", "/admin/order/refund",
		client.Fields{"orderId": o.id, "refundMoney": client.Amount(o.actual)}, r)
}

// change makes a call that moves an order, and notes the answer in its history.
func (w *World) change(
	ctx context.Context, who *Person, o *order, call, path string, body client.Fields, r *rand.Rand,
) {
	a, ok := w.call(ctx, who, path, body, r)
	var err error
	switch {
	case !ok:
		o.unanswered(call)
	case a.Errno == 0:
		err = o.succeeded(call)
	case a.Errno == 725 || a.Errno == 620:
		err = o.refused(call, a.Errno)
	default:
		err = fmt.Errorf("%s of order %d answers %d %s", path, o.id, a.Errno, a.Errmsg)
	}
	if err != nil {
		w.Complain(err)
	}
}
