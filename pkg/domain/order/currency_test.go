package order_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/settings"
)

// inCurrency changes the currency of a shop in a process.
func inCurrency(t *testing.T, d *app.Domain, code string) error {
	t.Helper()
	return d.Settings.Save(called(t.Context(), "r", "编辑"), settings.Mall, map[string]string{"litemall_mall_currency": code})
}

// buying returns what submits an order of a product in a process.
func buying(t *testing.T, s *domaintest.Shop, shopper int64, w cart.AddRequest) func(d *app.Domain) error {
	t.Helper()
	row, err := s.Cart.Set(t.Context(), shopper, w)
	require.NoError(t, err)
	choice := order.Choice{Cart: row, Address: s.Address(shopper)}
	return func(d *app.Domain) error {
		_, err := d.Orders.Submit(t.Context(), shopper, order.Submission{Choice: choice})
		return err
	}
}

func sameConfig(*app.Config) {}

// The currency is chosen before the first order and stays then, also when the order is gone.
func TestTheCurrencyIsFixedByTheFirstOrder(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	for _, code := range []string{"USD", "EUR", "CNY", "EUR"} {
		require.NoError(t, inCurrency(t, s.Domain, code))
	}
	for _, code := range []string{"", "eur", "KWD", "TND", "XXX"} {
		require.ErrorIs(t, inCurrency(t, s.Domain, code), errno.Invalid, code)
	}
	lin := s.Shopper("lin")
	id := s.Order(lin, s.Product("tea", 990, 10))
	require.NoError(t, s.Orders.Cancel(t.Context(), lin, id))
	require.NoError(t, s.Orders.Delete(called(t.Context(), "r", "删除"), clerk, id))
	err := inCurrency(t, s.Domain, "USD")
	require.ErrorIs(t, err, errno.Invalid)
	require.Equal(t, "there are orders, so the currency stays", errno.Text(err, text.English))
	require.NoError(t, inCurrency(t, s.Domain, "EUR"), "it does not change")
}

// A process that has not heard of the other currency places no order in the old one.
func TestPricedInAnotherCurrency(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	buy := buying(t, s, s.Shopper("lin"), s.Product("tea", 1000, 10))
	there := s.With(sameConfig)
	_, err := there.Settings.Now(t.Context())
	require.NoError(t, err)
	require.NoError(t, inCurrency(t, s.Domain, "USD"))
	require.ErrorIs(t, buy(there), errno.Stale)
	require.NoError(t, buy(there), "it has heard of it now")
	require.ErrorIs(t, inCurrency(t, s.Domain, "EUR"), errno.Invalid)
}

// Of the first order and another currency at the same moment, one is refused.
func TestAnotherCurrencyWhileTheFirstOrderIsPlaced(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin, tea := s.Shopper("lin"), s.Product("tea", 1000, 1000)
	for range 4 * rounds {
		buy := buying(t, s, lin, tea)
		here, there := s.With(sameConfig), s.With(sameConfig)
		_, err := there.Settings.Now(t.Context())
		require.NoError(t, err)
		was := s.Text("SELECT COALESCE(MAX(key_value), 'CNY') FROM system_config WHERE key_name = 'litemall_mall_currency'")
		code := map[string]string{"CNY": "USD", "USD": "EUR", "EUR": "USD"}[was]
		counts := domaintest.AtOnce(func() error { return inCurrency(t, here, code) }, func() error { return buy(there) })
		require.Equal(t, 1, counts[0], counts)
		orders, now := s.Int("SELECT COUNT(*) FROM orders"),
			s.Text("SELECT COALESCE(MAX(key_value), 'CNY') FROM system_config WHERE key_name = 'litemall_mall_currency'")
		require.Equal(t, orders == 1, now == was, "%d orders, from %s to %s", orders, was, now)
		s.Exec("DELETE FROM order_goods")
		s.Exec("DELETE FROM orders")
	}
}

