package order

import (
	"context"
	"fmt"
	"strconv"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Collected is an order that was handed over in the shop.
type Collected struct {
	ID int64
	SN string
}

// Collectable reports whether the order can be collected, so that its shopper is shown the code.
func (o Order) Collectable() bool {
	_, ok := o.next(Collect)
	return ok
}

// CheckOff records that the shopper with a code has collected an order, id if it is not 0. It fails with errno.Invalid
// for a code that no open order has, or another one than the order, and for one that cannot be checked off with
// errno.OrderConfirmNotAllowed: it is being refunded, it owes its money, its group is not complete, or the operator has
// tried too many wrong codes.
func (s *Service) CheckOff(ctx context.Context, by actor.Actor, id int64, code string) (Collected, error) {
	return idempotency.InTxAfter(ctx, s.Once, func() (func(tx *db.Tx) (Collected, error), error) {
		found, err := s.byCode(ctx, by, id, code)
		if err != nil {
			return nil, err
		}
		return func(tx *db.Tx) (Collected, error) {
			o, err := s.Load(ctx, tx, found, by, Unlocked)
			if err != nil {
				return Collected{}, err
			}
			if err := s.mayCollect(ctx, tx, o, by); err != nil {
				return Collected{}, err
			}
			return Collected{ID: o.ID, SN: o.SN}, s.apply(ctx, tx, &o, Collect, by, nil)
		}, nil
	})
}

// byCode finds the open order with a code, and counts a wrong one.
func (s *Service) byCode(ctx context.Context, by actor.Actor, id int64, code string) (int64, error) {
	account := strconv.FormatInt(by.ID, 10)
	blocked, err := s.Guesses.Blocked(ctx, account, "")
	if err != nil {
		return 0, err
	}
	if blocked {
		return 0, errno.OrderConfirmNotAllowed.Because(text.CollectGuessed)
	}
	r, ok, err := orders.One(ctx, s.DB, "r.collect_code = ? AND r.deleted = 0", code)
	if err != nil {
		return 0, fmt.Errorf("look for the order of a code: %w", err)
	}
	if ok && (id == 0 || id == r.ID) {
		return r.ID, nil
	}
	if err := s.Guesses.Failed(ctx, account, ""); err != nil {
		return 0, err
	}
	return 0, errno.Invalid.Because(text.CollectCodeWrong)
}

// mayCollect refuses the check-off of an order that its state would allow.
func (s *Service) mayCollect(ctx context.Context, q db.Querier, o Order, by actor.Actor) error {
	if o.Owed() {
		return refused(by, text.CollectUnpaid, fmt.Errorf("collect order %d that owes its money", o.ID),
			o.Price.Actual)
	}
	open, err := s.Promotions.InOpenGroup(ctx, q, o.ID)
	if err == nil && open {
		err = refused(by, text.OrderGroupOpen, fmt.Errorf("collect order %d of an open group", o.ID))
	}
	return err
}
