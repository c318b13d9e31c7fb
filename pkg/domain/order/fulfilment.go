package order

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/idempotency"
	"shop.internal/pkg/domain/settings"
)

// Ship records that a paid order was shipped: a parcel with its carrier and number, what the shop's own courier brings
// with or without, and what is collected without, since it is then ready in the shop. It fails with errno.Missing for a
// parcel without them, with errno.Invalid for an unknown order or a number of what is no parcel, and with
// errno.OrderConfirmNotAllowed for an order that cannot be shipped.
func (s *Service) Ship(ctx context.Context, by actor.Actor, id int64, channel, sn string) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		o, err := s.Load(ctx, tx, id, by, Unlocked)
		if err != nil {
			return err
		}
		open, err := s.Promotions.InOpenGroup(ctx, tx, id)
		if err != nil {
			return err
		}
		if open { // no shipping at the group price before the group is complete
			return refused(by, text.OrderGroupOpen, fmt.Errorf("ship order %d of an open group", id))
		}
		if channel, sn, err = s.sentAs(o.Delivery, channel, sn); err != nil {
			return err
		}
		set := table.Set{"ship_sn": orNull(sn), "ship_channel": orNull(channel)}
		if err := s.apply(ctx, tx, &o, Ship, by, set); err != nil {
			return err
		}
		o.ShipChannel, o.ShipSN = channel, sn
		if o.Delivery == settings.Collect {
			return s.announce(ctx, tx, TopicReady, o)
		}
		return s.announce(ctx, tx, TopicShipped, o)
	})
}

// sentAs returns the carrier and the number that an order is shipped with.
func (s *Service) sentAs(w settings.Way, channel, sn string) (string, string, error) {
	switch {
	case w == settings.Collect && channel+sn != "":
		return "", "", errno.Invalid.Because(text.CollectNoParcel)
	case w == settings.Courier:
		return cmp.Or(channel, w.Name().In(s.Language)), sn, nil
	case w == settings.Parcel && channel == "":
		return "", "", errno.Missing.About(text.FieldCarrier)
	case w == settings.Parcel && sn == "":
		return "", "", errno.Missing.About(text.FieldTrackingNumber)
	}
	return channel, sn, nil
}

// orNull is a text for a column that is NULL without one.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// Reship corrects the carrier and the tracking number of a shipped order, and tells the shopper. The history of the
// order keeps the earlier ones. It fails as Ship does, also for an order in any other state; equal values change
// nothing.
func (s *Service) Reship(ctx context.Context, by actor.Actor, id int64, channel, sn string) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		before, err := s.Load(ctx, tx, id, by, Unlocked)
		if err != nil {
			return err
		}
		if before.Status != Shipped {
			return refusal(by, before.Status, fmt.Errorf("reship order %d in %d", id, before.Status))
		}
		if channel, sn, err = s.sentAs(before.Delivery, channel, sn); err != nil {
			return err
		}
		if before.ShipChannel == channel && before.ShipSN == sn {
			return s.record(ctx, tx, before, "")
		}
		o := before
		moved, err := update(ctx, tx, o, o.Status, table.Set{
			"ship_channel": channel, "ship_sn": sn, "update_time": s.Now(),
		})
		if err != nil || !moved {
			return errors.Join(err, fmt.Errorf("reship order %d: %w", id, errno.Stale))
		}
		o.ShipChannel, o.ShipSN = channel, sn
		if err := s.logMove(ctx, tx, o, o.Status, by, reshipped+before.ShipChannel+" "+before.ShipSN); err != nil {
			return err
		}
		if err := s.record(ctx, tx, before, ""); err != nil {
			return err
		}
		return s.announce(ctx, tx, TopicShipped, o)
	})
}

// reshipped begins the reason of a step that corrected the parcel; the earlier carrier and number follow.
const reshipped = "reship, before: "

// linesToComment counts the lines of the order that have no comment yet.
var linesToComment = gorm.Expr(`(SELECT COUNT(*) FROM order_goods l
	WHERE l.order_id = orders.id AND l.deleted = 0 AND l.comment_id = 0)`)

// Confirm records that the shopper has received the goods; they can be commented on from then on. It fails as Cancel
// does.
func (s *Service) Confirm(ctx context.Context, shopper, id int64) error {
	return s.shopperMoves(ctx, shopper, id, Receive)
}

// shopperMoves applies an event that a shopper requests.
func (s *Service) shopperMoves(ctx context.Context, shopper, id int64, e Event) error {
	return idempotency.Do(ctx, s.Once, func(tx *db.Tx) error {
		o, err := s.Load(ctx, tx, id, actor.Shopper(shopper), Unlocked)
		if err != nil {
			return err
		}
		return s.apply(ctx, tx, &o, e, actor.Shopper(shopper), nil)
	})
}

