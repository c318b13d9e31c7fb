package races

import (
	"bytes"
	"cmp"
	"fmt"
	"mime/multipart"
	"net/http"
	"regexp"
	"time"

	"github.com/tidwall/gjson"

	"shop.internal/pkg/test/reliability/client"
)

var sixDigits = regexp.MustCompile(`\b[0-9]{6}\b`)

// missing is an id that no record has.
const missing = 999_999_999

// pieces are in stock of the goods of a subject: what its preparation needs at most, and few more.
const pieces = 12

// price of the goods of all subjects, in cents.
const price = 200_00

// subject is what the operations of a pair are aimed at. A record is made when an operation first asks for it, in the
// state that this operation needs; the other operation finds it as it is.
type subject struct {
	l          *lab
	me, opener *client.Shopper
	base       *subject // of another shopper, with whom goods, coupon and group are shared
	goods      *client.Goods
	scarce     *client.Goods // one piece is left
	row        int64
	lastRow    int64
	ord        *order
	group      int64
	copied     int64
	address    int64
	aftersale  int64
	comment    int64
	account    *account
	operator   *client.Caller
	records    map[string]gjson.Result
	said       map[string]bool // ids of orders and goods, for the search in what verify says
}

// order is an order of a shopper, with the notices of its payments.
type order struct {
	client.Order

	owner  *client.Shopper
	notice client.Request // of the sandbox
	card   client.Request // of the second platform
}

// account is a demo shopper whose sessions and password may end.
type account struct {
	client.Caller

	name, mobile string
	id           int64
}

func (l *lab) subject(me, opener *client.Shopper, base *subject) *subject {
	return &subject{l: l, me: me, opener: opener, base: base, records: map[string]gjson.Result{}, said: map[string]bool{}}
}

// says remembers a number that verify would name.
func (s *subject) says(n int64) { s.said[fmt.Sprint(n)] = true }

// end gives back what is bounded, and takes the goods out of the cart.
func (s *subject) end() {
	var products []int64
	for _, g := range []*client.Goods{s.goods, s.scarce} {
		if g != nil {
			products = append(products, g.Product)
		}
	}
	if len(products) > 0 {
		_, _ = s.me.Post(ctx, "/wx/cart/delete", client.Fields{"productIds": products})
	}
	if s.address != 0 {
		_, _ = s.me.Post(ctx, "/wx/address/delete", client.Fields{"id": s.address})
	}
	if s.account != nil {
		s.l.accounts <- s.account
	}
}

// product returns the goods of the subject.
func (s *subject) product() client.Goods {
	if s.goods == nil && s.base != nil {
		g := s.base.product()
		s.goods = &g
	}
	if s.goods == nil {
		g := s.newGoods(pieces)
		s.goods = &g
		s.says(g.ID)
		s.says(g.Product)
	}
	return *s.goods
}

func (s *subject) goodsBody(number int) client.Fields {
	return client.Fields{
		"goods": client.Fields{
			"name": s.l.name("pair goods"), "goodsSn": s.l.name("PAIR"), "categoryId": s.l.category, "brandId": s.l.brand,
			"isOnSale": true, "counterPrice": client.Amount(2 * price), "detail": "<p>Fine.</p>", "keywords": "pair",
		},
		"specifications": []client.Fields{{"specification": "size", "value": "one"}},
		"products":       []client.Fields{{"specifications": []string{"one"}, "price": client.Amount(price), "number": number}},
		"attributes":     []client.Fields{},
	}
}

func (s *subject) newGoods(number int) client.Goods {
	id := value(s.l.super.Post(ctx, "/admin/goods/create", s.goodsBody(number))).Get("id").Int()
	detail := value(s.l.super.Get(ctx, "/admin/goods/detail", "id", id))
	return client.Goods{ID: id, Product: detail.Get("products.0.id").Int()}
}

// item returns a row of the cart.
func (s *subject) item() int64 {
	if s.row == 0 {
		var err error
		s.row, err = s.me.Put(ctx, s.product(), 1)
		must(err)
	}
	return s.row
}

// last returns a row of the cart with goods of which one piece is left.
func (s *subject) last() int64 {
	if s.lastRow == 0 {
		switch {
		case s.scarce == nil && s.base != nil:
			s.base.last()
			s.scarce = s.base.scarce
		case s.scarce == nil:
			g := s.newGoods(1)
			s.scarce = &g
			s.says(g.ID)
			s.says(g.Product)
		}
		var err error
		s.lastRow, err = s.me.Put(ctx, *s.scarce, 1)
		must(err)
	}
	return s.lastRow
}

