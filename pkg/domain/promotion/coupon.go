package promotion

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/bound"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/page"
	wording "shop.internal/pkg/domain/platform/text"
)

// Kind says how a coupon comes to shoppers.
type Kind int

// Shoppers take common coupons themselves, get gifts at registration, and redeem codes.
const (
	Common Kind = iota
	Gift
	Code
)

// Status is the state of a coupon definition.
type Status int

// Only normal coupons are given out and accepted.
const (
	Normal Status = iota
	Expired
	Withdrawn
)

// Scope says which goods a coupon is for.
type Scope int

// The goods of a coupon: all of them, those of some categories, or some goods.
const (
	AllGoods Scope = iota
	SomeCategories
	SomeGoods
)

// Coupon is a definition.
type Coupon struct {
	ID                     int64
	Name, Description, Tag string
	// Total is how many may be given out, PerShopper how many to one shopper; 0 is no bound. Received counts those
	// given out.
	Total      int
	PerShopper int `gorm:"column:per_user_limit"`
	Received   int
	Discount   money.Amount
	Min        money.Amount `gorm:"column:min_amount"`
	Kind       Kind         `gorm:"column:type"`
	Status     Status
	Scope      Scope `gorm:"column:goods_type"`
	// Scoped are category or goods ids, as Scope says.
	Scoped []int64 `gorm:"column:goods_value;serializer:list"`
	// Code is what a shopper redeems, empty for the other kinds.
	Code string `table:"null"`
	// Days is the time of validity from receipt; where it is 0, Start and End bound it.
	Days  int
	Start time.Time `gorm:"column:start_time" table:"null"`
	End   time.Time `gorm:"column:end_time" table:"null"`

	AddTime, UpdateTime time.Time
}

// validity says what bounds the time of a coupon.
type validity int

const (
	fromReceipt validity = iota
	fixedDates
)

// couponRow is a coupon as it is stored.
type couponRow struct {
	Coupon
	TimeType validity
}

var coupons = table.Of[couponRow]("coupon", table.Versioned, table.Marked)

func rowOf(c Coupon) couponRow {
	if c.Fixed() {
		return couponRow{c, fixedDates}
	}
	return couponRow{c, fromReceipt}
}

// coupon keeps either the days from receipt or the dates, whatever else an imported row holds.
func (r couponRow) coupon() Coupon {
	c := r.Coupon
	if r.TimeType == fromReceipt {
		c.Start, c.End = time.Time{}, time.Time{}
	} else {
		c.Days = 0
	}
	if c.Scoped == nil {
		c.Scoped = []int64{}
	}
	return c
}

func couponsOf(rows []couponRow) []Coupon {
	all := make([]Coupon, len(rows))
	for i, r := range rows {
		all[i] = r.coupon()
	}
	return all
}

// Fixed reports whether the coupon has dates of its own.
func (c Coupon) Fixed() bool { return c.Days == 0 }

// period is what a coupon received now is valid for. A definition that is older than the bounds is held to them here.
func (c Coupon) period(now time.Time) (start, end time.Time) {
	if c.Fixed() {
		return c.Start, c.End
	}
	return now, now.AddDate(0, 0, int(bound.CouponDays.Cut(int64(c.Days))))
}

// isCurrent is the condition that a coupon is given out now; it has the alias r.
func isCurrent(kind Kind, now time.Time) clause.Expr {
	return gorm.Expr("r.type = ? AND r.status = ? AND r.deleted = 0 AND (r.time_type = ? OR r.end_time > ?)",
		kind, Normal, fromReceipt, now)
}

const someLeft = "(r.total = 0 OR r.received < r.total)"

// Receivable returns a page of the coupons that shoppers may take now.
func (s *Service) Receivable(ctx context.Context, q page.Query) (page.List[Coupon], error) {
	list, err := lists.FetchJoin[couponRow](ctx, s.db, lists.Join{
		Columns: coupons.Columns("r"), From: "coupon r WHERE ? AND " + someLeft, Args: []any{isCurrent(Common, s.now())},
		Order: order,
	}, q)
	return page.Map(list, couponRow.coupon), wrap(err, "list receivable coupons")
}

