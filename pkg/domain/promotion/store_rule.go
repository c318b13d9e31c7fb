package promotion

import (
	"context"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
)

type ruleRow struct {
	ID, GoodsID         int64
	GoodsName           string
	PicURL              string `gorm:"column:pic_url"`
	Discount            money.Amount
	DiscountMember      int
	ExpireTime          time.Time
	Status              int
	AddTime, UpdateTime time.Time
}

const ruleColumns = "id, goods_id, goods_name, COALESCE(pic_url, '') AS pic_url, discount, discount_member, " +
	"expire_time, " +
	"status, add_time, update_time"

func liveRules(ctx context.Context, q db.Querier, now time.Time, limit int) ([]Rule, error) {
	return rules(q.G(ctx).Raw("SELECT "+ruleColumns+" FROM groupon_rules "+
		"WHERE status = 0 AND deleted = 0 AND expire_time > ? ORDER BY add_time DESC, id DESC LIMIT ?", now, limit))
}

func liveRulesOf(ctx context.Context, q db.Querier, goods int64, now time.Time) ([]Rule, error) {
	return rules(q.G(ctx).Raw("SELECT "+ruleColumns+" FROM groupon_rules "+
		"WHERE goods_id = ? AND active_mark = 0 AND status = 0 AND deleted = 0 AND expire_time > ? ORDER BY id", goods, now))
}

func rules(query *gorm.DB) ([]Rule, error) {
	var rows []ruleRow
	if err := query.Scan(&rows).Error; err != nil {
		return nil, err
	}
	all := make([]Rule, len(rows))
	for i, r := range rows {
		all[i] = Rule{
			ID: r.ID, GoodsID: r.GoodsID, GoodsName: r.GoodsName, PicURL: r.PicURL, Discount: r.Discount,
			Members: r.DiscountMember, ExpireTime: r.ExpireTime, Status: r.Status, AddTime: r.AddTime, UpdateTime: r.UpdateTime,
		}
	}
	return all, nil
}

func insertRule(ctx context.Context, q db.Querier, r Rule, now time.Time) (int64, error) {
	return db.Insert(ctx, q, "INSERT INTO groupon_rules (goods_id, goods_name, pic_url, discount, discount_member, "+
		"expire_time, status, add_time, update_time) VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?)",
		r.GoodsID, r.GoodsName, r.PicURL, r.Discount, r.Members, r.ExpireTime, now, now)
}

func grouped(ctx context.Context, q db.Querier, orders []int64) ([]int64, error) {
	if len(orders) == 0 {
		return nil, nil
	}
	var found []int64
	err := q.G(ctx).Raw("SELECT order_id FROM groupon WHERE order_id IN ? AND deleted = 0", orders).Scan(&found).Error
	return found, err
}

func openGroups(ctx context.Context, q db.Querier, order int64) (n int, err error) {
	err = q.G(ctx).Raw("SELECT COUNT(*) FROM groupon WHERE order_id = ? AND status IN (0, 1) AND deleted = 0", order).
		Scan(&n).Error
	return n, err
}
