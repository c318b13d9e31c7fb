package e2e

import (
	"testing"

	"github.com/tidwall/gjson"
)

// A shopper returns received goods: requested, replaced, cancelled, rejected, accepted, refunded.
func TestAftersale(t *testing.T) {
	s := begin(t, "after-sale: goods sent back and paid back, a case cancelled, one rejected")
	g := s.goods(25_00, 10)
	clerk := s.operator("admin:aftersale:list", "admin:aftersale:recept", "admin:aftersale:batch-recept",
		"admin:aftersale:reject", "admin:aftersale:batch-reject", "admin:aftersale:refund", "admin:order:read")
	me, other := s.shopper(), s.shopper()
	order := me.bought(g, 2)
	submit := func(kind int, cents int64) answer {
		return me.post("/wx/aftersale/submit", fields{
			"orderId": order, "type": kind, "reason": "it came broken", "amount": amount(cents), "pictures": []string{},
			"comment": "end-to-end test",
		})
	}
	latest := func() gjson.Result { return me.get("/wx/aftersale/detail", "orderId", order).ok().Get("aftersale") }
	is := func(status int64) {
		t.Helper()
		equal(s, "status of the case", status, latest().Get("status").Int())
		found := clerk.get("/admin/aftersale/list", "orderId", order, "status", status).ok()
		equal(s, "the staff finds the case", latest().Get("id").Int(), found.Get("list.0.id").Int())
	}
	does := func(what string) answer {
		t.Helper()
		return clerk.post("/admin/aftersale/"+what, fields{"id": latest().Get("id").Int()})
	}

	submit(2, 50_01).fails(751)
	other.get("/wx/aftersale/detail", "orderId", order).fails(720)

	submit(1, 49_99).ok()
	replaced := latest().Get("id").Int()
	submit(1, 50_00).ok()
	me.post("/wx/aftersale/cancel", fields{"id": replaced}).fails(402)
	me.post("/wx/aftersale/cancel", fields{"id": latest().Get("id").Int()}).ok()
	is(5)
	does("recept").fails(620)

	submit(2, 50_00).ok()
	is(1)
	does("refund").fails(620)
	does("reject").ok()
	is(4)
	submit(2, 50_00).ok()
	clerk.post("/admin/aftersale/batch-reject", fields{"ids": []int64{latest().Get("id").Int(), missing}}).ok()
	is(4)

	submit(2, 50_00).ok()
	clerk.get("/admin/aftersale/read", "id", latest().Get("id").Int()).ok()
	clerk.post("/admin/aftersale/batch-recept", fields{"ids": []int64{latest().Get("id").Int()}}).ok()
	is(2)
	submit(2, 50_00).fails(752)
	s.stock(g, 8)
	does("refund").ok()
	is(3)
	does("refund").fails(620)
	s.stock(g, 10)
	row := clerk.get("/admin/order/detail", "id", order).ok().Get("order")
	equal(s, "money paid back", 50_00, cents(row.Get("refundAmount")))
	list := me.get("/wx/aftersale/list", "status", 3).ok()
	equal(s, "the case is listed", true, list.Get("list.#(aftersale.orderId=="+text(order)+")").Exists())
}

// A shopper keeps the goods and gets a partial refund.
func TestAftersaleMoneyOnly(t *testing.T) {
	s := begin(t, "after-sale: a part of the money back, the goods stay")
	g := s.goods(25_00, 10)
	clerk := s.operator("admin:aftersale:recept", "admin:aftersale:refund")
	me := s.shopper()
	order := me.bought(g, 2)
	me.post("/wx/aftersale/submit", fields{
		"orderId": order, "type": 1, "reason": "too small", "amount": amount(1_00), "pictures": []string{}, "comment": "",
	}).ok()
	id := me.get("/wx/aftersale/detail", "orderId", order).ok().Get("aftersale.id").Int()
	clerk.post("/admin/aftersale/recept", fields{"id": id}).ok()
	clerk.post("/admin/aftersale/refund", fields{"id": id}).ok()
	equal(s, "status of the case", 3, me.get("/wx/aftersale/detail", "orderId", order).ok().Get("aftersale.status").Int())
	s.stock(g, 8)
}

// Of three pieces one is exchanged, one comes back by its parcel, and one is rejected after it was accepted.
func TestAftersaleOfLines(t *testing.T) {
	s := begin(t, "after-sale: a piece exchanged, one sent back and paid back, one rejected after it was accepted")
	g := s.sized(25_00, 10, "medium", "large")
	large := s.super().get("/admin/goods/detail", "id", g.id).ok().Get("products.1.id").Int()
	clerk := s.operator("admin:aftersale:list", "admin:aftersale:recept", "admin:aftersale:reject", "admin:aftersale:refund",
		"admin:aftersale:receive", "admin:aftersale:exchange")
	me := s.shopper()
	order := me.bought(g, 3)
	detail := func() gjson.Result { return me.get("/wx/aftersale/detail", "orderId", order).ok() }
	line := detail().Get("orderGoods.0.id").Int()
	ask := func(kind, number int, product int64) answer {
		return me.post("/wx/aftersale/submit", fields{
			"orderId": order, "type": kind, "reason": "too small",
			"lines": []fields{{"id": line, "number": number, "productId": product}},
		})
	}
	does := func(what string, more fields) answer {
		body := fields{"id": detail().Get("aftersale.id").Int()}
		for name, value := range more {
			body[name] = value
		}
		return clerk.post("/admin/aftersale/"+what, body)
	}
	sent := fields{"shipChannel": "ZTO", "shipSn": "75300000009"}

	ask(3, 1, large).ok()
	does("recept", fields{"decision": "please send it"}).ok()
	does("refund", nil).fails(620)
	does("exchange", sent).ok()
	equal(s, "status of the case", 6, detail().Get("aftersale.status").Int())
	s.stock(g, 8)

	ask(2, 3, 0).fails(402)
	ask(2, 1, 0).ok()
	equal(s, "the amount of one piece", 25_00, cents(detail().Get("aftersale.amount")))
	does("recept", nil).ok()
	id := detail().Get("aftersale.id").Int()
	me.post("/wx/aftersale/parcel", fields{"id": id, "shipChannel": "ZTO", "shipSn": "75300000010"}).ok()
	clerk.get("/admin/aftersale/parcel", "id", id).ok()
	does("receive", nil).ok()
	does("exchange", sent).fails(620)
	does("refund", nil).ok()
	s.stock(g, 9)
	equal(s, "pieces that are left", 1, detail().Get("orderGoods.0.returnable").Int())

	ask(2, 1, 0).ok()
	does("recept", nil).ok()
	does("reject", fields{"decision": "it is worn"}).ok()
	equal(s, "status of the case", 4, detail().Get("aftersale.status").Int())
}
