package main

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

const (
	favouriteShape = "id int, type int, valueId int, name text, brief text, picUrl text, retailPrice money"
	favouriteTopic = favouriteShape + ", title text, subtitle text, price money"
	footprintShape = "id int, goodsId int, name text, brief text, picUrl text, retailPrice money, addTime time"
	toggle         = "/wx/collect/addordelete"
)

// traces plays what a shopper leaves in the shop without buying: favourites, footprints, a word to the shop.
func (w *walk) traces(c *chapter) {
	c.try("favourite goods", func(s *step) {
		s.need(w.first != nil, "shopper")
		id := s.stock()[0].id
		s.favour(0, id, func() bool {
			return s.get(w.first.agent, "/wx/goods/detail", "id", id).ok().at("userHasCollect").integer() == 1
		})
		s.get(w.first.agent, "/wx/collect/list").fails(401)
		s.get(w.first.agent, "/wx/collect/list", "type", 2).fails(402)
		s.post(w.first.agent, toggle, fields{"type": 2, "valueId": id}).fails(402)
		s.post(w.first.agent, toggle, fields{"type": 0, "valueId": missing}).fails(402)
		s.post(w.first.agent, toggle, fields{"type": 0}).fails(401)
		s.post(w.guest, toggle, fields{"type": 0, "valueId": id}).fails(501)
	})
	c.try("favourite topic", func(s *step) {
		s.need(w.first != nil, "shopper")
		topics := s.get(w.guest, "/wx/topic/list").page().each(topicShape)
		s.need(len(topics) > 0, "topic")
		id := topics[0].at("id").integer()
		s.favour(1, id, func() bool {
			return s.get(w.first.agent, "/wx/topic/detail", "id", id).ok().at("userHasCollect").integer() == 1
		})
	})
	c.try("footprints", w.footprints)
	c.try("a word to the shop", func(s *step) {
		s.need(w.first != nil, "shopper")
		me, path := w.first.agent, "/wx/feedback/submit"
		body := fields{
			"feedType": "商品相关", "content": "from <the> walk", "mobile": "13800000000", "hasPicture": w.uploaded != "",
			"picUrls": w.pictured(),
		}
		s.post(me, path, body).none()
		s.post(w.guest, path, body).fails(501)
		body["mobile"] = "12345"
		s.post(me, path, body).fails(402)
		body["mobile"], body["content"] = "13800000000", " "
		s.post(me, path, body).fails(401)
	})
}

// favour adds a favourite and takes it away again, with the list and the page of the thing telling so each time.
func (s *step) favour(kind int, id int64, marked func() bool) {
	me, thing := s.w.first.agent, fields{"type": kind, "valueId": id}
	shape := map[int]string{0: favouriteShape, 1: favouriteTopic}[kind]
	toggled := func() string { return s.post(me, toggle, thing).ok().at("type").text() }
	done := toggled()
	if done == "delete" { // an earlier shopper of this name has left it
		done = toggled()
	}
	for _, want := range []string{"add", "delete"} {
		if want == "delete" {
			done = toggled()
		}
		equal(s, s.last, "what was done", want, done)
		rows := s.get(me, "/wx/collect/list", "type", kind, "limit", 0).page().each(shape)
		listed := slices.ContainsFunc(rows, func(v value) bool {
			equal(s, v.ex, v.path+".type", int64(kind), v.at("type").integer())
			return v.at("valueId").integer() == id
		})
		equal(s, s.last, "listed after "+want, want == "add", listed)
		if !within(pageLag, func() bool { return marked() == (want == "add") }) {
			s.failf(s.last, "userHasCollect does not tell of the %s", want)
		}
	}
}

