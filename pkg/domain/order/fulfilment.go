package order

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/text"
)

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

// linesToComment is how many lines of the order have no comment yet.
var linesToComment = gorm.Expr("(SELECT COUNT(*) FROM order_goods l WHERE l.order_id = orders.id AND l.deleted = 0 " +
	"AND l.comment_id = 0)")

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

// Confirm says that the goods have arrived; from now on they can be commented on. It fails as Cancel does.
func (s *Service) Confirm(ctx context.Context, shopper, id int64) error {
	also := changes{"confirm_time": s.Now(), "comments": linesToComment}
	return s.shopperMoves(ctx, shopper, id, Receive, also, func(tx *db.Tx, o Order) error { return s.touch(ctx, tx, o) })
}

// Parcel returns the order whose parcel a shopper means: the one named, else the newest that has gone with the carrier
// under the number. It has no lines. It fails with errno.Invalid where it is not the shopper's.
func (s *Service) Parcel(ctx context.Context, shopper, id int64, channel, number string) (Order, error) {
	if id != 0 {
		return s.ofShopper(ctx, s.DB, shopper, id, "orderId")
	}
	o, ok, err := byParcel(ctx, s.DB, shopper, channel, number)
	if err != nil {
		return o, fmt.Errorf("find the order of a parcel of shopper %d: %w", shopper, err)
	}
	if !ok {
		return o, errno.Invalid.Because(text.OrderParcel)
	}
	return o, nil
}

// byParcel finds the newest order of a shopper that has gone with a carrier under a number.
func byParcel(ctx context.Context, q db.Querier, shopper int64, channel, number string) (Order, bool, error) {
	return one(q.G(ctx).Raw("SELECT "+columns+" FROM orders o WHERE o.user_id = ? AND o.deleted = 0 AND "+
		"o.user_deleted = 0 AND o.ship_channel = ? AND o.ship_sn = ? ORDER BY o.id DESC LIMIT 1", shopper, channel, number))
}

// HasReceived reports whether the shopper has ever received an order with the goods.
func (s *Service) HasReceived(ctx context.Context, shopper, goods int64) (bool, error) {
	var found []int64
	err := s.DB.G(ctx).Raw("SELECT o.id FROM orders o JOIN order_goods l ON l.order_id = o.id AND l.deleted = 0 "+
		"WHERE o.user_id = ? AND o.deleted = 0 AND o.order_status IN (?, ?) AND l.goods_id = ? LIMIT 1",
		shopper, Received, AutoReceived, goods).Scan(&found).Error
	if err != nil {
		return false, fmt.Errorf("look for goods %d among what shopper %d received: %w", goods, shopper, err)
	}
	return len(found) > 0, nil
}

// LineToComment returns a line of the shopper's order: the one named, or the line of the goods that still waits for a
// comment, else the first of the goods. It fails with errno.Invalid.
func (s *Service) LineToComment(ctx context.Context, shopper, line, order, goods int64) (Line, error) {
	if line != 0 {
		l, ok, err := lineByID(ctx, s.DB, line)
		if err != nil {
			return l, fmt.Errorf("read order line %d: %w", line, err)
		}
		if !ok {
			return l, errno.NoSuch("ogid")
		}
		_, err = s.ofShopper(ctx, s.DB, shopper, l.OrderID, "ogid")
		return l, err
	}
	o, err := s.ofShopper(ctx, s.DB, shopper, order, "orderId")
	if err != nil {
		return Line{}, err
	}
	lines, err := linesIn(ctx, s.DB, []int64{o.ID})
	if err != nil {
		return Line{}, fmt.Errorf("read the lines of order %d: %w", order, err)
	}
	var found *Line
	for i, l := range lines {
		if l.GoodsID == goods && (found == nil || found.CommentID != 0 && l.CommentID == 0) {
			found = &lines[i]
		}
	}
	if found == nil {
		return Line{}, errno.NoSuch("goodsId")
	}
	return *found, nil
}

// CommentOn gives a line of the shopper's received order its comment: create makes it, in the same transaction.
// within is how long after the receipt comments are taken; it is read before, since a transaction waits for no
// second connection. It fails with errno.Invalid for a line that is not the shopper's, OrderInvalidOperation before
// the receipt, OrderCommented and OrderCommentExpired.
func (s *Service) CommentOn(
	ctx context.Context, tx *db.Tx, shopper, line int64, within time.Duration, create func(Line) (comment int64,
		err error),
) error {
	l, ok, err := lineByID(ctx, tx, line)
	if err != nil {
		return fmt.Errorf("read order line %d: %w", line, err)
	}
	if !ok {
		return errno.NoSuch("orderGoodsId")
	}
	o, ok, err := lock(ctx, tx, l.OrderID)
	if err != nil {
		return fmt.Errorf("lock order %d: %w", l.OrderID, err)
	}
	if !ok || o.gone(Shopper(shopper)) {
		return errno.NoSuch("orderGoodsId")
	}
	if l, _, err = lineByID(ctx, tx, line); err != nil { // as it is now that the order is ours
		return fmt.Errorf("read order line %d: %w", line, err)
	}
	switch {
	case !o.Status.Done():
		return fmt.Errorf("comment on order %d: %w", o.ID, errno.OrderInvalidOperation.Because(text.OrderState,
			o.Status.label()))
	case l.CommentID > 0:
		return fmt.Errorf("line %d: %w", line, errno.OrderCommented)
	case l.CommentID < 0 || !o.Commentable(s.Now(), within):
		return fmt.Errorf("line %d: %w", line, errno.OrderCommentExpired)
	}
	comment, err := create(l)
	if err != nil {
		return err
	}
	set, err := setComment(ctx, tx, line, comment, s.Now())
	if err != nil {
		return fmt.Errorf("mark line %d: %w", line, err)
	}
	if !set {
		return fmt.Errorf("line %d: %w", line, errno.OrderCommented)
	}
	if err := lowerComments(ctx, tx, o.ID, s.Now()); err != nil {
		return fmt.Errorf("count the comments of order %d: %w", o.ID, err)
	}
	return nil
}

// setComment gives a line its comment, if it still waits for one.
func setComment(ctx context.Context, tx *db.Tx, line, comment int64, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE order_goods SET comment_id = ?, update_time = ? WHERE id = ? AND comment_id = 0",
		comment, now, line)
	return res.RowsAffected == 1, res.Error
}

func lowerComments(ctx context.Context, tx *db.Tx, order int64, now time.Time) error {
	return tx.G(ctx).Exec("UPDATE orders SET comments = comments - 1, version = version + 1, update_time = ? "+
		"WHERE id = ? AND comments > 0", now, order).Error
}
