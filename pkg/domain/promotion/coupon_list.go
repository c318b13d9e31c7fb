package promotion

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/page"
)

// CouponFilter narrows an operator's list of coupons; zero members do not.
type CouponFilter struct {
	// Name is contained in the coupon's name.
	Name   string
	Kind   *Kind
	Status *Status
}

// Coupons returns a page of all coupons, whatever their state.
func (s *Service) Coupons(ctx context.Context, f CouponFilter, q page.Query) (page.List[Coupon], error) {
	rows, err := listCoupons(ctx, s.db, f, q)
	if err != nil {
		return page.List[Coupon]{}, err
	}
	return page.Turn(rows, couponRow.coupon)
}

// Coupon returns a coupon, whatever its state. It fails with errno.Invalid.
func (s *Service) Coupon(ctx context.Context, id int64) (Coupon, error) {
	c, ok, err := find(ctx, s.db, id)
	if err != nil {
		return c, fmt.Errorf("read coupon %d: %w", id, err)
	}
	if !ok {
		return c, fmt.Errorf("coupon %d: %w", id, errno.NoSuch("couponId"))
	}
	return c, nil
}

// Holding is a coupon in a shopper's hand, as it is stored.
type Holding struct {
	ID, UserID, CouponID int64
	Status               UserCouponStatus
	UsedTime, Start, End time.Time
	// OrderID is the order that uses it, 0 for none.
	OrderID             int64
	AddTime, UpdateTime time.Time
}

// HolderFilter narrows an operator's list of who holds coupons; nil members do not.
type HolderFilter struct {
	Shopper, Coupon *int64
	Status          *UserCouponStatus
}

// Holders returns a page of the coupons in shoppers' hands.
func (s *Service) Holders(ctx context.Context, f HolderFilter, q page.Query) (page.List[Holding], error) {
	rows, err := listHoldings(ctx, s.db, f, q)
	return page.Map(rows, holdingRow.holding), err
}

type holdingRow struct {
	ID, UserID, CouponID         int64
	Status                       UserCouponStatus
	UsedTime, StartTime, EndTime sql.NullTime
	OrderID                      sql.NullInt64
	AddTime, UpdateTime          time.Time
}

func (r holdingRow) holding() Holding {
	return Holding{
		ID: r.ID, UserID: r.UserID, CouponID: r.CouponID, Status: r.Status, UsedTime: r.UsedTime.Time,
		Start: r.StartTime.Time, End: r.EndTime.Time, OrderID: r.OrderID.Int64, AddTime: r.AddTime, UpdateTime: r.UpdateTime,
	}
}
