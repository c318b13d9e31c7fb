package promotion

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"time"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/money"
	wording "shop.internal/pkg/domain/platform/text"
)

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
		return errno.Invalid.Because(wording.MemberAtLeast, wording.FieldValidDays, 1)
	case c.Kind == Gift && c.PerShopper < 1:
		return errno.Invalid.Because(wording.GiftForeach)
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
		return errno.Invalid.Because(wording.CouponScoped)
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

// codeLetters are what codes are made of, codeLength how long they are.
const (
	codeLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	codeLength  = 8
	codeDraws   = 5
)

// coded runs what stores a coupon. One that is redeemed has a code of its own before; where another coupon has the
// same, the next is drawn.
func coded(c *Coupon, store func() error) error {
	if c.Kind != Code {
		c.Code = ""
		return store()
	}
	drawn := c.Code == ""
	var err error
	for range codeDraws {
		if drawn {
			c.Code = newCode()
		}
		if err = store(); !drawn || !db.Duplicate(err, "uk_coupon_code") {
			return err
		}
	}
	return err
}

// newCode draws a code, every letter equally likely.
func newCode() string {
	const fair = 256 - 256%len(codeLetters)
	code := make([]byte, 0, codeLength)
	for len(code) < codeLength {
		var b [codeLength]byte
		_, _ = rand.Read(b[:]) // never fails
		for _, v := range b {
			if int(v) < fair && len(code) < codeLength {
				code = append(code, codeLetters[int(v)%len(codeLetters)])
			}
		}
	}
	return string(code)
}
