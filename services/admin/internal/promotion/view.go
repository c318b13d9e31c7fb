package promotion

import (
	"shop.internal/pkg/contract"
	domaincatalog "shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/catalog"
)

// Coupon is a coupon record.
type Coupon struct {
	ID         int64      `json:"id"`
	Name       string     `json:"name"`
	Desc       string     `json:"desc" show:"long"`
	Tag        string     `json:"tag"`
	Total      int        `json:"total"`
	Discount   wire.Money `json:"discount"`
	Min        wire.Money `json:"min"`
	Limit      int        `json:"limit" label:"perShopper"`
	Type       int        `json:"type" show:"one=coupon-type"`
	Status     int        `json:"status" show:"one=coupon-state"`
	GoodsType  int        `json:"goodsType" show:"one=coupon-scope"`
	GoodsValue []int64    `json:"goodsValue"`
	Code       *string    `json:"code"`
	TimeType   int        `json:"timeType" show:"one=coupon-validity"`
	Days       int        `json:"days"`
	StartTime  wire.Time  `json:"startTime"`
	EndTime    wire.Time  `json:"endTime"`
	wire.Stamps
}

func (h handlers) coupon(c promotion.Coupon) Coupon {
	v := Coupon{
		ID: c.ID, Name: c.Name, Desc: c.Description, Tag: c.Tag, Total: c.Total, Discount: wire.Money(c.Discount),
		Min: wire.Money(c.Min), Limit: c.PerShopper, Type: int(c.Kind), Status: int(c.Status), GoodsType: int(c.Scope),
		GoodsValue: wire.OrEmpty(c.Scoped), Code: nil, TimeType: 0, Days: c.Days, StartTime: h.Zone.At(c.Start),
		EndTime: h.Zone.At(c.End), Stamps: h.Zone.Stamps(c.AddTime, c.UpdateTime),
	}
	if c.Code != "" {
		v.Code = &c.Code
	}
	if c.Fixed() {
		v.TimeType = fixedDates
	}
	return v
}

// UserCoupon is a user coupon.
type UserCoupon struct {
	ID         int64     `json:"id"`
	UserID     int64     `json:"userId" show:"of=user"`
	Username   string    `json:"username"`
	CouponID   int64     `json:"couponId" show:"of=coupon"`
	CouponName string    `json:"couponName"`
	Status     int       `json:"status" show:"one=user-coupon-state"`
	UsedTime   wire.Time `json:"usedTime"`
	StartTime  wire.Time `json:"startTime"`
	EndTime    wire.Time `json:"endTime"`
	OrderID    *int64    `json:"orderId" show:"of=order"`
	wire.Stamps
}

func (h handlers) userCoupon(c promotion.UserCoupon) UserCoupon {
	v := UserCoupon{
		ID: c.ID, UserID: c.UserID, Username: "", CouponID: c.CouponID, CouponName: "",
		Status: int(c.Status), UsedTime: h.Zone.At(c.UsedTime),
		StartTime: h.Zone.At(c.Start), EndTime: h.Zone.At(c.End), OrderID: nil,
		Stamps: h.Zone.Stamps(c.AddTime, c.UpdateTime),
	}
	if c.OrderID != 0 {
		v.OrderID = &c.OrderID
	}
	return v
}

// Rule is a group-buy rule. Discount is in whole currency units.
type Rule contract.GroupRule

func (h handlers) rule(r promotion.GroupRule) Rule {
	v := Rule(contract.GroupRuleOf(h.Zone, r))
	v.Deleted = r.Deleted
	return v
}

// Record is a shopper's membership in a group.
type Record struct {
	ID              int64     `json:"id"`
	OrderID         int64     `json:"orderId" show:"of=order"`
	GrouponID       int64     `json:"grouponId"`
	RulesID         int64     `json:"rulesId" show:"of=groupon"`
	UserID          int64     `json:"userId" show:"of=user"`
	Username        string    `json:"username"`
	ShareURL        wire.Link `json:"shareUrl" show:"picture"`
	CreatorUserID   int64     `json:"creatorUserId" show:"of=user"`
	CreatorUserTime wire.Time `json:"creatorUserTime"`
	Status          int       `json:"status" show:"one=group-state"`
	wire.Stamps
}

func (h handlers) record(v promotion.Member) Record {
	return Record{
		ID: v.ID, OrderID: v.OrderID, GrouponID: v.Joined, RulesID: v.RuleID, UserID: v.UserID, Username: "",
		ShareURL:      wire.Link(v.ShareURL),
		CreatorUserID: v.OpenerID, CreatorUserTime: h.Zone.At(v.OpenedAt), Status: int(v.Status),
		Stamps: h.Zone.Stamps(v.AddTime, v.UpdateTime),
	}
}

// Group is a group: the opener, the joiners, the rule and its goods.
type Group struct {
	Groupon   Record         `json:"groupon"`
	SubGroups []Record       `json:"subGroupons"`
	Rules     *Rule          `json:"rules"`
	Goods     *catalog.Goods `json:"goods"`
}

func (h handlers) group(g promotion.Group, offered map[int64]domaincatalog.Remembered) Group {
	v := Group{Groupon: h.record(g.Member), SubGroups: wire.Each(g.Joiners, h.record), Rules: nil, Goods: nil}
	if g.Rule == nil {
		return v
	}
	rule := h.rule(*g.Rule)
	v.Rules = &rule
	if of, ok := offered[g.Rule.GoodsID]; ok {
		shown := catalog.View(h.Zone)(of.Goods)
		shown.Deleted = of.Deleted
		v.Goods = &shown
	}
	return v
}
