package cart_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/services/storefront/internal/apitest"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	tea := s.Domain.Product("tea", 4550, 10)
	lin.POST(add, wish(tea, "2")).OK()
	for value, want := range map[string]bool{
		"1": true, "0": false, "true": true, "false": false, `"1"`: true, `"0"`: false, "2": false, "-1": false, "1.0": true,
	} {
		var got shown
		lin.POST(checked, `{"productIds":[%d],"isChecked":%s}`, tea.ProductID, value).Data(&got)
		require.Equal(t, want, got.CartList[0].Checked, value)
		require.Equal(t, 2, got.CartTotal.GoodsCount)
		require.Equal(t, want, got.CartTotal.CheckedGoodsCount == 2)
		require.Equal(t, want, got.CartTotal.CheckedGoodsAmount == "91.00")
	}
	lin.POST(checked, `{"productIds":["%d",99],"isChecked":1}`, tea.ProductID).OK()
	lin.POST(checked, `{"productIds":[],"isChecked":0}`).OK()
	require.EqualValues(t, 1, s.Domain.Int("SELECT checked FROM cart"))
	for body, want := range map[string]*errno.Code{
		`{"isChecked":1}`:                                                    errno.Missing,
		`{"productIds":[1]}`:                                                 errno.Missing,
		`{"productIds":null,"isChecked":1}`:                                  errno.Missing,
		`{"productIds":1,"isChecked":1}`:                                     errno.Invalid,
		`{"productIds":["x"],"isChecked":1}`:                                 errno.Invalid,
		`{"productIds":[[1]],"isChecked":1}`:                                 errno.Invalid,
		`{"productIds":[null],"isChecked":1}`:                                errno.Invalid,
		`{"productIds":[1],"isChecked":"yes"}`:                               errno.Invalid,
		`{"productIds":[1.5],"isChecked":1}`:                                 errno.Invalid,
		`{"productIds":[1` + strings.Repeat(",1", 1000) + `],"isChecked":1}`: errno.Invalid,
	} {
		lin.POST(checked, "%s", body).Fails(want)
	}
	for body, want := range map[string]*errno.Code{
		``:                          errno.Missing,
		`{"productIds":[]}`:         errno.Missing,
		`{"productIds":1}`:          errno.Invalid,
		`{"productIds":["1 or 1"]}`: errno.Invalid,
	} {
		lin.POST(toDelete, "%s", body).Fails(want)
	}
}

// What cannot be bought is neither shown nor counted; reading changes and deletes nothing, and the next change
// deselects it.
func TestRowsThatAreNotLive(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]string{
		"off the shelf":     "UPDATE goods SET is_on_sale = 0 WHERE name = 'pot'",
		"goods deleted":     "UPDATE goods SET deleted = 1 WHERE name = 'pot'",
		"product deleted":   "UPDATE goods_product SET deleted = 1 WHERE price = 120",
		"product elsewhere": "UPDATE cart SET goods_id = 1",
	} {
		t.Run(name, func(t *testing.T) {
			s := apitest.Open(t)
			lin := s.Shopper("lin").In(t)
			tea, pot := s.Domain.Product("tea", 4550, 10), s.Domain.Product("pot", 12000, 3)
			lin.POST(add, wish(tea, "2")).OK()
			lin.POST(add, wish(pot, "1")).OK()
			s.Domain.Exec(spoil)
			before := s.Domain.Text(rows)
			lin.GET(index).OK().Golden("index_live_only")
			var n int
			lin.GET(count).Data(&n)
			require.Equal(t, 2, n)
			require.Equal(t, before, s.Domain.Text(rows), "reading changes nothing")
			lin.POST(checked, `{"productIds":[%d,%d],"isChecked":1}`, tea.ProductID, pot.ProductID).OK().Golden("index_live_only")
			require.Zero(t, s.Domain.Int("SELECT checked FROM cart WHERE product_id = ?", pot.ProductID))
		})
	}
}

