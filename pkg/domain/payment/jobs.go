package payment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm/clause"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/job"
)

const (
	// silentAfter is how long a payment may stay open before the platform is queried, and the interval between queries.
	silentAfter = time.Minute
	// lateAgain is the interval for retrying a refund of a late payment that the platform has refused.
	lateAgain = time.Hour
	// askedPerRun bounds the payments and refunds of one batch, each of which is a call to the platform.
	askedPerRun = 50
	// notificationRetention is how long the bodies of notifications are stored, purged the number emptied in a batch.
	notificationRetention = 90 * 24 * time.Hour
	purged                = 5000
)

// Finding handles a payment that a query of the platform has found, like a notification.
type Finding func(ctx context.Context, n Notification) error

// OnPaid registers the handler of payments found by queries. awaited is the condition, on a payment with the alias r,
// that its order is unpaid.
func (s *Service) OnPaid(paid Finding, awaited clause.Expr) { s.paid, s.awaited = paid, awaited }

// Jobs returns the scheduled jobs on payments.
func (s *Service) Jobs() []job.Job {
	return []job.Job{
		{
			Name: "paymentQuery", Every: 30 * time.Second, MaxEvery: time.Minute, Run: s.QueryOpen,
			Does: "queries the platform for payments without a notification after a minute",
		},
		{
			Name: "refundRetry", Every: time.Minute, MaxEvery: time.Minute, Run: s.RetryRefunds,
			Does: "finishes refunds without an answer after five minutes; retries refused ones of late payments after an hour",
		},
	}
}

// QueryOpen queries the platform for open payments of unpaid orders without a notification, and returns how many it
// queried. Claiming a payment sets the time of the query, so that it is not queried again within a minute.
func (s *Service) QueryOpen(ctx context.Context) (int, error) {
	due := s.now().Add(-silentAfter)
	found := map[int64]row{}
	return s.failures.Each(ctx, job.Batch{
		Job: "paymentQuery", Key: "r.id",
		Find: func(ctx context.Context, q db.Querier, ready clause.Expr) ([]int64, error) {
			rows, err := silent(ctx, q, s.channels.asked(), due, s.awaited, ready, askedPerRun)
			ids := make([]int64, len(rows))
			for i, p := range rows {
				ids[i], found[p.ID] = p.ID, p
			}
			return ids, err
		},
		Handle: func(ctx context.Context, id int64) error {
			if err := job.MovedUnless(claimOpen(ctx, s.db, id, due, s.now())); err != nil {
				return err
			}
			p := found[id]
			if err := s.queryOne(ctx, p.Payment); err != nil { // the claim sets the time of the next query
				return job.Unfinished(fmt.Errorf("ask about payment %s: %w", p.OutTradeNo, err))
			}
			return nil
		},
	})
}

// queryOne queries the channel of a payment and applies the result.
func (s *Service) queryOne(ctx context.Context, p Payment) error {
	n, err := s.query(ctx, p.Channel, p.ref())
	if errors.Is(err, ErrUnpaid) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.paid(ctx, n)
}

// query asks a channel for a payment. It fails with ErrUnpaid if the channel has no money, or is not configured any
// more.
func (s *Service) query(ctx context.Context, channel string, p Ref) (Notification, error) {
	c, ok := s.channels.Of(channel)
	if !ok {
		return Notification{}, fmt.Errorf("%w: %w", ErrUnpaid, errClosed)
	}
	ctx, cancel := context.WithTimeout(ctx, platformTimeout)
	defer cancel()
	n, err := c.Query(ctx, p)
	n.Channel = channel
	return n, err
}

// RetryRefunds finishes released refunds without an answer, with the same number at the platform, and retries refused
// refunds of late payments, which no operator can release. It returns how many it claimed.
func (s *Service) RetryRefunds(ctx context.Context) (int, error) {
	waiting, failed := s.retryRefunds(ctx, "refundRetry",
		func(ctx context.Context, q db.Querier, ready clause.Expr) ([]Refund, error) {
			return refundsBefore(ctx, q, RefundReleased, s.now().Add(-answerTimeout), ready, askedPerRun)
		})
	refused, err := s.retryRefunds(ctx, "refundRetry.late",
		func(ctx context.Context, q db.Querier, ready clause.Expr) ([]Refund, error) {
			return lateRefundsBefore(ctx, q, s.now().Add(-lateAgain), ready, askedPerRun)
		})
	return waiting + refused, errors.Join(failed, err)
}

