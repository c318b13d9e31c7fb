package payment

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/statemachine"
	"shop.internal/pkg/domain/internal/store/table"
)

// statement moves a row by an event and reports whether it did.
type statement func(tx *db.Tx, id int64) (bool, error)

// play puts a row into each state and applies each event. The row moves as the machine says, otherwise it stays.
func play[S ~int, E ~string](
	t *testing.T, d *db.DB, of string, id int64, m statemachine.Machine[S, E], events map[E]func(in S) statement,
) {
	t.Helper()
	used := map[E]bool{}
	for _, from := range m.States() {
		for _, e := range m.Events(from) {
			require.Contains(t, events, e)
			used[e] = true
		}
		for e, by := range events {
			require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE "+of+" SET status = ? WHERE id = ?", from, id))
			var moved bool
			require.NoError(t, d.InTx(t.Context(), func(tx *db.Tx) (err error) {
				moved, err = by(from)(tx, id)
				return err
			}))
			want, allowed := m.Next(from, e)
			if !allowed {
				want = from
			}
			var now S
			require.NoError(t, table.Scan(t.Context(), d, &now, "SELECT status FROM "+of+" WHERE id = ?", id))
			require.Equal(t, want, now, "%s in %d", e, from)
			require.Equal(t, allowed, moved, "%s in %d", e, from)
		}
	}
	require.Len(t, used, len(events), "each event may happen in some state")
}

func TestEveryTransition(t *testing.T) {
	t.Parallel()
	d, now, ctx := dbtest.Open(t), time.Date(2030, 1, 2, 4, 0, 0, 0, time.UTC), t.Context()
	var paymentID, refundID int64
	require.NoError(t, d.InTx(ctx, func(tx *db.Tx) (err error) {
		p := Payment{OrderID: 1, UserID: 1, OutTradeNo: "p1", Channel: "wechat", Amount: 200}
		if paymentID, err = insert(ctx, tx, p, now); err != nil {
			return err
		}
		refundID, err = insertRefund(ctx, tx, Refund{OrderID: 1, PaymentID: paymentID, UserID: 1, OutRefundNo: "r1"}, "", now)
		return err
	}))
	n := Notification{TransactionID: "t1", Amount: 200, Time: now}
	always := func(s statement) func(Status) statement { return func(Status) statement { return s } }
	play(t, d, "payment", paymentID, transitions, map[Event]func(Status) statement{
		Issue:      always(func(tx *db.Tx, id int64) (bool, error) { return issue(ctx, tx, id, "x", now, now) }),
		Collect:    always(func(tx *db.Tx, id int64) (bool, error) { return collect(ctx, tx, id, n, now) }),
		ArriveLate: always(func(tx *db.Tx, id int64) (bool, error) { return arriveLate(ctx, tx, id, n, now) }),
		Close:      always(func(tx *db.Tx, id int64) (bool, error) { return closeRow(ctx, tx, id, now) }),
	})
	read := func(in RefundStatus) Refund {
		var attempts int
		require.NoError(t, table.Scan(ctx, d, &attempts, "SELECT attempts FROM refund WHERE id = ?", refundID))
		return Refund{ID: refundID, Status: in, Attempts: attempts}
	}
	each := func(s statement) func(RefundStatus) statement { return func(RefundStatus) statement { return s } }
	play(t, d, "refund", refundID, refundTransitions, map[RefundEvent]func(RefundStatus) statement{
		ReleaseRefund: func(in RefundStatus) statement {
			r := read(in)
			return func(tx *db.Tx, _ int64) (bool, error) { return release(ctx, tx, r, 1, "", now) }
		},
		RejectRefund: each(func(tx *db.Tx, id int64) (bool, error) { return rejectRow(ctx, tx, Refund{ID: id}, 1, now) }),
		FinishRefund: each(func(tx *db.Tx, id int64) (bool, error) { return doneRow(ctx, tx, id, "w", now) }),
		FailRefund:   each(func(tx *db.Tx, id int64) (bool, error) { return failRow(ctx, tx, id, "no", now) }),
	})
}

// Every state has a name in the charts, and every event an arrow.
func TestLifeCharts(t *testing.T) {
	t.Parallel()
	var p, r strings.Builder
	require.NoError(t, WriteLife(&p))
	require.NoError(t, WriteRefundLife(&r))
	require.NotRegexp(t, `(?m)^    \d: \d $`, p.String()+r.String())
	require.Contains(t, p.String(), "3 --> 2: collect")
	require.Contains(t, r.String(), "3 --> 1: release")
}
