package orders_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/freight"
	"shop.internal/services/admin/internal/apitest"
)

// A template is tried on the orders that were paid and not refunded, as if their goods had named it.
func TestFreightRehearsal(t *testing.T) {
	t.Parallel()
	const path = "/admin/rehearsal/freight?id=1"
	w := apitest.Open(t)
	s := w.Shop
	c := w.Operator("planner", "admin:rehearsal:freight")
	c.GET(path).Fails(errno.Invalid)
	_, err := s.Freight.Create(t.Context(), freight.Template{
		Name: "by weight", Charge: freight.ByWeight, PieceWeight: 600, Rules: []freight.Rule{
			{First: 1000, FirstPrice: 1000, Further: 1000, FurtherPrice: 200},
			{First: 1000, FirstPrice: 500, Further: 1000, FurtherPrice: 100, Regions: []int{330000}},
			{First: 1, Further: 1, Refused: true, Regions: []int{650000}},
		},
	})
	require.NoError(t, err)
	c.GET(path).OK().Golden("freight_none")
	tea, lin := s.Product("tea", money.Yuan(30), 99), s.Shopper("lin")
	tea.Number = 2
	paid := func(address string) {
		id := s.Order(lin, tea)
		s.Pay(lin, id)
		s.Exec("UPDATE orders SET address = ?, order_sn = CONCAT(20300102, id) WHERE id = ?", address, id)
	}
	paid("浙江省杭州市西湖区 文三路 1 号")
	paid("新疆维吾尔自治区乌鲁木齐市天山区 解放路 1 号")
	paid("1 High Street, Dover")
	s.Order(lin, tea) // not paid
	c.GET(path).OK().Golden("freight")
	s.Exec("UPDATE goods SET weight = 2000")
	var r struct {
		Orders, Refused int
		Charged, Would  float64
	}
	c.GET(path).Data(&r)
	require.Equal(t, 3, r.Orders)
	require.Equal(t, 1, r.Refused)
	require.InDelta(t, 16.0, r.Charged, 0, "8 each, by the settings")
	require.InDelta(t, 5+3+10+3*2, r.Would, 0, "four kilograms each")
	c.GET("/admin/rehearsal/freight").Fails(errno.Missing)
}
