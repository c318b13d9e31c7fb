package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"

	"github.com/tidwall/gjson"
)

// States of an order.
const (
	unpaid          = 101
	cancelled       = 102
	expired         = 103 // by the shop
	paid            = 201
	refundRequested = 202
	refunded        = 203
	shipped         = 301
	received        = 401
)

// missing is an id that no record has.
const missing = 999_999_999

// unique is a name that no other run uses.
func unique(what string) string { return fmt.Sprintf("%s-%08x", what, rand.Uint32()) }

// username is a name for an operator.
func username() string { return fmt.Sprintf("e2e_%08x", rand.Uint32()) }

// cents parses an amount, a number or a text with two fraction digits.
func cents(r gjson.Result) int64 {
	n, err := strconv.ParseInt(strings.Replace(strings.Trim(r.Raw, `"`), ".", "", 1), 10, 64)
	if err != nil {
		return -1 // no amount: the caller compares and fails
	}
	return n
}

// amount formats cents as an amount.
func amount(cents int64) json.Number {
	return json.Number(fmt.Sprintf("%d.%02d", cents/100, cents%100))
}

// guest calls the storefront without a token, and visitor the administration.
func (s *scenario) guest() caller   { return caller{s: s, service: storefront, name: "guest"} }
func (s *scenario) visitor() caller { return caller{s: s, service: admin, name: "visitor"} }

// session is the token of the super operator; all scenarios share it.
var session struct {
	sync.Mutex

	token string
}

// super is the super operator.
func (s *scenario) super() caller {
	s.t.Helper()
	session.Lock()
	defer session.Unlock()
	if session.token == "" {
		session.token = s.staff(operator, password).token
	}
	return caller{s: s, service: admin, name: operator, token: session.token}
}

// staff logs an operator in.
func (s *scenario) staff(username, password string) caller {
	s.t.Helper()
	c := s.visitor()
	c.name = username
	c.token = c.post("/admin/auth/login", fields{"username": username, "password": password}).ok().Get("token").String()
	return c
}

// operator creates an operator with these permissions and logs in.
func (s *scenario) operator(permissions ...string) caller {
	s.t.Helper()
	super, name := s.super(), username()
	body := fields{"name": unique("e2e role"), "desc": "end-to-end test", "enabled": true}
	role := s.create(super, "role", body).Get("id").Int()
	super.post("/admin/role/permissions", fields{"roleId": role, "permissions": permissions}).ok()
	s.create(super, "admin", fields{"username": name, "password": password, "roleIds": []int64{role}})
	return s.staff(name, password)
}

// create creates a record, which is deleted when the scenario ends, and returns it.
func (s *scenario) create(c caller, area string, body fields) gjson.Result {
	s.t.Helper()
	row := c.post("/admin/"+area+"/create", body).ok()
	s.t.Cleanup(func() { c.post("/admin/"+area+"/delete", fields{"id": row.Get("id").Int()}).ok() })
	return row
}

// goods is a product that belongs to one scenario.
type goods struct {
	id, product, category, brand int64
	name                         string
	price                        int64
}

// goods creates a product on sale.
func (s *scenario) goods(price, number int64) goods {
	s.t.Helper()
	return s.sized(price, number, "one")
}

// sized creates goods on sale with a product of each size, and returns the first.
func (s *scenario) sized(price, number int64, sizes ...string) goods {
	s.t.Helper()
	var values, products []fields
	for _, size := range sizes {
		values = append(values, fields{"specification": "size", "value": size})
		products = append(products, fields{"specifications": []string{size}, "price": amount(price), "number": number})
	}
	super := s.super()
	top := s.create(super, "category", fields{"name": unique("e2e"), "level": "L1"}).Get("id").Int()
	brand := fields{"name": unique("e2e"), "desc": "end-to-end test", "floorPrice": amount(1_00)}
	g := goods{
		category: s.create(super, "category", fields{"name": unique("e2e"), "level": "L2", "pid": top}).Get("id").Int(),
		brand:    s.create(super, "brand", brand).Get("id").Int(),
		name:     unique("e2e goods"), price: price,
	}
	g.id = s.create(super, "goods", fields{
		"goods": fields{
			"name": g.name, "goodsSn": unique("E2E"), "categoryId": g.category, "brandId": g.brand, "isOnSale": true,
			"counterPrice": amount(2 * price), "detail": "<p>Fine.</p>", "keywords": "e2e",
		},
		"specifications": values,
		"products":       products,
		"attributes":     []fields{{"attribute": "made by", "value": "a test"}},
	}).Get("id").Int()
	g.product = super.get("/admin/goods/detail", "id", g.id).ok().Get("products.0.id").Int()
	return g
}

// stock waits until the storefront shows this stock.
func (s *scenario) stock(g goods, want int64) {
	s.t.Helper()
	s.eventually(fmt.Sprintf("%d pieces of product %d", want, g.product), func() bool {
		return s.guest().get("/wx/goods/detail", "id", g.id).ok().Get("productList.0.number").Int() == want
	})
}

