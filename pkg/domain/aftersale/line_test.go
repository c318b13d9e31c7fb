package aftersale_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/payment/sandbox"
)

// some asks for pieces of the lines of an order, by the position of the line.
func (w *world) some(id int64, kind aftersale.Type, pieces ...int) aftersale.Submission {
	w.t.Helper()
	s := wish(id, kind, 0)
	s.Amount = nil
	lines, err := w.Orders.Lines(w.t.Context(), w.Orders.DB, id)
	require.NoError(w.t, err)
	for i, n := range pieces {
		if n > 0 {
			s.Lines = append(s.Lines, aftersale.Wanted{Line: lines[i].ID, Number: n})
		}
	}
	return s
}

func (w *world) submit(s aftersale.Submission) int64 {
	w.t.Helper()
	c, err := w.Aftersales.Submit(w.t.Context(), w.lin, s)
	require.NoError(w.t, err)
	return c
}

func (w *world) accept(c int64) int64 {
	w.t.Helper()
	require.NoError(w.t, w.Aftersales.Accept(w.t.Context(), staff, c, ""))
	return c
}

// about shows the lines of a case.
func (w *world) about(c int64) string {
	w.t.Helper()
	return w.Text("SELECT GROUP_CONCAT(CONCAT_WS('|', number, worth, amount, product_id, sent_id > 0) ORDER BY id) "+
		"FROM aftersale_line WHERE aftersale_id = ?", c)
}

// Of three pots for 10.00, with a coupon, a part after the other is returned: each piece once, all of the money, and no
// more.
func TestReturnsInParts(t *testing.T) {
	t.Parallel()
	w := open(t)
	ctx := called(t.Context(), "退款")
	w.pot.Number = 3
	id := w.received()
	w.Exec("UPDATE orders SET actual_price = actual_price - 17 WHERE id = ?", id) // 30.00 for goods of 47.00
	w.Exec("UPDATE payment SET amount = amount - 17, paid_amount = paid_amount - 17")
	w.Exec("UPDATE orders SET order_price = order_price - 17, coupon_price = 17, coupon_user_id = 0")
	first := w.submit(w.some(id, aftersale.Returned, 0, 1))
	require.Equal(t, "1|5.74|5.74|0|0", w.about(first), "a third of 27/47 of 30.00, rounded down")
	require.NoError(t, w.Aftersales.Refund(ctx, staff, w.accept(first)))
	require.Equal(t, "3|3|401", w.shown(id))
	require.Equal(t, []int{98, 98}, w.stock(), "one pot is back")
	_, err := w.Aftersales.Submit(ctx, w.lin, wish(id, aftersale.Returned, 1))
	require.ErrorIs(t, err, errno.AftersaleInvalidStatus, "the whole order cannot be refunded any more")
	for _, n := range []int{-1, 0, 3} {
		s := w.some(id, aftersale.Returned, 0, 1)
		s.Lines[0].Number = n
		_, err = w.Aftersales.Submit(ctx, w.lin, s)
		require.ErrorIs(t, err, errno.Invalid, "%d of the two that are left", n)
	}
	second := w.submit(w.some(id, aftersale.Returned, 1, 2))
	require.Equal(t, "1|6.38|6.38|0|0,2|11.50|11.50|0|0", w.about(second), "the last pieces have what rounding has left")
	require.EqualValues(t, 2, w.Int("SELECT COUNT(*) FROM aftersale WHERE deleted = 0"), "the refunded case stays")
	require.NoError(t, w.Aftersales.Reject(ctx, staff, second, "not yet"))
	_, err = w.Aftersales.Submit(ctx, w.lin, wish(id, aftersale.Returned, 1))
	require.ErrorIs(t, err, errno.AftersaleInvalidStatus, "a rejection does not open the whole order again")
	s := w.some(id, aftersale.RefundOnly, 2, 2)
	s.Amount = new(money.Amount(2427))
	_, err = w.Aftersales.Submit(ctx, w.lin, s)
	require.ErrorIs(t, err, errno.AftersaleInvalidAmount, "24.26 is left")
	s.Amount = new(money.Amount(2426))
	third := w.submit(s)
	require.NoError(t, w.Aftersales.Refund(ctx, staff, w.accept(third)))
	require.Equal(t, []int{98, 98}, w.stock(), "nothing came back")
	require.Equal(t, "30.00|2", w.Text("SELECT CONCAT_WS('|', SUM(amount), COUNT(DISTINCT out_refund_no)) FROM refund"))
	require.Equal(t, "30.00", w.Text("SELECT refund_amount FROM orders"), "the order adds its refunds up")
	_, err = w.Aftersales.Submit(ctx, w.lin, w.some(id, aftersale.Returned, 1))
	require.ErrorIs(t, err, errno.Invalid, "nothing is left")
	d, err := w.Aftersales.Find(ctx, w.lin, id)
	require.NoError(t, err)
	require.False(t, d.May.Lines)
	require.Zero(t, d.May.Most)
}