// footprints looks at goods, finds the look in the list, and takes it away.
func (w *walk) footprints(s *step) {
	s.need(w.first != nil, "shopper")
	me, goods := w.first.agent, s.stock()[len(s.stock())-1].id
	var newest value
	look := func() bool {
		list := s.get(me, "/wx/footprint/list", "limit", 20).page()
		rows := list.each(footprintShape)
		at := slices.IndexFunc(rows, func(v value) bool { return v.at("goodsId").integer() == goods })
		if at < 0 {
			newest = value{s: s, ex: list.ex}
			return false
		}
		newest = rows[at]
		return true
	}
	for range 2 {
		s.get(me, "/wx/goods/detail", "id", goods).ok()
		if !within(pageLag, look) {
			s.fatalf(newest.ex, "the goods %d are not among the footprints", goods)
		}
	}
	id := newest.at("id").integer()
	s.post(w.second.agent, "/wx/footprint/delete", fields{"id": id}).fails(402)
	s.post(me, "/wx/footprint/delete", fields{}).fails(401)
	s.post(me, "/wx/footprint/delete", fields{"id": id}).none()
	s.post(me, "/wx/footprint/delete", fields{"id": id}).fails(402)
	equal(s, s.last, "the footprint is still listed", false, look())
	s.get(me, "/wx/goods/detail", "id", goods).ok()
	if !within(pageLag, look) {
		s.failf(newest.ex, "a further look does not bring the footprint back")
	}
}

// counters checks the numbers of the shopper's page against his lists.
func (s *step) counters(sh *shopper) value {
	data := s.get(sh.agent, "/wx/user/index").ok().at("order").shape("unpaid int, unship int, unrecv int, uncomment int")
	for showType, name := range map[int]string{1: "unpaid", 2: "unship", 3: "unrecv"} {
		want := s.get(sh.agent, "/wx/order/list", "showType", showType).page().total
		equal(s, data.ex, name+" against the order list", want, data.at(name).integer())
	}
	return data
}

// payPage opens the sandbox's payment page as a browser does, refuses once and then pays.
func (w *walk) payPage(s *step, address string) {
	path, found := strings.CutPrefix(address, w.guest.base)
	if !found {
		s.fatalf(nil, "mwebUrl %q is no address of the storefront", address)
	}
	const back = "/#/?orderId=1&tip=yes"
	path += "&redirect_url=" + url.QueryEscape(back)
	shows := func(ex *exchange, status int, text string) {
		equal(s, ex, "HTTP status of the page", status, ex.status)
		if !strings.Contains(string(ex.got), text) {
			s.fatalf(ex, "the page does not show %q", text)
		}
	}
	shows(s.raw(w.guest, call{method: http.MethodGet, path: path}), http.StatusOK, "<form")
	press := func(action, class string) {
		ex := s.raw(w.guest, call{
			method: http.MethodPost, path: path, body: "action=" + action,
			header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"},
		})
		if ex.status == http.StatusSeeOther { // a client that does not follow by itself
			ex = s.raw(w.guest, call{method: http.MethodGet, path: ex.header.Get("Location")})
		}
		shows(ex, http.StatusOK, class)
		equal(s, ex, "Refresh", "2; url="+back, ex.header.Get("Refresh"))
	}
	press("refuse", `class="refused"`)
	press("pay", `class="paid"`)
	shows(s.raw(w.guest, call{method: http.MethodGet, path: "/wx/sandbox/h5", query: []any{"prepay_id", "x"}}),
		http.StatusNotFound, `class="gone"`)
}

// browserPay plays a payment in a browser, with the numbers of the shopper's page before and after.
func (w *walk) browserPay(c *chapter) {
	c.try("pay in a browser, the shopper's page counts it", func(s *step) {
		sh, p := s.company(1)[0], s.plenty()[1]
		before := s.counters(sh)
		id := s.ordered(s.submit(sh, s.fast(sh, p, 1), -1, nil))
		waiting := s.counters(sh)
		equal(s, waiting.ex, "unpaid", before.at("unpaid").integer()+1, waiting.at("unpaid").integer())
		s.post(w.second.agent, "/wx/order/h5pay", fields{"orderId": id}).fails(720)
		s.post(sh.agent, "/wx/order/h5pay", fields{}).fails(401)
		data := s.post(sh.agent, "/wx/order/h5pay", fields{"orderId": id}).ok()
		w.payPage(s, data.at("mwebUrl").text())
		s.arrived(sh, id)
		s.post(sh.agent, "/wx/order/h5pay", fields{"orderId": id}).fails(725)
		after := s.counters(sh)
		equal(s, after.ex, "unpaid", before.at("unpaid").integer(), after.at("unpaid").integer())
		equal(s, after.ex, "unship", before.at("unship").integer()+1, after.at("unship").integer())
		s.get(w.guest, "/wx/user/index").fails(501)
	})
}