// Prices and names are read from the catalogue whenever they are shown.
func TestShownAsTheCatalogueSaysNow(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	lin.POST(add, wish(s.Domain.Product("tea", 4550, 10), "2")).OK()
	s.Domain.Exec("UPDATE goods SET name = 'green tea'")
	s.Domain.Exec("UPDATE goods_product SET price = 50.00, url = 'http://shop.test/own.png'")
	var got shown
	lin.GET(index).Data(&got)
	require.Equal(t, "green tea", got.CartList[0].GoodsName)
	require.Equal(t, json.Number("50.00"), got.CartList[0].Price)
	require.Equal(t, "http://shop.test/own.png", got.CartList[0].PicURL)
	require.Equal(t, json.Number("100.00"), got.CartTotal.GoodsAmount)
}

// Missing members are reported.
func TestRequiredMembers(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	tea := s.Domain.Product("tea", 4550, 10)
	for _, path := range []string{add, fastAdd, update} {
		full := map[string]string{"id": "1", "goodsId": fmt.Sprint(tea.GoodsID), "productId": fmt.Sprint(tea.ProductID), "number": "1"}
		for left := range full {
			if left == "id" && path != update {
				continue
			}
			var members []string
			for name, value := range full {
				if name != left {
					members = append(members, `"`+name+`":`+value)
				}
			}
			lin.POST(path, "%s", "{"+strings.Join(members, ",")+"}").Fails(errno.Missing)
		}
		lin.POST(path, ``).Fails(errno.Missing)
		lin.POST(path, `[]`).Fails(errno.Invalid)
		lin.POST(path, `{"goodsId":`).Fails(errno.Invalid)
		lin.POST(path, `{"id":1,"goodsId":1,"productId":9007199254740993,"number":1}`).Fails(errno.Invalid)
		lin.POST(path, `{"id":1,"goodsId":"1 or 1=1","productId":1,"number":1}`).Fails(errno.Invalid)
		lin.POST(path, "%s", `{"goodsId":`+strings.Repeat("[", 10_000)).Fails(errno.Invalid)
		a := lin.POST(path, "%s", `{"goodsId":"`+strings.Repeat("x", 2<<20)+`"}`).Fails(errno.Invalid)
		require.Equal(t, 413, a.Status)
	}
	require.Empty(t, s.Domain.Text(rows))
}

func TestTheSameKeyAddsOnce(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	tea := s.Domain.Product("tea", 4550, 10)
	keyed := lin.With("Idempotency-Key", "one")
	first := keyed.POST(add, wish(tea, "2")).OK()
	require.Equal(t, string(first.Body), string(keyed.POST(add, wish(tea, "2")).OK().Body))
	keyed.POST(add, wish(tea, "3")).Fails(errno.Invalid)
	require.EqualValues(t, 2, s.Domain.Int("SELECT number FROM cart"))
	lin.POST(add, wish(tea, "2")).OK()
	require.EqualValues(t, 4, s.Domain.Int("SELECT number FROM cart"))
}

// A change that repeatedly loses conflicts leaves nothing behind and asks for a retry.
func TestConflict(t *testing.T) {
	t.Parallel()
	s := apitest.Open(t)
	lin := s.Shopper("lin")
	tea := s.Domain.Product("tea", 4550, 10)
	lin.POST(add, wish(tea, "2")).OK()
	before := s.Domain.Text(rows)
	for path, tt := range map[string]struct{ statement, body string }{
		add:      {"INSERT INTO cart", wish(tea, "1")},
		fastAdd:  {"INSERT INTO cart", wish(tea, "1")},
		update:   {"UPDATE cart", change(1, tea, "1")},
		checked:  {"UPDATE cart", fmt.Sprintf(`{"productIds":[%d],"isChecked":0}`, tea.ProductID)},
		toDelete: {"UPDATE cart", fmt.Sprintf(`{"productIds":[%d]}`, tea.ProductID)},
	} {
		s.API.Count = func(ctx context.Context) (context.Context, func() int) { return domaintest.Conflict(ctx, tt.statement) }
		lin.POST(path, "%s", tt.body).Fails(errno.Stale)
		require.Equal(t, before, s.Domain.Text(rows))
	}
}
