// Package promotion serves operators the coupons and group purchases.
package promotion

import (
	"context"
	"slices"
	"time"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/export"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

// Deps are the dependencies of the operations.
type Deps struct {
	Promotions *promotion.Service
	// Orders ends the groups of a rule with their orders.
	Orders *order.Service
	Goods  *catalog.Service
	// Audit stores the audit records of exports.
	Audit *audit.Service
	Zone  wire.Zone
}

type handlers struct{ Deps }

// Ops declares the operations on coupons and group purchases.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return slices.Concat(h.couponOps(), h.grouponOps())
}

func (h handlers) couponOps() []op.Op {
	audit := func(action string) op.Audit { return op.Audit{Target: "coupon", Action: action} }
	return []op.Op{
		op.Read[ListCoupons, wire.List[Coupon]]{
			Path: "/admin/coupon/list", Title: "List coupons",
			Access: op.Permit("admin:coupon:list", menu.Coupons(), menu.Query()), Budget: 3, MayLag: true,
			Columns: op.Columns{
				Names: []string{"name", "tag", "type", "goodsType", "discount", "min", "total", "status", "addTime"}, Opens: "name",
			},
			Do: h.listCoupons,
		},
		op.Read[ListHolders, wire.List[UserCoupon]]{
			Path: "/admin/coupon/listuser", Title: "List the coupons in shoppers' hands",
			Access: op.Permit("admin:coupon:listuser", menu.Coupons(), menu.Button("Query holders", "查询用户")),
			Budget: 3,
			MayLag: true, Do: h.listHolders,
		},
		op.Stream[ExportHolders]{
			Path: "/admin/coupon/export", Title: "Export the coupons in shoppers' hands as CSV",
			Access: op.Permit("admin:coupon:export", menu.Coupons(), menu.Export()),
			Audit:  op.Audit{Target: "coupon_user", Action: "导出用户优惠券"}, Limit: export.Limit, MayLag: true, Do: h.exportHolders,
		},
		op.Write[CreateCoupon, Coupon]{
			Path: "/admin/coupon/create", Title: "Add a coupon",
			Access:           op.Permit("admin:coupon:create", menu.Coupons(), menu.Add()),
			Fails:            []*errno.Code{errno.Stale},
			IdempotencyScope: "admin.coupon-create", Audit: audit("添加优惠券"), Budget: 6, Do: h.createCoupon,
		},
		op.Read[wire.Ref, Coupon]{
			Path: "/admin/coupon/read", Title: "Show a coupon",
			Access: op.Permit("admin:coupon:read", menu.Coupons(), menu.Detail()), Budget: 2, Do: h.readCoupon,
		},
		op.Write[UpdateCoupon, Coupon]{
			Path: "/admin/coupon/update", Title: "Change a coupon",
			Access:           op.Permit("admin:coupon:update", menu.Coupons(), menu.Edit()),
			Fails:            []*errno.Code{errno.UpdateFailed, errno.Stale},
			IdempotencyScope: "admin.coupon-update", Audit: audit("编辑优惠券"), Budget: 8,
			Do: wire.Expecting(h.Zone, h.updateCoupon),
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/coupon/delete", Title: "Delete a coupon",
			Access:           op.Permit("admin:coupon:delete", menu.Coupons(), menu.Delete()),
			Fails:            []*errno.Code{errno.Stale},
			IdempotencyScope: "admin.coupon-delete", Audit: audit("删除优惠券"), Budget: 7, Do: h.deleteCoupon,
		},
	}
}

// ListCoupons is the query of /admin/coupon/list.
type ListCoupons struct {
	wire.Paging
	Name   string `json:"name" doc:"Only coupons whose name contains these words, in any order."`
	Type   *int   `json:"type" show:"one=coupon-type"`
	Status *int   `json:"status" show:"one=coupon-state"`
}

func (h handlers) listCoupons(ctx context.Context, r ListCoupons) (wire.List[Coupon], error) {
	return paging.Page(r.Paging, func(q page.Query) (page.List[promotion.Coupon], error) {
		return h.Promotions.Coupons(ctx, promotion.CouponFilter{
			Name: r.Name, Kind: (*promotion.Kind)(r.Type), Status: (*promotion.Status)(r.Status),
		}, q)
	}, h.coupon)
}

// ListHolders is the query of /admin/coupon/listuser.
type ListHolders struct {
	wire.Paging
	HolderFilter
}

// HolderFilter filters user coupons.
type HolderFilter struct {
	UserID   *int64 `json:"userId" show:"of=user"`
	CouponID *int64 `json:"couponId" show:"of=coupon"`
	Status   *int   `json:"status" show:"one=coupon-state"`
}

