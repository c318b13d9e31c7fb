package review

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Lines accepts the comments of shoppers, on order lines and on goods and topics.
type Lines struct {
	comments *Service
	orders   *order.Service
	once     *idempotency.Store
}

// NewLines returns the service.
func NewLines(s *Service, orders *order.Service, once *idempotency.Store) *Lines {
	return &Lines{s, orders, once}
}

// Comment stores a shopper's only comment on a line of their received order. It fails with errno.Invalid for another
// shopper's line, OrderInvalidOperation before the receipt, OrderCommented for a second one and OrderCommentExpired
// after the comment period.
func (l *Lines) Comment(ctx context.Context, shopper, line int64, c Comment) error {
	return idempotency.DoAfter(ctx, l.once, func() (func(*db.Tx) error, error) {
		v, err := l.orders.Settings.Now(ctx)
		return func(tx *db.Tx) error {
			return l.orders.CommentOn(ctx, tx, shopper, line, v.CommentFor, func(bought order.Line) (int64, error) {
				c.Kind, c.ValueID, c.UserID = Goods, bought.GoodsID, shopper
				return l.store(ctx, tx, line, c)
			})
		}, err
	})
}

func (l *Lines) store(ctx context.Context, tx *db.Tx, line int64, c Comment) (int64, error) {
	id, err := insert(ctx, tx, c, line, l.comments.now().UTC().Truncate(time.Millisecond))
	if err != nil {
		return 0, fmt.Errorf("store the comment on line %d: %w", line, err)
	}
	tx.OnCommit(func() { l.comments.changed(c.ValueID) })
	return id, nil
}

// Post stores a shopper's comment on goods or a topic and returns it as stored. It fails with errno.Invalid for an
// unknown subject, with OrderInvalidOperation for goods that the shopper has never received if onlyBuyers is set, and
// with errno.Invalid for a second comment on the same goods within a day otherwise.
func (l *Lines) Post(ctx context.Context, c Comment, onlyBuyers bool) (Comment, error) {
	return idempotency.InTxAfter(ctx, l.once, func() (func(*db.Tx) (Comment, error), error) {
		if err := l.mayPost(ctx, c, onlyBuyers); err != nil {
			return nil, err
		}
		return func(tx *db.Tx) (Comment, error) {
			var err error
			c.AddTime = l.comments.now().UTC().Truncate(time.Millisecond)
			c.UpdateTime = c.AddTime
			if c.Kind == Goods && !onlyBuyers {
				if err = l.onceADay(ctx, tx, c); err != nil {
					return c, err
				}
			}
			c.ID, err = insert(ctx, tx, c, 0, c.AddTime)
			if c.Kind == Goods {
				tx.OnCommit(func() { l.comments.changed(c.ValueID) })
			}
			return c, err
		}, nil
	})
}

// onceADay refuses a second comment of a shopper on goods within a day. The lock on the shopper makes the check and the
// insert atomic.
func (l *Lines) onceADay(ctx context.Context, tx *db.Tx, c Comment) error {
	if err := l.orders.Accounts.Lock(ctx, tx, c.UserID); err != nil {
		return err
	}
	posted, err := comments.Exists(ctx, tx, `r.user_id = ? AND r.add_time > ? AND r.type = ? AND r.value_id = ?
		AND r.order_goods_id IS NULL`, c.UserID, c.AddTime.Add(-24*time.Hour), Goods, c.ValueID)
	if err == nil && posted {
		err = fmt.Errorf("shopper %d has commented on goods %d today: %w", c.UserID, c.ValueID,
			errno.Invalid.Because(text.CommentedToday))
	}
	return err
}

func (l *Lines) mayPost(ctx context.Context, c Comment, onlyBuyers bool) error {
	exists := catalog.Exists
	if c.Kind == Topic {
		exists = content.TopicExists
	}
	there, err := exists(ctx, l.comments.db, c.ValueID)
	if err != nil {
		return err
	}
	if !there {
		return fmt.Errorf("comment on %d of kind %d: %w", c.ValueID, c.Kind, errno.NoSuch(text.FieldGoodsOrTopic))
	}
	if c.Kind == Topic || !onlyBuyers {
		return nil
	}
	received, err := l.orders.HasReceived(ctx, c.UserID, c.ValueID)
	if err == nil && !received {
		err = fmt.Errorf("shopper %d has not received goods %d: %w", c.UserID, c.ValueID,
			errno.OrderInvalidOperation.Because(text.OnlyBuyers))
	}
	return err
}