// ReceivableBy returns the newest receivable coupons for the home page, at most limit; for a shopper (not 0) without
// those of which the shopper has as many as one may have.
func (s *Service) ReceivableBy(ctx context.Context, shopper int64, limit int) ([]Coupon, error) {
	const look = 50 // a shopper who has taken so many sees none on the home page, and all in the list
	rows, err := coupons.Find(ctx, s.db, "? AND "+someLeft+" ORDER BY r.add_time DESC, r.id DESC LIMIT ?",
		isCurrent(Common, s.now()), look)
	if err != nil {
		return nil, fmt.Errorf("look for receivable coupons: %w", err)
	}
	newest := couponsOf(rows)
	if shopper != 0 {
		if newest, err = s.withoutTaken(ctx, shopper, newest); err != nil {
			return nil, err
		}
	}
	return newest[:min(limit, len(newest))], nil
}

func (s *Service) withoutTaken(ctx context.Context, shopper int64, all []Coupon) ([]Coupon, error) {
	had, err := countOwned(ctx, s.db, shopper, all)
	if err != nil {
		return nil, fmt.Errorf("count the coupons of shopper %d: %w", shopper, err)
	}
	var left []Coupon
	for _, c := range all {
		if c.PerShopper == 0 || had[c.ID] < c.PerShopper {
			left = append(left, c)
		}
	}
	return left, nil
}

// Coupon returns a coupon, whatever its state. It fails with errno.Invalid.
func (s *Service) Coupon(ctx context.Context, id int64) (Coupon, error) {
	r, ok, err := coupons.Live(ctx, s.db, id)
	if err == nil && !ok {
		err = errno.NoSuch(wording.FieldCoupon)
	}
	return r.coupon(), wrap(err, "read coupon %d", id)
}

// Create stores a definition and returns its id. The rules of a definition are the caller's.
func (s *Service) Create(ctx context.Context, c Coupon) (int64, error) {
	id, err := insertCoupon(ctx, s.db, c, s.now())
	return id, wrap(err, "create coupon %q", c.Name)
}

func insertCoupon(ctx context.Context, q db.Querier, c Coupon, now time.Time) (int64, error) {
	c.Received, c.AddTime, c.UpdateTime = 0, now, now
	return coupons.Insert(ctx, q, rowOf(c))
}

// CouponChange is what an operator says of a coupon. A nil member keeps what is stored; of a new coupon it is the
// default.
type CouponChange struct {
	Name, Description, Tag  *string
	Total, PerShopper, Days *int
	Discount, Min           *money.Amount
	Kind                    *Kind
	Status                  *Status
	Scope                   *Scope
	Scoped                  []int64
	// Fixed says that the coupon has dates of its own, Start and End, rather than Days from receipt.
	Fixed      *bool
	Start, End *time.Time
}

// onto returns the coupon that a change makes of another. It fails with errno.Missing and errno.Invalid where the
// members do not go together; whether the goods are there is not looked at.
func (c CouponChange) onto(stored Coupon, fixed bool) (Coupon, error) {
	keep(&stored.Name, c.Name)
	keep(&stored.Description, c.Description)
	keep(&stored.Tag, c.Tag)
	keep(&stored.Total, c.Total)
	keep(&stored.PerShopper, c.PerShopper)
	keep(&stored.Discount, c.Discount)
	keep(&stored.Min, c.Min)
	keep(&stored.Kind, c.Kind)
	keep(&stored.Status, c.Status)
	keep(&stored.Scope, c.Scope)
	if c.Scoped != nil {
		stored.Scoped = c.Scoped
	}
	if stored.Scope == AllGoods {
		stored.Scoped = nil
	}
	keep(&fixed, c.Fixed)
	keep(&stored.Days, c.Days)
	keep(&stored.Start, c.Start)
	keep(&stored.End, c.End)
	if fixed {
		stored.Days = 0
	} else {
		stored.Start, stored.End = time.Time{}, time.Time{}
	}
	return stored, stored.check(fixed)
}

// check refuses a coupon whose members do not go together.
func (c Coupon) check(fixed bool) error {
	switch {
	case strings.TrimSpace(c.Name) == "":
		return errno.Missing.About(wording.FieldName)
	case fixed && c.Start.IsZero():
		return errno.Missing.About(wording.FieldStartTime)
	case fixed && c.End.IsZero():
		return errno.Missing.About(wording.FieldEndTime)
	case fixed && !c.Start.Before(c.End):
		return errno.Invalid.Because(wording.EndsBefore)
	case !fixed && c.Days < 1:
		return errno.Invalid.Because(wording.ValidationMin, wording.FieldValidDays, 1)
	case c.Kind == Gift && c.PerShopper < 1:
		return errno.Invalid.Because(wording.CouponGiftPerShopper)
	case c.Scope != AllGoods && len(c.Scoped) == 0:
		return errno.Invalid.Because(wording.CouponScope)
	case c.Total != 0 && c.Total < c.Received:
		return errno.Invalid.Because(wording.CouponTotal, c.Received)
	}
	return nil
}

