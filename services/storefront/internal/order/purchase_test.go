package order_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/cart"
	domainorder "shop.internal/pkg/domain/order"
)

// row adds pieces of a product to the cart and returns the row.
func (w *world) row(p cart.AddRequest, number int) int64 {
	w.t.Helper()
	p.Number = number
	id, err := w.Domain.Cart.Set(w.t.Context(), w.shopper, p)
	require.NoError(w.t, err)
	return id
}

// preview is what a client uses of a preview.
type preview struct {
	AddressID, CartID, CouponID, UserCouponID, GrouponRulesID   int64
	AvailableCouponLength                                       int
	CouponPrice, GoodsTotalPrice, FreightPrice, OrderTotalPrice json.Number
	ActualPrice, GrouponPrice                                   json.Number
	CheckedAddress                                              struct{ ID int64 }
	CheckedGoodsList                                            []struct{ ID int64 }
}

func (w *world) preview(query string) (p preview) {
	w.t.Helper()
	w.lin.GET(checkout + "?" + query).Data(&p)
	return p
}

func TestCheckout(t *testing.T) {
	t.Parallel()
	w := open(t)
	before := w.books()
	w.lin.GET(checkout).OK().Golden("checkout_empty")
	require.Equal(t, before, w.books())
	w.row(w.tea, 2)
	pot := w.Domain.Product("pot", 1000, 1)
	single := w.row(pot, 1)
	w.lin.GET(checkout).OK().Golden("checkout_without_address")
	to := w.Domain.Address(w.shopper)
	coupon, held := w.Domain.Coupon(w.shopper, money.Yuan(10), money.Yuan(50))
	before = w.books()
	w.lin.GET(checkout+"?cartId=0&addressId=%d&couponId=0&userCouponId=0&grouponRulesId=0", to).
		OK().Golden("checkout")
	w.lin.GET(checkout + "?couponId=-1").OK().Golden("checkout_no_coupon")
	w.lin.GET(checkout+"?cartId=%d", single).OK().Golden("checkout_one_row")
	require.Equal(t, before, w.books(), "a preview changes nothing")
	w.Domain.Exec("UPDATE goods SET is_on_sale = 0 WHERE id = ?", pot.GoodsID)
	w.lin.GET(checkout + "?couponId=-1").OK().Golden("checkout_left_out")
	w.lin.GET(checkout+"?cartId=%d", single).Fails(errno.GoodsUnshelved).Says("「pot」已下架")
	w.lin.POST(submit, `{"cartId":%d,"addressId":%d,"couponId":0}`, single, to).Fails(errno.GoodsUnshelved).Says("「pot」已下架")
	w.Domain.Exec("UPDATE goods SET is_on_sale = 1 WHERE id = ?", pot.GoodsID)
	require.Equal(t, []int64{coupon, held}, []int64{w.preview("couponId=0").CouponID, w.preview("couponId=0").UserCouponID})
}

