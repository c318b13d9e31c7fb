package app_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
)

// nowhere is the id of no row.
const nowhere = 987654321

// twoShoppers is two shoppers who have one of every record each. The ids of the other's rows differ from all other ids, of
// any table, so that each of them can be tried in each field.
type twoShoppers struct {
	*apitest.Shop
	t           *testing.T
	mine, other int64
	tea         cart.AddRequest
	address     int64
	paid        int64 // an order of the caller that may be sent to an address
	// coupon belongs to the other shopper only, and the product only is in no other cart than theirs.
	coupon int64
	only   cart.AddRequest
}

func newTwoShoppers(t *testing.T) *twoShoppers {
	t.Helper()
	p := &twoShoppers{Shop: apitest.Open(t), t: t}
	d := p.Domain
	p.tea = d.Product("tea", 10000, 1000)
	d.Exec("INSERT INTO groupon_rules (goods_id, goods_name, discount, discount_member, expire_time, add_time, "+
		"update_time) VALUES (?, 'tea', 1, 2, ?, ?, ?)", p.tea.GoodsID, d.Clock.Now().AddDate(1, 0, 0), d.Clock.Now(), d.Clock.Now())
	p.mine = d.Shopper("lin")
	p.address = d.Address(p.mine)
	p.createAll(p.mine, d.Product("mine", 10000, 1000))
	p.paid = p.newlyPaid(p.mine)
	start := 1_000_000
	for _, table := range slices.Sorted(maps.Keys(belongings(p.Shop, 0))) { // the same ids in each shop
		if d.Int("SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ? "+
			"AND column_name = 'id' AND extra LIKE '%auto_increment%'", table) == 1 {
			d.Exec("ALTER TABLE `" + table + "` AUTO_INCREMENT = " + strconv.Itoa(start))
			start += 1_000_000
		}
	}
	p.other = d.Shopper("mei")
	p.only = d.Product("other", 10000, 1000)
	p.createAll(p.other, p.only)
	p.coupon = d.Int("SELECT MAX(coupon_id) FROM coupon_user WHERE user_id = ?", p.other)
	return p
}

// newlyPaid returns an order that a shopper has paid.
func (p *twoShoppers) newlyPaid(shopper int64) int64 {
	id := p.Domain.Order(shopper, p.tea)
	p.Domain.Pay(shopper, id)
	return id
}

// createAll gives a shopper an order in every state and a row in every other table of shoppers.
func (p *twoShoppers) createAll(shopper int64, w cart.AddRequest) {
	p.t.Helper()
	d, ctx, now := p.Domain, p.t.Context(), p.Domain.Clock.Now()
	d.Coupon(shopper, 100, 0)
	var order int64
	for _, state := range []int{101, 102, 201, 202, 301, 401} {
		order = d.Order(shopper, w)
		d.Exec("UPDATE orders SET order_status = ?, pay_time = ?, confirm_time = ?, ship_sn = '1', ship_channel = 'ZTO' "+
			"WHERE id = ?", state, now, now, order)
	}
	d.Exec("INSERT INTO groupon (order_id, rules_id, user_id, creator_user_id, status, add_time, update_time) "+
		"VALUES (?, 1, ?, ?, 1, ?, ?)", order, shopper, shopper, now, now)
	d.Exec("INSERT INTO aftersale (order_id, user_id, status, open_mark, add_time, update_time) VALUES (?, ?, 1, 0, ?, ?)",
		order, shopper, now, now)
	d.Exec("INSERT INTO feedback (user_id, content, add_time, update_time) VALUES (?, 'x', ?, ?)", shopper, now, now)
	d.Exec("INSERT INTO comment (value_id, type, user_id, content, star, pic_urls, add_time, update_time) "+
		"VALUES (?, 0, ?, 'good', 5, '[]', ?, ?)", w.GoodsID, shopper, now, now)
	require.NoError(p.t, d.Engagement.SeeGoods(ctx, shopper, w.GoodsID))
	require.NoError(p.t, d.Engagement.Remember(ctx, shopper, "tea"))
	_, err := d.Engagement.Toggle(ctx, shopper, engagement.Goods, w.GoodsID)
	require.NoError(p.t, err)
	_, err = d.Cart.Set(ctx, shopper, w)
	require.NoError(p.t, err)
}

// ids returns the ids of all rows of a shopper.
func (p *twoShoppers) ids(shopper int64) []int64 {
	p.t.Helper()
	var out []int64
	for table, condition := range belongings(p.Shop, shopper) {
		if p.Domain.Int("SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ? "+
			"AND column_name = 'id'", table) == 0 {
			continue
		}
		for last := int64(0); ; {
			last = p.Domain.Int("SELECT COALESCE(MIN(id), 0) FROM `"+table+"` WHERE id > ? AND "+condition, last)
			if last == 0 {
				break
			}
			out = append(out, last)
		}
	}
	return out
}

// value is a valid value for a member, as text.
func (p *twoShoppers) value(s op.Spec, f op.Field) string {
	p.t.Helper()
	wish := p.tea
	if s.Path == "/wx/cart/update" { // which first checks whether the row is one of the product
		wish = p.only
	}
	switch f.Name {
	case "goodsId":
		return strconv.FormatInt(wish.GoodsID, 10)
	case "productId", "productIds":
		return strconv.FormatInt(wish.ProductID, 10)
	case "addressId":
		return strconv.FormatInt(p.address, 10)
	case "orderId":
		if s.Path == "/wx/order/readdress" {
			return strconv.FormatInt(p.paid, 10)
		}
	case "couponId":
		return strconv.FormatInt(p.coupon, 10)
	case "mobile", "tel":
		return "13900000001"
	case "areaCode":
		return "330106"
	case "cartId":
		return "0"
	}
	switch {
	case len(f.Enum) > 0:
		return f.Enum[len(f.Enum)-1]
	case f.Kind == op.Boolean:
		return "false"
	}
	return "1"
}

