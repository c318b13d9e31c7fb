package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/freight"
)

// The freight follows from the place and the templates of the goods, and what is not delivered is said before an order
// is refused.
func TestFreightByTemplates(t *testing.T) {
	t.Parallel()
	w := open(t)
	far, err := w.Domain.Freight.Create(t.Context(), freight.Template{
		Name: "far", Charge: freight.ByPieces, Rules: []freight.Rule{
			{First: 1, FirstPrice: money.Yuan(12), Further: 1, FurtherPrice: money.Yuan(3)},
			{First: 1, Further: 1, Refused: true, Regions: []int{330106}},
		},
	})
	require.NoError(t, err)
	pot := w.Domain.Product("pot", 1000, 9)
	w.Domain.Exec("UPDATE goods SET freight_id = ?, weight = 400 WHERE id = ?", far.ID, pot.GoodsID)
	w.row(pot, 3)
	require.Equal(t, "18.00", w.preview("").FreightPrice.String(), "without an address, as for most")
	to := w.Domain.Address(w.shopper)
	w.lin.GET(checkout).OK().Golden("checkout_not_delivered")
	w.lin.POST(submit, `{"cartId":0,"addressId":%d,"couponId":0}`, to).Fails(errno.OrderCheckoutFailed).
		Says("「pot」不配送到浙江省杭州市西湖区，请换一个收货地址，或取消选择该商品")
	w.Domain.Exec("UPDATE address SET province = '上海市', city = '上海市', county = '黄浦区', area_code = '310101'")
	require.Equal(t, "18.00", w.preview("").FreightPrice.String())
	w.lin.POST(submit, `{"cartId":0,"addressId":%d,"couponId":0}`, to).OK()
	require.Equal(t, "18.00", w.Domain.Text("SELECT freight_price FROM orders"))
}
