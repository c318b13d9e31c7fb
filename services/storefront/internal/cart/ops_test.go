package cart_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	domaincart "shop.internal/pkg/domain/cart"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/storefront/internal/apitest"
	"shop.internal/services/storefront/internal/cart"
)

func TestMain(m *testing.M) { os.Exit(optest.Main(m, cart.Ops(cart.Deps{})...)) }

const (
	index    = "/wx/cart/index"
	count    = "/wx/cart/goodscount"
	add      = "/wx/cart/add"
	fastAdd  = "/wx/cart/fastadd"
	update   = "/wx/cart/update"
	checked  = "/wx/cart/checked"
	toDelete = "/wx/cart/delete"
)

// wish is the body of add and fastadd; number is JSON.
func wish(w domaincart.AddRequest, number string) string {
	return fmt.Sprintf(`{"goodsId":%d,"productId":%d,"number":%s}`, w.GoodsID, w.ProductID, number)
}

func change(row int64, w domaincart.AddRequest, number string) string {
	return fmt.Sprintf(`{"id":%d,"goodsId":%d,"productId":%d,"number":%s}`, row, w.GoodsID, w.ProductID, number)
}

// shown is a cart with the digits of its sums.
type shown struct {
	CartList []struct {
		GoodsName, PicURL string
		Price             json.Number
		Checked           bool
	}
	CartTotal struct {
		GoodsCount, CheckedGoodsCount   int
		GoodsAmount, CheckedGoodsAmount json.Number
	}
}

// rows is the stored content of all carts.
const rows = "SELECT COALESCE(GROUP_CONCAT(CONCAT_WS('|', id, user_id, goods_id, product_id, number, checked, deleted, " +
	"update_time) ORDER BY id SEPARATOR ';'), '') FROM cart"

func TestACartFromFirstToLast(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	tea, pot := s.Domain.Product("tea", 4550, 10), s.Domain.Product("pot", 12000, 3)
	lin.GET(index).OK().Golden("index_empty")
	lin.POST(add, wish(tea, "2")).OK().Golden("add")
	s.Domain.Clock.Move(time.Minute)
	lin.POST(add, wish(tea, `"3"`)).OK().Golden("add_again")
	lin.POST(fastAdd, wish(pot, "1")).Is("3")
	lin.GET(index).OK().Golden("index")
	lin.GET(count).OK().Golden("goodscount")
	lin.POST(update, change(1, tea, "4")).OK()
	lin.POST(checked, `{"productIds":[%d],"isChecked":0}`, pot.ProductID).OK().Golden("checked").Within(5)
	lin.POST(toDelete, `{"productIds":[%d]}`, tea.ProductID).OK().Golden("delete")
	lin.POST(toDelete, `{"productIds":[%d,99]}`, tea.ProductID).OK().Golden("delete") // again
	// A row that was removed starts over: its number, its selection, its time.
	lin.POST(checked, `{"productIds":[%d],"isChecked":0}`, tea.ProductID).OK()
	s.Domain.Clock.Move(time.Hour)
	lin.POST(add, wish(tea, "1")).OK()
	lin.GET(index).OK().Golden("index_put_back")
}

func TestGuestsHaveNoCart(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	s.Guest().GET(count).Is("0").Within(0)
	s.Guest().With("X-Shop-Token", "unknown").GET(count).Is("0")
	s.Guest().GET(index).Fails(errno.LoginRequired)
	for _, path := range []string{add, fastAdd, update, checked, toDelete} {
		s.Guest().POST(path, `{`).Fails(errno.LoginRequired)
		s.Shopper("shopper of " + path).GET(path).Fails(errno.WrongMethod)
	}
}

// Numbers are integers above 0 and within the stock.
func TestNumbers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		number string
		want   *errno.Code
		stored int64
	}{
		{"-5", errno.Invalid, 0},
		{"0", errno.Invalid, 0},
		{"1.5", errno.Invalid, 0},
		{"2147483648", errno.Invalid, 0},
		{"1e300", errno.Invalid, 0},
		{`"1.0"`, errno.Invalid, 0},
		{`"x"`, errno.Invalid, 0},
		{"[1]", errno.Invalid, 0},
		{"{}", errno.Invalid, 0},
		{"true", errno.Invalid, 0},
		{"null", errno.Missing, 0},
		{`" "`, errno.Missing, 0},
		{"1", errno.OK, 1},
		{`"1"`, errno.OK, 1},
		{`" 7 "`, errno.OK, 7},
		{"5.0", errno.OK, 5},
		{"1e3", errno.OK, 1000},
		{"32768", errno.OK, 32768},
		{"100000", errno.OK, 100_000},
		{"100001", errno.GoodsNoStock, 0},
		{"2147483647", errno.GoodsNoStock, 0},
	}
	s := apitest.Open(t)
	rice := s.Domain.Product("rice", 100, 100_000)
	shopper := s.Domain.Shopper("lin")
	for _, path := range []string{add, fastAdd, update} {
		for _, tt := range tests {
			t.Run(path+" "+tt.number, func(t *testing.T) {
				s.Domain.Exec("DELETE FROM cart")
				body, stored := wish(rice, tt.number), tt.stored
				if path == update {
					rice := rice
					rice.Number = 9
					row, err := s.Domain.Cart.Set(t.Context(), shopper, rice)
					require.NoError(t, err)
					body = change(row, rice, tt.number)
					if tt.want != errno.OK {
						stored = 9
					}
				}
				s.As(shopper).In(t).POST(path, "%s", body).Fails(tt.want)
				require.Equal(t, stored, s.Domain.Int("SELECT COALESCE(SUM(number), 0) FROM cart"))
			})
		}
	}
}