// Where the currency has no decimals, no amount has any: such are refused, and computed ones are whole.
func TestACurrencyWithoutDecimals(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	ctx := called(t.Context(), "r", "编辑")
	freight := func(value string) error {
		return s.Settings.Save(ctx, settings.Express, map[string]string{"litemall_express_freight_value": value})
	}
	lin := s.Shopper("lin")
	tea := s.Product("tea", 990, 10)
	require.ErrorIs(t, inCurrency(t, s.Domain, "JPY"), errno.Invalid, "the price has decimals")
	s.Exec("UPDATE goods_product SET price = 900")
	coupon, _ := s.Coupon(lin, 150, 1000)
	require.ErrorIs(t, inCurrency(t, s.Domain, "JPY"), errno.Invalid, "the coupon has decimals")
	s.Exec("UPDATE coupon SET discount = 100 WHERE id = ?", coupon)
	require.NoError(t, freight("8.5"))
	require.ErrorIs(t, inCurrency(t, s.Domain, "JPY"), errno.Invalid, "the freight has decimals")
	require.NoError(t, freight("8"))
	s.Exec("INSERT INTO freight_rule (freight_id, regions, first_units, first_price, further_units, further_price) " +
		"VALUES (1, '', 1, 8.50, 1, 1)")
	require.ErrorIs(t, inCurrency(t, s.Domain, "JPY"), errno.Invalid, "a template has decimals")
	s.Exec("DELETE FROM freight_rule")
	require.NoError(t, inCurrency(t, s.Domain, "JPY"))
	require.ErrorIs(t, freight("8.5"), errno.Invalid)
	require.NoError(t, freight("500.00"))

	cells := make([]string, len(catalog.CSVHeader()))
	cells[slices.Index(catalog.CSVHeader(), "price")] = "9.90"
	_, faults, err := s.Catalog.CheckCSV(ctx, []byte(strings.Join(catalog.CSVHeader(), ",")+"\n"+strings.Join(cells, ",")))
	require.NoError(t, err)
	require.True(t, slices.ContainsFunc(faults, func(f catalog.Fault) bool { return f.Reason == "decimals" }), faults)
	percent := int64(333) // 3.33 per cent of 900 are 29.97
	_, err = s.Catalog.ChangeMany(ctx, catalog.Batch{IDs: []int64{tea.GoodsID}, Percent: &percent})
	require.NoError(t, err)
	require.Equal(t, "930.00", s.Text("SELECT price FROM goods_product"))

	// A price with decimals that was there before is not sold.
	s.Exec("UPDATE goods_product SET price = 930.5")
	buy := buying(t, s, lin, tea)
	err = buy(s.Domain)
	require.ErrorIs(t, err, errno.Invalid)
	require.Contains(t, errno.Text(err, text.English), "JPY")
	s.Exec("UPDATE goods_product SET price = 930")
	require.NoError(t, buy(s.Domain))
}

// The shares of a coupon in the lines of an order are whole amounts of the currency.
func TestSharesOfACouponAreWhole(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{"JPY": "33.00,33.00,34.00", "EUR": "33.33,33.33,33.34"} {
		s := domaintest.Open(t)
		require.NoError(t, inCurrency(t, s.Domain, code))
		lin := s.Shopper("lin")
		_, held := s.Coupon(lin, money.Yuan(100), 0)
		for i := range 3 {
			_, err := s.Cart.Set(t.Context(), lin, s.Product(strconv.Itoa(i), money.Yuan(500), 10))
			require.NoError(t, err)
		}
		_, err := s.Orders.Submit(t.Context(), lin, order.Submission{
			Choice: order.Choice{Address: s.Address(lin), Coupon: s.Int("SELECT MAX(id) FROM coupon"), UserCoupon: held},
		})
		require.NoError(t, err)
		require.Equal(t, want, s.Text("SELECT GROUP_CONCAT(discount_share ORDER BY discount_share) FROM order_goods"), code)
		s.Agree()
	}
}

// A channel is offered where it collects the shop's currency, and the platform is asked for its units.
func TestChannelsOfACurrency(t *testing.T) {
	t.Parallel()
	a := openStripe(t)
	require.NoError(t, inCurrency(t, a.Domain, "JPY"))
	a.offer("toy", "stripe", "transfer")
	id := a.Order(a.lin, a.tea("tea", 10)) // 100.00
	offers, err := a.Orders.PaymentOffers(t.Context(), a.lin, id)
	require.NoError(t, err)
	var codes []string
	for _, o := range offers {
		codes = append(codes, o.Channel.Code)
	}
	require.Equal(t, "[stripe transfer]", fmt.Sprint(codes), "the toy collects CNY")
	_, err = a.Orders.Prepay(t.Context(), a.lin, id, "192.0.2.1", "toy", "")
	require.ErrorIs(t, err, errno.OrderPayFailed)
	number := a.begun(id)
	s := a.platform.Session(number)
	require.Equal(t, []any{"jpy", int64(100)}, []any{s["currency"], s["amount_total"]})
	header, body := a.platform.Pay(number)
	for _, wrong := range []string{"cny", "krw"} { // 1.00 and 100.00
		s["currency"] = wrong
		require.ErrorIs(t, a.take(a.platform.Tell("checkout.session.completed", s)), order.ErrNotTaken)
	}
	s["currency"] = "jpy"
	require.NoError(t, a.take(header, body))
	require.Equal(t, "201|100.00", a.Text("SELECT CONCAT_WS('|', order_status, actual_price) FROM orders"))
	require.NoError(t, a.Orders.AskRefund(t.Context(), a.lin, id))
	err = a.Orders.Refund(t.Context(), clerk, id, 9900)
	require.ErrorIs(t, err, errno.Invalid)
	require.NotContains(t, errno.Text(err, text.English), "100.00", "amounts of the currency have no decimals")
	require.NoError(t, a.Orders.Refund(t.Context(), clerk, id, 10000))
	require.EqualValues(t, 100, a.platform.Refunds["re_1"]["amount"])
	a.Agree()
}
