package aftersale_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/order"
)

// within holds the sums of every line after a race: no more pieces than were bought, no more money than was paid.
func (w *world) within(id int64) {
	w.t.Helper()
	d, err := w.Aftersales.Find(w.t.Context(), w.lin, id)
	require.NoError(w.t, err)
	for _, l := range d.Lines {
		require.GreaterOrEqual(w.t, l.Left(), 0)
		require.LessOrEqual(w.t, w.Text("SELECT LPAD(COALESCE(SUM(b.amount), 0), 9, '0') FROM aftersale_line b "+
			"JOIN aftersale a ON a.id = b.aftersale_id WHERE a.status = 3 AND b.order_goods_id = ?", l.ID),
			w.Text("SELECT LPAD(?, 9, '0')", l.Paid.String()))
	}
	w.Agree()
}

// Requests for the same pieces at once leave one case.
func TestRequestsForLines(t *testing.T) {
	t.Parallel()
	race(t, func(w *world) {
		id := w.received()
		s := w.some(id, aftersale.Returned, 2, 1)
		got := domaintest.Together(12, func(int) error {
			_, err := w.Aftersales.Submit(t.Context(), w.lin, s)
			return err
		})
		require.Equal(t, map[int]int{0: 12}, got, "each takes the place of the one before")
		require.EqualValues(t, 1, w.Int("SELECT COUNT(*) FROM aftersale WHERE order_id = ? AND deleted = 0", id))
		w.within(id)
	})
}

// While operators refund a case about lines, the shopper asks for the same pieces and for the whole order again: the
// pieces are refunded once, and what is asked for then are others.
func TestRefundAndRequestForLines(t *testing.T) {
	t.Parallel()
	race(t, func(w *world) {
		before := w.stock()
		id := w.received()
		c := w.accept(w.submit(w.some(id, aftersale.Returned, 1)))
		same, all := w.some(id, aftersale.Returned, 2), wish(id, aftersale.Returned, 1)
		got := domaintest.AtOnce(append(append(
			domaintest.Times(5, func(int) error { return w.Aftersales.Refund(t.Context(), staff, c) }),
			domaintest.Times(5, func(int) error {
				_, err := w.Aftersales.Submit(t.Context(), w.lin, same)
				return err
			})...), domaintest.Times(5, func(int) error {
			_, err := w.Aftersales.Submit(t.Context(), w.lin, all)
			return err
		})...)...)
		require.Equal(t, 1, got[0], "%v", got)
		require.Equal(t, 10, got[752]+got[402], "two pieces are not left, %v", got)
		require.Equal(t, []int{before[0] - 1, before[1] - 1}, w.stock())
		require.Equal(t, "10.00", w.Text("SELECT SUM(amount) FROM refund WHERE order_id = ?", id))
		w.within(id)
	})
}

// Operators refund a case about a piece of a line at once, while a shopper asks for the other piece and staff accept and
// refund that case too. The platform pays what was paid for the line, once.
func TestTwoCasesOfALine(t *testing.T) {
	t.Parallel()
	race(t, func(w *world) {
		id := w.received()
		piece := w.some(id, aftersale.RefundOnly, 1)
		first := w.accept(w.submit(piece))
		refund := func(i int) error { return w.Aftersales.Refund(t.Context(), actor.Operator(int64(i+1)), first) }
		another := func(i int) error {
			c, err := w.Aftersales.Submit(t.Context(), w.lin, piece)
			if err == nil {
				err = w.Aftersales.Accept(t.Context(), staff, c, "")
			}
			if err == nil {
				err = w.Aftersales.Refund(t.Context(), actor.Operator(int64(i+1)), c)
			}
			return err
		}
		got := domaintest.AtOnce(append(domaintest.Times(2, refund), domaintest.Times(6, another)...)...)
		require.GreaterOrEqual(t, got[0], 1, "%v", got)
		require.Equal(t, 8, got[0]+got[402]+got[504]+got[620]+got[752], "%v", got)
		if got[0] == 1 {
			require.NoError(t, another(0))
		}
		require.ErrorIs(t, another(0), errno.Invalid, "no piece is left")
		require.Equal(t, "20.00|2", w.Text("SELECT CONCAT_WS('|', SUM(amount), COUNT(DISTINCT out_refund_no)) "+
			"FROM refund WHERE order_id = ? AND status = 2", id))
		require.Len(t, w.Sandbox.Refunds(), int(w.Int("SELECT COUNT(*) FROM refund")))
		w.within(id)
	})
}

