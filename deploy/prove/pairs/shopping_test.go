package pairs

import (
	"fmt"
	"net/url"
	"time"

	"github.com/tidwall/gjson"

	"shop.internal/deploy/prove/shop"
)

// shopping are the entries of shoppers around their orders.
func shopping() []entry {
	have := func(s *subject) { s.item() }
	line := func(number int) func(*subject) any {
		return func(s *subject) any {
			return shop.Fields{"goodsId": s.product().ID, "productId": s.product().Product, "number": number}
		}
	}
	ticked := func(s *subject) any {
		return shop.Fields{"productIds": []int64{s.product().Product}, "isChecked": 1}
	}
	update := func(s *subject) any {
		return shop.Fields{"id": s.item(), "goodsId": s.product().ID, "productId": s.product().Product, "number": 2}
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
			return shop.Fields{"couponId": s.gift()}
		}},
		{path: "/wx/coupon/exchange", money: true, prepare: func(s *subject) { s.definition() }, body: func(s *subject) any {
			return shop.Fields{"code": s.definition().Get("code").String()}
		}},
		{path: "/wx/address/save", prepare: address, body: func(s *subject) any { return s.l.place(s.address) }},
		{path: "/wx/address/delete", prepare: address, body: func(s *subject) any { return shop.Fields{"id": s.address} }},
		{path: "/wx/collect/addordelete", prepare: product, body: func(s *subject) any {
			return shop.Fields{"type": 0, "valueId": s.product().ID}
		}},
		{path: "/wx/comment/post", prepare: product, body: func(s *subject) any {
			return shop.Fields{"type": 0, "valueId": s.product().ID, "content": "seen", "star": 4, "hasPicture": false}
		}},
		{path: "/wx/footprint/delete", prepare: func(s *subject) { s.footprint() }, body: func(s *subject) any {
			return shop.Fields{"id": s.footprint()}
		}},
		{path: "/wx/search/clearhistory", body: fixed(shop.Fields{})},
		{path: "/wx/feedback/submit", body: fixed(shop.Fields{
			"feedType": "x", "content": "from a test", "mobile": "13800000000", "hasPicture": false, "picUrls": []string{},
		})},
		{path: "/wx/storage/upload", raw: func(*subject) shop.Request { return upload("a.png", picture()) }},
		{path: "/wx/msg/config", raw: func(*subject) shop.Request { return shop.Request{ContentType: "text/xml"} }, who: guest},
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
func (l *lab) place(id int64) shop.Fields {
	body := shop.Fields{"id": id, "name": "Pair", "tel": "13800000000", "addressDetail": "Long Street 2", "isDefault": false}
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
	owner := func(s *subject) shop.Caller { return s.ord.owner.Caller }
	id := func(s *subject) any { return shop.Fields{"orderId": s.ord.ID} }
	mine := func(what string, state int64) entry {
		return entry{path: "/wx/order/" + what, money: true, prepare: in(state), who: owner, body: id}
	}
	theirs := func(what string, state int64, more shop.Fields) entry {
		return entry{path: "/admin/order/" + what, money: true, prepare: in(state), body: func(s *subject) any {
			body := shop.Fields{"orderId": s.ord.ID}
			for name, value := range more {
				body[name] = value
			}
			return body
		}}
	}
	refund := theirs("refund", shop.RefundRequested, nil)
	refund.body = func(s *subject) any {
		return shop.Fields{"orderId": s.ord.ID, "refundMoney": shop.Amount(s.ord.Actual)}
	}
	member := func(s *subject) { s.member() }
	notice := func(s *subject) shop.Request { return s.ord.notice }
	openCase := func(what string) entry { // none stands open here, so all of them are refused
		return entry{path: "/admin/order/case/" + what, money: true, body: fixed(shop.Fields{"id": 1, "note": "done"})}
	}
	part := entry{path: "/wx/order/cancel", variant: "member", money: true, prepare: member, who: owner, body: id}
	list := append(submissions(), cases()...)
	return append(list,
		mine("cancel", shop.Unpaid), mine("prepay", shop.Unpaid), mine("h5pay", shop.Unpaid), mine("refund", shop.Paid),
		mine("confirm", shop.Shipped), mine("delete", shop.Cancelled), part,
		entry{path: "/wx/sandbox/h5", money: true, prepare: func(s *subject) { s.page() }, who: guest, raw: (*subject).page},
		entry{path: "/wx/order/pay-notify", money: true, prepare: in(shop.Unpaid), who: guest, raw: notice},
		entry{path: "/wx/order/pay-notify", variant: "last member", money: true, prepare: member, who: guest, raw: notice},
		theirs("pay", shop.Unpaid, shop.Fields{"newMoney": shop.Amount(5_55)}), refund,
		theirs("ship", shop.Paid, shop.Fields{"shipChannel": "ZTO", "shipSn": "P1"}),
		theirs("reship", shop.Shipped, shop.Fields{"shipChannel": "SF", "shipSn": "P2"}),
		theirs("reject", shop.RefundRequested, shop.Fields{"reason": "packed"}), theirs("delete", shop.Cancelled, nil),
		openCase("settle"), openCase("repay"), openCase("retry"), openCase("dismiss"),
		entry{path: "/wx/order/comment", prepare: in(shop.Received), who: owner, body: func(s *subject) any { return s.remarkBody() }},
		entry{path: "/wx/express/query", prepare: in(shop.Shipped), who: owner, body: id},
		entry{path: "/admin/order/reply", prepare: func(s *subject) { s.remark() }, body: func(s *subject) any {
			return shop.Fields{"commentId": s.comment, "content": "Thanks."}
		}},
		entry{path: "/admin/comment/delete", prepare: func(s *subject) { s.remark() }, body: func(s *subject) any {
			return shop.Fields{"id": s.comment}
		}},
	)
}