// refill puts the row of the cart back that an order has used up.
func (s *subject) refill() {
	if s.row != 0 {
		s.row = 0
		s.item()
	}
}

// order returns the order, new in this state if there is none.
func (s *subject) order(state int64) *order {
	if s.ord == nil {
		item, err := s.me.Put(ctx, s.product(), 1)
		must(err)
		id, err := s.me.Submit(ctx, item, nil)
		must(err)
		s.ord = s.bought(s.me, id)
		s.moves(state)
		s.refill()
	}
	return s.ord
}

// bought begins the payment of a new order and keeps its notice.
func (s *subject) bought(owner *client.Shopper, id int64) *order {
	o, err := owner.Order(ctx, id)
	must(err)
	must(owner.Prepay(ctx, id))
	s.says(id)
	return &order{Order: o, owner: owner, notice: s.l.trap.of(o.Number)}
}

// card pays the order at the second platform, beside the payment that has begun, and keeps its notice.
func (s *subject) card() {
	o := s.order(client.Unpaid)
	number := o.Number + "-2"
	_, _ = o.owner.Post(ctx, "/wx/order/prepay", client.Fields{"orderId": o.ID, "channel": "stripe"}) // refused when past paying
	s.l.stack.Platform.Pay(number)
	header, body := s.l.stack.Platform.Notice(number)
	o.card = client.Request{
		Method: http.MethodPost, Path: "/wx/order/pay-notify/stripe", ContentType: "application/json", Body: body, Header: header,
	}
}

// pay sends the notice of an order.
func (s *subject) pay(o *order) {
	var a client.Answer
	for range 20 { // the platform repeats a notice that is not taken
		var err error
		a, err = s.l.Storefront.Guest().Send(ctx, o.notice)
		must(err)
		if a.Status == http.StatusNoContent {
			return
		}
		time.Sleep(500 * time.Millisecond)
	}
	must(fmt.Errorf("the notice of order %d: status %d", o.ID, a.Status))
}

// moves leads the unpaid order to a state.
func (s *subject) moves(state int64) {
	o := s.ord
	switch state {
	case client.Unpaid:
		return
	case client.Cancelled:
		must(o.owner.Does(ctx, "cancel", o.ID))
		return
	}
	s.pay(o)
	if state == client.RefundRequested {
		must(o.owner.Does(ctx, "refund", o.ID))
	}
	if state == client.Shipped || state == client.Received {
		value(s.l.super.Post(ctx, "/admin/order/ship", s.parcel()))
	}
	if state == client.Received {
		must(o.owner.Does(ctx, "confirm", o.ID))
	}
}

func (s *subject) parcel() client.Fields {
	return client.Fields{"orderId": s.ord.ID, "shipChannel": "ZTO", "shipSn": fmt.Sprintf("P%d", s.ord.ID)}
}

// record returns a record of the administration, new if there is none.
func (s *subject) record(area string) gjson.Result {
	if s.base != nil && (area == "groupon" || area == "coupon" || area == "gift") {
		return s.base.record(area)
	}
	if _, ok := s.records[area]; !ok {
		s.records[area] = value(s.l.super.Post(ctx, "/admin/"+area+"/create", newRecords[area](s)))
	}
	return s.records[area]
}

func (s *subject) id(area string) int64 { return s.record(area).Get("id").Int() }

// join returns a group that has one place left; its opener's order is the subject's unless there is one.
func (s *subject) join() (rule, group int64) {
	if s.base != nil && s.group == 0 {
		return s.base.join()
	}
	return s.open()
}

// open returns a group of two of the subject's own, which the opener has paid for.
func (s *subject) open() (rule, group int64) {
	rule = s.id("groupon")
	if s.group == 0 {
		item, err := s.opener.Put(ctx, s.product(), 1)
		must(err)
		body := client.Fields{
			"cartId": item, "addressId": s.opener.Address, "couponId": -1, "grouponRulesId": rule, "grouponLinkId": 0,
		}
		data := value(s.opener.Post(ctx, "/wx/order/submit", body))
		opened := s.bought(s.opener, data.Get("orderId").Int())
		s.pay(opened)
		if s.ord == nil {
			s.ord = opened
		}
		s.group = data.Get("grouponLinkId").Int()
		s.says(s.group)
	}
	return rule, s.group
}