// Each refusal of a request about lines.
func TestLinesThatCannotBeAskedFor(t *testing.T) {
	t.Parallel()
	w := open(t)
	large := w.sized()
	id := w.received()
	other := w.received()
	for name, tt := range map[string]struct {
		spoil func(s *aftersale.Submission)
		want  error
	}{
		"a line of another order": {func(s *aftersale.Submission) { s.OrderID = other }, errno.Invalid},
		"a line twice":            {func(s *aftersale.Submission) { s.Lines = append(s.Lines, s.Lines[0]) }, errno.Invalid},
		"more than was bought":    {func(s *aftersale.Submission) { s.Lines[0].Number = 3 }, errno.Invalid},
		"more than was paid":      {func(s *aftersale.Submission) { s.Amount = new(money.Amount(2001)) }, errno.AftersaleInvalidAmount},
		"less than nothing":       {func(s *aftersale.Submission) { s.Amount = new(money.Amount(-1)) }, errno.AftersaleInvalidAmount},
		"a product for money":     {func(s *aftersale.Submission) { s.Lines[0].Product = w.pot.ProductID }, errno.Invalid},
		"no product in exchange":  {func(s *aftersale.Submission) { s.Type = aftersale.Replacement }, errno.Invalid},
		"the same product": {func(s *aftersale.Submission) {
			s.Type, s.Lines[0].Product = aftersale.Replacement, w.tea.ProductID
		}, errno.Invalid},
		"a product of other goods": {func(s *aftersale.Submission) {
			s.Type, s.Lines[0].Product = aftersale.Replacement, w.pot.ProductID
		}, errno.GoodsInvalid},
		"money in exchange": {func(s *aftersale.Submission) {
			s.Type, s.Amount, s.Lines[0].Product = aftersale.Replacement, new(money.Amount(1)), large
		}, errno.AftersaleInvalidAmount},
		"an exchange of the whole order": {func(s *aftersale.Submission) { s.Type, s.Lines = aftersale.Replacement, nil }, errno.Invalid},
		"the whole order at no amount":   {func(s *aftersale.Submission) { s.Lines = nil }, errno.Missing},
	} {
		s := w.some(id, aftersale.Returned, 2)
		tt.spoil(&s)
		_, err := w.Aftersales.Submit(t.Context(), w.lin, s)
		require.ErrorIs(t, err, tt.want, name)
	}
	w.Exec("UPDATE orders SET pay_time = NULL WHERE id = ?", id)
	_, err := w.Aftersales.Submit(t.Context(), w.lin, w.some(id, aftersale.Returned, 2))
	require.ErrorIs(t, err, errno.AftersaleNotAllowed, "its money is owed")
	require.Zero(t, w.Int("SELECT COUNT(*) FROM aftersale"))
}

// sized gives the tea another product, of which there are five pieces, and returns it.
func (w *world) sized() int64 {
	w.t.Helper()
	product := func(size string, n int) catalog.Product {
		return catalog.Product{Specifications: []string{size}, Price: 1000, Number: n}
	}
	id, err := w.Catalog.Add(w.t.Context(), catalog.NewGoods{
		Goods:          catalog.Goods{SN: "sized", Name: "sized tea", OnSale: true},
		Specifications: []catalog.Specification{{Group: "size", Value: "small"}, {Group: "size", Value: "large"}},
		Products:       []catalog.Product{product("small", 100), product("large", 5)},
	})
	require.NoError(w.t, err)
	w.tea.GoodsID, w.tea.ProductID = id, w.Int("SELECT MIN(id) FROM goods_product WHERE goods_id = ?", id)
	return w.tea.ProductID + 1
}

