package storefront

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/test/bench/ratio"
)

const (
	// pieces is added to the stock of every product of the demo shop, and many to that of the hot one.
	pieces = 1000
	many   = 1_000_000
	// prepared is the number of rows in a prepared cart.
	prepared = 5000
)

// item is a product on sale.
type item struct{ goods, product int64 }

// buyer is a shopper of the demo shop with a prepared cart, bought one row at a time, and products to buy otherwise.
type buyer struct {
	id, address int64
	token       string
	rows        []int64
	items       []item
	// from is the address of the client, if the storefront trusts the header.
	from string
	// circle are buyers who buy in turn over one connection, taken those who have; nobody else has none.
	circle []*buyer
	taken  int
}

// turn returns the buyer whose turn it is.
func (u *buyer) turn() *buyer {
	if len(u.circle) == 0 {
		return u
	}
	u.taken++
	return u.circle[u.taken%len(u.circle)]
}

// circles divides buyers among connections.
func circles(all []*buyer, connections int) []*buyer {
	size := len(all) / connections
	heads := make([]*buyer, connections)
	for i := range heads {
		heads[i] = &buyer{circle: all[i*size : (i+1)*size]}
	}
	return heads
}

// post is a request of the buyer.
func (u *buyer) post(path string, body any) []byte {
	return post(path, u.token, body, "X-Forwarded-For: "+u.from)
}

// cancel ends an unpaid order.
func (u *buyer) cancel(c *ratio.Conn, order int64) error {
	return done(c.Do(u.post("/wx/order/cancel", map[string]any{"orderId": order})))
}

// next is the next row of the prepared cart.
func (u *buyer) next() int64 {
	if len(u.rows) == 0 {
		panic("the cart is empty: make it larger or the measurement shorter")
	}
	row := u.rows[len(u.rows)-1]
	u.rows = u.rows[:len(u.rows)-1]
	return row
}

