package order_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/freight"
	"shop.internal/pkg/domain/order"
)

func TestRemind(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin, mei := s.Shopper("lin"), s.Shopper("mei")
	id := s.Order(lin, s.Product("tea", money.Yuan(9), 5))
	require.ErrorIs(t, s.Orders.Remind(t.Context(), lin, id), errno.OrderInvalidOperation, "it is not paid")
	s.Pay(lin, id)
	require.ErrorIs(t, s.Orders.Remind(t.Context(), mei, id), errno.OrderUnknown)

	got := domaintest.Together(4, func(int) error { return s.Orders.Remind(t.Context(), lin, id) })
	require.Equal(t, map[int]int{0: 1, errno.OrderInvalidOperation.Num: 3}, got)
	s.Clock.Move(24*time.Hour - time.Second)
	require.ErrorIs(t, s.Orders.Remind(t.Context(), lin, id), errno.OrderInvalidOperation)
	s.Clock.Move(time.Second)
	require.NoError(t, s.Orders.Remind(t.Context(), lin, id))
	marks, err := s.Orders.MarksOf(t.Context(), []int64{id})
	require.NoError(t, err)
	require.True(t, marks[id].RemindedAt.Equal(s.Clock.Now()))
	require.Zero(t, marks[id].Remarks)

	require.NoError(t, s.Orders.Ship(t.Context(), actor.Operator(1), id, "SF", "1"))
	s.Clock.Move(48 * time.Hour)
	require.ErrorIs(t, s.Orders.Remind(t.Context(), lin, id), errno.OrderInvalidOperation)
	s.Agree()
}

// Another address is taken until the parcel is sent, where the freight that was paid is enough.
func TestReaddress(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin, mei := s.Shopper("lin"), s.Shopper("mei")
	var to []int64
	for _, a := range places[:4] {
		a.Shopper, a.Name, a.Tel, a.Detail = lin, "lin at "+a.City, "13900000001", "1"
		id, err := s.Addresses.Save(t.Context(), a)
		require.NoError(t, err)
		to = append(to, id)
	}
	refused := freight.Rule{First: 1, Further: 1, Refused: true, Regions: []int{650000}}
	tea := s.Product("tea", money.Yuan(9), 5)
	names(t, s, tea, template(t, s, piece(900, 100), piece(500, 100, 330000), piece(400, 100, 330106), refused))
	_, err := s.Cart.Add(t.Context(), lin, tea)
	require.NoError(t, err)
	id, err := s.Orders.Submit(t.Context(), lin, order.Submission{Choice: order.Choice{Address: to[1]}})
	require.NoError(t, err)
	change := func(address int64) error { return s.Orders.Readdress(t.Context(), lin, id.OrderID, address) }
	require.ErrorIs(t, change(to[0]), errno.OrderInvalidOperation, "it is not paid")
	s.Pay(lin, id.OrderID)
	before := s.Text("SELECT CONCAT(freight_price, '/', actual_price) FROM orders")

	require.ErrorIs(t, change(to[2]), errno.OrderInvalidOperation, "Shanghai costs 9.00, and 5.00 were paid")
	require.ErrorIs(t, change(to[3]), errno.OrderCheckoutFailed, "nothing is delivered there")
	require.ErrorIs(t, change(s.Address(mei)), errno.Invalid)
	require.ErrorIs(t, s.Orders.Readdress(t.Context(), mei, id.OrderID, to[0]), errno.OrderUnknown)
	require.NoError(t, change(to[0]))
	require.Equal(t, "lin at 杭州市/13900000001/浙江省杭州市西湖区 1",
		s.Text("SELECT CONCAT_WS('/', consignee, mobile, address) FROM orders"))
	require.Equal(t, before, s.Text("SELECT CONCAT(freight_price, '/', actual_price) FROM orders"), "what was paid stays")
	_, notes, err := s.Orders.History(t.Context(), id.OrderID)
	require.NoError(t, err)
	require.Len(t, notes, 1)
	require.Contains(t, notes[0].Content, "lin at 宁波市")

	require.NoError(t, s.Orders.Ship(t.Context(), actor.Operator(1), id.OrderID, "SF", "1"))
	require.ErrorIs(t, change(to[1]), errno.OrderInvalidOperation)
	s.Agree()
}

// Staff find an order by its new recipient, whether or not the index had the order, and no more by the old one.
func TestTheNewRecipientIsFound(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	id := s.Order(lin, s.Product("tea", money.Yuan(9), 5))
	s.Pay(lin, id)
	old := s.Text("SELECT consignee FROM orders")
	s.Clock.Move(time.Hour)
	indexed, err := s.Orders.IndexRecipients(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, indexed)
	a := places[0]
	a.Shopper, a.Name, a.Tel, a.Detail = lin, "wang", "13900000001", "1"
	to, err := s.Addresses.Save(t.Context(), a)
	require.NoError(t, err)
	require.NoError(t, s.Orders.Readdress(t.Context(), lin, id, to))
	found := func(name string) int64 {
		list, err := s.Orders.AdminList(t.Context(), order.Filter{Consignee: name}, page.Query{Page: 1, Limit: 5, Sort: "add_time"})
		require.NoError(t, err)
		return list.Total
	}
	require.EqualValues(t, 1, found("wang"))
	require.Zero(t, found(old))
	s.Agree()
}

// Of a parcel that is sent and an address that changes at the same time, one waits for the other: the address is changed
// before the parcel, or not at all.
func TestReaddressedOrShipped(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	a := places[0]
	a.Shopper, a.Name, a.Tel, a.Detail = lin, "wang", "13900000001", "1"
	to, err := s.Addresses.Save(t.Context(), a)
	require.NoError(t, err)
	s.Address(lin) // what is bought goes to the newest
	tea := s.Product("tea", money.Yuan(9), 50)
	for range 10 {
		id := s.Order(lin, tea)
		s.Pay(lin, id)
		domaintest.AtOnce(
			func() error { return s.Orders.Ship(t.Context(), actor.Operator(1), id, "SF", "1") },
			func() error { return s.Orders.Readdress(t.Context(), lin, id, to) },
		)
		require.Equal(t, s.Int("SELECT COUNT(*) FROM order_note WHERE order_id = ?", id),
			s.Int("SELECT COUNT(*) FROM orders WHERE id = ? AND consignee = 'wang'", id))
	}
	s.Agree()
}
