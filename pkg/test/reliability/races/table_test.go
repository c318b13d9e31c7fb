package races

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"image"
	"image/png"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"

	"shop.internal/pkg/test/reliability/client"
)

// call is a request and who sends it.
type call struct {
	of   string // the entry
	who  client.Caller
	what client.Request
}

// entry is one use of an operation: what its subject needs, and the request, which is made anew for each time that it is
// sent. Entries of the same path differ in their variant.
type entry struct {
	path, variant string
	// money marks what touches money, stock, coupons, groups and carts: the short form tries all pairs of these.
	money bool
	// slow marks what hashes passwords.
	slow bool
	// mayFail marks what may never succeed.
	mayFail bool
	// prepare makes the records; nil for none.
	prepare func(*subject)
	// who sends it; nil is the shopper at the storefront and the super operator at the administration.
	who func(*subject) client.Caller
	// body returns the JSON body, or raw the request.
	body func(*subject) any
	raw  func(*subject) client.Request
}

func (e entry) String() string {
	if e.variant != "" {
		return e.path + "#" + strings.ReplaceAll(e.variant, " ", "-") // without blanks, for SHOP_PAIR
	}
	return e.path
}

// call makes the request for a subject.
func (e entry) call(s *subject) call {
	c := call{of: e.String(), who: s.l.super, what: client.Request{Method: http.MethodPost, Path: e.path, ContentType: "application/json"}}
	if s.l.Of(e.path) == s.l.Storefront {
		c.who = s.me.Caller
	}
	if e.who != nil {
		c.who = e.who(s)
	}
	if e.raw != nil {
		c.what = e.raw(s)
		c.what.Method, c.what.Path = http.MethodPost, cmp.Or(c.what.Path, e.path)
		return c
	}
	if e.body == nil {
		return c
	}
	var err error
	c.what.Body, err = json.Marshal(e.body(s))
	must(err)
	return c
}

// upload is a request with a file.
func upload(name string, content []byte) client.Request {
	kind, body := file(name, content)
	return client.Request{ContentType: kind, Body: body}
}

// picture is one that no other upload has.
func picture() []byte {
	img := image.NewGray(image.Rect(0, 0, 16, 16))
	for i := range img.Pix {
		img.Pix[i] = uint8(rand.UintN(256))
	}
	var b bytes.Buffer
	must(png.Encode(&b, img))
	return b.Bytes()
}

// goodsFile is the exported file with another name and number of the goods.
func (s *subject) goodsFile() []byte {
	text, _ := bytes.CutPrefix(s.l.sheet, []byte("\xef\xbb\xbf"))
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	must(err)
	rows[1][slices.Index(rows[0], "name")] = s.l.name("imported")
	rows[1][slices.Index(rows[0], "goodsSn")] = s.l.name("IMP")
	var b bytes.Buffer
	must(csv.NewWriter(&b).WriteAll(rows[:2]))
	return b.Bytes()
}

// fixed is a body that does not depend on the subject.
func fixed(body client.Fields) func(*subject) any { return func(*subject) any { return body } }

func guest(s *subject) client.Caller { return s.l.Storefront.Guest() }

// newRecords are the bodies that create the records of the administration.
var newRecords = map[string]func(*subject) client.Fields{
	"ad": func(s *subject) client.Fields {
		return client.Fields{"name": s.l.name("ad"), "content": "x", "url": "/x.png", "enabled": false}
	},
	"admin": func(s *subject) client.Fields {
		return client.Fields{"username": s.l.operators() + "_" + s.l.name("")[2+len(s.l.run):], "password": client.Password, "roleIds": []int64{}}
	},
	"brand": func(s *subject) client.Fields {
		return client.Fields{"name": s.l.name("brand"), "desc": "x", "floorPrice": client.Amount(100)}
	},
	"category": func(s *subject) client.Fields { return client.Fields{"name": s.l.name("cat"), "level": "L1"} },
	"coupon": func(s *subject) client.Fields {
		return client.Fields{
			"name": s.l.name("coupon"), "type": 2, "total": 6, "limit": 2, "discount": client.Amount(5_00),
			"min": client.Amount(price), "goodsType": 2, "goodsValue": []int64{s.product().ID}, "timeType": 0, "days": 3,
		}
	},
	"gift": func(s *subject) client.Fields {
		return client.Fields{
			"name": s.l.name("gift"), "type": 0, "total": 3, "limit": 1, "discount": client.Amount(5_00),
			"min": client.Amount(price), "goodsType": 2, "goodsValue": []int64{s.product().ID}, "timeType": 0, "days": 3,
		}
	},
	"groupon": func(s *subject) client.Fields {
		return client.Fields{"goodsId": s.product().ID, "discount": 10, "discountMember": 2, "expireTime": soon()}
	},
	"issue":   func(s *subject) client.Fields { return client.Fields{"question": s.l.name("why"), "answer": "So."} },
	"keyword": func(s *subject) client.Fields { return client.Fields{"keyword": s.l.name("word"), "isHot": true} },
	"notice":  func(s *subject) client.Fields { return client.Fields{"title": s.l.name("notice"), "content": "x"} },
	"role": func(s *subject) client.Fields {
		return client.Fields{"name": s.l.name("role"), "desc": "x", "enabled": true}
	},
	"topic": func(s *subject) client.Fields {
		return client.Fields{"title": s.l.name("topic"), "price": client.Amount(100), "content": "<p>x</p>", "goods": []int64{}}
	},
}

// changes are the members that the updates of these records change.
var changes = map[string]client.Fields{
	"ad": {"content": "y"}, "admin": {"avatar": "/y.png"}, "brand": {"desc": "y"}, "category": {"desc": "y"},
	"coupon": {"tag": "y"}, "groupon": {"discount": 12}, "issue": {"answer": "No."}, "keyword": {"isHot": false},
	"notice": {"content": "y"}, "role": {"desc": "y"}, "topic": {"subtitle": "y"},
}

// records returns the entries that create, change and delete the records of the administration.
func records() []entry {
	var list []entry
	for area, change := range changes {
		money, slow := area == "coupon" || area == "groupon", area == "admin"
		have := func(s *subject) { s.record(area) }
		id := func(s *subject) any { return client.Fields{"id": s.id(area)} }
		create := entry{path: "/admin/" + area + "/create", money: money, slow: slow}
		create.prepare = func(s *subject) { newRecords[area](s) }
		create.body = func(s *subject) any { return newRecords[area](s) }
		update := entry{path: "/admin/" + area + "/update", money: money, slow: slow, prepare: have}
		update.body = func(s *subject) any {
			body := client.Fields{"id": s.id(area)}
			for name, value := range change {
				body[name] = value
			}
			return body
		}
		list = append(list, create, update,
			entry{path: "/admin/" + area + "/delete", money: money, slow: slow, prepare: have, body: id})
		if area == "notice" || area == "topic" {
			ids := func(s *subject) any { return client.Fields{"ids": []int64{s.id(area)}} }
			list = append(list, entry{path: "/admin/" + area + "/batch-delete", prepare: have, body: ids})
		}
	}
	return list
}

// table has every entry, sorted by path.
func table() []entry {
	list := slices.Concat(shopping(), orders(), accounts(), records(), goodsAndFiles(), rights())
	slices.SortFunc(list, func(a, b entry) int {
		if a.String() < b.String() {
			return -1
		}
		return 1
	})
	return list
}