// A case about lines is refunded, or its goods are rejected, never both.
func TestRefundAndRejectGoods(t *testing.T) {
	t.Parallel()
	race(t, func(w *world) {
		id := w.received()
		c := w.accept(w.submit(w.some(id, aftersale.RefundOnly, 1)))
		got := domaintest.AtOnce(append(
			domaintest.Times(5, func(int) error { return w.Aftersales.Refund(t.Context(), staff, c) }),
			domaintest.Times(5, func(int) error { return w.Aftersales.Reject(t.Context(), staff, c, "broken") })...)...)
		require.Equal(t, 1, got[0], "%v", got)
		require.Equal(t, 10, got[0]+got[504]+got[620], "%v", got)
		refunded := w.Int("SELECT COUNT(*) FROM refund WHERE order_id = ? AND status = 2", id)
		require.Equal(t, refunded == 1, w.shown(id) == "3|3|401")
		w.within(id)
	})
}

// Operators exchange a case at once, and others try to refund it, while shoppers buy the last piece of what is to be
// sent: it is sold once.
func TestExchangeForTheLastPiece(t *testing.T) {
	t.Parallel()
	w := open(t)
	large := w.sized()
	w.Exec("UPDATE goods_product SET number = 1 WHERE id = ?", large)
	w.Exec("UPDATE stock_log SET delta = 1 WHERE product_id = ?", large)
	id := w.received()
	s := w.some(id, aftersale.Replacement, 1)
	s.Lines[0].Product = large
	c := w.accept(w.submit(s))
	wanted := w.tea
	wanted.ProductID, wanted.Number = large, 1
	buyers := []int64{w.Shopper("mei"), w.Shopper("tom"), w.Shopper("ida")}
	for _, b := range buyers {
		w.Address(b)
	}
	parcel := aftersale.Parcel{Channel: "ZTO", SN: "1"}
	got := domaintest.AtOnce(append(append(
		domaintest.Times(5, func(int) error { return w.Aftersales.Exchange(t.Context(), staff, c, parcel) }),
		domaintest.Times(3, func(int) error { return w.Aftersales.Refund(t.Context(), staff, c) })...),
		domaintest.Times(len(buyers), func(i int) error { return w.buys(buyers[i], wanted) })...)...)
	require.Equal(t, 1, got[0], "%v", got)
	require.Zero(t, w.Int("SELECT number FROM goods_product WHERE id = ?", large))
	w.within(id)
}

// buys puts a product into the cart and submits an order.
func (w *world) buys(shopper int64, ware cart.AddRequest) error {
	row, err := w.Cart.Set(w.t.Context(), shopper, ware)
	if err != nil {
		return err
	}
	_, err = w.Orders.Submit(w.t.Context(), shopper, order.Submission{Choice: order.Choice{
		Cart: row, Address: w.Int("SELECT MAX(id) FROM address WHERE user_id = ?", shopper), Coupon: order.NoCoupon,
	}})
	return err
}

// Of operators who exchange a case, one does; the sums hold.
func TestOperatorsExchange(t *testing.T) {
	t.Parallel()
	w := open(t)
	large := w.sized()
	for round := range rounds {
		id := w.received()
		s := w.some(id, aftersale.Replacement, 1)
		s.Lines[0].Product = large
		c := w.accept(w.submit(s))
		got := domaintest.Together(10, func(int) error {
			return w.Aftersales.Exchange(t.Context(), staff, c, aftersale.Parcel{Channel: "ZTO", SN: "1"})
		})
		require.Equal(t, 1, got[0], "%v", got)
		require.Equal(t, 9, got[620]+got[504], "%v", got)
		require.EqualValues(t, 4-round, w.Int("SELECT number FROM goods_product WHERE id = ?", large))
		w.within(id)
	}
}