// shopper is a signed-in shopper with an address.
type shopper struct {
	caller

	username string
	address  int64
}

// taken are the demo shoppers that scenarios of this run have signed in.
var taken sync.Map

const demoShoppers = 200

// shopper signs in a demo shopper who belongs to no other scenario.
func (s *scenario) shopper() shopper {
	s.t.Helper()
	for _, n := range rand.Perm(demoShoppers) {
		name := fmt.Sprintf("demo%d", n+1)
		if _, used := taken.LoadOrStore(name, true); !used {
			return s.signIn(name)
		}
	}
	s.t.Fatal("every demo shopper is taken")
	return shopper{}
}

// signIn signs a shopper in, creates an address and empties the cart.
func (s *scenario) signIn(username string) shopper {
	s.t.Helper()
	me := shopper{caller: s.guest(), username: username}
	me.name = username
	me.token = me.post("/wx/auth/login", fields{"username": username, "password": password}).ok().Get("token").String()
	if full := me.get("/wx/cart/index").ok().Get("cartList.#.productId"); len(full.Array()) > 0 {
		me.post("/wx/cart/delete", fields{"productIds": full.Value()}).ok()
	}
	me.address = me.newAddress()
	s.t.Cleanup(func() { me.post("/wx/address/delete", fields{"id": me.address}) }) // a scenario may have ended the session
	return me
}

// asSeenByStaff is the shopper in the operators' list, which is searched by a part of the name.
func (me shopper) asSeenByStaff() gjson.Result {
	me.s.t.Helper()
	list := me.s.super().get("/admin/user/list", "username", me.username, "limit", 1000).ok()
	return list.Get(`list.#(username=="` + me.username + `")`)
}

// newAddress saves an address in the first region of each level.
func (me shopper) newAddress() int64 {
	me.s.t.Helper()
	region := func(parent int64) gjson.Result { return me.get("/wx/region/list", "pid", parent).ok().Get("0") }
	province := region(0)
	city := region(province.Get("id").Int())
	county := region(city.Get("id").Int())
	return me.post("/wx/address/save", fields{
		"id": 0, "name": "E2E", "tel": "13800000000", "province": province.Get("name").String(),
		"city": city.Get("name").String(), "county": county.Get("name").String(), "areaCode": county.Get("code").String(),
		"addressDetail": "Long Street 1", "isDefault": false,
	}).ok().Int()
}

// put adds pieces of a product for immediate purchase and returns the cart item.
func (me shopper) put(g goods, number int) int64 {
	me.s.t.Helper()
	return me.post("/wx/cart/fastadd", fields{"goodsId": g.id, "productId": g.product, "number": number}).ok().Int()
}

// order submits a cart item without a coupon, and returns the order.
func (me shopper) order(g goods, number int) int64 {
	me.s.t.Helper()
	body := fields{"cartId": me.put(g, number), "addressId": me.address, "couponId": -1}
	return me.post("/wx/order/submit", body).ok().Get("orderId").Int()
}

// pay pays an order in the sandbox, which notifies the shop a moment later.
func (me shopper) pay(order int64) {
	me.s.t.Helper()
	me.post("/wx/order/prepay", fields{"orderId": order}).ok()
	me.becomes(order, paid)
}

// becomes waits until an order is in a state.
func (me shopper) becomes(order, state int64) {
	me.s.t.Helper()
	me.s.eventually(fmt.Sprintf("order %d is in state %d", order, state), func() bool {
		return me.get("/wx/order/detail", "orderId", order).ok().Get("orderInfo.orderStatus").Int() == state
	})
}

// is checks the state of an order and returns the shopper's view of it.
func (me shopper) is(order, state int64) gjson.Result {
	me.s.t.Helper()
	data := me.get("/wx/order/detail", "orderId", order).ok()
	equal(me.s, "state of the order", state, data.Get("orderInfo.orderStatus").Int())
	return data
}

// does calls an operation on an order.
func (me shopper) does(what string, order int64) answer {
	me.s.t.Helper()
	return me.post("/wx/order/"+what, fields{"orderId": order})
}

// bought returns an order of several pieces that was paid, shipped and received.
func (me shopper) bought(g goods, number int) int64 {
	me.s.t.Helper()
	order := me.order(g, number)
	me.pay(order)
	me.s.super().post("/admin/order/ship", parcel(order)).ok()
	me.does("confirm", order).ok()
	return order
}

// parcel is the body that ships an order.
func parcel(order int64) fields {
	return fields{"orderId": order, "shipChannel": "ZTO", "shipSn": fmt.Sprintf("E2E%d", order)}
}

// freight is the shop's freight for goods of this price.
func (s *scenario) freight(price int64) int64 {
	s.t.Helper()
	rule := s.super().get("/admin/config/express").ok()
	if float64(price) >= 100*rule.Get("litemall_express_freight_min").Float() {
		return 0
	}
	return int64(math.Round(100 * rule.Get("litemall_express_freight_value").Float()))
}
