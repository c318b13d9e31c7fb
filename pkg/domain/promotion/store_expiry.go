package promotion

import (
	"context"
	"time"

	"gorm.io/gorm/clause"

	"shop.internal/pkg/domain/internal/db"
)

// expiring is a table whose rows end by time: cond names the live rows whose time, its only parameter, is over.
type expiring struct {
	table, cond string
	to          int
}

var (
	couponsExpire  = expiring{"coupon", "status = 0 AND deleted = 0 AND time_type = 1 AND end_time < ?", int(Expired)}
	holdingsExpire = expiring{"coupon_user", "status = 0 AND end_time < ?", int(heldMoves.To(HeldExpire))}
)

func (e expiring) due(
	ctx context.Context, q db.Querier, now time.Time, ready clause.Expr, limit int,
) (ids []int64, err error) {
	err = q.G(ctx).Raw("SELECT id FROM "+e.table+" WHERE "+e.cond+" AND ? ORDER BY id LIMIT ?", now, ready, limit).
		Scan(&ids).Error
	return ids, err
}

func (e expiring) mark(ctx context.Context, q db.Querier, id int64, now time.Time) (bool, error) {
	res := q.G(ctx).Exec("UPDATE "+e.table+" SET status = ?, version = version + 1, update_time = ? WHERE id = ? AND "+
		e.cond, e.to, now, id, now)
	return res.RowsAffected == 1, res.Error
}