func TestCheckoutCoupons(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.row(w.tea, 2)
	small, heldSmall := w.Domain.Coupon(w.shopper, 500, 0)
	big, heldBig := w.Domain.Coupon(w.shopper, money.Yuan(10), 0)
	dear, heldDear := w.Domain.Coupon(w.shopper, money.Yuan(50), money.Yuan(1000))
	other, heldOther := w.Domain.Coupon(w.Domain.Shopper("mei"), money.Yuan(20), 0)
	best := [2]int64{big, heldBig}
	for query, want := range map[string][2]int64{
		"":                                  {-1, -1},
		"couponId=-1&userCouponId=10000001": {-1, -1},
		"couponId=-2":                       {-1, -1},
		"couponId=undefined":                {-1, -1},
		"couponId=0":                        best,
		"couponId=0&userCouponId=10000001":  best,
		fmt.Sprint("couponId=", small):      {small, heldSmall},
		fmt.Sprint("couponId=", heldSmall):  {small, heldSmall},
		fmt.Sprintf("couponId=%d&userCouponId=%d", small, heldSmall):     {small, heldSmall},
		fmt.Sprintf("couponId=%d&userCouponId=%d", heldSmall, heldSmall): {small, heldSmall},
		fmt.Sprintf("couponId=%d&userCouponId=-1", small):                {small, heldSmall},
		fmt.Sprintf("couponId=%d&userCouponId=%d", small, heldBig):       best, // not the user coupon
		fmt.Sprintf("couponId=%d&userCouponId=%d", other, heldOther):     best,
		fmt.Sprint("couponId=", heldOther):                               best,
		fmt.Sprintf("couponId=%d&userCouponId=%d", dear, heldDear):       best,
		"couponId=99": best,
	} {
		p := w.preview(query)
		require.Equal(t, want, [2]int64{p.CouponID, p.UserCouponID}, query)
		require.Equal(t, 2, p.AvailableCouponLength)
	}
	w.Domain.Exec("UPDATE coupon SET status = 2")
	p := w.preview("couponId=0")
	require.Equal(t, [2]int64{0, 0}, [2]int64{p.CouponID, p.UserCouponID}, "none fits")
	require.Equal(t, json.Number("0.00"), p.CouponPrice)
	require.Zero(t, p.AvailableCouponLength)
}

func TestCheckoutAddresses(t *testing.T) {
	t.Parallel()
	w := open(t)
	row := w.row(w.tea, 1)
	mei := w.Domain.Shopper("mei")
	hers := w.Domain.Address(mei)
	require.Zero(t, w.preview(fmt.Sprint("addressId=", hers)).AddressID)
	own := w.Domain.Address(w.shopper)
	for _, asked := range []string{"", "0", "-1", "99", fmt.Sprint(hers), fmt.Sprint(own), "null"} {
		p := w.preview("addressId=" + asked)
		require.Equal(t, []int64{own, own}, []int64{p.AddressID, p.CheckedAddress.ID}, asked)
	}
	// Another shopper's row is answered like an unknown one.
	stranger := w.As(mei)
	require.Equal(t,
		string(stranger.GET(checkout+"?cartId=99").Fails(errno.Invalid).Body),
		string(stranger.GET(checkout+"?cartId=%d", row).Fails(errno.Invalid).Body))
	for _, query := range []string{"cartId=x", "cartId=-1", "cartId=1.5", "addressId=x", "couponId=x", "userCouponId=x", "grouponRulesId=x"} {
		w.lin.GET(checkout + "?" + query).Fails(errno.Invalid)
	}
	w.Guest().GET(checkout + "?cartId=x").Fails(errno.LoginRequired)
}

func TestCheckoutRefused(t *testing.T) {
	t.Parallel()
	w := open(t)
	row := w.row(w.tea, 1)
	w.lin.GET(checkout + "?grouponRulesId=1").Fails(errno.Invalid)
	require.Zero(t, w.preview("grouponRulesId=-1").GrouponRulesID)
	w.Domain.Exec("UPDATE goods_product SET number = 0")
	require.Len(t, w.preview("").CheckedGoodsList, 1, "the stock is not looked at")
	w.Domain.Exec("UPDATE goods_product SET deleted = 1")
	w.lin.GET(checkout+"?cartId=%d", row).Fails(errno.GoodsInvalid)
	require.Empty(t, w.preview("").CheckedGoodsList)
	w.Domain.Exec("UPDATE goods SET is_on_sale = 0")
	w.lin.GET(checkout+"?cartId=%d", row).Fails(errno.GoodsUnshelved)
}

func TestFreight(t *testing.T) {
	t.Parallel()
	for cents, want := range map[int]string{8799: "8.00", 8800: "0.00", 8801: "0.00", 1: "8.00"} {
		w := open(t)
		w.row(w.Domain.Product("thing", money.Amount(cents), 1), 1)
		w.Domain.Coupon(w.shopper, money.Yuan(20), 0)
		require.Equal(t, json.Number(want), w.preview("couponId=0").FreightPrice, "before the coupon")
	}
}

// form is a body of submit; members given in more replace earlier ones.
func form(row, to, coupon int64, more string) string {
	return fmt.Sprintf(`{"cartId":%d,"addressId":%d,"couponId":%d%s}`, row, to, coupon, more)
}

