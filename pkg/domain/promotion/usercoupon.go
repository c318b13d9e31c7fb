package promotion

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	wording "shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/statemachine"
	"shop.internal/pkg/domain/internal/store/table"
)

// UserCouponStatus is the state of a user coupon.
type UserCouponStatus int

// A user coupon is unused, then used and, if its order ends without a sale, unused again; or it expires.
const (
	Unused UserCouponStatus = iota
	Used
	PastDue
	TakenBack
)

// UserCouponEvent is an event in the life of a user coupon.
type UserCouponEvent string

// The events.
const (
	// CouponSpend is the use of the coupon by an order.
	CouponSpend UserCouponEvent = "spend"
	// CouponReturn is the end of that order without a sale before the coupon expires, CouponReturnLate after.
	CouponReturn     UserCouponEvent = "give back"
	CouponReturnLate UserCouponEvent = "give back late"
	// CouponExpire is the job finding that the coupon has expired.
	CouponExpire UserCouponEvent = "expire"
)

// userCouponTransitions are all transitions of a user coupon: a used one is never used again unless its order returns
// it, and an expired one stays expired.
var userCouponTransitions = statemachine.New(map[UserCouponStatus]map[UserCouponEvent]UserCouponStatus{
	Unused:    {CouponSpend: Used, CouponExpire: PastDue},
	Used:      {CouponReturn: Unused, CouponReturnLate: PastDue},
	PastDue:   {},
	TakenBack: {}, // only in imported data
})

// UserCouponLife returns the state machine of user coupons, for verifying the books.
func UserCouponLife() statemachine.Machine[UserCouponStatus, UserCouponEvent] {
	return userCouponTransitions
}

// Next returns the state after an event, and whether the event is allowed.
func (s UserCouponStatus) Next(e UserCouponEvent) (UserCouponStatus, bool) {
	return userCouponTransitions.Next(s, e)
}

// UserCoupon is a shopper's own copy of a coupon.
type UserCoupon struct {
	ID, UserID, CouponID int64
	// Seq counts the shopper's copies of one coupon.
	Seq int
	// Terms are those of the coupon at the receipt: later changes of the definition do not reach who has it.
	Terms    Terms `gorm:"embedded"`
	Status   UserCouponStatus
	UsedTime time.Time `table:"null"`
	Start    time.Time `gorm:"column:start_time" table:"null"`
	End      time.Time `gorm:"column:end_time" table:"null"`
	// OrderID is the order that uses the coupon, LastOrderID the last one that returned it; 0 for none.
	OrderID             int64 `table:"null"`
	LastOrderID         int64 `table:"null"`
	AddTime, UpdateTime time.Time
	// Coupon is the definition with the user coupon's own terms, if it was read too.
	Coupon Coupon `gorm:"-"`
}

var userCoupons = table.Of[UserCoupon]("coupon_user", table.Versioned,
	table.Refers("user_id", "user"),
	table.Refers("coupon_id", "coupon"),
	table.MayRefer("order_id", "orders"),
	table.MayRefer("last_order_id", "orders"),
)

// Effective is the status by the clock: an unused coupon past its end is expired, even if the job has not run yet.
func (h UserCoupon) Effective(now time.Time) UserCouponStatus {
	if h.Status == Unused && h.End.Before(now) {
		return PastDue
	}
	return h.Status
}

// Available reports whether the coupon can be used: it is unused and not expired, and its definition is normal.
func (h UserCoupon) Available(now time.Time) bool {
	return h.Effective(now) == Unused && h.Coupon.Status == Normal
}

// Mine returns a page of the shopper's coupons, those of one effective status or all (nil).
func (s *Service) Mine(
	ctx context.Context, shopper int64, status *UserCouponStatus, q page.Query,
) (page.List[UserCoupon], error) {
	list, err := lists.FetchJoin[definedCoupon](ctx, s.db, lists.Join{
		Columns: definedColumns, From: ofShopper, Args: []any{shopper, hasStatus(status, s.now())}, Order: order,
	}, q)
	return page.Map(list, definedCoupon.userCoupon), wrap(err, "list the coupons of shopper %d", shopper)
}

