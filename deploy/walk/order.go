package main

import (
	"strings"
	"time"
)

// state is one state of an order: its number, its text in both languages, what it offers, and under which showType of
// the order list it comes (0: under all only).
type state struct {
	status   int64
	zh, en   string
	offers   string
	showType int64
}

func unpaid() state    { return state{101, "未付款", "Unpaid", "cancel pay", 1} }
func lapsed() state    { return state{103, "已取消(系统)", "Cancelled (system)", "delete", 0} }
func cancelled() state { return state{102, "已取消", "Cancelled", "delete", 0} }
func paid() state      { return state{201, "已付款", "Paid", "refund", 2} }
func asked() state     { return state{202, "订单取消，退款中", "Refund requested", "", 0} }
func refunded() state  { return state{203, "已退款", "Refunded", "delete", 0} }
func shipped() state   { return state{301, "已发货", "Shipped", "confirm", 3} }
func received() state {
	return state{401, "已收货", "Received", "delete comment rebuy aftersale", 4}
}

// commented is a received order without a line left to be commented.
func commented() state {
	return state{401, "已收货", "Received", "delete rebuy aftersale", 0}
}

// received with a case of after-sale that waits for staff: it cannot be put away.
func underCase() state {
	return state{401, "已收货", "Received", "comment rebuy aftersale", 4}
}

// text gives the text of the state in the language that the shop speaks.
func (st state) text(success string) string {
	if success == "success" {
		return st.en
	}
	return st.zh
}

// offered tells whether the state offers an operation.
func (st state) offered(operation string) bool {
	for name := range strings.FieldsSeq(st.offers) {
		if name == operation {
			return true
		}
	}
	return false
}

// checkOffers checks all eight flags.
func (s *step) checkOffers(options value, st state) {
	for _, name := range []string{"cancel", "delete", "pay", "comment", "confirm", "refund", "rebuy", "aftersale"} {
		equal(s, options.ex, options.path+"."+name, st.offered(name), options.at(name).truth())
	}
}

// detail reads an order and checks that its amounts follow from its lines.
func (s *step) detail(sh *shopper, id int64) value {
	data := s.get(sh.agent, "/wx/order/detail", "orderId", id).ok()
	info := data.at("orderInfo").shape(orderInfo)
	equal(s, data.ex, "orderInfo.id", id, info.at("id").integer())
	data.at("expressInfo.Traces").list()
	pieces := []piece{}
	for _, line := range data.at("orderGoods").each(orderLine) {
		equal(s, data.ex, line.path+".orderId", id, line.at("orderId").integer())
		pieces = append(pieces, piece{line.at("price").money(), line.at("number").integer()})
	}
	want := reckon(lower(pieces, s.w.offs[id]), info.at("couponPrice").money())
	equal(s, data.ex, "goodsPrice", want.goods, info.at("goodsPrice").money())
	equal(s, data.ex, "freightPrice", want.freight, info.at("freightPrice").money())
	equal(s, data.ex, "actualPrice", want.actual, info.at("actualPrice").money())
	return data
}

// inState checks that an order shows a state everywhere a shopper sees it, and that what it does not offer is refused.
func (s *step) inState(sh *shopper, id int64, st state) value {
	data := s.detail(sh, id)
	info := data.at("orderInfo")
	equal(s, data.ex, "orderStatus", st.status, info.at("orderStatus").integer())
	equal(s, data.ex, "orderStatusText", st.text(s.w.success), info.at("orderStatusText").text())
	s.checkOffers(info.at("handleOption"), st)
	for _, name := range []string{"expCode", "expName", "expNo"} {
		equal(s, data.ex, "orderInfo has "+name, st.status == 301 || st.status == 401, info.has(name))
	}
	for showType := range int64(5) {
		row, found := s.listed(sh, id, showType)
		equal(s, row.ex, "the order is listed under its showType", showType == 0 || showType == st.showType, found)
		if !found {
			continue
		}
		row.shape(orderRow)
		row.at("goodsList").each(orderRowGoods)
		equal(s, row.ex, "orderStatusText in the list", st.text(s.w.success), row.at("orderStatusText").text())
		equal(s, row.ex, "actualPrice in the list", info.at("actualPrice").money(), row.at("actualPrice").money())
		_, grouped := s.w.offs[id]
		equal(s, row.ex, "isGroupin", grouped, row.at("isGroupin").truth())
		s.checkOffers(row.at("handleOption"), st)
	}
	s.refusals(sh, id, st)
	return data
}