func (s *Service) retryRefunds(
	ctx context.Context, name string, find func(context.Context, db.Querier, clause.Expr) ([]Refund, error),
) (int, error) {
	found := map[int64]Refund{}
	return s.failures.Each(ctx, job.Batch{
		Job: name, Key: "r.id",
		Find: func(ctx context.Context, q db.Querier, ready clause.Expr) ([]int64, error) {
			refunds, err := find(ctx, q, ready)
			ids := make([]int64, len(refunds))
			for i, r := range refunds {
				ids[i], found[r.ID] = r.ID, r
			}
			return ids, err
		},
		Handle: func(ctx context.Context, id int64) error {
			r := found[id]
			if err := s.claimRetry(ctx, &r); err != nil {
				return err
			}
			if err := s.finish(ctx, r); err != nil && !errors.Is(err, ErrRefused) { // it has its own next attempt
				return job.Unfinished(fmt.Errorf("finish refund %s: %w", r.OutRefundNo, err))
			}
			return nil
		},
	})
}

// claimRetry claims a refund under the number of attempts it was read with, so that only one process retries it. It
// fails with job.ErrMoved if the refund has changed, and with errno.Stale if its payment has nothing left to refund.
func (s *Service) claimRetry(ctx context.Context, r *Refund) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if r.Status != RefundReleased { // a refused refund reserves no amount of its payment
			ok, err := reserve(ctx, tx, r.PaymentID, r.Amount, s.now())
			if err != nil || !ok {
				return errors.Join(fmt.Errorf("payment %d cannot return %s: %w", r.PaymentID, r.Amount, errno.Stale), err)
			}
		}
		return job.MovedUnless(takeUp(ctx, tx, *r, s.now()))
	})
	if err != nil {
		return fmt.Errorf("take up refund %d: %w", r.ID, err)
	}
	r.Status, r.Attempts, r.UpdateTime = RefundReleased, r.Attempts+1, s.now()
	return nil
}

// Purge clears the bodies of old notifications and deletes old forged ones, in batches. It returns how many.
func (s *Service) Purge(ctx context.Context) (int, error) {
	n, err := purgeNotifications(ctx, s.db, s.now().Add(-notificationRetention), purged)
	if err != nil {
		return n, fmt.Errorf("purge notifications: %w", err)
	}
	return n, nil
}

// silent finds open payments whose order is unpaid.
func silent(
	ctx context.Context, q db.Querier, channels []string, due time.Time, awaited, ready clause.Expr, limit int,
) ([]row, error) {
	return payments.Find(ctx, q, `r.status IN ? AND r.update_time <= ? AND r.channel IN ? AND ? AND ?
		ORDER BY r.update_time, r.id LIMIT ?`, transitions.From(Close), due, channels, awaited, ready, limit)
}

func claimOpen(ctx context.Context, q db.Querier, id int64, due, now time.Time) (bool, error) {
	return payments.Moved(ctx, q, table.Set{"update_time": now}, "id = ? AND status IN ? AND update_time <= ?",
		id, transitions.From(Close), due)
}

func refundsBefore(
	ctx context.Context, q db.Querier, status RefundStatus, due time.Time, ready clause.Expr, limit int,
) ([]Refund, error) {
	rows, err := refunds.Find(ctx, q, "r.status = ? AND r.update_time <= ? AND ? ORDER BY r.update_time, r.id LIMIT ?",
		status, due, ready, limit)
	return refundsOf(rows), err
}

func lateRefundsBefore(
	ctx context.Context, q db.Querier, due time.Time, ready clause.Expr, limit int,
) ([]Refund, error) {
	rows, err := refunds.Find(ctx, q, `r.status = ? AND r.update_time <= ?
			AND EXISTS (SELECT 1 FROM payment p WHERE p.id = r.payment_id AND p.status = ?)
			AND ?
		ORDER BY r.update_time, r.id LIMIT ?`, RefundFailed, due, Late, ready, limit)
	return refundsOf(rows), err
}