// scopeExists refuses a coupon for goods or categories that are not there. What the coupon was for before may have gone
// since: that keeps nobody from changing the rest of it.
func scopeExists(ctx context.Context, q db.Querier, before, c Coupon) error {
	asked := slices.Clone(c.Scoped)
	if before.Scope == c.Scope {
		asked = slices.DeleteFunc(asked, func(id int64) bool { return slices.Contains(before.Scoped, id) })
	}
	live := catalog.LiveGoods
	if c.Scope == SomeCategories {
		live = catalog.LiveCategories
	}
	found, err := live(ctx, q, asked)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(asked, func(id int64) bool { return !slices.Contains(found, id) }) {
		return errno.Invalid.Because(wording.CouponScopeUnknown)
	}
	return nil
}

// AddCoupon makes a coupon and returns it. One that is redeemed gets a code of its own. It fails with errno.Missing and
// errno.Invalid.
func (s *Service) AddCoupon(ctx context.Context, change CouponChange) (Coupon, error) {
	return idempotency.InTx(ctx, s.once, func(tx *db.Tx) (Coupon, error) {
		c, err := change.onto(Coupon{PerShopper: 1}, false)
		if err != nil {
			return c, err
		}
		if err := scopeExists(ctx, tx, Coupon{}, c); err != nil {
			return c, err
		}
		if err := coded(&c, func() (err error) { c.ID, err = insertCoupon(ctx, tx, c, s.now()); return err }); err != nil {
			return c, fmt.Errorf("add coupon %q: %w", c.Name, err)
		}
		return s.recordCoupon(ctx, tx, c.ID, nil)
	})
}

// EditCoupon changes a coupon and returns it. It fails with errno.UpdateFailed for an unknown coupon, with
// errno.Missing and errno.Invalid for members that do not go together or a total below what was given out.
func (s *Service) EditCoupon(ctx context.Context, id int64, change CouponChange) (Coupon, error) {
	return idempotency.InTx(ctx, s.once, func(tx *db.Tx) (Coupon, error) {
		row, ok, err := coupons.LockLive(ctx, tx, id) // nobody is given one while the total is compared
		before := row.coupon()
		if err != nil {
			return before, fmt.Errorf("lock coupon %d: %w", id, err)
		}
		if !ok {
			return before, fmt.Errorf("coupon %d: %w", id, errno.UpdateFailed)
		}
		c, err := change.onto(before, before.Fixed())
		if err != nil {
			return c, err
		}
		if err := scopeExists(ctx, tx, before, c); err != nil {
			return c, err
		}
		c.UpdateTime = s.now()
		if err := coded(&c, func() error { return coupons.Save(ctx, tx, rowOf(c)) }); err != nil {
			return c, fmt.Errorf("change coupon %d: %w", id, err)
		}
		return s.recordCoupon(ctx, tx, id, before)
	})
}

// recordCoupon keeps what became of a coupon, with the change, and returns it as it is stored.
func (s *Service) recordCoupon(ctx context.Context, tx *db.Tx, id int64, before any) (Coupon, error) {
	row, _, err := coupons.Live(ctx, tx, id)
	after := row.coupon()
	if err != nil {
		return after, fmt.Errorf("read coupon %d again: %w", id, err)
	}
	return after, audit.Record(ctx, tx, audit.Change{
		ID: id, Before: before, After: after, Result: after.Name,
		Comment: "",
	})
}

// DropCoupon deletes a coupon: it is given out and accepted no longer. Shoppers' copies stay theirs. A coupon that is
// not there is left alone.
func (s *Service) DropCoupon(ctx context.Context, id int64) error {
	return idempotency.Do(ctx, s.once, func(tx *db.Tx) error {
		row, ok, err := coupons.LockLive(ctx, tx, id)
		if err != nil {
			return fmt.Errorf("lock coupon %d: %w", id, err)
		}
		if !ok {
			return audit.Record(ctx, tx, audit.Change{ID: id})
		}
		if _, err := coupons.Remove(ctx, tx, table.Set{"update_time": s.now()}, "id = ?", id); err != nil {
			return fmt.Errorf("delete coupon %d: %w", id, err)
		}
		c := row.coupon()
		return audit.Record(ctx, tx, audit.Change{ID: id, Before: c, After: nil, Result: c.Name, Comment: ""})
	})
}