// hasStatus is the condition for an effective status, nil for any; the user coupon has the alias r.
func hasStatus(status *UserCouponStatus, now time.Time) clause.Expr {
	switch {
	case status == nil:
		return gorm.Expr("TRUE")
	case *status == Unused:
		return gorm.Expr("r.status = ? AND r.end_time >= ?", Unused, now)
	case *status == PastDue:
		return gorm.Expr("(r.status = ? OR r.status = ? AND r.end_time < ?)", PastDue, Unused, now)
	default:
		return gorm.Expr("r.status = ?", *status)
	}
}

// definedCoupon is a user coupon with its definition.
type definedCoupon struct {
	UserCoupon
	Definition couponRow `gorm:"embedded;embeddedPrefix:c_"`
}

func (r definedCoupon) userCoupon() UserCoupon {
	u := r.UserCoupon
	u.Coupon = u.Terms.of(r.Definition.coupon())
	return u
}

// definedColumns are the columns of definedCoupon in a statement with ofShopper.
var definedColumns = userCoupons.Columns("r") + ", " + coupons.ColumnsAs("c", "c_")

// ofShopper stands behind FROM in statements on a shopper's coupons and their definitions; the user coupon has the
// alias r and the definition c. Its parameters are the shopper and a further condition.
const ofShopper = `coupon_user r
	JOIN coupon c ON c.id = r.coupon_id
	WHERE r.user_id = ? AND r.deleted = 0 AND ?`

// Pick finds the coupon that a client means among the usable ones. Some clients name the coupon and the user coupon,
// others only one of them; the ids of user coupons start above ten million, so the two kinds never collide.
func Pick(usable []UserCoupon, coupon, owned int64) (UserCoupon, bool) {
	if owned > 0 {
		return first(usable, func(h UserCoupon) bool { return h.ID == owned && (coupon == h.Coupon.ID || coupon == h.ID) })
	}
	byEnd := slices.Clone(usable)
	slices.SortFunc(byEnd, func(a, b UserCoupon) int { return cmp.Or(a.End.Compare(b.End), cmp.Compare(a.ID, b.ID)) })
	if h, ok := first(byEnd, func(h UserCoupon) bool { return h.Coupon.ID == coupon }); ok {
		return h, true
	}
	return first(usable, func(h UserCoupon) bool { return h.ID == coupon })
}

func first(all []UserCoupon, is func(UserCoupon) bool) (UserCoupon, bool) {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i], true
	}
	return UserCoupon{}, false
}

// Spend uses the shopper's coupon, as read for the price, for an order. It fails with errno.Invalid if another order
// was faster, the coupon has expired or its definition was withdrawn, and with errno.Stale if the definition is no
// longer the one in the price. The definition stays locked until the transaction ends.
func (s *Service) Spend(ctx context.Context, tx *db.Tx, shopper int64, h UserCoupon, order int64) error {
	row, ok, err := coupons.One(ctx, tx, "r.id = ? FOR UPDATE", h.Coupon.ID) // also a deleted one
	c := row.coupon()
	switch {
	case err != nil:
		return fmt.Errorf("lock coupon %d: %w", h.Coupon.ID, err)
	case !ok || c.Status != Normal:
		return fmt.Errorf("coupon %d was withdrawn: %w", h.Coupon.ID, errno.Invalid.Because(wording.CouponUsed))
	case !h.Terms.kept() && !c.pricesAs(h.Coupon):
		return fmt.Errorf("coupon %d has changed: %w", h.Coupon.ID, errno.Stale)
	}
	return s.spend(ctx, tx, shopper, h.ID, order)
}

// pricesAs reports whether two versions of a definition give every purchase the same price.
func (c Coupon) pricesAs(other Coupon) bool {
	return c.Discount == other.Discount && c.Min == other.Min && c.Scope == other.Scope &&
		slices.Equal(c.Scoped, other.Scoped)
}

