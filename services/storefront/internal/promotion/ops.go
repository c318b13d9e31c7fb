// Package promotion serves shoppers the coupons, and everybody the group purchases.
package promotion

import (
	"context"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/auth"
	"shop.internal/services/storefront/internal/paging"
)

// Deps are the dependencies of the operations. A zero Deps can only be used to list operations.
type Deps struct {
	Promotions *promotion.Service
	Orders     *order.Service
	Catalog    *catalog.Service
	Zone       wire.Zone
	// Now is the shop's clock, for the validity of coupons.
	Now func() time.Time
}

type handlers struct{ Deps }

// Ops declares the operations on coupons and group-buy rules.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return append(h.groupons(),
		op.Read[List, wire.List[Coupon]]{
			Path: "/wx/coupon/list", Title: "List the coupons that can be taken", Access: op.Public,
			Budget: 2, Do: h.list,
		},
		op.Read[Mine, wire.List[UserCoupon]]{
			Path: "/wx/coupon/mylist", Title: "List my coupons", Access: op.SignedIn, Budget: 3, Do: h.mine,
		},
		op.Read[Select, wire.List[UserCoupon]]{
			Path: "/wx/coupon/selectlist", Title: "List my coupons that fit a purchase", Access: op.SignedIn,
			Fails:  []*errno.Code{errno.GoodsUnshelved, errno.GoodsInvalid, errno.GrouponExpired, errno.GrouponOffline},
			Budget: 6,
			Do:     h.fitting,
		},
		op.Write[Receive, op.None]{
			Path: "/wx/coupon/receive", Title: "Take a coupon", Access: op.SignedIn,
			Fails:            []*errno.Code{errno.CouponExceedLimit, errno.CouponReceiveFailed, errno.Stale},
			IdempotencyScope: "coupon.receive",
			Budget:           5,
			Do:               h.receive,
		},
		op.Write[Exchange, op.None]{
			Path: "/wx/coupon/exchange", Title: "Redeem a code for a coupon", Access: op.SignedIn,
			Fails: []*errno.Code{
				errno.CouponCodeInvalid, errno.CouponExceedLimit, errno.CouponReceiveFailed, errno.Stale,
			},
			IdempotencyScope: "coupon.exchange", Budget: 5, Do: h.exchange,
		},
	)
}

// List is the request of /wx/coupon/list.
type List struct{ wire.Paging }

func (h handlers) list(ctx context.Context, r List) (wire.List[Coupon], error) {
	q, err := paging.Of(r.Paging)
	if err != nil {
		return wire.List[Coupon]{}, err
	}
	found, err := h.Promotions.Receivable(ctx, q)
	return wire.ListOf(found, CouponView(h.Zone)), err
}

// Mine is the request of /wx/coupon/mylist.
type Mine struct {
	wire.Paging
	Status *int `json:"status" check:"min=0,max=2" doc:"0 unused, 1 used, 2 expired; all without it."`
}

func (h handlers) mine(ctx context.Context, r Mine) (wire.List[UserCoupon], error) {
	q, err := paging.Of(r.Paging)
	if err != nil {
		return wire.List[UserCoupon]{}, err
	}
	found, err := h.Promotions.Mine(ctx, auth.ID(ctx), (*promotion.UserCouponStatus)(r.Status), q)
	return wire.ListOf(found, h.userCoupon), err
}

// Select is the request of /wx/coupon/selectlist.
type Select struct {
	CartID int64 `json:"cartId" doc:"0 for all ticked rows of the cart, else one row."`
	RuleID int64 `json:"grouponRulesId" doc:"A groupon offer, 0 for none."`
	All    bool  `json:"all" doc:"Also my unused coupons that do not fit, after the others and with the reason."`
}

func (h handlers) fitting(ctx context.Context, r Select) (wire.List[UserCoupon], error) {
	choice := order.Choice{Cart: r.CartID, Rule: r.RuleID}
	if !r.All {
		q, err := h.Orders.Fitting(ctx, auth.ID(ctx), choice)
		return wire.ListOf(page.Whole(q.Usable), h.userCoupon), err
	}
	fit, unfit, err := h.Orders.Coupons(ctx, auth.ID(ctx), choice)
	return wire.ListOf(page.Whole(append(wire.Each(fit, h.userCoupon), wire.Each(unfit, h.unfit)...)), same), err
}

