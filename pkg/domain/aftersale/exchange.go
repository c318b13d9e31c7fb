package aftersale

import (
	"context"
	"fmt"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// SendBack announces the parcel in which the goods of the shopper's accepted case come back; a second call corrects it.
// It fails with errno.Invalid for another shopper's case, and with errno.AftersaleInvalidStatus if no goods are
// awaited, or they have arrived.
func (s *Service) SendBack(ctx context.Context, shopper, id int64, p Parcel) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		_, c, err := s.lock(ctx, tx, id, func(c Case) bool { return c.UserID == shopper })
		if err != nil {
			return err
		}
		if !c.awaitsGoods() {
			return noGoods(actor.Shopper(shopper), c)
		}
		return s.note(ctx, tx, c, table.Set{"back_channel": p.Channel, "back_sn": p.SN, "back_time": s.Now()})
	})
}

// Receive notes that the goods of an accepted case have arrived. It fails with errno.Invalid for no case, and with
// errno.OrderConfirmNotAllowed if no goods are awaited, or they have arrived.
func (s *Service) Receive(ctx context.Context, by actor.Actor, id int64) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		_, c, err := s.lock(ctx, tx, id, func(Case) bool { return true })
		if err != nil {
			return err
		}
		if !c.awaitsGoods() {
			return noGoods(by, c)
		}
		err = s.note(ctx, tx, c, table.Set{"arrive_time": s.Now(), "handle_time": s.Now(), "handler_id": operator(by)})
		if err != nil {
			return err
		}
		return s.record(ctx, tx, c, logName(c))
	})
}

// noGoods is the refusal of what needs goods that are awaited.
func noGoods(by actor.Actor, c Case) error {
	if c.Status != Accepted {
		return refusal(by, "parcel of", c)
	}
	code, why := errno.AftersaleInvalidStatus, text.CaseNoGoods
	if by.Kind == actor.KindOperator {
		code = errno.OrderConfirmNotAllowed
	}
	if !c.ArriveTime.IsZero() {
		why = text.CaseArrived
	}
	return fmt.Errorf("parcel of case %d: %w", c.ID, code.Because(why))
}

// note sets columns of a case whose state does not change.
func (s *Service) note(ctx context.Context, tx *db.Tx, c Case, set table.Set) error {
	set["update_time"] = s.Now()
	err := changed(cases.Moved(ctx, tx, set, "id = ? AND status = ? AND version = ? AND deleted = 0",
		c.ID, c.Status, c.version))
	if err != nil {
		return fmt.Errorf("note the parcel of case %d: %w", c.ID, err)
	}
	return nil
}

// Exchange sends other products for the goods of an accepted case: the pieces go back to stock, the others are taken
// from it and become lines of the order that cost nothing. It fails with errno.Invalid for no case or fewer pieces than
// it is about, with errno.OrderConfirmNotAllowed in any state but Accepted or if the case is no exchange, with
// errno.GoodsNoStock, GoodsUnshelved or GoodsInvalid for a product that cannot be sent, and with errno.Stale if one was
// modified concurrently.
func (s *Service) Exchange(ctx context.Context, by actor.Actor, id int64, p Parcel) error {
	return idempotency.DoAfter(ctx, s.Once, func() (func(*db.Tx) error, error) {
		v, err := s.Orders.Settings.Now(ctx)
		return func(tx *db.Tx) error { return s.exchange(ctx, tx, by, id, p, v.Currency) }, err
	})
}

func (s *Service) exchange(
	ctx context.Context, tx *db.Tx, by actor.Actor, id int64, p Parcel, in money.Currency,
) error {
	o, c, err := s.lock(ctx, tx, id, func(Case) bool { return true })
	if err != nil {
		return err
	}
	if _, ok := c.Status.Next(Exchange); !ok {
		return refusal(by, Exchange, c)
	}
	if c.Type != Replacement {
		return fmt.Errorf("exchange case %d: %w", id, errno.OrderConfirmNotAllowed.Because(text.CaseOfMoney))
	}
	about, swaps, err := s.swaps(ctx, tx, o, c, in)
	if err != nil {
		return err
	}
	if err := s.Orders.AddSent(ctx, tx, o, swaps); err != nil {
		return err
	}
	before := c
	set := table.Set{"sent_channel": p.Channel, "sent_sn": p.SN}
	if err := s.apply(ctx, tx, by, &o, &c, Exchange, set); err != nil {
		return err
	}
	for i, l := range about {
		n, err := caseLines.Update(ctx, tx, table.Set{"sent_id": swaps[i].Sent.ID}, "id = ? AND sent_id = 0", l.ID)
		if err := changed(n > 0, err); err != nil {
			return fmt.Errorf("note what is sent for line %d of case %d: %w", l.LineID, id, err)
		}
	}
	if err := s.record(ctx, tx, before, named(o, c)); err != nil {
		return err
	}
	return s.Orders.Exchanged(ctx, tx, &o, by, int(c.Status), c.ID, swaps)
}

// swaps returns the lines of a case with what is sent for each.
func (s *Service) swaps(
	ctx context.Context, tx *db.Tx, o order.Order, c Case, in money.Currency,
) ([]Line, []order.Swap, error) {
	lines, err := linesOf(ctx, tx, c.ID)
	if err != nil {
		return nil, nil, err
	}
	about := lines[c.ID]
	of, err := s.held(ctx, tx, o, about, in)
	if err != nil {
		return nil, nil, err
	}
	wanted := make([]catalog.Wanted, len(about))
	for i, l := range about {
		wanted[i] = catalog.Wanted{ProductID: l.ProductID, GoodsID: of[i].GoodsID}
	}
	found, err := catalog.ProductSnapshots(ctx, tx, wanted)
	if err != nil {
		return nil, nil, err
	}
	swaps := make([]order.Swap, len(about))
	for i, l := range about {
		to := found[wanted[i]]
		if err := to.Buyable(); err != nil {
			return nil, nil, fmt.Errorf("exchange line %d: %w", l.LineID, err)
		}
		swaps[i] = order.Swap{Back: of[i].Line, Number: l.Number, To: to, Sent: order.Line{}}
	}
	return about, swaps, nil
}
