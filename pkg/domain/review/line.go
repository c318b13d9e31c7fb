package review

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/order"
)

// Lines takes the comments on what has been bought.
type Lines struct {
	comments *Service
	orders   *order.Service
	once     *idempotency.Store
}

// NewLines returns the comments on order lines.
func NewLines(s *Service, orders *order.Service, once *idempotency.Store) *Lines {
	return &Lines{s, orders, once}
}

// Comment stores a shopper's comment on a line of his received order; the line then has it for good. It fails with
// errno.Invalid for a line that is not his, OrderInvalidOperation before the receipt, OrderCommented for a second
// one and OrderCommentExpired when it is too late.
func (l *Lines) Comment(ctx context.Context, shopper, line int64, c Comment) error {
	_, err := idempotency.Do(ctx, l.once, func() (func(*db.Tx) (struct{}, error), error) {
		v, err := l.orders.Settings.Now(ctx)
		return func(tx *db.Tx) (struct{}, error) {
			return struct{}{}, l.orders.CommentOn(ctx, tx, shopper, line, v.CommentFor, func(bought order.Line) (int64, error) {
				c.Kind, c.ValueID, c.UserID = Goods, bought.GoodsID, shopper
				return l.store(ctx, tx, line, c)
			})
		}, err
	})
	return err
}

func (l *Lines) store(ctx context.Context, tx *db.Tx, line int64, c Comment) (int64, error) {
	id, err := insertLineComment(ctx, tx, c, line, l.comments.now().UTC().Truncate(time.Millisecond))
	if err != nil {
		return 0, fmt.Errorf("store the comment on line %d: %w", line, err)
	}
	tx.OnCommit(func() { l.comments.changed(c.ValueID) })
	return id, nil
}
