package promotion

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/page"
)

func couponIDs(coupons []Coupon) []int64 {
	ids := make([]int64, len(coupons))
	for i, c := range coupons {
		ids[i] = c.ID
	}
	return ids
}

func countHeld(ctx context.Context, q db.Querier, shopper int64, coupons []int64) (map[int64]int, error) {
	held := map[int64]int{}
	if len(coupons) == 0 {
		return held, nil
	}
	var rows []struct {
		CouponID int64
		N        int
	}
	err := q.G(ctx).Raw("SELECT coupon_id, COUNT(*) AS n FROM coupon_user "+
		"WHERE user_id = ? AND coupon_id IN ? AND deleted = 0 GROUP BY coupon_id", shopper, coupons).Scan(&rows).Error
	for _, r := range rows {
		held[r.CouponID] = r.N
	}
	return held, err
}

// heldOf counts the shopper's copies of a coupon and finds the highest number among them, deleted ones included.
func heldOf(ctx context.Context, tx *db.Tx, shopper, coupon int64) (held, highest int, err error) {
	var row struct{ Held, Highest int }
	err = tx.G(ctx).Raw("SELECT COALESCE(SUM(deleted = 0), 0) AS held, COALESCE(MAX(seq), 0) AS highest "+
		"FROM coupon_user WHERE user_id = ? AND coupon_id = ?", shopper, coupon).Scan(&row).Error
	return row.Held, row.Highest, err
}

func insertHeld(ctx context.Context, tx *db.Tx, shopper, coupon int64, after, n int, start, end, now time.Time) error {
	rows := make([]string, n)
	var args []any
	for i := range rows {
		rows[i] = "(?, ?, ?, 0, ?, ?, ?, ?)"
		args = append(args, shopper, coupon, after+1+i, nullTime(start), nullTime(end), now, now)
	}
	return tx.G(ctx).Exec("INSERT INTO coupon_user (user_id, coupon_id, seq, status, start_time, end_time, add_time, "+
		"update_time) VALUES "+strings.Join(rows, ", "), args...).Error
}

const heldFrom = " FROM coupon_user h JOIN coupon c ON c.id = h.coupon_id AND c.deleted = 0 WHERE h.user_id = ? " +
	"AND h.deleted = 0"

// ofStatus is the condition for an effective status.
func ofStatus(status *UserCouponStatus, now time.Time) (string, []any) {
	switch {
	case status == nil:
		return "", nil
	case *status == Unused:
		return " AND h.status = 0 AND h.end_time >= ?", []any{now}
	case *status == PastDue:
		return " AND (h.status = 2 OR h.status = 0 AND h.end_time < ?)", []any{now}
	default:
		return " AND h.status = ?", []any{*status}
	}
}

func countMine(
	ctx context.Context, q db.Querier, shopper int64, status *UserCouponStatus, now time.Time,
) (n int64, err error) {
	cond, args := ofStatus(status, now)
	err = q.G(ctx).Raw("SELECT COUNT(*)"+heldFrom+cond, append([]any{shopper}, args...)...).Scan(&n).Error
	return n, err
}

func mine(
	ctx context.Context, q db.Querier, shopper int64, status *UserCouponStatus, now time.Time, p page.Query,
) ([]UserCoupon, error) {
	cond, args := ofStatus(status, now)
	args = append(append([]any{shopper}, args...), p.Limit, p.Offset())
	return heldRows(q.G(ctx).Raw("SELECT "+heldColumns+heldFrom+cond+" ORDER BY "+order("h", p)+" LIMIT ? OFFSET ?",
		args...))
}

func unused(ctx context.Context, q db.Querier, shopper int64, now time.Time, limit int) ([]UserCoupon, error) {
	return heldRows(q.G(ctx).Raw("SELECT "+heldColumns+heldFrom+
		" AND h.status = 0 AND h.start_time <= ? AND h.end_time >= ? AND c.status = 0 ORDER BY h.id LIMIT ?",
		shopper, now, now, limit))
}

const heldColumns = "h.id AS held_id, h.status AS held_status, h.start_time AS held_start, h.end_time AS held_end, " +
	couponColumns

type heldRow struct {
	HeldID             int64
	HeldStatus         UserCouponStatus
	HeldStart, HeldEnd sql.NullTime
	Coupon             couponRow `gorm:"embedded"`
}

func heldRows(query *gorm.DB) ([]UserCoupon, error) {
	var rows []heldRow
	if err := query.Scan(&rows).Error; err != nil {
		return nil, err
	}
	all := make([]UserCoupon, len(rows))
	for i, r := range rows {
		c, err := r.Coupon.coupon()
		if err != nil {
			return nil, err
		}
		all[i] = UserCoupon{ID: r.HeldID, Coupon: c, Status: r.HeldStatus, Start: r.HeldStart.Time, End: r.HeldEnd.Time}
	}
	return all, nil
}

// The moves below name the state they begin in, so that a coupon which is not in it stays as it is; where they lead is
// said by the table of moves.

func spend(ctx context.Context, tx *db.Tx, shopper, held, order int64, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE coupon_user SET status = ?, used_time = ?, order_id = ?, version = version + 1, "+
		"update_time = ? WHERE id = ? AND user_id = ? AND status = ? AND deleted = 0 AND start_time <= ? AND end_time >= ?",
		heldMoves.To(HeldSpend), now, order, now, held, shopper, Unused, now, now)
	return res.RowsAffected == 1, res.Error
}

func giveBack(ctx context.Context, tx *db.Tx, order int64, now time.Time) error {
	return tx.G(ctx).Exec("UPDATE coupon_user SET status = IF(end_time > ?, ?, ?), used_time = NULL, "+
		"last_order_id = order_id, order_id = NULL, version = version + 1, update_time = ? WHERE order_id = ? AND status = ?",
		now, heldMoves.To(HeldReturn), heldMoves.To(HeldReturnLate), now, order, Used).Error
}
