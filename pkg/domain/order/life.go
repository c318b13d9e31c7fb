package order

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/text"
)

// changes are columns that a move sets beside the status.
type changes map[string]any

// apply moves an order by an event: the one place where a status is written. The update names the state the order was
// read in, so of two moves at once one finds no row; it fails then with the code of a move that is not allowed, or with
// errno.Stale where the order would still allow it.
func (s *Service) apply(ctx context.Context, tx *db.Tx, o *Order, e Event, by Actor, also changes) error {
	to, ok := o.Status.Next(e)
	if !ok {
		return refusal(by, o.Status, fmt.Errorf("%s order %d in %d", e, o.ID, o.Status))
	}
	moved, err := move(ctx, tx, *o, to, also, s.Now())
	if err != nil {
		return fmt.Errorf("%s order %d: %w", e, o.ID, err)
	}
	if !moved {
		now, _, err := byID(ctx, tx, o.ID)
		if err != nil {
			return fmt.Errorf("read order %d again: %w", o.ID, err)
		}
		if _, ok := now.Status.Next(e); ok && now.gone(by) == o.gone(by) {
			return fmt.Errorf("%s order %d: %w", e, o.ID, errno.Stale)
		}
		return refusal(by, now.Status, fmt.Errorf("%s order %d in %d", e, o.ID, now.Status))
	}
	from := o.Status
	o.Status, o.version = to, o.version+1
	return s.logMove(ctx, tx, *o, from, by, string(e))
}

// refusal is a move that the state of an order does not allow, by the code of who asked for it.
func refusal(by Actor, in Status, cause error) error {
	return refused(by, text.OrderState, cause, in.label())
}

// refused is a move that is not allowed for another reason. Its code comes first: the cause may carry one of its own.
func refused(by Actor, why *text.Text, cause error, args ...any) error {
	code := errno.OrderInvalidOperation
	if by.Type == ByOperator {
		code = errno.OrderConfirmNotAllowed
	}
	return fmt.Errorf("%w: %w", code.Because(why, args...), cause)
}

// gone reports whether the order exists no longer for the actor.
func (o Order) gone(by Actor) bool {
	return o.ID == 0 || o.Deleted || by.Type == ByShopper && (o.HiddenFromShopper || o.UserID != by.ID)
}

// mine finds an order as its shopper may see it. It fails with errno.OrderUnknown for any other.
func (s *Service) mine(ctx context.Context, q db.Querier, shopper, id int64) (Order, error) {
	o, ok, err := byID(ctx, q, id)
	if err != nil {
		return o, fmt.Errorf("read order %d: %w", id, err)
	}
	if !ok || o.gone(Shopper(shopper)) {
		return Order{}, fmt.Errorf("order %d for shopper %d: %w", id, shopper, errno.OrderUnknown)
	}
	return o, nil
}

// shopperMoves runs a move that a shopper asks for, with what belongs to it.
func (s *Service) shopperMoves(
	ctx context.Context, shopper, id int64, e Event, also changes, then func(*db.Tx, Order) error,
) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		o, err := s.mine(ctx, tx, shopper, id)
		if err != nil {
			return err
		}
		if err := s.apply(ctx, tx, &o, e, Shopper(shopper), also); err != nil {
			return err
		}
		return then(tx, o)
	})
}

// Cancel ends the shopper's unpaid order and gives its stock and coupon back. It fails with errno.OrderUnknown for an
// order that is not the shopper's, and with errno.OrderInvalidOperation for one past paying.
func (s *Service) Cancel(ctx context.Context, shopper, id int64) error {
	return s.shopperMoves(ctx, shopper, id, Cancel, changes{"end_time": s.Now()}, func(tx *db.Tx, o Order) error {
		return s.release(ctx, tx, o, Shopper(shopper), catalog.CancelledByShopper)
	})
}

// release gives back what an order holds, in the order in which rows are locked: payment, coupon, place in a group,
// stock. It happens once an order, since it goes with the move that ends it.
func (s *Service) release(ctx context.Context, tx *db.Tx, o Order, by Actor, why catalog.Reason) error {
	if err := s.Payments.CloseOpen(ctx, tx, o.ID); err != nil {
		return err
	}
	if err := s.Promotions.GiveBack(ctx, tx, o.ID); err != nil {
		return err
	}
	if err := s.Promotions.GivePlaceBack(ctx, tx, o.ID); err != nil {
		return err
	}
	pieces, err := s.pieces(ctx, tx, o.ID)
	if err != nil {
		return err
	}
	return s.Stock.GiveBack(ctx, tx, by.mover(), why, pieces)
}

