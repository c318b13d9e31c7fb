package order

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/job"
	"shop.internal/pkg/domain/settings"
)

// Jobs returns the scheduled jobs on orders.
func (s *Service) Jobs() []job.Job {
	return []job.Job{
		{
			Name: "checkOrderUnpaid", Every: 5 * time.Second, MaxEvery: time.Minute, Run: s.ExpireUnpaid,
			Does: "expires orders that were not paid in time; stock and coupon are released",
		},
		{
			Name: "checkOrderUnconfirm", Every: 10 * time.Minute, MaxEvery: time.Hour, Run: s.ReceiveShipped,
			Does: "marks orders as received that were not confirmed in time, but for those to be collected",
		},
		{
			Name: "checkOrderComment", Every: 10 * time.Minute, MaxEvery: time.Hour, Run: s.CloseComments,
			Does: "ends the comment period of orders",
		},
		{
			Name: "checkGrouponExpired", Every: time.Minute, MaxEvery: time.Minute, Run: s.EndGroupRules,
			Does: "closes expired group-buy rules and ends their open groups",
		},
		{
			Name: "indexRecipients", Every: 10 * time.Second, MaxEvery: time.Minute, Run: s.IndexRecipients,
			Does: "adds the names of the recipients of new orders to the index that operators search",
		},
	}
}

const (
	// moveBatch is the number of orders in a batch.
	moveBatch = 500
	// moveWorkers is how many of them are moved at once. They are different orders, and transactions that need the same
	// rows lock them in the same order, as those of requests do.
	moveWorkers = 8
)

// dueOrders finds at most limit orders that are due; ready excludes those that wait for a retry.
type dueOrders func(ctx context.Context, q db.Querier, due time.Time, ready clause.Expr, limit int) ([]int64, error)

// moveDue moves a batch of due orders, each in its own transaction, and returns how many it moved. Orders that changed
// in the meantime are skipped.
func (s *Service) moveDue(
	ctx context.Context, name string, due time.Time, find dueOrders, move func(context.Context, *db.Tx, int64) error,
) (int, error) {
	return s.Failures.Each(ctx, job.Batch{
		Job: name, Key: "orders.id",
		Find: func(ctx context.Context, q db.Querier, ready clause.Expr) ([]int64, error) {
			return find(ctx, q, due, ready, moveBatch)
		},
		Handle: func(ctx context.Context, id int64) error {
			return s.DB.InTx(ctx, func(tx *db.Tx) error { return move(ctx, tx, id) })
		},
		Workers: moveWorkers,
	})
}

// ExpireUnpaid expires orders that were not paid in time, each in its own transaction. It returns how many.
func (s *Service) ExpireUnpaid(ctx context.Context) (int, error) {
	v, err := s.Settings.Now(ctx)
	if err != nil {
		return 0, err
	}
	now := s.Now()
	find := func(
		ctx context.Context, q db.Querier, due time.Time, ready clause.Expr, limit int,
	) ([]int64, error) {
		return unpaidBefore(ctx, q, due, now, ready, limit)
	}
	return s.moveDue(ctx, "checkOrderUnpaid", now.Add(-v.UnpaidFor), find,
		func(ctx context.Context, tx *db.Tx, id int64) error {
			return s.moveByTime(ctx, tx, id, Expire, func(o Order) bool { return !o.PayableUntil(v).After(now) })
		})
}

// moveByTime applies an event to an order, unless its state has changed or it is no longer due.
func (s *Service) moveByTime(ctx context.Context, tx *db.Tx, id int64, e Event, due func(Order) bool) error {
	o, _, err := byID(ctx, tx, id, Unlocked)
	if err != nil {
		return fmt.Errorf("read order %d: %w", id, err)
	}
	if _, ok := o.next(e); !ok || !due(o) {
		return job.ErrMoved
	}
	return s.apply(ctx, tx, &o, e, actor.System, nil)
}

// ReceiveShipped marks shipped orders as received whose shoppers did not confirm in time, each in its own transaction.
// What waits to be collected stays. It returns how many.
func (s *Service) ReceiveShipped(ctx context.Context) (int, error) {
	v, err := s.Settings.Now(ctx)
	if err != nil {
		return 0, err
	}
	due := s.Now().Add(-v.UnconfirmedFor)
	return s.moveDue(ctx, "checkOrderUnconfirm", due, shippedBefore, func(ctx context.Context, tx *db.Tx, id int64) error {
		return s.moveByTime(ctx, tx, id, AutoReceive, func(o Order) bool {
			return !o.ShipTime.IsZero() && !o.ShipTime.After(due)
		})
	})
}

// CloseComments ends the comment period of orders received long ago, each in its own transaction. Existing comments
// stay. It returns how many orders it closed.
func (s *Service) CloseComments(ctx context.Context) (int, error) {
	v, err := s.Settings.Now(ctx)
	if err != nil {
		return 0, err
	}
	due := s.Now().Add(-v.CommentFor)
	closing := func(ctx context.Context, tx *db.Tx, id int64) error {
		ok, err := closeComments(ctx, tx, id, due, s.Now())
		if err != nil {
			return fmt.Errorf("close the comments of order %d: %w", id, err)
		}
		if !ok {
			return job.ErrMoved
		}
		return nil
	}
	return s.moveDue(ctx, "checkOrderComment", due, commentableBefore, closing)
}

// unpaidOrder is the condition that the order of a payment with the alias r is unpaid.
var unpaidOrder = gorm.Expr("EXISTS (SELECT 1 FROM orders o WHERE o.id = r.order_id AND o.order_status IN ?)",
	moves.From(Pay))

func unpaidBefore(
	ctx context.Context, q db.Querier, due, now time.Time, ready clause.Expr, limit int,
) (ids []int64, err error) {
	err = table.Scan(ctx, q, &ids, `SELECT id FROM orders WHERE order_status IN ? AND add_time <= ? AND deleted = 0
		AND (pay_before IS NULL OR pay_before <= ?) AND ?
		ORDER BY add_time, id LIMIT ?`, moves.From(Expire), due, now, ready, limit)
	return ids, err
}

func shippedBefore(
	ctx context.Context, q db.Querier, due time.Time, ready clause.Expr, limit int,
) (ids []int64, err error) {
	err = table.Scan(ctx, q, &ids, `SELECT id FROM orders
		WHERE order_status IN ? AND ship_time <= ? AND delivery <> ? AND deleted = 0 AND ?
		ORDER BY ship_time, id LIMIT ?`, moves.From(AutoReceive), due, settings.Collect, ready, limit)
	return ids, err
}

// commentableBefore finds orders with lines to comment on, deleted orders included.
func commentableBefore(
	ctx context.Context, q db.Querier, due time.Time, ready clause.Expr, limit int,
) (ids []int64, err error) {
	err = table.Scan(ctx, q, &ids,
		`SELECT id FROM orders WHERE comments > 0 AND confirm_time < ? AND order_status IN ? AND ?
		ORDER BY id LIMIT ?`, due, received, ready, limit)
	return ids, err
}

// closeComments locks the order before its lines, in the order that CommentOn uses.
func closeComments(ctx context.Context, tx *db.Tx, id int64, due, now time.Time) (bool, error) {
	closed, err := orders.Moved(ctx, tx, table.Set{"comments": 0, "update_time": now},
		"id = ? AND comments > 0 AND confirm_time < ? AND order_status IN ?", id, due, received)
	if err != nil || !closed {
		return false, err
	}
	_, err = orderLines.Update(ctx, tx, table.Set{"comment_id": tooLate, "update_time": now},
		"order_id = ? AND comment_id = 0", id)
	return true, err
}
