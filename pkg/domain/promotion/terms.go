package promotion

import (
	"context"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// Terms are what a shopper has been promised with a coupon. They have no name where the coupon was received before
// terms were kept and the definition has not changed since.
type Terms struct {
	Name        string       `table:"null"`
	Description string       `table:"null"`
	Tag         string       `table:"null"`
	Discount    money.Amount `table:"null"`
	Min         money.Amount `gorm:"column:min_amount" table:"null"`
	Scope       Scope        `gorm:"column:goods_type" table:"null"`
	Scoped      []int64      `gorm:"column:goods_value;serializer:list" table:"null"`
}

// terms returns what is promised with a coupon that is received now.
func (c Coupon) terms() Terms {
	return Terms{c.Name, c.Description, c.Tag, c.Discount, c.Min, c.Scope, c.Scoped}
}

// of returns a definition with these terms, unless there are none.
func (t Terms) of(c Coupon) Coupon {
	if t.kept() {
		c.Name, c.Description, c.Tag = t.Name, t.Description, t.Tag
		c.Discount, c.Min, c.Scope, c.Scoped = t.Discount, t.Min, t.Scope, t.Scoped
	}
	return c
}

func (t Terms) kept() bool { return t.Name != "" }

// termsAtOnce bounds the user coupons that one statement gives their terms.
const termsAtOnce = 1000

// keepTerms gives the user coupons that were received before terms were kept those of the definition, which is about to
// change.
func (s *Service) keepTerms(ctx context.Context, id int64) error {
	row, ok, err := coupons.Live(ctx, s.db, id)
	if err != nil || !ok {
		return wrap(err, "read coupon %d", id)
	}
	t := row.coupon().terms()
	set := table.Set{
		"name": t.Name, "description": t.Description, "tag": t.Tag, "discount": t.Discount, "min_amount": t.Min,
		"goods_type": t.Scope, "goods_value": t.Scoped,
	}
	for {
		var n int64
		err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
			n, err = userCoupons.Update(ctx, tx, set, "coupon_id = ? AND name IS NULL ORDER BY id LIMIT ?", id, termsAtOnce)
			return err
		})
		if err != nil || n < termsAtOnce {
			return wrap(err, "keep the terms of coupon %d", id)
		}
	}
}
