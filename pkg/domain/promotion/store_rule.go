package promotion

import (
	"context"
	"database/sql"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/page"
)

type ruleRow struct {
	ID, GoodsID         int64
	GoodsName           string
	PicURL              string `gorm:"column:pic_url"`
	Discount            money.Amount
	DiscountMember      int
	ExpireTime          sql.NullTime
	Status              int
	Deleted             bool
	AddTime, UpdateTime time.Time
}

func (r ruleRow) rule() GroupRule {
	return GroupRule{
		ID: r.ID, GoodsID: r.GoodsID, GoodsName: r.GoodsName, PicURL: r.PicURL, Discount: r.Discount,
		Members: r.DiscountMember, ExpireTime: r.ExpireTime.Time, Status: r.Status, Deleted: r.Deleted,
		AddTime: r.AddTime, UpdateTime: r.UpdateTime,
	}
}

const ruleColumns = "r.id, r.goods_id, r.goods_name, COALESCE(r.pic_url, '') AS pic_url, r.discount, " +
	"r.discount_member, r.expire_time, r.status, r.deleted, r.add_time, r.update_time"

func liveRules(ctx context.Context, q db.Querier, now time.Time, limit int) ([]GroupRule, error) {
	return rules(q.G(ctx).Raw("SELECT "+ruleColumns+" FROM groupon_rules r "+
		"WHERE r.status = 0 AND r.deleted = 0 AND r.expire_time > ? ORDER BY r.add_time DESC, r.id DESC LIMIT ?", now, limit))
}

func liveRulesOf(ctx context.Context, q db.Querier, goods int64, now time.Time) ([]GroupRule, error) {
	return rules(q.G(ctx).Raw("SELECT "+ruleColumns+" FROM groupon_rules r "+
		"WHERE r.goods_id = ? AND r.active_mark = 0 AND r.status = 0 AND r.deleted = 0 AND r.expire_time > ? "+
		"ORDER BY r.id", goods, now))
}

func rules(query *gorm.DB) ([]GroupRule, error) {
	var rows []ruleRow
	if err := query.Scan(&rows).Error; err != nil {
		return nil, err
	}
	all := make([]GroupRule, len(rows))
	for i, r := range rows {
		all[i] = r.rule()
	}
	return all, nil
}

func ruleByID(ctx context.Context, q db.Querier, id int64) (GroupRule, bool, error) {
	return oneRule(q.G(ctx).Raw("SELECT "+ruleColumns+" FROM groupon_rules r WHERE r.id = ?", id))
}

func rulesByID(ctx context.Context, q db.Querier, ids []int64) ([]GroupRule, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return rules(q.G(ctx).Raw("SELECT "+ruleColumns+" FROM groupon_rules r WHERE r.id IN ?", ids))
}

// holdRule reads an offer and keeps it from being closed until the transaction ends.
func holdRule(ctx context.Context, tx *db.Tx, id int64) (GroupRule, bool, error) {
	return oneRule(tx.G(ctx).Raw("SELECT "+ruleColumns+" FROM groupon_rules r WHERE r.id = ? FOR UPDATE", id))
}

func oneRule(query *gorm.DB) (GroupRule, bool, error) {
	found, err := rules(query)
	if err != nil || len(found) == 0 {
		return GroupRule{}, false, err
	}
	return found[0], true, nil
}

func closeRule(ctx context.Context, q db.Querier, id int64, status int, now time.Time) (bool, error) {
	res := q.G(ctx).Exec("UPDATE groupon_rules SET status = ?, active_mark = id, version = version + 1, update_time = ? "+
		"WHERE id = ? AND status = 0 AND deleted = 0", status, now, id)
	return res.RowsAffected == 1, res.Error
}

func overdueRules(
	ctx context.Context, q db.Querier, now time.Time, ready clause.Expr, limit int,
) (ids []int64, err error) {
	err = q.G(ctx).Raw(`SELECT id FROM groupon_rules WHERE status = 0 AND expire_time <= ? AND deleted = 0 AND ?
		ORDER BY expire_time, id LIMIT ?`, now, ready, limit).Scan(&ids).Error
	return ids, err
}

// expireRule closes an offer if its time is over, which an operator may have changed meanwhile.
func expireRule(ctx context.Context, q db.Querier, id int64, now time.Time) (bool, error) {
	res := q.G(ctx).Exec("UPDATE groupon_rules SET status = 1, active_mark = id, version = version + 1, update_time = ? "+
		"WHERE id = ? AND status = 0 AND deleted = 0 AND expire_time <= ?", now, id, now)
	return res.RowsAffected == 1, res.Error
}

// onOffer joins the goods, so that an offer on goods that are gone counts nowhere.
var onOffer = " FROM groupon_rules r " + catalog.JoinOnSale("r.goods_id") +
	" WHERE r.status = 0 AND r.deleted = 0 AND r.expire_time > ?"

func countOffered(ctx context.Context, q db.Querier, now time.Time) (n int64, err error) {
	err = q.G(ctx).Raw("SELECT COUNT(*)"+onOffer, now).Scan(&n).Error
	return n, err
}

func offered(ctx context.Context, q db.Querier, now time.Time, p page.Query) ([]Offered, error) {
	var rows []struct {
		Rule                      ruleRow `gorm:"embedded"`
		Name, Brief, Picture      string
		CounterPrice, RetailPrice money.Amount
	}
	err := q.G(ctx).Raw("SELECT "+ruleColumns+", g.name, g.brief, COALESCE(g.pic_url, '') AS picture, g.counter_price, "+
		"g.retail_price"+onOffer+" ORDER BY "+order("r", p)+" LIMIT ? OFFSET ?", now, p.Limit, p.Offset()).
		Scan(&rows).Error
	all := make([]Offered, len(rows))
	for i, r := range rows {
		all[i] = Offered{
			GroupRule: r.Rule.rule(), Name: r.Name, Brief: r.Brief, Picture: r.Picture,
			CounterPrice: r.CounterPrice, RetailPrice: r.RetailPrice,
		}
	}
	return all, err
}

func insertRule(ctx context.Context, q db.Querier, r GroupRule, now time.Time) (int64, error) {
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
