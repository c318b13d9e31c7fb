package catalog_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
	"shop.internal/services/admin/internal/apitest"
)

// What counts is the whole stock of a product, that of its parts too, and not that of a deleted one.
func TestLowStock(t *testing.T) {
	t.Parallel()
	w := apitest.Open(t)
	s := w.Shop
	for name, number := range map[string]int{"nine": 9, "ten": 10, "one": 1, "none": 0, "split": 0, "gone": 11} {
		s.Product(name, money.Yuan(1), number)
	}
	s.Exec("UPDATE goods_product SET stock_mode = 1 WHERE goods_id = (SELECT id FROM goods WHERE name = 'split')")
	s.Exec("INSERT INTO stock_bucket (product_id, bucket_no, available, update_time) SELECT p.id, 1, 30, NOW() " +
		"FROM goods_product p JOIN goods g ON g.id = p.goods_id WHERE g.name = 'split'")
	s.Exec("INSERT INTO goods_product (goods_id, specifications, price, number, deleted, del_mark, add_time, update_time) " +
		"SELECT g.id, '[]', 1, n.n, 1, n.n, NOW(), NOW() FROM goods g, (SELECT 7 AS n UNION ALL SELECT 27) n WHERE g.name = 'gone'")
	c := w.Super()
	type row struct {
		Name  string
		Stock int
	}
	names := func(query string) string {
		var found struct{ List []row }
		c.GET("%s", "/admin/goods/list?"+query).Data(&found)
		all := make([]string, len(found.List))
		for i, g := range found.List {
			all[i] = g.Name
			require.False(t, g.Name == "gone" && g.Stock != 11, "a deleted product does not count")
		}
		return strings.Join(all, " ")
	}
	require.Equal(t, "none one nine", names("stock=low&sort=stock&order=asc"))
	require.Equal(t, "none", names("stock=out"))
	require.Equal(t, "none one nine ten gone split", names("sort=stock&order=asc"))
	restock := func(name string, number int) {
		s.Exec("UPDATE goods_product SET number = ? WHERE goods_id = (SELECT id FROM goods WHERE name = ?)", number, name)
	}
	// The list of what is low is a minute old at most; what was stocked up is left out at once.
	restock("one", 100)
	require.Equal(t, "none nine", names("stock=low&sort=stock&order=asc"))
	restock("none", 5)
	require.Empty(t, names("stock=out"))
}