func (s *Service) pieces(ctx context.Context, q db.Querier, order int64) ([]catalog.StockLine, error) {
	lines, err := linesIn(ctx, q, []int64{order})
	if err != nil {
		return nil, fmt.Errorf("read the lines of order %d: %w", order, err)
	}
	pieces := make([]catalog.StockLine, len(lines))
	for i, l := range lines {
		pieces[i] = catalog.StockLine{
			ProductID: l.ProductID, GoodsID: l.GoodsID, OrderID: l.OrderID, LineID: l.ID, Number: l.Number, Price: l.Price,
		}
	}
	return pieces, nil
}

// AskRefund asks for the money of a paid order that has not been shipped; an operator decides. A member leaves a group
// that is still gathering, and its opener dissolves it. It fails as Cancel does.
func (s *Service) AskRefund(ctx context.Context, shopper, id int64) error {
	return retryIfGroupChanged(ctx, func() error {
		part, grouped, err := s.Promotions.PartOf(ctx, s.DB, id)
		switch {
		case err != nil:
			return err
		case grouped:
			return s.askInGroup(ctx, shopper, part)
		}
		return s.shopperMoves(ctx, shopper, id, AskRefund, nil, func(tx *db.Tx, o Order) error {
			return s.askedBack(ctx, tx, o)
		})
	})
}

// Confirm says that the goods have arrived; from now on they can be commented on. It fails as Cancel does.
func (s *Service) Confirm(ctx context.Context, shopper, id int64) error {
	also := changes{"confirm_time": s.Now(), "comments": linesToComment}
	return s.shopperMoves(ctx, shopper, id, Receive, also, func(tx *db.Tx, o Order) error { return s.touch(ctx, tx, o) })
}

// Hide removes an order from the shopper's lists; operators go on seeing it. It fails with errno.OrderUnknown, also for
// an order that is hidden already, and with errno.OrderInvalidOperation for one that is still under way.
func (s *Service) Hide(ctx context.Context, shopper, id int64) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		return s.hide(ctx, tx, shopper, id)
	})
}

func (s *Service) hide(ctx context.Context, tx *db.Tx, shopper, id int64) error {
	o, err := s.mine(ctx, tx, shopper, id)
	if err != nil {
		return err
	}
	if !o.deletable() {
		return refusal(Shopper(shopper), o.Status, fmt.Errorf("hide order %d in %d", id, o.Status))
	}
	hidden, err := hide(ctx, tx, o, s.Now())
	if err != nil {
		return fmt.Errorf("hide order %d: %w", id, err)
	}
	if hidden {
		return nil
	}
	if o, err = s.mine(ctx, tx, shopper, id); err != nil { // hidden by the same shopper's other request
		return err
	}
	if !o.deletable() {
		return refusal(Shopper(shopper), o.Status, fmt.Errorf("hide order %d in %d", id, o.Status))
	}
	return fmt.Errorf("hide order %d: %w", id, errno.Stale)
}

// Ship records that a paid order has left the house. It fails with errno.Invalid for an unknown order and with
// errno.OrderConfirmNotAllowed for one that cannot be shipped.
func (s *Service) Ship(ctx context.Context, by Actor, id int64, channel, sn string) error {
	also := changes{"ship_sn": sn, "ship_channel": channel, "ship_time": s.Now()}
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		o, err := s.forOperator(ctx, tx, id)
		if err != nil {
			return err
		}
		open, err := s.Promotions.InOpenGroup(ctx, tx, id)
		if err != nil {
			return err
		}
		if open { // the goods may not leave at the group's price before there is a group
			return refused(by, text.OrderGroup, fmt.Errorf("ship order %d of an open group", id))
		}
		before := o
		if err := s.apply(ctx, tx, &o, Ship, by, also); err != nil {
			return err
		}
		if err := s.record(ctx, tx, before, ""); err != nil {
			return err
		}
		o.ShipChannel, o.ShipSN = channel, sn
		return s.announce(ctx, tx, TopicShipped, o)
	})
}

// forOperator finds an order that an operator may act on. It fails with errno.Invalid.
func (s *Service) forOperator(ctx context.Context, q db.Querier, id int64) (Order, error) {
	o, ok, err := byID(ctx, q, id)
	if err != nil {
		return o, fmt.Errorf("read order %d: %w", id, err)
	}
	if !ok || o.Deleted {
		return o, errno.NoSuch("orderId")
	}
	return o, nil
}

// due is what the order owes, as payments know it.
func (o Order) due() payment.Due {
	return payment.Due{OrderID: o.ID, UserID: o.UserID, OrderSN: o.SN, Amount: o.Price.Actual, TradeType: "JSAPI"}
}
