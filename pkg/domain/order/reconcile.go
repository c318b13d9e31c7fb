package order

import (
	"context"
	"errors"
	"fmt"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/runtime/job"
)

// reconcileBatch is how many unpaid orders are read at once before the platform is queried for each of them.
const reconcileBatch = 200

// Reconciled is an unpaid order that the platform was queried for.
type Reconciled struct {
	SN string
	// Paid says that the platform has its money, which is recorded now.
	Paid bool
	// Err is why the answer is unknown.
	Err error
}

// ReconcilePayments queries the platform for every unpaid order and records the payments that it has made, for a
// database that was restored: a payment made after the backup sent its notification to the database that is lost.
// Unlike the job paymentQuery it also covers orders whose payment began after the backup, of which no row is left.
// It calls report, if not nil, with each order.
func (s *Service) ReconcilePayments(ctx context.Context, report func(Reconciled)) error {
	for last := int64(0); ; {
		batch, err := orders.Find(ctx, s.DB, "r.order_status IN ? AND r.deleted = 0 AND r.id > ? ORDER BY r.id LIMIT ?",
			moves.From(Pay), last, reconcileBatch)
		if err != nil || len(batch) == 0 {
			return err
		}
		for _, r := range batch {
			last = r.ID
			if err := ctx.Err(); err != nil {
				return err
			}
			a := Reconciled{SN: r.order().SN}
			a.Paid, a.Err = s.ask(ctx, r.order())
			if report != nil {
				report(a)
			}
		}
	}
}

// ask queries the platform for an order and records its payment if there is one.
func (s *Service) ask(ctx context.Context, o Order) (paid bool, err error) {
	n, err := s.Payments.Ask(ctx, o.due())
	if errors.Is(err, payment.ErrUnpaid) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("ask about order %s: %w", o.SN, err)
	}
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		r, found, err := orders.One(ctx, tx, "r.id = ? FOR UPDATE", o.ID)
		if err != nil {
			return fmt.Errorf("lock order %d: %w", o.ID, err)
		}
		if _, payable := r.order().Status.Next(Pay); !found || !payable {
			return job.ErrMoved
		}
		return s.Payments.Recover(ctx, tx, o.due(), n)
	})
	if errors.Is(err, job.ErrMoved) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, s.applyFinding(ctx, n)
}
