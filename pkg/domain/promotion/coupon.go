package promotion

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"shop.internal/pkg/base/bound"
	"shop.internal/pkg/base/calendar"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/seen"
	wording "shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Kind says how shoppers get a coupon.
type Kind int

// Shoppers receive common coupons themselves, get gifts at registration, and redeem codes.
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

// Coupon is the definition of a coupon.
type Coupon struct {
	ID                     int64
	Name, Description, Tag string
	// Total is how many may be given out, PerShopper how many to one shopper; 0 is unlimited. Received is how many were
	// given out.
	Total      int
	PerShopper int `gorm:"column:per_user_limit"`
	Received   int
	Discount   money.Amount
	Min        money.Amount `gorm:"column:min_amount"`
	Kind       Kind         `gorm:"column:type"`
	Status     Status
	Scope      Scope `gorm:"column:goods_type"`
	// Scoped are the ids of categories or goods, depending on Scope.
	Scoped []int64 `gorm:"column:goods_value;serializer:list"`
	// Code is the redemption code, empty for the other kinds.
	Code string `table:"null"`
	// Days is the validity from receipt; if it is 0, Start and End bound the validity.
	Days  int
	Start time.Time `gorm:"column:start_time" table:"null"`
	End   time.Time `gorm:"column:end_time" table:"null"`

	AddTime, UpdateTime time.Time
}

// validity says how the validity of a coupon is defined.
type validity int

const (
	fromReceipt validity = iota
	fixedDates
)

// couponRow is a coupon as stored.
type couponRow struct {
	Coupon
	TimeType validity
}

var coupons = table.Of[couponRow]("coupon", table.Versioned, table.Marked)

// HasDecimals reports whether an amount of a coupon has decimals. Deleted coupons do not count.
func (s *Service) HasDecimals(ctx context.Context, q db.Querier) (bool, error) {
	return coupons.Exists(ctx, q, `(r.discount <> FLOOR(r.discount) OR r.min_amount <> FLOOR(r.min_amount))
		AND r.deleted = 0`)
}

func rowOf(c Coupon) couponRow {
	if c.Fixed() {
		return couponRow{c, fixedDates}
	}
	return couponRow{c, fromReceipt}
}

// coupon returns either the days from receipt or the dates, whatever else an imported row contains.
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

// Fixed reports whether the coupon has fixed dates.
func (c Coupon) Fixed() bool { return c.Days == 0 }