// A parcel comes back, and another product goes out; what was exchanged can be returned for its money.
func TestExchange(t *testing.T) {
	t.Parallel()
	w := open(t)
	ctx := called(t.Context(), "换货")
	large := w.sized()
	id := w.received()
	s := w.some(id, aftersale.Replacement, 1)
	s.Lines[0].Product = large
	c := w.submit(s)
	require.Equal(t, "1|10.00|0.00|"+w.Text("SELECT ?", large)+"|0", w.about(c))
	back := aftersale.Parcel{Channel: "ZTO", SN: "1"}
	require.ErrorIs(t, w.Aftersales.SendBack(ctx, w.lin, c, back), errno.AftersaleInvalidStatus, "it is not accepted")
	require.ErrorIs(t, w.Aftersales.Exchange(ctx, staff, c, back), errno.OrderConfirmNotAllowed)
	require.NoError(t, w.Aftersales.Accept(ctx, staff, c, "send it to us"))
	require.ErrorIs(t, w.Aftersales.Refund(ctx, staff, c), errno.OrderConfirmNotAllowed, "an exchange is not refunded")
	require.ErrorIs(t, w.Aftersales.SendBack(ctx, w.Shopper("mei"), c, back), errno.Invalid)
	require.NoError(t, w.Aftersales.SendBack(ctx, w.lin, c, aftersale.Parcel{Channel: "YTO", SN: "9"}))
	require.NoError(t, w.Aftersales.SendBack(ctx, w.lin, c, back), "corrected")
	w.Clock.Move(time.Hour)
	require.NoError(t, w.Aftersales.Receive(ctx, staff, c))
	require.ErrorIs(t, w.Aftersales.Receive(ctx, staff, c), errno.OrderConfirmNotAllowed)
	require.ErrorIs(t, w.Aftersales.SendBack(ctx, w.lin, c, back), errno.AftersaleInvalidStatus, "it has arrived")
	w.Exec("UPDATE goods_product SET number = 0 WHERE id = ?", large)
	before := w.state()
	require.ErrorIs(t, w.Aftersales.Exchange(ctx, staff, c, back), errno.GoodsNoStock)
	require.Equal(t, before, w.state())
	w.Exec("UPDATE goods_product SET number = 5 WHERE id = ?", large)
	require.NoError(t, w.Aftersales.Exchange(ctx, staff, c, aftersale.Parcel{Channel: "SF", SN: "2"}))
	require.Equal(t, "6|6|401", w.shown(id))
	require.Equal(t, "send it to us|ZTO|1|SF|2", w.Text("SELECT CONCAT_WS('|', answer, back_channel, back_sn, sent_channel, "+
		"sent_sn) FROM aftersale"))
	require.Equal(t, []int{99, 99}, w.stock())
	require.EqualValues(t, 4, w.Int("SELECT number FROM goods_product WHERE id = ?", large))
	require.Equal(t, "1|0.00|-1", w.Text("SELECT CONCAT_WS('|', number, price, comment_id) FROM order_goods WHERE product_id = ?",
		large))
	w.Agree()

	d, err := w.Aftersales.Find(ctx, w.lin, id)
	require.NoError(t, err)
	require.Len(t, d.Lines, 3)
	require.Equal(t, []int{1, 1, 1}, []int{d.Returnable(d.Lines[0]), d.Returnable(d.Lines[1]), d.Returnable(d.Lines[2])})
	require.Equal(t, money.Amount(1000), d.Lines[2].Paid)
	s = w.some(id, aftersale.Returned, 1, 0, 1)
	c = w.submit(s)
	require.Equal(t, "1|10.00|10.00|0|0,1|10.00|10.00|0|0", w.about(c), "what was sent is worth what it replaces")
	require.NoError(t, w.Aftersales.Refund(ctx, staff, w.accept(c)))
	require.Equal(t, []int{100, 99}, w.stock())
	require.EqualValues(t, 5, w.Int("SELECT number FROM goods_product WHERE id = ?", large))
	require.Equal(t, "20.00", w.Text("SELECT refund_amount FROM orders"))
	w.Agree()
}

// A case about lines can be rejected once it is accepted, with an answer, unless its refund is under way. A refund that
// the platform has refused ends with it.
func TestGoodsThatAreRejected(t *testing.T) {
	t.Parallel()
	w := open(t)
	ctx := called(t.Context(), "售后拒绝")
	_, whole := w.accepted(aftersale.Returned, 100)
	require.ErrorIs(t, w.Aftersales.Reject(ctx, staff, whole, "broken"), errno.OrderConfirmNotAllowed)
	id := w.received()
	c := w.accept(w.submit(w.some(id, aftersale.Returned, 1)))
	require.ErrorIs(t, w.Aftersales.Reject(ctx, staff, c, ""), errno.Missing)
	require.NoError(t, w.Aftersales.RejectAll(ctx, staff, []int64{c}), "many at once leave it")
	w.Sandbox.Behave(sandbox.Behaviour{Refuse: true})
	require.ErrorIs(t, w.Aftersales.Refund(ctx, staff, c), errno.OrderRefundFailed)
	w.Exec("UPDATE refund SET status = 1")
	require.ErrorIs(t, w.Aftersales.Reject(ctx, staff, c, "broken"), errno.Stale, "the platform may still pay")
	w.Exec("UPDATE refund SET status = 3")
	require.NoError(t, w.Aftersales.Reject(ctx, staff, c, "broken"))
	require.Equal(t, "4|4|401", w.shown(id))
	require.Equal(t, "4|broken", w.Text("SELECT CONCAT_WS('|', r.status, a.answer) FROM refund r JOIN aftersale a ON a.id = r.aftersale_id"))
	w.Sandbox.Behave(sandbox.Behaviour{Silent: true})
	c = w.accept(w.submit(w.some(id, aftersale.Returned, 2)))
	require.NoError(t, w.Aftersales.Refund(ctx, staff, c), "its pieces are free again")
	w.Agree()
}