func TestSubmit(t *testing.T) {
	t.Parallel()
	w := open(t)
	to := w.Domain.Address(w.shopper)
	w.row(w.tea, 2)
	pot := w.Domain.Product("pot", 12000, 5)
	unticked := w.row(pot, 1)
	_, err := w.Domain.Cart.Check(t.Context(), w.shopper, []int64{pot.ProductID}, false)
	require.NoError(t, err)
	w.lin.POST(submit, "%s", form(0, to, -1, `,"message":"轻拿轻放","userCouponId":null,"grouponRulesId":null,"grouponLinkId":null,`+
		`"actualPrice":0.01,"orderPrice":0.01,"userId":99,"orderStatus":201,"orderSn":"1"`)).OK().Golden("submit").Within(15)
	require.Equal(t, fmt.Sprintf("%d|101|0|林一|13900000001|浙江省杭州市西湖区 文三路 1 号|轻拿轻放|91.00|0.00|0.00|0.00|0.00|91.00|91.00|0", w.shopper),
		w.Domain.Text("SELECT CONCAT_WS('|', user_id, order_status, aftersale_status, consignee, mobile, address, message, goods_price, "+
			"freight_price, coupon_price, integral_price, groupon_price, order_price, actual_price, comments) FROM orders"))
	require.Equal(t, fmt.Sprintf(`%d|SN-tea|tea|%d|2|45.50|["标准"]|http://shop.test/tea.png|0`, w.tea.GoodsID, w.tea.ProductID),
		w.Domain.Text("SELECT CONCAT_WS('|', goods_id, goods_sn, goods_name, product_id, number, price, specifications, pic_url, "+
			"comment_id) FROM order_goods"))
	require.Equal(t, unticked, w.Domain.Int("SELECT id FROM cart WHERE deleted = 0"), "only what was bought leaves the cart")
	require.Equal(t, 98, w.Domain.Stock(w.tea))
	w.lin.POST(submit, "%s", form(0, to, -1, "")).Fails(errno.Invalid)

	// The immediate purchase names its row; other checked rows stay.
	w.row(w.tea, 1)
	w.lin.POST(submit, `{"cartId":"%d","addressId":"%d","couponId":null}`, unticked, to).OK()
	require.EqualValues(t, 1, w.Domain.Int("SELECT COUNT(*) FROM cart WHERE deleted = 0"))
	w.lin.POST(submit, `{"cartId":null,"addressId":%d,"couponId":null}`, to).OK()
	w.Domain.Agree()
}