// period returns the validity of a coupon received now: its days are those of the calendar in the shop's time zone, so
// that it ends at the same time of the day. A definition from before the bounds is limited to them here.
func (c Coupon) period(now time.Time, zone *time.Location) (start, end time.Time) {
	if c.Fixed() {
		return c.Start, c.End
	}
	return now, calendar.After(now, int(bound.CouponDays.Clamp(int64(c.Days))), zone)
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
// those that the shopper cannot receive again. They are at most a second old, and current after the shopper received
// one in this process.
func (s *Service) ReceivableBy(ctx context.Context, shopper int64, limit int) ([]Coupon, error) {
	all, err := s.offered.Get(ctx, shopper)
	return all[:min(limit, len(all))], err
}

func (s *Service) receivableBy(ctx context.Context, shopper int64) ([]Coupon, error) {
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
	return newest, nil
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

// Create stores a definition and returns its id. The caller validates it.
func (s *Service) Create(ctx context.Context, c Coupon) (int64, error) {
	id, err := insertCoupon(ctx, s.db, c, s.now())
	return id, wrap(err, "create coupon %q", c.Name)
}

func insertCoupon(ctx context.Context, q db.Querier, c Coupon, now time.Time) (int64, error) {
	c.Received, c.AddTime, c.UpdateTime = 0, now, now
	return coupons.Insert(ctx, q, rowOf(c))
}

// CouponChange is an operator's change of a coupon. A nil field keeps the stored value, or for a new coupon means the
// default.
type CouponChange struct {
	Name, Description, Tag  *string
	Total, PerShopper, Days *int
	Discount, Min           *money.Amount
	Kind                    *Kind
	Status                  *Status
	Scope                   *Scope
	Scoped                  []int64
	// Fixed says that the coupon has fixed dates, Start and End, rather than Days from receipt.
	Fixed      *bool
	Start, End *time.Time
}

// onto applies the change to a coupon. It fails with errno.Missing and errno.Invalid if the fields contradict each
// other; it does not check whether the goods exist.
func (c CouponChange) onto(stored Coupon, fixed bool) (Coupon, error) {
	assign(&stored.Name, c.Name)
	assign(&stored.Description, c.Description)
	assign(&stored.Tag, c.Tag)
	assign(&stored.Total, c.Total)
	assign(&stored.PerShopper, c.PerShopper)
	assign(&stored.Discount, c.Discount)
	assign(&stored.Min, c.Min)
	assign(&stored.Kind, c.Kind)
	assign(&stored.Status, c.Status)
	assign(&stored.Scope, c.Scope)
	if c.Scoped != nil {
		stored.Scoped = c.Scoped
	}
	if stored.Scope == AllGoods {
		stored.Scoped = nil
	}
	assign(&fixed, c.Fixed)
	assign(&stored.Days, c.Days)
	assign(&stored.Start, c.Start)
	assign(&stored.End, c.End)
	if fixed {
		stored.Days = 0
	} else {
		stored.Start, stored.End = time.Time{}, time.Time{}
	}
	return stored, stored.check(fixed)
}

// check refuses a coupon whose fields contradict each other.
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

// scopeExists refuses a coupon for unknown goods or categories. Those of the previous scope may have been deleted
// since, which must not prevent other changes.
func scopeExists(ctx context.Context, q db.Querier, before, c Coupon) error {
	scoped := slices.Clone(c.Scoped)
	if before.Scope == c.Scope {
		scoped = slices.DeleteFunc(scoped, func(id int64) bool { return slices.Contains(before.Scoped, id) })
	}
	live := catalog.LiveGoods
	if c.Scope == SomeCategories {
		live = catalog.LiveCategories
	}
	found, err := live(ctx, q, scoped)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(scoped, func(id int64) bool { return !slices.Contains(found, id) }) {
		return errno.Invalid.Because(wording.CouponScopeUnknown)
	}
	return nil
}

// AddCoupon adds a coupon and returns it. A redeemable one gets a code of its own. It fails with errno.Missing and
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

// EditCoupon changes a coupon and returns it. It fails with errno.UpdateFailed for an unknown coupon, and with
// errno.Missing and errno.Invalid for contradictory fields or a total below the number given out.
func (s *Service) EditCoupon(ctx context.Context, id int64, change CouponChange) (Coupon, error) {
	return idempotency.InTxAfter(ctx, s.once, func() (func(*db.Tx) (Coupon, error), error) {
		edit := func(tx *db.Tx) (Coupon, error) { return s.editCoupon(ctx, tx, id, change) }
		return edit, s.keepTerms(ctx, id)
	})
}

func (s *Service) editCoupon(ctx context.Context, tx *db.Tx, id int64, change CouponChange) (Coupon, error) {
	row, ok, err := coupons.LockLive(ctx, tx, id) // so that no coupon is given out while the total is compared
	before := row.coupon()
	if err != nil {
		return before, fmt.Errorf("lock coupon %d: %w", id, err)
	}
	if !ok {
		return before, fmt.Errorf("coupon %d: %w", id, errno.UpdateFailed)
	}
	at, err := seen.Next(ctx, "coupon", id, before.UpdateTime, s.now())
	if err != nil {
		return before, err
	}
	c, err := change.onto(before, before.Fixed())
	if err != nil {
		return c, err
	}
	if err := scopeExists(ctx, tx, before, c); err != nil {
		return c, err
	}
	c.UpdateTime = at
	if err := coded(&c, func() error { return coupons.Save(ctx, tx, rowOf(c)) }); err != nil {
		return c, fmt.Errorf("change coupon %d: %w", id, err)
	}
	return s.recordCoupon(ctx, tx, id, before)
}

// recordCoupon stores a coupon and its audit record, and returns it as stored.
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

// DropCoupon deletes a coupon: it is no longer given out. Shoppers keep and may use what they have received; a coupon
// that must not be used any more is withdrawn by its status. An unknown coupon is ignored.
func (s *Service) DropCoupon(ctx context.Context, id int64) error {
	return idempotency.DoAfter(ctx, s.once, func() (func(*db.Tx) error, error) {
		return func(tx *db.Tx) error { return s.dropCoupon(ctx, tx, id) }, s.keepTerms(ctx, id)
	})
}

func (s *Service) dropCoupon(ctx context.Context, tx *db.Tx, id int64) error {
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
}