// listed finds an order among the newest of the order list.
func (s *step) listed(sh *shopper, id, showType int64) (value, bool) {
	list := s.get(sh.agent, "/wx/order/list", "showType", showType, "limit", 20, "sort", "id").page()
	for _, row := range list.list {
		if row.at("id").integer() == id {
			return row, true
		}
	}
	return value{s: s, ex: list.ex}, false
}

// refusals asks for every operation that the state does not offer.
func (s *step) refusals(sh *shopper, id int64, st state) {
	operations := []struct{ flag, path string }{
		{"cancel", "cancel"}, {"pay", "prepay"}, {"refund", "refund"}, {"confirm", "confirm"}, {"delete", "delete"},
	}
	for _, o := range operations {
		if !st.offered(o.flag) {
			s.post(sh.agent, "/wx/order/"+o.path, fields{"orderId": id}).fails(725)
		}
	}
}

// pay asks for a prepaid transaction and waits until the platform has told the shop.
func (s *step) pay(sh *shopper, id int64) {
	body := fields{"orderId": id}
	first := s.post(sh.agent, "/wx/order/prepay", body).ok().shape(prepayShape)
	equal(s, first.ex, "signType", "RSA", first.at("signType").text())
	if !strings.HasPrefix(first.at("packageValue").text(), "prepay_id=") {
		s.failf(first.ex, "packageValue: expected prepay_id=..., got %q", first.at("packageValue").text())
	}
	for name := range strings.FieldsSeq("appId timeStamp nonceStr paySign") {
		if first.at(name).text() == "" {
			s.failf(first.ex, "%s is empty", name)
		}
	}
	// Where the machine is slow the money may be there already: then the state forbids a second one.
	if again := s.post(sh.agent, "/wx/order/prepay", body); again.errno != 725 {
		equal(s, again.ex, "packageValue of a second prepay", first.at("packageValue").text(),
			again.ok().at("packageValue").text())
	}
	s.arrived(sh, id)
}

// arrived waits until the platform has told the shop that the money is there.
func (s *step) arrived(sh *shopper, id int64) {
	var now value
	within(15*time.Second, func() bool {
		now = s.get(sh.agent, "/wx/order/detail", "orderId", id).ok().at("orderInfo.orderStatus")
		return now.integer() != unpaid().status
	})
	if now.integer() != paid().status {
		s.fatalf(now.ex, "the order is in %d 15 s after the prepay, expected %d", now.integer(), paid().status)
	}
}

// A page from memory may be a second behind; a slow machine gets some more.
const pageLag = 2500 * time.Millisecond

// waitNumber expects a stock, with the lag that a page from memory may have.
func (s *step) waitNumber(a agent, p product, want int64) {
	var got int64
	if !within(pageLag, func() bool { got = s.number(a, p); return got == want }) {
		s.failf(nil, "stock of product %d as %s sees it: expected %d, got %d", p.id, a.name, want, got)
	}
}

// submit orders one row of the cart, or all checked ones where the row is 0, and gives the id of the order.
func (s *step) submit(sh *shopper, row, couponID int64, header map[string]string) answer {
	return s.send(sh.agent, call{
		method: "POST", path: "/wx/order/submit", header: header,
		body: fields{
			"cartId": row, "addressId": s.addressOf(sh), "couponId": couponID, "userCouponId": 0,
			"message": "from the walk", "grouponRulesId": 0, "grouponLinkId": 0,
		},
	})
}

// ordered reads what submit answers.
func (s *step) ordered(a answer) int64 {
	data := a.ok().shape("orderId int, payed bool, grouponLinkId int")
	equal(s, data.ex, "payed", false, data.at("payed").truth())
	equal(s, data.ex, "grouponLinkId", 0, data.at("grouponLinkId").integer())
	return data.at("orderId").integer()
}