// member returns an unpaid order of the last place in a group.
func (s *subject) member() *order {
	if s.ord == nil {
		rule, group := s.open()
		s.ord = nil // the opener's
		item, err := s.me.Put(ctx, s.product(), 1)
		must(err)
		id, err := s.me.Submit(ctx, item, client.Fields{"grouponRulesId": rule, "grouponLinkId": group})
		must(err)
		s.ord = s.bought(s.me, id)
		s.refill()
	}
	return s.ord
}

// definition returns a coupon with few copies: for all to take, or by a code.
func (s *subject) definition() gjson.Result {
	if s.base != nil {
		return s.base.definition()
	}
	return s.record("coupon")
}

// copy returns the shopper's copy of the coupon.
func (s *subject) copy() int64 {
	if s.copied == 0 {
		id := s.definition().Get("id").Int()
		_, err := s.me.Post(ctx, "/wx/coupon/exchange", client.Fields{"code": s.definition().Get("code").String()})
		must(err)
		mine := value(s.me.Get(ctx, "/wx/coupon/mylist", "status", 0, "limit", 100))
		s.copied = mine.Get(fmt.Sprintf("list.#(cid==%d).id", id)).Int()
		s.says(s.copied)
	}
	return s.copied
}

// aftersaleCase returns a case of a received order.
func (s *subject) aftersaleCase() int64 { return s.caseBy((*subject).aftersaleBody) }

func (s *subject) caseBy(body func(*subject) client.Fields) int64 {
	if s.aftersale == 0 {
		o := s.order(client.Received)
		_, _ = o.owner.Post(ctx, "/wx/aftersale/submit", body(s)) // refused where the order is not received
		data, _ := o.owner.Get(ctx, "/wx/aftersale/detail", "orderId", o.ID)
		s.aftersale = cmp.Or(data.Get("aftersale.id").Int(), missing)
		s.says(s.aftersale)
	}
	return s.aftersale
}

// aftersaleLine asks for the one piece of the order's only line.
func (s *subject) aftersaleLine() client.Fields {
	body := s.aftersaleBody()
	body["lines"] = []client.Fields{{"id": s.ord.Line, "number": 1}}
	delete(body, "amount")
	return body
}

func (s *subject) aftersaleBody() client.Fields {
	return client.Fields{
		"orderId": s.ord.ID, "type": 2, "reason": "broken", "amount": client.Amount(price), "pictures": []string{}, "comment": "",
	}
}

// remark returns a comment on a received order.
func (s *subject) remark() int64 {
	if s.comment == 0 {
		o := s.order(client.Received)
		_, _ = o.owner.Post(ctx, "/wx/order/comment", s.remarkBody())
		line, _ := o.owner.Get(ctx, "/wx/order/goods", "ogid", o.Line)
		s.comment = cmp.Or(max(line.Get("comment").Int(), 0), missing)
	}
	return s.comment
}

func (s *subject) remarkBody() client.Fields {
	return client.Fields{"orderGoodsId": s.ord.Line, "content": "good", "star": 4, "hasPicture": false}
}

// person returns an account of its own, signed in.
func (s *subject) person() *account {
	if s.account == nil {
		a := <-s.l.accounts
		s.account = a
		body := client.Fields{"username": a.name, "password": client.Password}
		a.Caller = s.l.Storefront.With(a.name, value(s.l.Storefront.Guest().Post(ctx, "/wx/auth/login", body)).Get("token").String())
		a.mobile = value(a.Get(ctx, "/wx/auth/info")).Get("mobile").String()
		list := value(s.l.super.Get(ctx, "/admin/user/list", "username", a.name, "limit", 100))
		a.id = list.Get(`list.#(username=="` + a.name + `").id`).Int()
	}
	return s.account
}

// staff returns an operator, signed in.
func (s *subject) staff() client.Caller {
	if s.operator == nil {
		c, err := s.l.Operator(ctx, s.record("admin").Get("username").String(), client.Password)
		must(err)
		s.operator = &c
	}
	return *s.operator
}

// file is a form with a file.
func file(name string, content []byte) (contentType string, body []byte) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("file", name)
	must(err)
	_, err = part.Write(content)
	must(err)
	must(w.Close())
	return w.FormDataContentType(), b.Bytes()
}

// soon is a time in the future.
func soon() string { return time.Now().Add(48 * time.Hour).Format(time.DateTime) }