// Parcel returns the order, without its lines, of the parcel that a shopper asks about: the order named, else the
// newest one with this carrier and tracking number. It fails with errno.Invalid for an order of another shopper.
func (s *Service) Parcel(ctx context.Context, shopper, id int64, channel, number string) (Order, error) {
	if id != 0 {
		o, err := s.Load(ctx, s.DB, id, actor.Shopper(shopper), Unlocked)
		return o, badValue(err, text.FieldOrder)
	}
	r, ok, err := orders.One(ctx, s.DB, `r.user_id = ? AND r.deleted = 0 AND r.user_deleted = 0
		AND r.ship_channel = ? AND r.ship_sn = ? ORDER BY r.id DESC LIMIT 1`, shopper, channel, number)
	if err == nil && !ok {
		err = errno.Invalid.Because(text.OrderTrackingNumber)
	}
	return r.order(), err
}

// HasReceived reports whether the shopper has ever received an order with the goods.
func (s *Service) HasReceived(ctx context.Context, shopper, goods int64) (bool, error) {
	var found []int64
	err := table.Scan(ctx, s.DB, &found, `SELECT o.id FROM orders o
		JOIN order_goods l ON l.order_id = o.id AND l.deleted = 0
		WHERE o.user_id = ? AND o.deleted = 0 AND o.order_status IN ? AND l.goods_id = ?
		LIMIT 1`, shopper, received, goods)
	if err != nil {
		return false, fmt.Errorf("find goods %d among what shopper %d received: %w", goods, shopper, err)
	}
	return len(found) > 0, nil
}

// LineToComment returns a line of the shopper's order: the line named, else the first line of the goods without a
// comment, else the first line of the goods. It fails with errno.Invalid.
func (s *Service) LineToComment(ctx context.Context, shopper, line, order, goods int64) (Line, error) {
	if line != 0 {
		l, ok, err := orderLines.Live(ctx, s.DB, line)
		if err == nil && !ok {
			err = errno.NoSuch(text.FieldOrderLine)
		}
		if err != nil {
			return l, err
		}
		_, err = s.Load(ctx, s.DB, l.OrderID, actor.Shopper(shopper), Unlocked)
		return l, badValue(err, text.FieldOrderLine)
	}
	o, err := s.Load(ctx, s.DB, order, actor.Shopper(shopper), Unlocked)
	if err != nil {
		return Line{}, badValue(err, text.FieldOrder)
	}
	lines, err := linesIn(ctx, s.DB, []int64{o.ID})
	if err != nil {
		return Line{}, err
	}
	var found *Line
	for i, l := range lines {
		if l.GoodsID == goods && (found == nil || found.CommentID != 0 && l.CommentID == 0) {
			found = &lines[i]
		}
	}
	if found == nil {
		return Line{}, errno.NoSuch(text.FieldGoods)
	}
	return *found, nil
}

// CommentOn attaches a comment, made by create in the same transaction, to a line of the shopper's received order.
// within is how long after the receipt comments are accepted; the caller reads it before, because a transaction must
// not wait for a second connection. It fails with errno.Invalid for a line of another shopper, OrderInvalidOperation
// before the receipt, OrderCommented and OrderCommentExpired.
func (s *Service) CommentOn(
	ctx context.Context, tx *db.Tx, shopper, line int64, within time.Duration, create func(Line) (int64, error),
) error {
	l, ok, err := orderLines.Live(ctx, tx, line)
	if err != nil {
		return err
	}
	if !ok {
		return errno.NoSuch(text.FieldOrderLine)
	}
	o, err := s.Load(ctx, tx, l.OrderID, actor.Shopper(shopper), Locked)
	if err != nil {
		return badValue(err, text.FieldOrderLine)
	}
	if l, _, err = orderLines.Live(ctx, tx, line); err != nil { // read again, now that the order is locked
		return err
	}
	switch {
	case !o.Status.Done():
		return fmt.Errorf("comment on order %d: %w", o.ID, errno.OrderInvalidOperation.Because(text.OrderState,
			labels[o.Status]))
	case l.CommentID > 0:
		return fmt.Errorf("line %d: %w", line, errno.OrderCommented)
	case l.CommentID < 0 || !o.Commentable(s.Now(), within):
		return fmt.Errorf("line %d: %w", line, errno.OrderCommentExpired)
	}
	comment, err := create(l)
	if err != nil {
		return err
	}
	return s.commented(ctx, tx, o.ID, line, comment)
}

// commented sets the comment of a line that has none, and decrements the order's count of open comments. It fails with
// errno.OrderCommented.
func (s *Service) commented(ctx context.Context, tx *db.Tx, order, line, comment int64) error {
	set := table.Set{"comment_id": comment, "update_time": s.Now()}
	ok, err := orderLines.Moved(ctx, tx, set, "id = ? AND comment_id = 0", line)
	if err == nil && !ok {
		err = fmt.Errorf("line %d: %w", line, errno.OrderCommented)
	}
	if err != nil {
		return err
	}
	set = table.Set{"comments": gorm.Expr("comments - 1"), "update_time": s.Now()}
	_, err = orders.Update(ctx, tx, set, "id = ? AND comments > 0", order)
	return err
}