// submit orders one row of the cart, or all that is ticked for row 0, and returns the order.
func (u *buyer) submit(c *ratio.Conn, row int64) (order int64, err error) {
	body, err := c.Do(u.post("/wx/order/submit", map[string]any{
		"cartId": row, "addressId": u.address, "couponId": 0, "message": "please ring twice",
	}))
	if err != nil {
		return 0, err
	}
	var answer struct {
		Errno int `json:"errno"`
		Data  struct {
			OrderID int64 `json:"orderId"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &answer); err != nil || answer.Errno != 0 {
		return 0, errors.Join(err, fmt.Errorf("the order was refused: %s", body))
	}
	return answer.Data.OrderID, nil
}

// add puts a piece into the cart.
func (u *buyer) add(c *ratio.Conn, it item) error {
	return done(c.Do(post("/wx/cart/add", u.token, map[string]any{
		"goodsId": it.goods, "productId": it.product, "number": 1,
	})))
}

// pay begins a payment; the sandbox makes it and notifies the shop. It may do so before the answer, which then says
// that the order is paid.
func (u *buyer) pay(c *ratio.Conn, order int64) error {
	body, err := c.Do(post("/wx/order/prepay", u.token, map[string]any{"orderId": order}))
	if err == nil && bytes.HasPrefix(body, []byte(`{"errno":725,`)) {
		return nil
	}
	return done(body, err)
}

// any is a product that others rarely buy at the same time.
func (u *buyer) any() item { return u.items[rand.N(len(u.items))] }

func done(body []byte, err error) error {
	if err == nil && !bytes.HasPrefix(body, []byte(`{"errno":0,`)) {
		err = fmt.Errorf("the answer is no success: %.200s", body)
	}
	return err
}

// buyers makes shoppers from the first of the demo shop and logs them in. The stock grows with a row in the ledger, so
// that the books agree.
func (s *shop) buyers(b *testing.B, n int) []*buyer {
	b.Helper()
	items := s.items(b)
	s.stock(b, "1 = 1", pieces)
	all := make([]*buyer, n)
	for i := range all {
		u := &buyer{items: items, from: fmt.Sprintf("10.0.%d.%d", i/256, i%256)}
		name := fmt.Sprintf("bench%d", i+1)
		s.exec(b, "INSERT IGNORE INTO user (username, username_key, password_hash, nickname, add_time, update_time) "+
			"SELECT ?, ?, password_hash, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) FROM user WHERE username = 'demo1'", name, name, name)
		u.id = s.number(b, "SELECT id FROM user WHERE username = ?", name)
		s.exec(b, "INSERT INTO address (user_id, name, province, city, county, address_detail, area_code, tel, is_default, "+
			"default_slot, add_time, update_time) SELECT ?, name, province, city, county, address_detail, area_code, tel, 1, 1, "+
			"UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) FROM address a WHERE a.deleted = 0 AND a.area_code > '' AND NOT EXISTS "+
			"(SELECT 1 FROM address x WHERE x.user_id = ?) ORDER BY id LIMIT 1", u.id, u.id)
		u.address = s.number(b, "SELECT id FROM address WHERE user_id = ?", u.id)
		s.exec(b, "UPDATE cart SET deleted = 1 WHERE user_id = ?", u.id)
		u.token = s.login(b, name)
		all[i] = u
	}
	return all
}

// fill gives each buyer a prepared cart, in random order, so that shoppers rarely buy the same product at once.
func (s *shop) fill(b *testing.B, all []*buyer) {
	b.Helper()
	for _, u := range all {
		s.putInCart(b, u.id, 0, prepared)
		u.rows = s.ids(b, "SELECT id FROM cart WHERE user_id = ? AND deleted = 0 ORDER BY RAND()", u.id)
	}
}

// fillApart is fill with few rows for each of many buyers, who buy different products.
func (s *shop) fillApart(b *testing.B, all []*buyer, rows int) {
	b.Helper()
	for i, u := range all {
		s.putInCart(b, u.id, i*rows%(len(u.items)-rows+1), rows)
		u.rows = s.ids(b, "SELECT id FROM cart WHERE user_id = ? AND deleted = 0 ORDER BY RAND()", u.id)
	}
}

// fillCart leaves a shopper with n products in the cart.
func (s *shop) fillCart(b *testing.B, name string, n int) {
	b.Helper()
	id := s.number(b, "SELECT id FROM user WHERE username = ?", name)
	s.exec(b, "UPDATE cart SET deleted = 1 WHERE user_id = ?", id)
	s.putInCart(b, id, 0, n)
}

// putInCart puts n products into a cart, the first one after a number of others.
func (s *shop) putInCart(b *testing.B, shopper int64, after, n int) {
	b.Helper()
	s.exec(b, "INSERT INTO cart (user_id, goods_id, goods_sn, goods_name, product_id, price, number, specifications, "+
		"checked, pic_url, add_time, update_time) SELECT ?, g.id, g.goods_sn, g.name, p.id, p.price, 1, p.specifications, 1, "+
		"COALESCE(NULLIF(p.url, ''), g.pic_url, ''), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) "+
		"FROM goods_product p JOIN goods g ON g.id = p.goods_id "+
		"WHERE g.is_on_sale = 1 AND g.deleted = 0 AND p.deleted = 0 AND p.number > 0 ORDER BY p.id LIMIT ? OFFSET ? "+
		"ON DUPLICATE KEY UPDATE deleted = 0, number = 1", shopper, n, after)
}

// ids returns the ids that a statement finds.
func (s *shop) ids(b *testing.B, statement string, args ...any) (all []int64) {
	b.Helper()
	rows, err := s.db.QueryContext(b.Context(), statement, args...)
	require.NoError(b, err)
	defer rows.Close()
	for rows.Next() {
		var id int64
		require.NoError(b, rows.Scan(&id))
		all = append(all, id)
	}
	require.NoError(b, rows.Err())
	return all
}

// stock adds pieces to products, as edits before the first audit record: a later one would have one.
func (s *shop) stock(b *testing.B, which string, n int) {
	b.Helper()
	s.exec(b, "INSERT INTO stock_log (product_id, reason, delta, ref_key, operator_type, add_time) "+
		"SELECT id, 7, ?, CONCAT('edit:v', UUID_SHORT(), ':', id), 2, "+
		"(SELECT COALESCE(MIN(a.add_time), UTC_TIMESTAMP(3)) FROM audit_log a) - INTERVAL 1 MINUTE "+
		"FROM goods_product WHERE "+which, n)
	s.exec(b, "UPDATE goods_product SET number = number + ? WHERE "+which, n)
}

// items are the products that can be bought.
func (s *shop) items(b *testing.B) (all []item) {
	b.Helper()
	rows, err := s.db.QueryContext(b.Context(), "SELECT g.id, p.id FROM goods_product p JOIN goods g ON g.id = p.goods_id "+
		"WHERE g.is_on_sale = 1 AND g.deleted = 0 AND p.deleted = 0 AND p.number > 0 ORDER BY p.id LIMIT ?", prepared)
	require.NoError(b, err)
	defer rows.Close()
	for rows.Next() {
		var it item
		require.NoError(b, rows.Scan(&it.goods, &it.product))
		all = append(all, it)
	}
	require.NoError(b, rows.Err())
	return all
}

func (s *shop) login(b *testing.B, name string) string {
	b.Helper()
	c, err := ratio.Dial(b.Context(), s.address)
	require.NoError(b, err)
	defer c.Close()
	body, err := c.Do(loginOf(name, "demo-shop-1"))
	require.NoError(b, err)
	var answer struct {
		Data struct {
			Token string `json:"token"`
		} `json:"data"`
	}
	require.NoError(b, json.Unmarshal(body, &answer))
	require.NotEmpty(b, answer.Data.Token, string(body))
	return answer.Data.Token
}

func loginOf(name, password string) []byte {
	return post("/wx/auth/login", "", map[string]any{"username": name, "password": password})
}

func (s *shop) exec(b *testing.B, statement string, args ...any) {
	b.Helper()
	_, err := s.db.ExecContext(b.Context(), statement, args...)
	require.NoError(b, err)
}
