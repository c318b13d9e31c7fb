package order

import (
	"context"
	"fmt"
	"maps"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
)

// apply moves an order by an event together with everything that the transition implies, whoever requests it: it
// releases what an ended order holds, requests the refund, records the transition and announces it.
func (s *Service) apply(ctx context.Context, tx *db.Tx, o *Order, e Event, by actor.Actor, set table.Set) error {
	before := *o
	if err := s.move(ctx, tx, o, e, by, set); err != nil {
		return err
	}
	if err := s.statisticsChanged(ctx, tx, before, *o); err != nil {
		return err
	}
	switch e {
	case Cancel, Expire:
		return s.release(ctx, tx, *o, e, by)
	case CallOff:
		if err := s.record(ctx, tx, before, ""); err != nil {
			return err
		}
		return s.release(ctx, tx, *o, e, by)
	case PayLater:
		if err := s.Payments.CloseOpen(ctx, tx, o.ID); err != nil {
			return err
		}
		return s.announce(ctx, tx, TopicPaidLater, *o)
	case AskRefund:
		if err := s.Payments.AskRefund(ctx, tx, o.due()); err != nil {
			return err
		}
		return s.announce(ctx, tx, TopicRefundAsked, *o)
	case RejectRefund:
		if err := s.record(ctx, tx, before, ""); err != nil {
			return err
		}
		return s.Payments.Reject(ctx, tx, o.ID, by.ID)
	case Refund:
		if err := s.record(ctx, tx, before, ""); err != nil {
			return err
		}
		if err := s.release(ctx, tx, *o, e, by); err != nil {
			return err
		}
		return s.announce(ctx, tx, TopicRefunded, *o)
	case Ship, Collect:
		return s.record(ctx, tx, before, "")
	case Pay, Receive, AutoReceive: // pay records the money
	}
	return nil
}

// move is the only place that writes a status. The update is conditional on the state in which the order was read, so
// that of two concurrent moves one matches no row; it then fails with the code of a move that is not allowed, or with
// errno.Stale if the current state would still allow it.
func (s *Service) move(ctx context.Context, tx *db.Tx, o *Order, e Event, by actor.Actor, set table.Set) error {
	to, ok := o.next(e)
	if !ok {
		return refusal(by, o.Status, fmt.Errorf("%s order %d in %d", e, o.ID, o.Status))
	}
	set = s.columns(e, set)
	if o.CollectCode != "" && (to.Ended() || to.Done()) {
		set["collect_code"] = nil // free for another order
	}
	moved, err := update(ctx, tx, *o, to, set)
	if err != nil {
		return fmt.Errorf("%s order %d: %w", e, o.ID, err)
	}
	if !moved {
		now, _, err := byID(ctx, tx, o.ID, Unlocked)
		if err != nil {
			return fmt.Errorf("read order %d again: %w", o.ID, err)
		}
		if _, ok := now.next(e); ok && now.gone(by) == o.gone(by) {
			return fmt.Errorf("%s order %d: %w", e, o.ID, errno.Stale)
		}
		return refusal(by, now.Status, fmt.Errorf("%s order %d in %d", e, o.ID, now.Status))
	}
	from := o.Status
	o.Status, o.version = to, o.version+1
	db.Count(tx, meter.Orders, 1, string(e))
	return s.logMove(ctx, tx, *o, from, by, string(e))
}

// columns returns the columns that a transition sets beside the status: those of the event, and those of the caller.
func (s *Service) columns(e Event, of table.Set) table.Set {
	now := s.Now()
	set := table.Set{"update_time": now}
	switch e {
	case Pay:
		set["pay_time"] = now
	case Ship:
		set["ship_time"] = now
	case Receive, AutoReceive, Collect:
		set["confirm_time"], set["comments"] = now, linesToComment
	case Refund:
		set["refund_time"], set["end_time"] = now, now
	case Cancel, CallOff, Expire:
		set["end_time"] = now
	case PayLater, AskRefund, RejectRefund:
	}
	maps.Copy(set, of)
	return set
}

// update writes a status with its columns, if the state and version of the order are still those that were read.
func update(ctx context.Context, tx *db.Tx, o Order, to Status, set table.Set) (bool, error) {
	set["order_status"] = to
	return orders.Moved(ctx, tx, set, "id = ? AND order_status = ? AND version = ? AND user_id = ? AND deleted = 0",
		o.ID, o.Status, o.version, o.UserID)
}

// returned maps an event that ends an order to the reason in the stock ledger.
var returned = map[Event]catalog.Reason{
	Cancel: catalog.CancelledByShopper, Expire: catalog.CancelledByTimeout, CallOff: catalog.CancelledByOperator,
	Refund: catalog.Refunded,
}

// release gives back what an ended order holds, in the global lock order: payment, coupon, place in a group, stock. It
// is part of the transition and so happens once per order.
func (s *Service) release(ctx context.Context, tx *db.Tx, o Order, e Event, by actor.Actor) error {
	back, err := s.releaseAllButStock(ctx, tx, o, e)
	if err != nil {
		return err
	}
	if err := s.Promotions.ReleaseMember(ctx, tx, o.ID); err != nil {
		return err
	}
	return s.Stock.GiveBack(ctx, tx, by, returned[e], back)
}

// releaseAllButStock is release without the place in a group, for orders whose group ends too. It returns the stock
// lines to give back: the stock of several orders is returned in one step, by product.
func (s *Service) releaseAllButStock(ctx context.Context, tx *db.Tx, o Order, e Event) ([]catalog.StockLine, error) {
	if e != Refund { // what was paid is already closed
		if err := s.Payments.CloseOpen(ctx, tx, o.ID); err != nil {
			return nil, err
		}
	}
	if err := s.Promotions.GiveBack(ctx, tx, o.ID); err != nil {
		return nil, err
	}
	return pieces(ctx, tx, o.ID)
}

// refusal is the error for a move that the state does not allow, with the code for this actor.
func refusal(by actor.Actor, in Status, cause error) error {
	return refused(by, text.OrderState, cause, labels[in])
}

// refused is the error for a move that is not allowed for another reason. Its code comes first, since the cause may
// carry one too.
func refused(by actor.Actor, why *text.Text, cause error, args ...any) error {
	code := errno.OrderInvalidOperation
	if by.Kind == actor.KindOperator {
		code = errno.OrderConfirmNotAllowed
	}
	return fmt.Errorf("%w: %w", code.Because(why, args...), cause)
}

// record writes the audit record of an operator's call, with the transition. The order is read again, so that the
// record shows the stored row.
func (s *Service) record(ctx context.Context, tx *db.Tx, before Order, comment string) error {
	if _, byOperator := audit.From(ctx); !byOperator {
		return nil
	}
	after, _, err := byID(ctx, tx, before.ID, Unlocked)
	if err != nil {
		return fmt.Errorf("read order %d again: %w", before.ID, err)
	}
	return audit.Record(ctx, tx, audit.Change{
		ID: before.ID, Before: before, After: after, Result: logName(before.SN), Comment: comment,
	})
}

// logName is how the business log names an order.
func logName(sn string) string { return text.LogOrder.Stored(sn) }
