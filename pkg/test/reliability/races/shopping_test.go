package races

import (
	"fmt"
	"net/url"
	"time"

	"github.com/tidwall/gjson"

	"shop.internal/pkg/test/reliability/client"
)

// shopping are the entries of shoppers around their orders.
func shopping() []entry {
	have := func(s *subject) { s.item() }
	line := func(number int) func(*subject) any {
		return func(s *subject) any {
			return client.Fields{"goodsId": s.product().ID, "productId": s.product().Product, "number": number}
		}
	}
	ticked := func(s *subject) any {
		return client.Fields{"productIds": []int64{s.product().Product}, "isChecked": 1}
	}
	update := func(s *subject) any {
		return client.Fields{"id": s.item(), "goodsId": s.product().ID, "productId": s.product().Product, "number": 2}
	}
	address := func(s *subject) {
		if s.address == 0 {
			s.address = value(s.me.Post(ctx, "/wx/address/save", s.l.place(0))).Int()
		}
	}
	product := func(s *subject) { s.product() }
	return []entry{
		{path: "/wx/cart/add", money: true, prepare: product, body: line(1)},
		{path: "/wx/cart/fastadd", money: true, prepare: product, body: line(2)},
		{path: "/wx/cart/update", money: true, prepare: have, body: update},
		{path: "/wx/cart/checked", money: true, prepare: have, body: ticked},
		{path: "/wx/cart/delete", money: true, prepare: have, body: ticked},
		{path: "/wx/coupon/receive", money: true, prepare: func(s *subject) { s.gift() }, body: func(s *subject) any {
			return client.Fields{"couponId": s.gift()}
		}},
		{path: "/wx/coupon/exchange", money: true, prepare: func(s *subject) { s.definition() }, body: func(s *subject) any {
			return client.Fields{"code": s.definition().Get("code").String()}
		}},
		{path: "/wx/address/save", prepare: address, body: func(s *subject) any { return s.l.place(s.address) }},
		{path: "/wx/address/delete", prepare: address, body: func(s *subject) any { return client.Fields{"id": s.address} }},
		{path: "/wx/collect/addordelete", prepare: product, body: func(s *subject) any {
			return client.Fields{"type": 0, "valueId": s.product().ID}
		}},
		{path: "/wx/comment/post", prepare: product, body: func(s *subject) any {
			return client.Fields{"type": 0, "valueId": s.product().ID, "content": "seen", "star": 4, "hasPicture": false}
		}},
		{path: "/wx/footprint/delete", prepare: func(s *subject) { s.footprint() }, body: func(s *subject) any {
			return client.Fields{"id": s.footprint()}
		}},
		{path: "/wx/search/clearhistory", body: fixed(client.Fields{})},
		{path: "/wx/feedback/submit", body: fixed(client.Fields{
			"feedType": "x", "content": "from a test", "mobile": "13800000000", "hasPicture": false, "picUrls": []string{},
		})},
		{path: "/wx/storage/upload", raw: func(*subject) client.Request { return upload("a.png", picture()) }},
		{path: "/wx/msg/config", raw: func(*subject) client.Request { return client.Request{ContentType: "text/xml"} }, who: guest},
	}
}

// gift returns a coupon for all to take.
func (s *subject) gift() int64 {
	if s.base != nil {
		return s.base.gift()
	}
	if _, ok := s.records["gift"]; !ok {
		s.records["gift"] = value(s.l.super.Post(ctx, "/admin/coupon/create", newRecords["gift"](s)))
	}
	return s.id("gift")
}

// place is an address in the first region of each level.
func (l *lab) place(id int64) client.Fields {
	body := client.Fields{"id": id, "name": "Pair", "tel": "13800000000", "addressDetail": "Long Street 2", "isDefault": false}
	for name, value := range l.region {
		body[name] = value
	}
	return body
}

