package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A template of the shop or of a file is tried on past orders; nothing is written.
func TestFreightRehearse(t *testing.T) {
	db := database(t)
	_, err := shopctl(t, "migrate")
	require.NoError(t, err)
	for _, statement := range []string{
		"INSERT INTO freight (name, charge, add_time, update_time) VALUES ('pieces', 2, NOW(), NOW())",
		`INSERT INTO freight_rule (freight_id, regions, first_units, first_price, further_units, further_price)
			VALUES (1, '[]', 1, 5, 1, 2)`,
		`INSERT INTO orders (user_id, order_sn, order_status, consignee, mobile, address, goods_price, freight_price,
			coupon_price, order_price, actual_price, add_time, update_time)
			VALUES (1, '203001021', 201, 'lin', '1', '西藏自治区拉萨市城关区 1', 30, 8, 0, 38, 38, NOW(), NOW()),
				(1, '203001022', 201, 'lin', '1', '浙江省杭州市西湖区 1', 30, 8, 0, 38, 38, NOW() + INTERVAL 1 SECOND, NOW())`,
		`INSERT INTO order_goods (order_id, goods_id, goods_name, goods_sn, product_id, number, price, specifications, pic_url,
			add_time, update_time) SELECT id, 1, 'tea', '1', 1, 3, 10, '[]', '', NOW(), NOW() FROM orders`,
	} {
		_, err := db.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	out, err := shopctl(t, "freight", "rehearse", "1")
	require.NoError(t, err)
	require.Equal(t, "ORDER      CHARGED  WOULD\n203001022  8.00     9.00\n203001021  8.00     9.00\n"+
		"2 orders, 0 of them not delivered; the others paid 16.00 and would have paid 18.00\n", out)
	file := filepath.Join(t.TempDir(), "template.json")
	write := func(text string) { require.NoError(t, os.WriteFile(file, []byte(text), 0o600)) }
	write(`{"name":"x","charge":2,"rules":[{"firstPrice":6,"furtherPrice":"0.50"},{"regions":[540000],"refused":true}]}`)
	out, err = shopctl(t, "freight", "rehearse", file)
	require.NoError(t, err)
	require.Equal(t, "ORDER      CHARGED  WOULD\n203001022  8.00     7.00\n203001021  8.00     not delivered\n"+
		"2 orders, 1 of them not delivered; the others paid 8.00 and would have paid 7.00\n", out)
	for text, why := range map[string]string{
		`{"charge":2,"rules":[]}`: "exactly one rule must name no region", `{`: "unexpected end of JSON",
		`{"charge":2,"rules":[{"firstPrice":1e99}]}`: "1e99",
	} {
		write(text)
		_, err = shopctl(t, "freight", "rehearse", file)
		require.ErrorContains(t, err, why, text)
	}
	_, err = shopctl(t, "freight", "rehearse", "9")
	require.Error(t, err)
	_, err = shopctl(t, "freight", "rehearse", filepath.Join(t.TempDir(), "nothing.json"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
