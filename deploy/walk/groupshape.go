package main

import (
	"cmp"
	"slices"
)

// The records of groups as an outsider sees them. Who takes part with which order is told to himself alone.
const (
	groupPart = "id int, grouponId int, rulesId int, creatorUserId int, creatorUserTime time?, shareUrl text, " +
		"status int" + stamps
	groupOrder = "id int, orderSn text, addTime time, consignee text, mobile text, address text, goodsPrice money, " +
		"couponPrice money, freightPrice money, actualPrice money, orderStatus int, orderStatusText text, " +
		"handleOption object, expCode text?, expName text?, expNo text?"
	groupLine = "id int, orderId int, goodsId int, goodsName text, number int, retailPrice money, picUrl text, " +
		"goodsSpecificationValues texts, specifications texts, price money"
	groupMine = "id int, groupon object, rules object, creator text, isCreator bool, joinerCount int, orderId int, " +
		"orderSn text, actualPrice money, orderStatus int, orderStatusText text, handleOption object, goodsList list"
)

// States of a part in a group.
const (
	partOpen   = 1
	partDone   = 2
	partFailed = 3
)

// offer is goods that a group buys cheaper.
type offer struct {
	rule, members int64
	off           cents
	p             product
}

// price gives what one piece costs in a group.
func (o offer) price() cents { return max(0, o.p.price-o.off) }

// offers gives the live offers with the piece that is least scarce, those for the fewest members first.
func (s *step) offers() []offer {
	found := []offer{}
	for _, row := range s.all(s.w.guest, "/wx/groupon/list", 2) {
		row.shape(grouponGoods)
		x := s.ware(s.w.guest, row.at("id").integer())
		off := cents(row.at("grouponDiscount").integer()) * 100
		equal(s, row.ex, row.path+".retailPrice", x.price, row.at("retailPrice").money())
		equal(s, row.ex, row.path+".grouponPrice", max(0, x.price-off), row.at("grouponPrice").money())
		rule := row.at("rulesId").integer()
		if !slices.Contains(x.rules, rule) {
			s.failf(row.ex, "%s.rulesId: the page of the goods does not name the rule %d", row.path, rule)
		}
		best := slices.MaxFunc(x.products, func(a, b product) int { return cmp.Compare(a.number, b.number) })
		found = append(found, offer{rule: rule, members: row.at("grouponMember").integer(), off: off, p: best})
	}
	slices.SortStableFunc(found, func(a, b offer) int { return cmp.Compare(a.members, b.members) })
	return found
}

// offerFor gives an offer for at least so many members, the fewest that can be had.
func (s *step) offerFor(members int64) offer {
	for _, o := range s.offers() {
		if o.members >= members && o.p.number > o.members {
			s.checkOffer(o)
			return o
		}
	}
	s.fatalf(nil, "no goods in stock is offered to groups of %d or more", members)
	return offer{}
}

// checkOffer reads the rules of the goods by themselves.
func (s *step) checkOffer(o offer) {
	data := s.get(s.w.guest, "/wx/groupon/query", "goodsId", o.p.goods).ok()
	for _, rule := range data.each(grouponRule) {
		equal(s, data.ex, rule.path+".goodsId", o.p.goods, rule.at("goodsId").integer())
		equal(s, data.ex, rule.path+".status", 0, rule.at("status").integer())
		if rule.at("id").integer() == o.rule {
			equal(s, data.ex, rule.path+".discount", int64(o.off/100), rule.at("discount").integer())
			equal(s, data.ex, rule.path+".discountMember", o.members, rule.at("discountMember").integer())
			return
		}
	}
	s.failf(data.ex, "the rule %d is not among those of its goods", o.rule)
}

// part is one shopper's place in a group.
type part struct {
	sh    *shopper
	order int64
	link  int64 // the opener's record
}

// enter puts one piece into the cart and submits it for a group: a new one where the link is 0.
func (s *step) enter(sh *shopper, p product, rule, link int64) answer {
	row := s.fast(sh, p, 1)
	return s.post(sh.agent, "/wx/order/submit", fields{
		"cartId": row, "addressId": s.addressOf(sh), "couponId": -1, "userCouponId": -1, "message": "",
		"grouponRulesId": rule, "grouponLinkId": link,
	})
}

// refused expects that a shopper cannot enter a group.
func (s *step) refused(sh *shopper, o offer, link, errno int64) {
	s.enter(sh, o.p, o.rule, link).fails(errno)
	s.emptyCart(sh)
}

