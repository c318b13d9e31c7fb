package aftersale_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/domaintest"
)

// rounds is the number of runs of each race.
const rounds = 4

// race runs a race several times on one shop, and looks into the books after each.
func race(t *testing.T, run func(w *world)) {
	t.Helper()
	w := open(t)
	for range rounds {
		run(w)
		w.Agree()
	}
}

// An order has at most one live case.
func TestSubmitManyTimes(t *testing.T) {
	t.Parallel()
	race(t, func(w *world) {
		id := w.received()
		got := domaintest.Together(15, func(int) error {
			_, err := w.Aftersales.Submit(t.Context(), w.lin, wish(id, aftersale.RefundOnly, 1))
			return err
		})
		require.Equal(t, map[int]int{0: 15}, got, "each takes the place of the one before")
		require.EqualValues(t, 1, w.Int("SELECT COUNT(*) FROM aftersale WHERE order_id = ? AND deleted = 0", id))
	})
}

// A case is cancelled once.
func TestCancelTwice(t *testing.T) {
	t.Parallel()
	race(t, func(w *world) {
		c := w.ask(w.received(), aftersale.RefundOnly, 1)
		got := domaintest.Together(15, func(int) error { return w.Aftersales.Cancel(t.Context(), w.lin, c) })
		require.Equal(t, map[int]int{0: 1, 752: 14}, got)
	})
}

// A case that the shopper withdraws concurrently is neither accepted nor rejected.
func TestCancelAcceptAndReject(t *testing.T) {
	t.Parallel()
	race(t, func(w *world) {
		id := w.received()
		c := w.ask(id, aftersale.RefundOnly, 1)
		got := domaintest.AtOnce(append(append(
			domaintest.Times(5, func(int) error { return w.Aftersales.Cancel(t.Context(), w.lin, c) }),
			domaintest.Times(5, func(int) error { return w.Aftersales.Accept(t.Context(), staff, c, "") })...),
			domaintest.Times(5, func(int) error { return w.Aftersales.Reject(t.Context(), staff, c, "") })...)...)
		require.Equal(t, 1, got[0], "%v", got)
		require.Equal(t, 15, got[0]+got[752]+got[620], "%v", got)
		require.EqualValues(t, w.Int("SELECT status = 5 FROM aftersale WHERE id = ?", c), 5-got[752])
	})
}

// A case is either accepted, or replaced and then deleted, never both.
func TestSubmitAndAccept(t *testing.T) {
	t.Parallel()
	race(t, func(w *world) {
		id := w.received()
		c := w.ask(id, aftersale.RefundOnly, 1)
		got := domaintest.AtOnce(append(
			domaintest.Times(5, func(int) error {
				_, err := w.Aftersales.Submit(t.Context(), w.lin, wish(id, aftersale.RefundOnly, 2))
				return err
			}),
			domaintest.Times(5, func(int) error { return w.Aftersales.Accept(t.Context(), staff, c, "") })...)...)
		require.Equal(t, 10, got[0]+got[752]+got[620]+got[402], "%v", got)
		if w.Int("SELECT status FROM aftersale WHERE id = ?", c) == int64(aftersale.Accepted) {
			require.Equal(t, map[int]int{0: 1, 752: 5, 620: 4}, got)
			return
		}
		require.Equal(t, map[int]int{0: 5, 402: 5}, got)
	})
}

// An order is either hidden or has a case.
func TestSubmitAndHide(t *testing.T) {
	t.Parallel()
	race(t, func(w *world) {
		id := w.received()
		got := domaintest.AtOnce(
			func() error { return w.Orders.Hide(t.Context(), w.lin, id) },
			func() error {
				_, err := w.Aftersales.Submit(t.Context(), w.lin, wish(id, aftersale.RefundOnly, 1))
				return err
			})
		require.Equal(t, 1, got[0], "%v", got)
	})
}

// Of operators who refund a case concurrently, one calls the platform.
func TestOperatorsRefund(t *testing.T) {
	t.Parallel()
	race(t, func(w *world) {
		before := w.stock()
		id, c := w.accepted(aftersale.Returned, 2900)
		got := domaintest.Together(15, func(i int) error {
			return w.Aftersales.Refund(t.Context(), actor.Operator(int64(i+1)), c)
		})
		require.Equal(t, 1, got[0], "%v", got)
		require.Equal(t, 15, got[0]+got[504]+got[620], "%v", got)
		require.Equal(t, before, w.stock(), "given back once")
		require.Equal(t, "3|3|401", w.shown(id))
		require.EqualValues(t, 1, w.Int("SELECT COUNT(*) FROM refund WHERE order_id = ?", id))
	})
}