// page returns the button of the payment page of a browser.
func (s *subject) page() shop.Request {
	o := s.order(shop.Unpaid)
	if _, ok := s.records["page"]; !ok {
		data, err := o.owner.Post(ctx, "/wx/order/h5pay", shop.Fields{"orderId": o.ID})
		s.records["page"] = data.Get("mwebUrl")
		if err != nil { // the order is past paying
			s.records["page"] = gjson.Parse(`"/wx/sandbox/h5?prepay_id=none"`)
		}
	}
	link, err := url.Parse(s.records["page"].String())
	must(err)
	return shop.Request{
		Path: link.RequestURI(), ContentType: "application/x-www-form-urlencoded", Body: []byte("action=pay"),
	}
}

// submissions order what is in the cart: plainly, with a coupon, and into a group that has one place left.
func submissions() []entry {
	submit := func(variant string, prepare func(*subject), more func(*subject) shop.Fields) entry {
		return entry{path: "/wx/order/submit", variant: variant, money: true, prepare: prepare, body: func(s *subject) any {
			body := shop.Fields{"cartId": s.row, "addressId": s.me.Address, "couponId": -1}
			for name, value := range more(s) {
				body[name] = value
			}
			return body
		}}
	}
	return []entry{
		submit("", func(s *subject) { s.item() }, func(*subject) shop.Fields { return nil }),
		submit("last piece", func(s *subject) { s.last() }, func(s *subject) shop.Fields {
			return shop.Fields{"cartId": s.last()}
		}),
		submit("coupon", func(s *subject) { s.copy(); s.item() }, func(s *subject) shop.Fields {
			return shop.Fields{"couponId": s.definition().Get("id").Int(), "userCouponId": s.copied}
		}),
		submit("group", func(s *subject) { s.join(); s.item() }, func(s *subject) shop.Fields {
			rule, group := s.join()
			return shop.Fields{"grouponRulesId": rule, "grouponLinkId": group}
		}),
	}
}

// cases are the entries of after-sale cases.
func cases() []entry {
	have := func(s *subject) { s.aftersaleCase() }
	approved := func(s *subject) {
		if s.aftersale == 0 {
			value(s.l.super.Post(ctx, "/admin/aftersale/batch-recept", shop.Fields{"ids": []int64{s.aftersaleCase()}}))
		}
	}
	id := func(s *subject) any { return shop.Fields{"id": s.aftersale} }
	ids := func(s *subject) any { return shop.Fields{"ids": []int64{s.aftersale}} }
	owner := func(s *subject) shop.Caller { return s.ord.owner.Caller }
	return []entry{
		{path: "/wx/aftersale/submit", money: true, prepare: func(s *subject) { s.order(shop.Received) }, who: owner, body: func(s *subject) any {
			return s.aftersaleBody()
		}},
		{path: "/wx/aftersale/cancel", money: true, prepare: have, who: owner, body: id},
		{path: "/admin/aftersale/recept", money: true, prepare: have, body: id},
		{path: "/admin/aftersale/reject", money: true, prepare: have, body: id},
		{path: "/admin/aftersale/batch-recept", money: true, prepare: have, body: ids},
		{path: "/admin/aftersale/batch-reject", money: true, prepare: have, body: ids},
		{path: "/admin/aftersale/refund", money: true, prepare: approved, body: id},
	}
}