// takePart enters a group, an own one where the link is 0, and leaves the order unpaid.
func (s *step) takePart(sh *shopper, o offer, link int64) part {
	data := s.enter(sh, o.p, o.rule, link).ok().shape("orderId int, payed bool, grouponLinkId int")
	equal(s, data.ex, "payed", false, data.at("payed").truth())
	p := part{sh: sh, order: data.at("orderId").integer(), link: data.at("grouponLinkId").integer()}
	if link != 0 {
		equal(s, data.ex, "grouponLinkId", link, p.link)
	}
	s.w.offs[p.order] = o.off
	want := reckon([]piece{{o.price(), 1}}, 0)
	info := s.inState(sh, p.order, unpaid()).at("orderInfo")
	equal(s, info.ex, "actualPrice in a group", want.actual, info.at("actualPrice").money())
	return p
}

// inGroup checks what a member sees of his part: the group, his order, himself among those who joined.
func (s *step) inGroup(p part, o offer, status, members int64) {
	me := p.sh.agent
	data := s.get(me, "/wx/groupon/detail", "grouponId", p.link).ok()
	record := data.at("groupon").shape(groupPart + ", orderId int, userId int")
	equal(s, data.ex, "groupon.status", status, record.at("status").integer())
	equal(s, data.ex, "groupon.orderId", p.order, record.at("orderId").integer())
	equal(s, data.ex, "groupon.rulesId", o.rule, record.at("rulesId").integer())
	opener := record.at("grouponId").integer() == 0
	equal(s, data.ex, "creatorUserTime is there", opener, record.has("creatorUserTime"))
	equal(s, data.ex, "linkGrouponId", p.link, data.at("linkGrouponId").integer())
	equal(s, data.ex, "rules.id", o.rule, data.at("rules").shape(grouponRule).at("id").integer())
	data.at("creator").shape("nickname text, avatar text")
	joiners := data.at("joiners").each("nickname text, avatar text")
	if status != partFailed {
		equal(s, data.ex, "joiners", members, int64(len(joiners)))
	}
	info := data.at("orderInfo").shape(groupOrder)
	equal(s, data.ex, "orderInfo.id", p.order, info.at("id").integer())
	lines := data.at("orderGoods").each(groupLine)
	equal(s, data.ex, "lines of the order", 1, len(lines))
	data.at("expressInfo.Traces").list()
	s.listedGroup(p, record, opener, status, members)
}

// listedGroup expects the part in the list of own groups, under opened or under joined.
func (s *step) listedGroup(p part, record value, opener bool, status, members int64) {
	showType := map[bool]int{true: 0, false: 1}[opener]
	list := s.get(p.sh.agent, "/wx/groupon/my", "showType", showType).page()
	equal(s, list.ex, "page of an unpaged list", 1, list.page)
	for _, row := range list.each(groupMine) {
		equal(s, list.ex, row.path+".isCreator", opener, row.at("isCreator").truth())
		if row.at("orderId").integer() != p.order {
			continue
		}
		own := row.at("groupon").shape(groupPart)
		equal(s, list.ex, own.path+".id", record.at("id").integer(), own.at("id").integer())
		equal(s, list.ex, own.path+".status", status, own.at("status").integer())
		row.at("rules").shape(grouponRule)
		row.at("goodsList").each("id int, goodsName text, number int, picUrl text")
		if status != partFailed {
			equal(s, list.ex, row.path+".joinerCount", members, row.at("joinerCount").integer())
		}
		return
	}
	s.failf(list.ex, "the order %d is not among the groups of %s", p.order, p.sh.name)
}

// shown reads a group as somebody sees it who was invited: nobody's order, nobody's number.
func (s *step) shown(link int64, o offer, status int64) {
	data := s.get(s.w.guest, "/wx/groupon/join", "grouponId", link).ok()
	record := data.at("groupon").shape(groupPart)
	equal(s, data.ex, "groupon.id", link, record.at("id").integer())
	equal(s, data.ex, "groupon.status", status, record.at("status").integer())
	for _, name := range []string{"orderId", "userId"} {
		equal(s, data.ex, "groupon."+name+" is shown to others", false, record.has(name))
	}
	equal(s, data.ex, "goods.id", o.p.goods, data.at("goods").shape(goodsInfo).at("id").integer())
	equal(s, data.ex, "rules.id", o.rule, data.at("rules").shape(grouponRule).at("id").integer())
}