func (s *Service) spend(ctx context.Context, tx *db.Tx, shopper, id, order int64) error {
	now := s.now()
	set := table.Set{
		"status": userCouponTransitions.To(CouponSpend), "used_time": now, "order_id": order, "update_time": now,
	}
	ok, err := userCoupons.Moved(ctx, tx, set, `id = ? AND user_id = ? AND status IN ? AND deleted = 0
		AND start_time <= ? AND end_time >= ?`, id, shopper, userCouponTransitions.From(CouponSpend), now, now)
	if db.Duplicate(err, "uk_cu_order") {
		return fmt.Errorf("order %d has a coupon: %w", order, errno.Invalid.Because(wording.CouponUsed))
	}
	if err == nil && !ok {
		err = errno.Invalid.Because(wording.CouponUsed)
	}
	return wrap(err, "spend coupon %d", id)
}

// GiveBack returns the coupon of an order that ends without a sale to its shopper: as unused, or as expired if it has
// expired since.
func (s *Service) GiveBack(ctx context.Context, tx *db.Tx, order int64) error {
	now := s.now()
	// MySQL assigns from left to right: last_order_id keeps what order_id loses.
	_, err := db.Exec(ctx, tx.Later(nil), `UPDATE coupon_user SET
			status = IF(end_time > ?, ?, ?),
			used_time = NULL,
			last_order_id = order_id,
			order_id = NULL,
			version = version + 1,
			update_time = ?
		WHERE order_id = ? AND status IN ?`,
		now, userCouponTransitions.To(CouponReturn), userCouponTransitions.To(CouponReturnLate), now,
		order, userCouponTransitions.From(CouponReturn))
	return wrap(err, "give the coupon of order %d back", order)
}

// countOwned counts the shopper's copies of coupons, by the id of the coupon.
func countOwned(ctx context.Context, q db.Querier, shopper int64, of []Coupon) (map[int64]int, error) {
	owned := map[int64]int{}
	if len(of) == 0 {
		return owned, nil
	}
	ids := make([]int64, len(of))
	for i, c := range of {
		ids[i] = c.ID
	}
	var rows []struct {
		CouponID int64
		N        int
	}
	err := table.Scan(ctx, q, &rows, `SELECT coupon_id, COUNT(*) AS n FROM coupon_user
		WHERE user_id = ? AND coupon_id IN ? AND deleted = 0
		GROUP BY coupon_id`, shopper, ids)
	for _, r := range rows {
		owned[r.CouponID] = r.N
	}
	return owned, err
}

// ownedOf counts the shopper's copies of a coupon and returns the highest number among them, including deleted ones.
func ownedOf(ctx context.Context, tx *db.Tx, shopper, coupon int64) (owned, highest int, err error) {
	var row struct{ Owned, Highest int }
	err = table.Scan(ctx, tx, &row, `SELECT COALESCE(SUM(deleted = 0), 0) AS owned, COALESCE(MAX(seq), 0) AS highest
		FROM coupon_user
		WHERE user_id = ? AND coupon_id = ?`, shopper, coupon)
	return row.Owned, row.Highest, err
}

// WriteUserCouponLife writes the life of a user coupon as a section of the documentation.
func WriteUserCouponLife(w io.Writer) error {
	names := map[UserCouponStatus]string{Unused: "Unused", Used: "Used", PastDue: "Expired", TakenBack: "Withdrawn"}
	return statemachine.Chart[UserCouponStatus, UserCouponEvent]{
		Title: "## The life of a user coupon",
		Intro: "An order uses a coupon and, if it ends without a sale, returns it, as expired if the coupon has expired by " +
			"then.",
		Note:    "State 3 is read from imported data and never produced.",
		Starts:  []statemachine.Start[UserCouponStatus]{{To: Unused, What: "received, redeemed, or given at registration"}},
		Machine: userCouponTransitions, Languages: []string{"English"},
		Names: func(s UserCouponStatus) []string { return []string{names[s]} },
	}.Write(w)
}