// A coupon belongs to its holder, and is found by either of its ids.
func TestSubmitWithTheCoupon(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body func(row, to, coupon, held, other int64) string
		want *errno.Code
		paid string
	}{
		"both ids":           {func(r, a, c, h, _ int64) string { return form(r, a, c, fmt.Sprintf(`,"userCouponId":%d`, h)) }, errno.OK, "43.50"},
		"the coupon alone":   {func(r, a, c, _, _ int64) string { return form(r, a, c, "") }, errno.OK, "43.50"},
		"its copy alone":     {func(r, a, _, h, _ int64) string { return form(r, a, h, "") }, errno.OK, "43.50"},
		"its copy twice":     {func(r, a, _, h, _ int64) string { return form(r, a, h, fmt.Sprintf(`,"userCouponId":%d`, h)) }, errno.OK, "43.50"},
		"0 is none":          {func(r, a, _, h, _ int64) string { return form(r, a, 0, fmt.Sprintf(`,"userCouponId":%d`, h)) }, errno.OK, "53.50"},
		"-1 is none":         {func(r, a, _, h, _ int64) string { return form(r, a, -1, fmt.Sprintf(`,"userCouponId":%d`, h)) }, errno.OK, "53.50"},
		"another's copy":     {func(r, a, c, _, o int64) string { return form(r, a, c, fmt.Sprintf(`,"userCouponId":%d`, o)) }, errno.Invalid, ""},
		"another's, alone":   {func(r, a, _, _, o int64) string { return form(r, a, o, "") }, errno.Invalid, ""},
		"an unknown coupon":  {func(r, a, _, _, _ int64) string { return form(r, a, 99, "") }, errno.Invalid, ""},
		"not its copy":       {func(r, a, _, h, _ int64) string { return form(r, a, 99, fmt.Sprintf(`,"userCouponId":%d`, h)) }, errno.Invalid, ""},
		"an unknown address": {func(r, _, c, _, _ int64) string { return form(r, 99, c, "") }, errno.Invalid, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			row, to := w.row(w.tea, 1), w.Domain.Address(w.shopper)
			coupon, held := w.Domain.Coupon(w.shopper, money.Yuan(10), 0)
			mei := w.Domain.Shopper("mei")
			require.NoError(t, w.Domain.Promotions.Receive(t.Context(), mei, coupon))
			other := w.Domain.Int("SELECT id FROM coupon_user WHERE user_id = ?", mei)
			before := w.books()
			w.lin.In(t).POST(submit, "%s", tt.body(row, to, coupon, held, other)).Fails(tt.want)
			if tt.want != errno.OK {
				require.Equal(t, before, w.books())
				return
			}
			require.Equal(t, tt.paid, w.Domain.Text("SELECT actual_price FROM orders"))
			require.Equal(t, tt.paid == "43.50", w.Domain.Int("SELECT COUNT(*) FROM coupon_user WHERE status = 1 AND id = ?", held) == 1)
			w.Domain.Agree()
		})
	}
}

// A coupon above the sum leaves 0.00, and the order is paid, with a time of payment.
func TestNothingToPay(t *testing.T) {
	t.Parallel()
	w := open(t)
	row, to := w.row(w.tea, 1), w.Domain.Address(w.shopper)
	coupon, _ := w.Domain.Coupon(w.shopper, money.Yuan(1000), 0)
	w.lin.POST(submit, "%s", form(row, to, coupon, "")).OK().Golden("submit_nothing_to_pay").Within(22)
	require.Equal(t, "201|53.50|0.00|0.00", w.Domain.Text(
		"SELECT CONCAT_WS('|', order_status, coupon_price, order_price, actual_price) FROM orders WHERE pay_time IS NOT NULL"))
	w.lin.POST(prepay, ref(1)).Fails(errno.OrderInvalidOperation)
	w.Domain.Agree()
}

