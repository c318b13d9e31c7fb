package e2e

import (
	"bytes"
	"image"
	"image/png"
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// call is an operation that reads, with its query.
type call struct {
	path  string
	query []any
}

// Operations that read and are called by no scenario answer a valid request. The run fails if one is missing here.
func TestEveryReadAnswers(t *testing.T) {
	s := begin(t, "every operation that reads answers")
	g, super, me := s.goods(10_00, 5), s.super(), s.shopper()
	rule := s.offer(g, 1, 2)
	about := fields{"title": unique("e2e"), "price": amount(1_00), "content": "<p>Read.</p>", "goods": []int64{g.id}}
	topic := s.create(super, "topic", about).Get("id").Int()
	word := s.create(super, "keyword", fields{"keyword": unique("e2e"), "isHot": true}).Get("keyword").String()
	delivery := fields{"name": unique("e2e"), "charge": 2, "rules": []fields{{"firstPrice": amount(8_00)}}}
	freight := s.create(super, "freight", delivery).Get("id").Int()
	user := me.asSeenByStaff().Get("id").Int()
	role := s.create(super, "role", fields{"name": unique("e2e"), "desc": "a test", "enabled": true}).Get("id").Int()
	super.post("/admin/access/view", fields{"roleId": role}).ok()
	super.post("/admin/books/check", fields{}).ok()
	super.post("/admin/job/retry", fields{"job": "expireOrders", "id": 1}).fails(504)
	super.post("/admin/job/resend", fields{"id": 1 << 40}).fails(402)
	calls := map[caller][]call{
		s.guest(): {
			{"/wx/home/index", nil},
			{"/wx/home/about", nil},
			{"/wx/index/index", nil},
			{"/wx/brand/list", nil},
			{"/wx/brand/detail", []any{"id", g.brand}},
			{"/wx/catalog/index", nil},
			{"/wx/catalog/all", nil},
			{"/wx/catalog/current", []any{"id", g.category}},
			{"/wx/catalog/getfirstcategory", nil},
			{"/wx/catalog/getsecondcategory", []any{"id", g.category}},
			{"/wx/comment/list", []any{"type", 1, "valueId", topic, "showType", 1}},
			{"/wx/coupon/list", nil},
			{"/wx/goods/category", []any{"id", g.category}},
			{"/wx/goods/count", nil},
			{"/wx/goods/list", []any{"categoryId", g.category, "keyword", g.name, "sort", "retail_price", "order", "asc"}},
			{"/wx/goods/list", []any{"brandId", g.brand, "isNew", false, "isHot", true, "limit", 3}},
			{"/wx/goods/related", []any{"id", g.id}},
			{"/wx/groupon/list", nil},
			{"/wx/issue/list", []any{"question", "a"}},
			{"/wx/search/index", nil},
			{"/wx/search/helper", []any{"keyword", word}},
			{"/wx/search/result", []any{"keyword", g.name}},
			{"/wx/search/goods", []any{"keyword", g.name}},
			{"/wx/topic/list", nil},
			{"/wx/topic/detail", []any{"id", topic}},
			{"/wx/topic/related", []any{"id", topic}},
		},
		me.caller: {
			{"/wx/address/list", nil},
			{"/wx/address/detail", []any{"id", me.address}},
			{"/wx/collect/list", []any{"type", 0}},
			{"/wx/footprint/list", nil},
			{"/wx/groupon/my", []any{"showType", 1}},
			{"/wx/order/list", []any{"showType", 0}},
		},
		s.visitor(): {
			{"/admin/auth/index", nil},
			{"/admin/auth/kaptcha", nil},
			{"/admin/index/index", nil},
		},
		super: {
			{"/admin/access/holders", []any{"permission", "admin:role:list"}},
			{"/admin/access/read", []any{"id", 1}},
			{"/admin/address/list", []any{"userId", user}},
			{"/admin/aftersale/counts", nil},
			{"/admin/audit/records", []any{"target", "role", "limit", 3}},
			{"/admin/audit/state", nil},
			{"/admin/books/checks", nil},
			{"/admin/category/l1", nil},
			{"/admin/category/list", nil},
			{"/admin/collect/list", []any{"userId", user}},
			{"/admin/comment/list", nil},
			{"/admin/config/mall", nil},
			{"/admin/config/order", nil},
			{"/admin/config/wx", nil},
			{"/admin/dashboard", nil},
			{"/admin/feedback/list", nil},
			{"/admin/find", []any{"keyword", me.username}},
			{"/admin/footprint/list", []any{"userId", user}},
			{"/admin/goods/catAndBrand", nil},
			{"/admin/groupon/listRecord", []any{"grouponRuleId", rule}},
			{"/admin/groupon/listRecord", []any{"limit", 3}},
			{"/admin/job/failures", nil},
			{"/admin/job/letters", nil},
			{"/admin/job/states", nil},
			{"/admin/history/list", []any{"userId", user}},
			{"/admin/log/list", []any{"name", super.name}},
			{"/admin/notice/list", nil},
			{"/admin/order/cases", []any{"kind", "late-money"}},
			{"/admin/order/channel", nil},
			{"/admin/order/counts", nil},
			{"/admin/auth/rights", nil},
			{"/admin/region/list", []any{"limit", 3}},
			{"/admin/region/clist", []any{"id", 0}},
			{"/admin/usage/read", nil},
			{"/admin/channel/read", nil},
			{"/admin/message/read", nil},
			{"/admin/bestseller/list", nil},
			{"/admin/rehearsal/coupon", []any{"discount", 1, "goodsType", 2, "goodsValue", g.id}},
			{"/admin/rehearsal/groupon", []any{"discount", 1, "goodsId", g.id}},
			{"/admin/rehearsal/freight", []any{"id", freight}},
			{"/admin/role/options", nil},
			{"/admin/role/permissions", []any{"roleId", role}},
			{"/admin/stat/goods", nil},
			{"/admin/stat/order", nil},
			{"/admin/stat/user", nil},
			{"/admin/storage/list", nil},
			{"/admin/user/detail", []any{"id", user}},
		},
	}
	for who, reads := range calls {
		for _, c := range reads {
			who.get(c.path, c.query...).ok()
		}
	}
	orders := table(s, super.download("/admin/order/export", "orderSn", "none"))
	equal(s, "rows of a file without orders, with the header", 1, len(orders))
	table(s, super.download("/admin/bestseller/export", "start", "2000-01-01 00:00:00"))
	users := table(s, super.download("/admin/user/export", "username", me.username))
	equal(s, "the file has users", true, len(users) > 1)
}

// Every record of the administration is created, read, listed, changed and deleted.
func TestEveryRecord(t *testing.T) {
	s := begin(t, "every record of the administration: created, read, listed, changed, deleted")
	const until = "2099-12-31 00:00:00"
	super, g := s.super(), s.goods(10_00, 5)
	tests := []struct {
		area           string
		create, update fields
	}{
		{"ad", fields{"name": unique("e2e"), "content": "a test", "url": "/x.png", "enabled": true}, fields{"enabled": false}},
		{"admin", fields{"username": username(), "password": password, "roleIds": []int64{}}, fields{"avatar": "/x.png"}},
		{"brand", fields{"name": unique("e2e"), "desc": "a test", "floorPrice": amount(1_00)}, fields{"desc": "changed"}},
		{"category", fields{"name": unique("e2e"), "level": "L1"}, fields{"desc": "changed"}},
		{"coupon", fields{"name": unique("e2e"), "type": 2, "discount": amount(1_00), "days": 1}, fields{"tag": "changed"}},
		{
			"freight",
			fields{"name": unique("e2e"), "charge": 2, "rules": []fields{{"firstPrice": amount(8_00)}}},
			fields{"name": unique("e2e")},
		},
		{"groupon", fields{"goodsId": g.id, "discount": 1, "discountMember": 2, "expireTime": until}, fields{"discount": 2}},
		{"issue", fields{"question": unique("e2e"), "answer": "Yes."}, fields{"answer": "No."}},
		{"keyword", fields{"keyword": unique("e2e"), "isHot": true}, fields{"isHot": false}},
		{"notice", fields{"title": unique("e2e"), "content": "<b>Hear.</b>"}, fields{"content": "<b>Look.</b>"}},
		{"role", fields{"name": unique("e2e"), "desc": "a test", "enabled": true}, fields{"desc": "changed"}},
		{"topic", fields{"title": unique("e2e"), "price": amount(1_00), "content": "<p>Read.</p>"}, fields{"goods": []int64{g.id}}},
	}
	for _, tt := range tests {
		base := "/admin/" + tt.area
		id := super.post(base+"/create", tt.create).ok().Get("id").Int()
		listed := func() bool {
			return super.get(base+"/list", "limit", 100).ok().Get("list.#(id==" + text(id) + ")").Exists()
		}
		equal(s, tt.area+" is listed", true, listed())
		tt.update["id"] = id
		super.post(base+"/update", tt.update).ok()
		if tt.area != "groupon" { // which has no page of its own
			super.get(base+"/read", "id", id).ok()
		}
		super.post(base+"/delete", fields{"id": id}).ok()
		equal(s, tt.area+" is listed after its deletion", false, listed())
	}
	for area, body := range map[string]fields{
		"notice": {"title": unique("e2e"), "content": "<b>Hear.</b>"},
		"topic":  {"title": unique("e2e"), "price": amount(1_00), "content": "<p>Read.</p>"},
	} {
		id := super.post("/admin/"+area+"/create", body).ok().Get("id").Int()
		super.post("/admin/"+area+"/batch-delete", fields{"ids": []int64{id, missing}}).ok()
	}
}

// Settings are saved unchanged, because other scenarios depend on them; those of the ways of delivery, which another
// scenario changes at the same time, are left out.
func TestSettings(t *testing.T) {
	s := begin(t, "settings: every group is read, and written as it is")
	super := s.super()
	for _, group := range []string{"mall", "express", "order", "wx"} {
		body := fields{}
		super.get("/admin/config/" + group).ok().ForEach(func(key, value gjson.Result) bool {
			name := key.String()
			if group != "express" || strings.HasPrefix(name, "litemall_express_freight_") {
				body[name] = value.Value()
			}
			return true
		})
		super.post("/admin/config/"+group, body).ok()
	}
	super.post("/admin/channel/update", fields{"channels": []string{"unknown"}}).fails(402)
	offered := super.get("/admin/channel/read").ok().Get("channels.#.code").Value()
	super.post("/admin/channel/update", fields{"channels": offered}).ok()
	super.post("/admin/message/test", fields{"channel": "sms", "recipient": "12"}).fails(402)
	super.post("/admin/message/test", fields{"channel": "sms", "recipient": "13800000000"}).ok()
}

// An operator reads notices, one by one and several at once, and deletes them.
func TestNotices(t *testing.T) {
	s := begin(t, "notices: read and put away by an operator")
	super, me := s.super(), s.operator("admin:order:list")
	title := unique("e2e notice")
	ids, receipts := []int64{}, []int64{}
	for range 3 {
		ids = append(ids, s.create(super, "notice", fields{"title": title, "content": "<b>Hear.</b>"}).Get("id").Int())
	}
	for _, row := range me.get("/admin/profile/lsnotice", "title", title, "type", "unread").ok().Get("list").Array() {
		receipts = append(receipts, row.Get("id").Int())
	}
	equal(s, "unread notices of this title", 3, len(receipts))
	equal(s, "there are unread notices", true, me.get("/admin/profile/nnotice").ok().Int() >= 3)
	opened := me.post("/admin/profile/catnotice", fields{"noticeId": ids[0]}).ok()
	equal(s, "author", super.name, opened.Get("admin").String())
	me.post("/admin/profile/bcatnotice", fields{"ids": receipts}).ok()
	unread := me.get("/admin/profile/lsnotice", "title", title, "type", "unread").ok()
	equal(s, "unread notices of this title", 0, unread.Get("total").Int())
	me.post("/admin/profile/rmnotice", fields{"id": receipts[0]}).ok()
	me.post("/admin/profile/brmnotice", fields{"ids": receipts[1:]}).ok()
	me.post("/admin/profile/view/save", fields{"page": "mall/order", "name": title, "query": "page=2"}).ok()
	saved := me.get("/admin/profile/views").ok().Array()
	me.post("/admin/profile/view/drop", fields{"id": saved[0].Get("id").Int()}).ok()
	equal(s, "notices left", 0, me.get("/admin/profile/lsnotice", "title", title).ok().Get("total").Int())
}

// picture draws a picture that no other run draws.
func picture(s *scenario) []byte {
	s.t.Helper()
	img := image.NewGray(image.Rect(0, 0, 24, 24))
	for i := range img.Pix {
		img.Pix[i] = uint8(rand.UintN(256))
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		s.t.Fatal(err)
	}
	return b.Bytes()
}

// Pictures of shoppers and operators are stored and served, and other files are refused.
func TestFiles(t *testing.T) {
	s := begin(t, "files: uploaded by a shopper and by the staff, served, deleted")
	me, guest := s.shopper(), s.guest()
	content := picture(s)
	stored := me.upload("/wx/storage/upload", "a.png", content).ok()
	key := stored.Get("key").String()
	for _, way := range []string{"fetch", "download"} {
		equal(s, "the picture is served as it was sent", true, len(guest.download("/wx/storage/"+way+"/"+key)) > 0)
		equal(s, "type of the picture", "image/png", s.last.header.Get("Content-Type"))
	}
	equal(s, "last part of the address", key, path.Base(stored.Get("url").String()))
	me.upload("/wx/storage/upload", "x.png", []byte("<html><script>alert(1)</script></html>")).fails(402)

	keeper := s.super()
	row := keeper.upload("/admin/storage/create", "b.png", picture(s)).ok()
	id := row.Get("id").Int()
	keeper.get("/admin/storage/read", "id", id).ok()
	keeper.post("/admin/storage/read", fields{"id": id}).ok()
	renamed := keeper.post("/admin/storage/update", fields{"id": id, "name": "new.png"}).ok()
	equal(s, "name", "new.png", renamed.Get("name").String())
	keeper.post("/admin/storage/delete", fields{"key": row.Get("key").String()}).ok()
	s.eventually("a deleted file is gone", func() bool {
		return guest.declared("GET", "/wx/storage/fetch/"+row.Get("key").String(), "", nil).status == 404
	})
}

// The traces of a shopper who does not buy: favourites, footprints, searches, comments and feedback.
func TestTraces(t *testing.T) {
	s := begin(t, "traces: favourites, footprints, searches, a comment, a message to the shop")
	g, me, super := s.goods(10_00, 5), s.shopper(), s.super()
	favourite := fields{"type": 0, "valueId": g.id}
	equal(s, "what was done", "add", me.post("/wx/collect/addordelete", favourite).ok().Get("type").String())
	equal(s, "goods that I like", g.id, me.get("/wx/collect/list", "type", 0).ok().Get("list.0.valueId").Int())
	equal(s, "what was done", "delete", me.post("/wx/collect/addordelete", favourite).ok().Get("type").String())

	me.get("/wx/goods/detail", "id", g.id).ok()
	var step gjson.Result
	s.eventually("the footprint is listed", func() bool {
		step = me.get("/wx/footprint/list").ok().Get("list.#(goodsId==" + text(g.id) + ")")
		return step.Exists()
	})
	me.post("/wx/footprint/delete", fields{"id": step.Get("id").Int()}).ok()
	me.post("/wx/footprint/delete", fields{"id": step.Get("id").Int()}).fails(402)

	me.get("/wx/goods/list", "keyword", g.name).ok()
	s.eventually("the search is remembered", func() bool {
		return me.get("/wx/search/index").ok().Get(`historyKeywordList.#(keyword=="` + g.name + `")`).Exists()
	})
	me.post("/wx/search/clearhistory", fields{}).ok()
	equal(s, "searches left", 0, len(me.get("/wx/search/index").ok().Get("historyKeywordList").Array()))

	comment := fields{"type": 0, "valueId": g.id, "content": "seen", "star": 4, "hasPicture": false}
	id := me.post("/wx/comment/post", comment).ok().Get("id").Int()
	comments := func() int64 {
		return me.get("/wx/comment/count", "type", 0, "valueId", g.id).ok().Get("allCount").Int()
	}
	super.post("/admin/moderation/hide", fields{"id": id, "hidden": true}).ok()
	equal(s, "comments with a hidden one", 0, comments())
	super.post("/admin/moderation/hide", fields{"id": id, "hidden": false}).ok()
	equal(s, "comments with one that is shown again", 1, comments())
	super.post("/admin/comment/delete", fields{"id": id}).ok()
	me.post("/wx/feedback/submit", fields{
		"feedType": "商品相关", "content": "from a test", "mobile": "13800000000", "hasPicture": false, "picUrls": []string{},
	}).ok()

	user := me.asSeenByStaff()
	coupon := s.create(super, "coupon", fields{"name": unique("e2e"), "type": 2, "discount": amount(1_00), "days": 1})
	given := fields{"userId": user.Get("id").Int(), "couponId": coupon.Get("id").Int()}
	mine := func() int64 { return me.get("/wx/coupon/mylist", "status", 0).ok().Get("total").Int() }
	before := mine() // the demo gives some shoppers coupons
	super.post("/admin/couponuser/create", given).ok()
	super.post("/admin/couponuser/create", given).fails(740)
	equal(s, "coupons of mine", before+1, mine())
	change := fields{"id": user.Get("id").Int(), "nickname": unique("e2e")[:12]}
	super.post("/admin/user/update", change).ok()
	change["nickname"] = user.Get("nickname").String()
	super.post("/admin/user/update", change).ok()
}

// Operations that cannot succeed here need the app platform, the signature of the payment platform or a fault of it, or
// always refuse.
// They answer as declared.
func TestEveryRefusal(t *testing.T) {
	s := begin(t, "every operation that can only refuse here does so")
	me, guest, visitor := s.shopper(), s.guest(), s.visitor()
	guest.post("/wx/auth/login_by_weixin", fields{"code": "x", "userInfo": fields{}}).fails(503)
	me.post("/wx/auth/bindPhone", fields{"iv": "x", "encryptedData": "x"}).fails(503)
	guest.get("/wx/home/cache").fails(503)
	visitor.get("/admin/auth/401").fails(501)
	visitor.get("/admin/auth/403").fails(506)
	for _, path := range []string{"settle", "repay", "retry", "dismiss"} {
		s.super().post("/admin/order/case/"+path, fields{"id": 1 << 40, "note": "none"}).fails(402)
	}
	for _, method := range []string{"GET", "POST"} {
		ex := guest.declared(method, "/wx/msg/config", "", nil)
		equal(s, "answer to an unsigned call", "fail", string(ex.got))
	}
	for _, path := range []string{"/wx/order/pay-notify", "/wx/order/pay-notify/sandbox", "/wx/order/pay-notify/none"} {
		ex := guest.declared("POST", path, "application/json", []byte("{}"))
		equal(s, "status of an unsigned notification", 400, ex.status)
	}
}
