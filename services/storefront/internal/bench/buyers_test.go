package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/kit/ratio"
)

// pieces is added to the stock of every product of the demo shop.
const pieces = 1000

// buyer is a shopper of the demo shop with a prepared cart: one item for each product, bought one at a time.
type buyer struct {
	id, address int64
	token       string
	rows        []int64
}

// submit is the request that buys the next item alone.
func (u *buyer) submit() []byte {
	return post("/wx/order/submit", u.token, map[string]any{
		"cartId": u.next(), "addressId": u.address, "couponId": 0, "message": "please ring twice",
	})
}

func (u *buyer) next() int64 {
	if len(u.rows) == 0 {
		panic("the cart is empty: make the shop larger or the measurement shorter")
	}
	row := u.rows[len(u.rows)-1]
	u.rows = u.rows[:len(u.rows)-1]
	return row
}

// buyers logs shoppers in and fills their carts. The stock grows with a row in the ledger, so that the books agree.
// Items are in random order, so that shoppers rarely buy the same product at once.
func (s *shop) buyers(b *testing.B, n int) []*buyer {
	b.Helper()
	s.exec(b, "INSERT INTO stock_log (product_id, reason, delta, ref_key, operator_type, add_time) "+
		"SELECT id, 7, ?, CONCAT('edit:bench-', UUID_SHORT(), ':', id), 2, UTC_TIMESTAMP(3) FROM goods_product", pieces)
	s.exec(b, "UPDATE goods_product SET number = number + ?", pieces)
	all := make([]*buyer, n)
	for i := range all {
		name := fmt.Sprintf("demo%d", i+1)
		u := &buyer{token: s.login(b, name)}
		all[i] = u
		require.NoError(b, s.db.QueryRowContext(b.Context(), "SELECT u.id, a.id FROM user u "+
			"JOIN address a ON a.user_id = u.id AND a.deleted = 0 WHERE u.username = ? ORDER BY a.id LIMIT 1", name).Scan(&u.id, &u.address))
		s.exec(b, "INSERT INTO cart (user_id, goods_id, goods_sn, goods_name, product_id, price, number, specifications, "+
			"checked, pic_url, add_time, update_time) SELECT ?, g.id, g.goods_sn, g.name, p.id, p.price, 1, p.specifications, 1, "+
			"g.pic_url, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) FROM goods_product p JOIN goods g ON g.id = p.goods_id "+
			"WHERE g.is_on_sale = 1 AND g.deleted = 0 AND p.deleted = 0 "+
			"ON DUPLICATE KEY UPDATE deleted = 0, number = 1", u.id)
		u.rows = s.rows(b, u.id)
		rand.Shuffle(len(u.rows), func(i, j int) { u.rows[i], u.rows[j] = u.rows[j], u.rows[i] })
	}
	return all
}

// rows are the ids of a shopper's cart items.
func (s *shop) rows(b *testing.B, shopper int64) []int64 {
	b.Helper()
	rows, err := s.db.QueryContext(b.Context(), "SELECT id FROM cart WHERE user_id = ? AND deleted = 0", shopper)
	require.NoError(b, err)
	defer rows.Close()
	var all []int64
	for rows.Next() {
		var id int64
		require.NoError(b, rows.Scan(&id))
		all = append(all, id)
	}
	require.NoError(b, rows.Err())
	return all
}

func (s *shop) login(b *testing.B, name string) string {
	b.Helper()
	c, err := ratio.Dial(b.Context(), s.address)
	require.NoError(b, err)
	defer c.Close()
	body, err := c.Do(post("/wx/auth/login", "", map[string]any{"username": name, "password": "demo-shop-1"}))
	require.NoError(b, err)
	var answer struct {
		Data struct {
			Token string `json:"token"`
		} `json:"data"`
	}
	require.NoError(b, json.NewDecoder(bytes.NewReader(body)).Decode(&answer))
	require.NotEmpty(b, answer.Data.Token, string(body))
	return answer.Data.Token
}

func (s *shop) exec(b *testing.B, statement string, args ...any) {
	b.Helper()
	_, err := s.db.ExecContext(b.Context(), statement, args...)
	require.NoError(b, err)
}
