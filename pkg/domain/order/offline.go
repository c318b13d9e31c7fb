package order

import (
	"context"
	"fmt"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Receipt is money that staff have received for an order. Reference is what the bank or the till calls it, Note a text
// for colleagues; both may be empty.
type Receipt struct {
	Amount          money.Amount
	Reference, Note string
}

// PayOffline records that an order was paid without a platform, an unpaid one or one that is to be paid on delivery;
// the amount received becomes the price of the order. Everything that a payment implies follows. It fails with
// errno.Invalid for an unknown order and with errno.OrderConfirmNotAllowed for any other.
func (s *Service) PayOffline(ctx context.Context, by actor.Actor, id int64, r Receipt) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		o, err := s.Load(ctx, tx, id, by, Locked)
		if err != nil {
			return err
		}
		before := o
		if err := s.paidOffline(ctx, tx, &o, by, r); err != nil {
			return err
		}
		entry := text.LogPaid.Stored(before.Price.Actual, r.Amount)
		for _, more := range []string{r.Reference, r.Note} {
			if more != "" {
				entry += "；" + more
			}
		}
		return s.record(ctx, tx, before, entry)
	})
}

func (s *Service) paidOffline(ctx context.Context, tx *db.Tx, o *Order, by actor.Actor, r Receipt) error {
	number := fmt.Sprintf("%s-%d-%s", payment.Offline, by.ID, o.SN)
	if err := s.remark(ctx, tx, o.ID, by, r.Note); err != nil {
		return err
	}
	if o.Owed() {
		return s.collectOwed(ctx, tx, o, by, number, r)
	}
	set := table.Set{"actual_price": r.Amount, "pay_id": number, "pay_channel": payment.Offline}
	err := s.pay(ctx, tx, o, by, set, func() error {
		o.Price.Actual = r.Amount
		return s.Payments.CollectOffline(ctx, tx, o.due(), payment.Receipt{Number: number, Reference: r.Reference})
	})
	if err != nil {
		return err
	}
	return s.settle(ctx, tx, o)
}

// remark notes a text for colleagues on an order, unless it is empty.
func (s *Service) remark(ctx context.Context, tx *db.Tx, id int64, by actor.Actor, note string) error {
	if note == "" {
		return nil
	}
	n := Note{OrderID: id, AdminID: by.ID, Kind: Remarked, Content: note, AddTime: s.Now()}
	if _, err := notes.Insert(ctx, tx, n); err != nil {
		return fmt.Errorf("note a remark on order %d: %w", id, err)
	}
	return nil
}
