package order

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/job"
)

// Jobs returns the work that time does.
func (s *Service) Jobs() []job.Job {
	return []job.Job{
		{Name: "checkOrderUnpaid", Every: 5 * time.Second, Most: time.Minute, Run: s.ExpireUnpaid},
		{Name: "checkOrderUnconfirm", Every: 10 * time.Minute, Most: time.Hour, Run: s.ReceiveShipped},
		{Name: "checkOrderComment", Every: 10 * time.Minute, Most: time.Hour, Run: s.CloseComments},
		{Name: "checkGrouponExpired", Every: time.Minute, Most: time.Minute, Run: s.EndOffers},
	}
}

// movedAtOnce bounds the orders of one batch.
const movedAtOnce = 500

// each handles orders one by one, so that one that cannot be handled hinders no other; the last failure is reported. An
// order that moved meanwhile is left alone.
func each(ctx context.Context, ids []int64, handle func(id int64) error) (done int, failed error) {
	for _, id := range ids {
		if ctx.Err() != nil {
			break
		}
		switch err := handle(id); {
		case err == nil:
			done++
		case errno.Of(err) == errno.Internal:
			failed = err
		}
	}
	return done, failed
}

// ReceiveShipped takes orders as received whose shoppers have not said so in time, each in its own transaction. It
// reports how many.
func (s *Service) ReceiveShipped(ctx context.Context) (int, error) {
	v, err := s.Settings.Now(ctx)
	if err != nil {
		return 0, err
	}
	due := s.Now().Add(-v.UnconfirmedFor)
	ids, err := shippedBefore(ctx, s.DB, due, movedAtOnce)
	if err != nil {
		return 0, fmt.Errorf("look for shipped orders: %w", err)
	}
	return each(ctx, ids, func(id int64) error { return s.autoReceive(ctx, id, due) })
}

func (s *Service) autoReceive(ctx context.Context, id int64, due time.Time) error {
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		o, ok, err := byID(ctx, tx, id)
		if err != nil {
			return fmt.Errorf("read order %d: %w", id, err)
		}
		if !ok || o.ShipTime.IsZero() || o.ShipTime.After(due) {
			return errno.NoSuch("orderId")
		}
		also := changes{"confirm_time": s.Now(), "comments": linesToComment}
		if err := s.apply(ctx, tx, &o, AutoReceive, Actor{Type: ByJob}, also); err != nil {
			return err
		}
		return s.touch(ctx, tx, o)
	})
}

// CloseComments ends the time for comments of orders received long ago, each in its own transaction. Lines that have a
// comment keep it. It reports how many orders it closed.
func (s *Service) CloseComments(ctx context.Context) (int, error) {
	v, err := s.Settings.Now(ctx)
	if err != nil {
		return 0, err
	}
	due := s.Now().Add(-v.CommentFor)
	ids, err := commentableBefore(ctx, s.DB, due, movedAtOnce)
	if err != nil {
		return 0, fmt.Errorf("look for orders to comment on: %w", err)
	}
	return each(ctx, ids, func(id int64) error {
		return s.DB.InTx(ctx, func(tx *db.Tx) error {
			ok, err := closeComments(ctx, tx, id, due, s.Now())
			if err != nil {
				return fmt.Errorf("close the comments of order %d: %w", id, err)
			}
			if !ok {
				return errno.Stale
			}
			return nil
		})
	})
}

// TopicTouch says that the statistics of a day must be added up again.
const TopicTouch = "stat.touch"

// Touched is the payload of TopicTouch.
type Touched struct {
	// At is a moment of the day.
	At time.Time
}

// touch has the day of an order added up again. The statistics count received orders, so only the moves to that state
// need it.
func (s *Service) touch(ctx context.Context, tx *db.Tx, o Order) error {
	return s.Outbox.Put(ctx, tx, TopicTouch, fmt.Sprintf("%s:%d:%d", TopicTouch, o.ID, o.Status), o.ID,
		Touched{At: o.AddTime})
}