// Two adds of 20000 are 40000.
func TestSumsDoNotWrapRound(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	rice := s.Domain.Product("rice", 100, 100_000)
	lin := s.Shopper("lin")
	var n int
	lin.POST(add, wish(rice, "20000")).Data(&n)
	require.Equal(t, 20_000, n)
	lin.POST(add, wish(rice, "20000")).Data(&n)
	require.Equal(t, 40_000, n)
	lin.POST(add, wish(rice, "60001")).Fails(errno.GoodsNoStock)
	lin.POST(add, wish(rice, "2147483647")).Fails(errno.GoodsNoStock)
	lin.GET(count).Data(&n)
	require.Equal(t, 40_000, n)
	lin.POST(add, wish(rice, "60000")).Data(&n)
	require.Equal(t, 100_000, n)
}

// More than the stock answers 711 in each operation.
func TestRefused(t *testing.T) {
	t.Parallel()
	type world struct {
		*apitest.Shop
		tea domaincart.AddRequest
	}
	tests := map[string]struct {
		arrange func(w *world)
		want    *errno.Code
		says    string
	}{
		"goods off the shelf": {
			arrange: func(w *world) { w.Domain.Exec("UPDATE goods SET is_on_sale = 0") },
			want:    errno.GoodsUnshelved,
		},
		"deleted goods": {
			arrange: func(w *world) { w.Domain.Exec("UPDATE goods SET deleted = 1") },
			want:    errno.GoodsUnshelved,
		},
		"a deleted product": {
			arrange: func(w *world) { w.Domain.Exec("UPDATE goods_product SET deleted = 1") },
			want:    errno.GoodsInvalid,
		},
		"off the shelf before no stock": {
			arrange: func(w *world) { w.Domain.Exec("UPDATE goods SET is_on_sale = 0"); w.tea.Number = 99 },
			want:    errno.GoodsUnshelved,
		},
		"more than there is": {
			arrange: func(w *world) { w.tea.Number = 11 }, want: errno.GoodsNoStock, says: "库存不足，仅剩 10 件",
		},
		"nothing left": {
			arrange: func(w *world) { w.Domain.Exec("UPDATE goods_product SET number = 0") },
			want:    errno.GoodsNoStock, says: "库存不足",
		},
	}
	for _, path := range []string{add, fastAdd, update} {
		for name, tt := range tests {
			t.Run(path+" "+name, func(t *testing.T) {
				s := apitest.Open(t)
				shopper := s.Domain.Shopper("lin")
				w := &world{Shop: s, tea: s.Domain.Product("tea", 4550, 10)}
				row, err := s.Domain.Cart.Set(t.Context(), shopper, w.tea)
				require.NoError(t, err)
				tt.arrange(w)
				body := wish(w.tea, fmt.Sprint(w.tea.Number))
				if path == update {
					body = change(row, w.tea, fmt.Sprint(w.tea.Number))
				}
				before := s.Domain.Text(rows)
				s.Domain.Clock.Move(time.Minute)
				a := s.As(shopper).In(t).POST(path, "%s", body).Fails(tt.want)
				if tt.says != "" {
					a.Says(tt.says)
				}
				require.Equal(t, before, s.Domain.Text(rows))
			})
		}
	}
}

// A product belongs to its goods: under other goods it would bypass their coupons and their availability, so it is
// refused.
func TestProductsOfOtherGoods(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	tea, pot := s.Domain.Product("tea", 4550, 10), s.Domain.Product("pot", 12000, 3)
	mixed := domaincart.AddRequest{GoodsID: pot.GoodsID, ProductID: tea.ProductID}
	for _, path := range []string{add, fastAdd} {
		lin.POST(path, wish(mixed, "1")).Fails(errno.GoodsInvalid)
		lin.POST(path, wish(domaincart.AddRequest{GoodsID: 99, ProductID: tea.ProductID}, "1")).Fails(errno.GoodsUnshelved)
		lin.POST(path, wish(domaincart.AddRequest{GoodsID: tea.GoodsID, ProductID: 99}, "1")).Fails(errno.GoodsInvalid)
		lin.POST(path, wish(domaincart.AddRequest{GoodsID: -1, ProductID: -1}, "1")).Fails(errno.GoodsUnshelved)
	}
	lin.POST(add, wish(tea, "1")).OK()
	for _, body := range []string{
		change(1, mixed, "1"), change(1, pot, "1"), change(1, domaincart.AddRequest{GoodsID: tea.GoodsID, ProductID: pot.ProductID}, "1"),
		change(99, tea, "1"), change(0, tea, "1"), change(-1, tea, "1"),
	} {
		lin.POST(update, "%s", body).Fails(errno.Invalid)
	}
	lin.POST(toDelete, `{"productIds":[%d]}`, tea.ProductID).OK()
	lin.POST(update, change(1, tea, "1")).Fails(errno.Invalid)
}

// Rows of another shopper are answered as if they did not exist.
func TestAnothersRow(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin, mei := s.Shopper("lin"), s.Shopper("mei")
	tea := s.Domain.Product("tea", 4550, 10)
	mei.POST(add, wish(tea, "2")).OK()
	before := s.Domain.Text(rows)
	s.Domain.Clock.Move(time.Minute)
	require.Equal(t,
		string(lin.POST(update, change(99, tea, "1")).Fails(errno.Invalid).Body),
		string(lin.POST(update, change(1, tea, "1")).Fails(errno.Invalid).Body))
	lin.POST(checked, `{"productIds":[%d],"isChecked":0}`, tea.ProductID).OK().Golden("index_empty")
	lin.POST(toDelete, `{"productIds":[%d]}`, tea.ProductID).OK().Golden("index_empty")
	require.Equal(t, before, s.Domain.Text(rows))
}