// Rows of others, deleted rows and goods without enough stock are refused with their codes.
func TestSubmitRefused(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("好", 513)
	tests := map[string]struct {
		spoil, body string
		want        *errno.Code
	}{
		"nothing":               {"", ``, errno.Missing},
		"no cart":               {"", `{"addressId":TO,"couponId":0}`, errno.Missing},
		"no address":            {"", `{"cartId":0,"couponId":0}`, errno.Missing},
		"null address":          {"", `{"cartId":0,"addressId":null,"couponId":0}`, errno.Missing},
		"no coupon":             {"", `{"cartId":0,"addressId":TO}`, errno.Missing},
		"text for a cart":       {"", `{"cartId":"all","addressId":TO,"couponId":0}`, errno.Invalid},
		"negative cart":         {"", `{"cartId":-1,"addressId":TO,"couponId":0}`, errno.Invalid},
		"unknown row":           {"", `{"cartId":99,"addressId":TO,"couponId":0}`, errno.Invalid},
		"address 0":             {"", `{"cartId":0,"addressId":0,"couponId":0}`, errno.Invalid},
		"another's address":     {"", `{"cartId":0,"addressId":HERS,"couponId":0}`, errno.Invalid},
		"deleted address":       {"UPDATE address SET deleted = 1", `{"cartId":0,"addressId":TO,"couponId":0}`, errno.Invalid},
		"another's row":         {"UPDATE cart SET user_id = 77", `{"cartId":1,"addressId":TO,"couponId":0}`, errno.Invalid},
		"deleted row":           {"UPDATE cart SET deleted = 1", `{"cartId":1,"addressId":TO,"couponId":0}`, errno.Invalid},
		"nothing ticked":        {"UPDATE cart SET checked = 0", `{"cartId":0,"addressId":TO,"couponId":0}`, errno.Invalid},
		"a long message":        {"", `{"cartId":0,"addressId":TO,"couponId":0,"message":"` + long + `"}`, errno.Invalid},
		"an object as message":  {"", `{"cartId":0,"addressId":TO,"couponId":0,"message":{}}`, errno.Invalid},
		"a list as row":         {"", `{"cartId":[1],"addressId":TO,"couponId":0}`, errno.Invalid},
		"10,000 brackets":       {"", `{"cartId":` + strings.Repeat("[", 10_000), errno.Invalid},
		"2 MB":                  {"", `{"message":"` + strings.Repeat("x", 2<<20) + `"}`, errno.Invalid},
		"an unknown offer":      {"", `{"cartId":0,"addressId":TO,"couponId":0,"grouponRulesId":1}`, errno.Invalid},
		"goods off the shelf":   {"UPDATE goods SET is_on_sale = 0", `{"cartId":0,"addressId":TO,"couponId":0}`, errno.GoodsUnshelved},
		"deleted goods":         {"UPDATE goods SET deleted = 1", `{"cartId":1,"addressId":TO,"couponId":0}`, errno.GoodsUnshelved},
		"a deleted product":     {"UPDATE goods_product SET deleted = 1", `{"cartId":0,"addressId":TO,"couponId":0}`, errno.GoodsInvalid},
		"too little stock":      {"UPDATE goods_product SET number = 1", `{"cartId":0,"addressId":TO,"couponId":0}`, errno.GoodsNoStock},
		"a coupon not yet good": {"UPDATE coupon_user SET start_time = '2030-02-02'", `{"cartId":0,"addressId":TO,"couponId":1}`, errno.Invalid},
		"a coupon past its end": {"UPDATE coupon_user SET end_time = '2030-01-01'", `{"cartId":0,"addressId":TO,"couponId":1}`, errno.Invalid},
		"a coupon used":         {"UPDATE coupon_user SET status = 1, order_id = 7", `{"cartId":0,"addressId":TO,"couponId":1}`, errno.Invalid},
		"a coupon withdrawn":    {"UPDATE coupon SET status = 2", `{"cartId":0,"addressId":TO,"couponId":1}`, errno.Invalid},
		"a coupon for more":     {"UPDATE coupon_user SET min_amount = 91.01", `{"cartId":0,"addressId":TO,"couponId":1}`, errno.Invalid},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.row(w.tea, 2)
			to, hers := w.Domain.Address(w.shopper), w.Domain.Address(w.Domain.Shopper("mei"))
			w.Domain.Coupon(w.shopper, money.Yuan(10), 0)
			if tt.spoil != "" {
				w.Domain.Exec(tt.spoil)
			}
			before := w.books()
			body := strings.NewReplacer("TO", fmt.Sprint(to), "HERS", fmt.Sprint(hers)).Replace(tt.body)
			w.lin.In(t).POST(submit, "%s", body).Fails(tt.want)
			require.Equal(t, before, w.books(), "all or nothing")
		})
	}
	w := open(t)
	w.Guest().POST(submit, `{`).Fails(errno.LoginRequired)
	w.lin.GET(submit).Fails(errno.WrongMethod)
}

// The stock that a shopper can block without paying is limited.
func TestSubmitBeyondWhatMayBeHeld(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.Domain.Orders.Unpaid = domainorder.UnpaidLimits{Orders: 1, Pieces: 0}
	to := w.Domain.Address(w.shopper)
	w.row(w.tea, 1)
	w.lin.POST(submit, "%s", form(0, to, 0, "")).OK()
	w.row(w.tea, 1)
	before := w.books()
	w.lin.POST(submit, "%s", form(0, to, 0, "")).Fails(errno.OrderCheckoutFailed).Says("您已有 1 个待付款订单，请先付款或取消后再下单")
	require.Equal(t, before, w.books(), "all or nothing")
}