func same(c UserCoupon) UserCoupon { return c }

// Receive is the body of /wx/coupon/receive.
type Receive struct {
	CouponID int64 `json:"couponId" check:"required"`
}

func (h handlers) receive(ctx context.Context, r Receive) (op.None, error) {
	return op.None{}, h.Promotions.Receive(ctx, auth.ID(ctx), r.CouponID)
}

// Exchange is the body of /wx/coupon/exchange.
type Exchange struct {
	Code string `json:"code" check:"required,clean=code"`
}

func (h handlers) exchange(ctx context.Context, r Exchange) (op.None, error) {
	return op.None{}, h.Promotions.Exchange(ctx, auth.ID(ctx), r.Code)
}

// Coupon is a coupon to receive. A coupon with fixed dates has 0 days.
type Coupon struct {
	ID        int64      `json:"id"`
	Name      string     `json:"name"`
	Desc      string     `json:"desc"`
	Tag       string     `json:"tag"`
	Discount  wire.Money `json:"discount" doc:"What it takes off."`
	Min       wire.Money `json:"min" doc:"From which amount of goods it can be used."`
	Days      int        `json:"days" doc:"How many days it is good for, where no dates are set."`
	StartTime wire.Time  `json:"startTime,omitzero"`
	EndTime   wire.Time  `json:"endTime,omitzero"`
}

// CouponView renders a coupon, also for the home page.
func CouponView(zone wire.Zone) func(promotion.Coupon) Coupon {
	return func(c promotion.Coupon) Coupon {
		return Coupon{
			ID: c.ID, Name: c.Name, Desc: c.Description, Tag: c.Tag, Discount: wire.Money(c.Discount), Min: wire.Money(c.Min),
			Days: c.Days, StartTime: zone.At(c.Start), EndTime: zone.At(c.End),
		}
	}
}

// UserCoupon is a user coupon; ID is that of the user coupon, CID and CouponID those of the coupon.
type UserCoupon struct {
	ID        int64          `json:"id"`
	CID       int64          `json:"cid" doc:"The id of the coupon."`
	CouponID  int64          `json:"couponId"`
	Name      string         `json:"name"`
	Desc      string         `json:"desc"`
	Tag       string         `json:"tag"`
	Min       wire.MoneyText `json:"min" doc:"From which amount of goods it can be used."`
	Discount  wire.MoneyText `json:"discount" doc:"What it takes off."`
	StartTime wire.Time      `json:"startTime"`
	EndTime   wire.Time      `json:"endTime"`
	Status    int            `json:"status"`
	Available bool           `json:"available" doc:"It fits the purchase."`
	// Reason and Missing are present in answers about a purchase that the coupon does not fit.
	Reason  promotion.Misfit `json:"reason,omitempty" doc:"withdrawn, early, goods (other ones), or minimum."`
	Missing wire.MoneyText   `json:"missing,omitzero" doc:"What the goods lack of the minimum."`
}

func (h handlers) userCoupon(c promotion.UserCoupon) UserCoupon {
	return UserCoupon{
		ID: c.ID, CID: c.Coupon.ID, CouponID: c.Coupon.ID, Name: c.Coupon.Name, Desc: c.Coupon.Description, Tag: c.Coupon.Tag,
		Min: wire.MoneyText(c.Coupon.Min), Discount: wire.MoneyText(c.Coupon.Discount), StartTime: h.Zone.At(c.Start),
		EndTime: h.Zone.At(c.End), Status: int(c.Effective(h.Now())), Available: c.Available(h.Now()),
		Reason: "", Missing: 0,
	}
}

func (h handlers) unfit(c promotion.Unfit) UserCoupon {
	v := h.userCoupon(c.UserCoupon)
	v.Available, v.Reason, v.Missing = false, c.Why, wire.MoneyText(c.Missing)
	return v
}