// send calls an operation with an id in one field and valid values in all required ones.
func (p *twoShoppers) send(c *optest.Client, s op.Spec, field string, id int64) *optest.Answer {
	p.t.Helper()
	query, body := url.Values{}, []string{}
	for _, f := range s.Fields() {
		v := p.value(s, f)
		switch {
		case f.Name == field:
			v = strconv.FormatInt(id, 10)
		case !f.Required && f.Name != "goodsId" && (f.Name != "couponId" || field != "userCouponId"):
			continue
		}
		query.Set(f.Name, v)
		if f.Kind == op.List {
			body = append(body, fmt.Sprintf(`"%s":[%s]`, f.Name, v))
		} else {
			body = append(body, fmt.Sprintf(`"%s":%q`, f.Name, v))
		}
	}
	if s.Method == http.MethodGet {
		return c.GET("%s", path(s)+"?"+query.Encode())
	}
	return c.POST(path(s), "%s", "{"+strings.Join(body, ",")+"}")
}

// named reports whether a field contains ids.
func named(f op.Field) bool { return f.Kind == op.ID || f.Kind == op.List && f.Item.Kind == op.ID }

// shared are the fields in which another shopper's row is meant to be found: an invited shopper sees the group and may
// join it.
func shared() map[string]bool {
	return map[string]bool{"GET /wx/groupon/join grouponId": true, "POST /wx/order/submit grouponLinkId": true}
}

// foreignIDs returns the other shopper's ids that a field could contain.
func (p *twoShoppers) foreignIDs(s op.Spec, f op.Field, ids []int64) []int64 {
	if f.Name == "couponId" && s.Path != "/wx/coupon/receive" {
		return append(ids[:len(ids):len(ids)], p.coupon)
	}
	if f.Kind == op.List {
		return append(ids[:len(ids):len(ids)], p.only.ProductID)
	}
	return ids
}

// Another shopper's rows are answered like unknown ones by every operation, whichever field contains their ids.
func TestTheRowsOfOthers(t *testing.T) {
	t.Parallel()
	p := newTwoShoppers(t)
	me, theirs, state := p.As(p.mine), p.ids(p.other), digest(p.Shop, belongings(p.Shop, p.other))
	// An id that is also one of the caller's own, of whatever table, does not count.
	own := p.ids(p.mine)
	theirs = slices.DeleteFunc(theirs, func(id int64) bool { return slices.Contains(own, id) })
	require.Greater(t, len(theirs), 10)
	before, tried := p.Domain.Text(state), 0
	for _, spec := range p.API.Specs {
		for _, f := range spec.Fields() {
			for _, member := range f.Members {
				require.False(t, named(member), "%s: an id within an object is not tried", spec.Key())
			}
			key := spec.Key() + " " + f.Name
			if !named(f) || shared()[key] {
				continue
			}
			want, takes := p.send(me, spec, f.Name, nowhere).Clean(), optest.Sample(key)
			for _, id := range p.foreignIDs(spec, f, theirs) {
				if !takes() {
					continue
				}
				got := p.send(me, spec, f.Name, id)
				if string(want.Body) != string(got.Body) {
					t.Errorf("%s %d: %s\nand of no row: %s", key, id, got.Body, want.Body)
				}
			}
			require.Equal(t, before, p.Domain.Text(state), key)
			tried++
		}
	}
	// The same calls with the shopper's own ids are answered differently, or the test above would prove nothing.
	require.Greater(t, tried, 50)
	p.requireOwnAccepted()
}

// held reports whether a field is for rows of shoppers and not of the catalogue.
func ownedField(s op.Spec, f op.Field) bool {
	switch f.Name {
	case "orderId", "ogid", "orderGoodsId", "addressId", "cartId":
		return true
	case "productIds":
		return s.Path == "/wx/cart/delete" // checking a checked item changes nothing
	case "id":
		area := strings.Split(s.Path, "/")[2]
		return slices.Contains([]string{"address", "footprint", "aftersale", "cart"}, area)
	}
	return s.Path == "/wx/groupon/detail"
}

// requireOwnAccepted requires that the fields for rows of shoppers accept the ids of the caller's rows.
func (p *twoShoppers) requireOwnAccepted() {
	p.t.Helper()
	me := p.As(p.other)
	for _, spec := range p.API.Specs {
		for _, f := range spec.Fields() {
			if !named(f) || !ownedField(spec, f) || shared()[spec.Key()+" "+f.Name] {
				continue
			}
			p.address = p.Domain.Address(p.other)
			_, err := p.Domain.Cart.Set(p.t.Context(), p.other, p.only)
			require.NoError(p.t, err)
			if spec.Path == "/wx/order/readdress" {
				p.paid = p.newlyPaid(p.other)
			}
			want := p.send(me, spec, f.Name, nowhere)
			differs := func(id int64) bool {
				return string(p.send(me, spec, f.Name, id).Body) != string(want.Body)
			}
			if !slices.ContainsFunc(p.foreignIDs(spec, f, p.ids(p.other)), differs) {
				p.t.Errorf("%s %s: no row of the shopper's own is found", spec.Key(), f.Name)
			}
		}
	}
}
