package order

import (
	"context"
	"errors"
	"fmt"
	"time"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/freight"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// What a shopper may do while a paid order waits to be shipped.

// remindAfter is the time between two reminders of a shopper about an order.
const remindAfter = 24 * time.Hour

// Remind notes that the shopper asks for a paid order to be shipped, once in 24 hours. It fails with
// errno.OrderUnknown, and with errno.OrderInvalidOperation in any other state, while the order's group is open, and too
// early.
func (s *Service) Remind(ctx context.Context, shopper, id int64) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		by := actor.Shopper(shopper)
		o, err := s.Load(ctx, tx, id, by, Locked) // of two reminders one waits here
		if err != nil {
			return err
		}
		if o.Status != Paid {
			return refusal(by, o.Status, fmt.Errorf("remind of order %d in %d", id, o.Status))
		}
		open, err := s.Promotions.InOpenGroup(ctx, tx, id)
		if err != nil {
			return err
		}
		if open {
			return refused(by, text.OrderGroupOpen, fmt.Errorf("remind of order %d of an open group", id))
		}
		early, err := notes.Exists(ctx, tx, "r.order_id = ? AND r.kind = ? AND r.add_time > ?", id, Reminded,
			s.Now().Add(-remindAfter))
		if err != nil {
			return err
		}
		if early {
			return refused(by, text.OrderReminded, fmt.Errorf("remind of order %d again", id))
		}
		_, err = notes.Insert(ctx, tx, Note{OrderID: id, Kind: Reminded, AddTime: s.Now()})
		return err
	})
}

// Readdress sends a paid order, which is not shipped yet, to another address of its shopper. What was paid stays. It
// fails with errno.OrderUnknown, errno.Invalid for an address that is not the shopper's, errno.OrderInvalidOperation in
// any other state, for what is collected and where the freight would be higher, errno.OrderCheckoutFailed where goods
// are not delivered to, and errno.Stale if the order changes meanwhile.
func (s *Service) Readdress(ctx context.Context, shopper, id, to int64) error {
	return idempotency.DoAfter(ctx, s.Once, func() (func(*db.Tx) error, error) {
		by := actor.Shopper(shopper)
		o, err := s.Load(ctx, s.DB, id, by, Unlocked)
		if err != nil {
			return nil, err
		}
		if !o.readdressable() {
			return nil, refusal(by, o.Status, fmt.Errorf("readdress order %d in %d", id, o.Status))
		}
		a, err := s.Addresses.Get(ctx, shopper, to)
		if err != nil {
			return nil, err
		}
		if err := s.asCheap(ctx, o, a); err != nil {
			return nil, err
		}
		return func(tx *db.Tx) error { return s.readdress(ctx, tx, o, a) }, nil
	})
}

// asCheap fails if an order cannot be delivered to an address for the freight that it has.
func (s *Service) asCheap(ctx context.Context, o Order, to address.Address) error {
	lines, err := linesIn(ctx, s.DB, []int64{o.ID})
	if err != nil {
		return err
	}
	goods := make([]int64, len(lines))
	for i, l := range lines {
		goods[i] = l.GoodsID
	}
	places, err := catalog.Places(ctx, s.DB, goods)
	if err != nil {
		return err
	}
	all := bought(lines, places)
	for i := range all {
		all[i].GoodsName = lines[i].GoodsName
	}
	v, err := s.Settings.Now(ctx)
	if err != nil {
		return err
	}
	f, err := s.Freight.Now(ctx, freight.Delivery{Way: o.Delivery, To: to, Settings: v, Templated: templated(all)})
	if err != nil {
		return err
	}
	if err := deliverable(all, f); err != nil {
		return err
	}
	if would := f.Of(freightItems(all, o.Price.Groupon)); would > o.Price.Freight {
		return refused(actor.Shopper(o.UserID), text.FreightHigher, fmt.Errorf("readdress order %d", o.ID),
			v.Currency.Price(would), v.Currency.Price(o.Price.Freight))
	}
	return nil
}

// readdress writes the recipient of an order that has not changed since it was read.
func (s *Service) readdress(ctx context.Context, tx *db.Tx, o Order, to address.Address) error {
	now := s.Now()
	moved, err := update(ctx, tx, o, o.Status, table.Set{
		"consignee": to.Name, "mobile": to.Tel, "address": s.Addresses.Line(to, s.Language), "update_time": now,
	})
	if err != nil || !moved {
		return errors.Join(err, fmt.Errorf("readdress order %d: %w", o.ID, errno.Stale))
	}
	for _, name := range []string{o.Consignee, to.Name} { // staff search orders by it
		if err := ReindexRecipient(ctx, tx, name); err != nil {
			return err
		}
	}
	_, err = notes.Insert(ctx, tx, Note{
		OrderID: o.ID, Kind: Readdressed, AddTime: now,
		Content: form.Truncate(o.Consignee+", "+o.Mobile+", "+o.Address, maxContent),
	})
	return err
}
