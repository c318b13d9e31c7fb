package promotion_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/runtime/job"
)

// userCouponTable is the life of a user coupon according to the contract: all transitions.
var userCouponTable = map[promotion.UserCouponStatus]map[promotion.UserCouponEvent]promotion.UserCouponStatus{
	0: {promotion.CouponSpend: 1, promotion.CouponExpire: 2},
	1: {promotion.CouponReturn: 0, promotion.CouponReturnLate: 2},
	2: {}, 3: {},
}

func TestUserCouponTable(t *testing.T) {
	t.Parallel()
	for status := promotion.UserCouponStatus(-1); status < 10; status++ {
		for _, e := range []promotion.UserCouponEvent{
			promotion.CouponSpend, promotion.CouponReturn, promotion.CouponReturnLate, promotion.CouponExpire, "",
		} {
			to, ok := status.Next(e)
			want, allowed := userCouponTable[status][e]
			require.Equal(t, allowed, ok, "%s in %d", e, status)
			require.Equal(t, want, to, "%s in %d", e, status)
		}
	}
}

// Tries every event on a row in every state: a transition that the table does not allow leaves the row unchanged.
func TestEveryTransitionOfUserCoupons(t *testing.T) {
	t.Parallel()
	const lin, order, next = 7, 70, 71
	d := dbtest.Open(t)
	end := domaintest.Noon.Add(time.Hour)
	clock := dbtest.At(domaintest.Noon)
	s := promotion.New(d, nil, nil, job.NewFailures(d, clock.Now), time.UTC, clock.Now)
	coupon, err := s.Create(t.Context(), promotion.Coupon{Name: "any", Days: 1})
	require.NoError(t, err)
	in := func(move func(tx *db.Tx) error) func() error {
		return func() error { return d.InTx(t.Context(), move) }
	}
	events := map[promotion.UserCouponEvent]struct {
		at  time.Time
		run func() error
	}{
		promotion.CouponSpend: {domaintest.Noon, in(func(tx *db.Tx) error {
			return s.Spend(t.Context(), tx, lin, promotion.UserCoupon{ID: 1, Coupon: promotion.Coupon{ID: coupon}}, next)
		})},
		promotion.CouponReturn: {end.Add(-time.Millisecond), in(func(tx *db.Tx) error {
			return s.GiveBack(t.Context(), tx, order)
		})},
		promotion.CouponReturnLate: {end, in(func(tx *db.Tx) error { return s.GiveBack(t.Context(), tx, order) })},
		promotion.CouponExpire: {end.Add(time.Millisecond), func() error {
			_, err := s.ExpireCoupons(t.Context())
			return err
		}},
	}
	row := func() (text string) {
		require.NoError(t, table.Scan(t.Context(), d, &text, "SELECT CONCAT_WS('|', status, COALESCE(order_id, '-'), "+
			"COALESCE(last_order_id, '-'), COALESCE(used_time, '-'), version) FROM coupon_user WHERE id = 1"))
		return text
	}
	for status := range userCouponTable {
		for e, event := range events {
			require.NoError(t, dbtest.Exec(t.Context(), d, "REPLACE INTO coupon_user (id, user_id, coupon_id, seq, status, used_time, "+
				"start_time, end_time, order_id, add_time, update_time) VALUES (1, ?, 1, 1, ?, IF(? = 1, ?, NULL), ?, ?, "+
				"IF(? = 1, ?, NULL), ?, ?)", lin, status, status, domaintest.Noon, domaintest.Noon, end, status, order,
				domaintest.Noon, domaintest.Noon))
			before := row()
			clock.Set(event.at)
			err := event.run()
			to, allowed := userCouponTable[status][e]
			if !allowed {
				require.Equal(t, before, row(), "%s in %d", e, status)
				require.Equal(t, e == promotion.CouponSpend, errors.Is(err, errno.Invalid), "%s in %d", e, status)
				continue
			}
			require.NoError(t, err, "%s in %d", e, status)
			held := map[promotion.UserCouponEvent]string{
				promotion.CouponSpend: fmt.Sprintf("%d|-", next), promotion.CouponReturn: fmt.Sprintf("-|%d", order),
				promotion.CouponReturnLate: fmt.Sprintf("-|%d", order), promotion.CouponExpire: "-|-",
			}[e]
			require.True(t, strings.HasPrefix(row(), fmt.Sprintf("%d|%s|", to, held)), "%s in %d: %s", e, status, row())
			require.Equal(t, e == promotion.CouponSpend, !strings.Contains(row(), "|-|1"), "used only while an order has it")
		}
	}
}

// The sections of the documentation contain every transition and no other.
func TestLifeCharts(t *testing.T) {
	t.Parallel()
	var held, parts strings.Builder
	require.NoError(t, promotion.WriteUserCouponLife(&held))
	require.NoError(t, promotion.WriteMemberLife(&parts))
	moves := 0
	for from, to := range userCouponTable {
		for e, status := range to {
			moves++
			require.Contains(t, held.String(), fmt.Sprintf("    %d --> %d: %s\n", from, status, e))
		}
	}
	require.Equal(t, moves+1, strings.Count(held.String(), "-->"), "and the way in")
	require.Equal(t, len(memberTable[0])+len(memberTable[1])+1, strings.Count(parts.String(), "-->"))
	for from, to := range memberTable {
		for e, status := range to {
			require.Contains(t, parts.String(), fmt.Sprintf("    %d --> %d: %s\n", from, status, e))
		}
	}
	require.ErrorIs(t, promotion.WriteUserCouponLife(broken{}), io.ErrClosedPipe)
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