// footprint returns one that the visit of the goods leaves, or a missing one.
func (s *subject) footprint() int64 {
	if r, ok := s.records["footprint"]; ok {
		return r.Int()
	}
	value(s.me.Get(ctx, "/wx/goods/detail", "id", s.product().ID))
	for range 20 {
		list := value(s.me.Get(ctx, "/wx/footprint/list"))
		s.records["footprint"] = list.Get(fmt.Sprintf("list.#(goodsId==%d).id", s.product().ID))
		if s.records["footprint"].Int() != 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	return s.records["footprint"].Int()
}

// orders are the entries around one order.
func orders() []entry {
	in := func(state int64) func(*subject) { return func(s *subject) { s.order(state) } }
	owner := func(s *subject) client.Caller { return s.ord.owner.Caller }
	id := func(s *subject) any { return client.Fields{"orderId": s.ord.ID} }
	mine := func(what string, state int64) entry {
		return entry{path: "/wx/order/" + what, money: true, prepare: in(state), who: owner, body: id}
	}
	theirs := func(what string, state int64, more client.Fields) entry {
		return entry{path: "/admin/order/" + what, money: true, prepare: in(state), body: func(s *subject) any {
			body := client.Fields{"orderId": s.ord.ID}
			for name, value := range more {
				body[name] = value
			}
			return body
		}}
	}
	refund := theirs("refund", client.RefundRequested, nil)
	refund.body = func(s *subject) any {
		return client.Fields{"orderId": s.ord.ID, "refundMoney": client.Amount(s.ord.Actual)}
	}
	owed := theirs("call-off", client.Unpaid, nil)
	owed.prepare = func(s *subject) {
		o := s.order(client.Unpaid)
		later := client.Fields{"orderId": o.ID, "channel": "sandbox", "kind": "delivery"}
		_, _ = o.owner.Post(ctx, "/wx/order/prepay", later) // refused if the order is past paying
	}
	member := func(s *subject) { s.member() }
	notice := func(s *subject) client.Request { return s.ord.notice }
	part := entry{path: "/wx/order/cancel", variant: "member", money: true, prepare: member, who: owner, body: id}
	list := append(submissions(), cases()...)
	return append(list,
		mine("cancel", client.Unpaid), mine("prepay", client.Unpaid), mine("h5pay", client.Unpaid), mine("refund", client.Paid),
		mine("confirm", client.Shipped), mine("remind", client.Paid),
		entry{
			path: "/wx/order/readdress", prepare: in(client.Paid), who: owner,
			body: func(s *subject) any { return client.Fields{"orderId": s.ord.ID, "addressId": s.ord.owner.Address} },
		},
		mine("delete", client.Cancelled), part,
		entry{path: "/wx/sandbox/h5", money: true, prepare: func(s *subject) { s.page() }, who: guest, raw: (*subject).page},
		entry{path: "/wx/order/pay-notify", money: true, prepare: in(client.Unpaid), who: guest, raw: notice},
		entry{path: "/wx/order/pay-notify", variant: "last member", money: true, prepare: member, who: guest, raw: notice},
		entry{
			path: "/wx/order/pay-notify/{channel}", money: true, prepare: in(client.Unpaid), who: guest,
			raw: func(s *subject) client.Request {
				sent := s.ord.notice
				sent.Path += "/sandbox"
				return sent
			},
		},
		entry{
			path: "/wx/order/pay-notify/{channel}", variant: "another platform", money: true,
			prepare: func(s *subject) { s.card() }, who: guest, raw: func(s *subject) client.Request { return s.ord.card },
		},
		entry{
			path: "/wx/order/prepay", variant: "another platform", money: true, prepare: in(client.Unpaid), who: owner,
			body: func(s *subject) any { return client.Fields{"orderId": s.ord.ID, "channel": "stripe"} },
		},
		theirs("pay", client.Unpaid, client.Fields{"newMoney": client.Amount(5_55)}), refund,
		entry{
			path: "/wx/order/prepay", variant: "on delivery", money: true, prepare: in(client.Unpaid), who: owner,
			body: func(s *subject) any {
				return client.Fields{"orderId": s.ord.ID, "channel": "sandbox", "kind": "delivery"}
			},
		},
		owed,
		theirs("ship", client.Paid, client.Fields{"shipChannel": "ZTO", "shipSn": "P1"}),
		entry{path: "/admin/order/collect", mayFail: true, body: fixed(client.Fields{"code": "00000000"})}, // a parcel has none
		theirs("reship", client.Shipped, client.Fields{"shipChannel": "SF", "shipSn": "P2"}),
		theirs("remark", client.Paid, client.Fields{"content": "fragile"}),
		entry{path: "/admin/order/printed", prepare: in(client.Paid), body: func(s *subject) any {
			return client.Fields{"ids": []int64{s.ord.ID}}
		}},
		theirs("reject", client.RefundRequested, client.Fields{"reason": "packed"}), theirs("delete", client.Cancelled, nil),
		entry{path: "/wx/order/comment", prepare: in(client.Received), who: owner, body: func(s *subject) any { return s.remarkBody() }},
		entry{path: "/wx/express/query", prepare: in(client.Shipped), who: owner, body: id},
		entry{path: "/admin/order/reply", prepare: func(s *subject) { s.remark() }, body: func(s *subject) any {
			return client.Fields{"commentId": s.comment, "content": "Thanks."}
		}},
		entry{path: "/admin/moderation/hide", prepare: func(s *subject) { s.remark() }, body: func(s *subject) any {
			return client.Fields{"id": s.comment, "hidden": true}
		}},
		entry{path: "/admin/comment/delete", prepare: func(s *subject) { s.remark() }, body: func(s *subject) any {
			return client.Fields{"id": s.comment}
		}},
	)
}

// page returns the button of the payment page of a browser.
func (s *subject) page() client.Request {
	o := s.order(client.Unpaid)
	if _, ok := s.records["page"]; !ok {
		data, err := o.owner.Post(ctx, "/wx/order/h5pay", client.Fields{"orderId": o.ID})
		s.records["page"] = data.Get("mwebUrl")
		if err != nil { // the order is past paying
			s.records["page"] = gjson.Parse(`"/wx/sandbox/h5?prepay_id=none"`)
		}
	}
	link, err := url.Parse(s.records["page"].String())
	must(err)
	return client.Request{
		Path: link.RequestURI(), ContentType: "application/x-www-form-urlencoded", Body: []byte("action=pay"),
	}
}

// submissions order what is in the cart: plainly, with a coupon, and into a group that has one place left.
func submissions() []entry {
	submit := func(variant string, prepare func(*subject), more func(*subject) client.Fields) entry {
		return entry{path: "/wx/order/submit", variant: variant, money: true, prepare: prepare, body: func(s *subject) any {
			body := client.Fields{"cartId": s.row, "addressId": s.me.Address, "couponId": -1}
			for name, value := range more(s) {
				body[name] = value
			}
			return body
		}}
	}
	return []entry{
		submit("", func(s *subject) { s.item() }, func(*subject) client.Fields { return nil }),
		submit("last piece", func(s *subject) { s.last() }, func(s *subject) client.Fields {
			return client.Fields{"cartId": s.last()}
		}),
		submit("coupon", func(s *subject) { s.copy(); s.item() }, func(s *subject) client.Fields {
			return client.Fields{"couponId": s.definition().Get("id").Int(), "userCouponId": s.copied}
		}),
		submit("group", func(s *subject) { s.join(); s.item() }, func(s *subject) client.Fields {
			rule, group := s.join()
			return client.Fields{"grouponRulesId": rule, "grouponLinkId": group}
		}),
	}
}

// cases are the entries of after-sale cases.
func cases() []entry {
	have := func(s *subject) { s.aftersaleCase() }
	approve := func(s *subject, id int64) {
		value(s.l.super.Post(ctx, "/admin/aftersale/batch-recept", client.Fields{"ids": []int64{id}}))
	}
	approved := func(s *subject) {
		if s.aftersale == 0 {
			approve(s, s.aftersaleCase())
		}
	}
	ofLine := func(s *subject) {
		if s.aftersale == 0 {
			approve(s, s.caseBy((*subject).aftersaleLine))
		}
	}
	id := func(s *subject) any { return client.Fields{"id": s.aftersale} }
	ids := func(s *subject) any { return client.Fields{"ids": []int64{s.aftersale}} }
	owner := func(s *subject) client.Caller { return s.ord.owner.Caller }
	received := func(s *subject) { s.order(client.Received) }
	parcel := func(s *subject) any { return client.Fields{"id": s.aftersale, "shipChannel": "ZTO", "shipSn": "1"} }
	submit := entry{path: "/wx/aftersale/submit", money: true, prepare: received, who: owner}
	submit.body = func(s *subject) any { return s.aftersaleBody() }
	byLine := submit
	byLine.variant, byLine.body = "of a line", func(s *subject) any { return s.aftersaleLine() }
	return []entry{
		submit, byLine,
		{path: "/wx/aftersale/cancel", money: true, prepare: have, who: owner, body: id},
		{path: "/admin/aftersale/recept", money: true, prepare: have, body: id},
		{path: "/admin/aftersale/reject", money: true, prepare: have, body: id},
		{path: "/admin/aftersale/batch-recept", money: true, prepare: have, body: ids},
		{path: "/admin/aftersale/batch-reject", money: true, prepare: have, body: ids},
		{path: "/admin/aftersale/refund", money: true, prepare: approved, body: id},
		{path: "/admin/aftersale/refund", variant: "of a line", money: true, prepare: ofLine, body: id},
		{path: "/admin/aftersale/receive", money: true, prepare: approved, body: id},
		{path: "/admin/aftersale/exchange", money: true, prepare: approved, body: parcel},
		{path: "/wx/aftersale/parcel", money: true, prepare: approved, who: owner, body: parcel},
	}
}