func (f HolderFilter) filter() promotion.UserCouponFilter {
	status := (*promotion.UserCouponStatus)(f.Status)
	return promotion.UserCouponFilter{Shopper: f.UserID, Coupon: f.CouponID, Status: status}
}

func (h handlers) listHolders(ctx context.Context, r ListHolders) (wire.List[UserCoupon], error) {
	return paging.Page(r.Paging, func(q page.Query) (page.List[promotion.UserCoupon], error) {
		return h.Promotions.UserCoupons(ctx, r.filter(), q)
	}, h.userCoupon)
}

// CouponBody are the members of a coupon that an operator sets, except its name. The console sends the whole row; other
// members are ignored.
type CouponBody struct {
	Desc       *string       `json:"desc" check:"maxLength=127" show:"long"`
	Tag        *string       `json:"tag" check:"maxLength=63,visible"`
	Total      *int          `json:"total" check:"range=coupon-total" doc:"How many are given out; 0 for any number."`
	Discount   *money.Amount `json:"discount" check:"range=price"`
	Min        *money.Amount `json:"min" check:"range=price" doc:"The least sum of the goods that it counts for."`
	Limit      *int          `json:"limit" label:"perShopper" check:"range=coupon-each" doc:"For each shopper; 0 for any."`
	Type       *int          `json:"type" check:"enum=0|1|2" show:"one=coupon-type"`
	Status     *int          `json:"status" check:"enum=0|1|2" show:"one=coupon-state"`
	GoodsType  *int          `json:"goodsType" check:"enum=0|1|2" show:"one=coupon-scope"`
	GoodsValue []int64       `json:"goodsValue" doc:"The ids of categories or goods that goodsType speaks of."`
	TimeType   *int          `json:"timeType" check:"enum=0|1" show:"one=coupon-validity"`
	Days       *int          `json:"days" check:"range=coupon-days"`
	StartTime  string        `json:"startTime" doc:"The first moment where timeType is 1." show:"time"`
	EndTime    string        `json:"endTime" doc:"The end where timeType is 1." show:"time"`
}

func (h handlers) couponChange(b CouponBody) (promotion.CouponChange, error) {
	c := promotion.CouponChange{
		Description: b.Desc, Tag: b.Tag, Total: b.Total, PerShopper: b.Limit, Days: b.Days,
		Discount: b.Discount, Min: b.Min, Kind: (*promotion.Kind)(b.Type), Status: (*promotion.Status)(b.Status),
		Scope: (*promotion.Scope)(b.GoodsType), Scoped: b.GoodsValue,
	}
	if b.TimeType != nil {
		fixed := *b.TimeType == fixedDates
		c.Fixed = &fixed
	}
	var err error
	if c.Start, err = h.moment(text.FieldStartTime, b.StartTime); err != nil {
		return c, err
	}
	c.End, err = h.moment(text.FieldEndTime, b.EndTime)
	return c, err
}

// fixedDates is the timeType of a coupon with fixed dates.
const fixedDates = 1

// moment parses a timestamp in the shop's time zone; nil for none.
func (h handlers) moment(field *text.Field, t string) (*time.Time, error) {
	at, err := h.Zone.Moment(field, t)
	if err != nil || at.IsZero() {
		return nil, err
	}
	return &at, nil
}

// CreateCoupon is the body of /admin/coupon/create.
type CreateCoupon struct {
	Name string `json:"name" check:"required,maxLength=63,visible"`
	CouponBody
}

func (h handlers) createCoupon(ctx context.Context, r CreateCoupon) (Coupon, error) {
	change, err := h.couponChange(r.CouponBody)
	if err != nil {
		return Coupon{}, err
	}
	change.Name = &r.Name
	c, err := h.Promotions.AddCoupon(ctx, change)
	return h.coupon(c), err
}

func (h handlers) readCoupon(ctx context.Context, r wire.Ref) (Coupon, error) {
	c, err := h.Promotions.Coupon(ctx, r.ID)
	return h.coupon(c), err
}

// UpdateCoupon is the body of /admin/coupon/update; absent members stay unchanged.
type UpdateCoupon struct {
	wire.Ref
	wire.Expected
	Name *string `json:"name" check:"maxLength=63,visible"`
	CouponBody
}

func (h handlers) updateCoupon(ctx context.Context, r UpdateCoupon) (Coupon, error) {
	change, err := h.couponChange(r.CouponBody)
	if err != nil {
		return Coupon{}, err
	}
	change.Name = r.Name
	c, err := h.Promotions.EditCoupon(ctx, r.ID, change)
	return h.coupon(c), err
}

func (h handlers) deleteCoupon(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Promotions.DropCoupon(ctx, r.ID)
}
