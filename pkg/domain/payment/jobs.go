package payment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm/clause"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/job"
)

const (
	// silentAfter is how long a payment may stay open before the platform is asked about it, and the pause between two
	// questions.
	silentAfter = time.Minute
	// lateAgain is the pause after which a refund of late money is tried again that the platform has refused.
	lateAgain = time.Hour
	// askedPerRun bounds the payments and refunds of one batch: each is a call to the platform.
	askedPerRun = 50
	// notificationRetention is how long the bodies of notices are kept, purged how many of them go in one batch.
	notificationRetention = 90 * 24 * time.Hour
	purged                = 5000
)

// Finding is how money that the platform tells of when it is asked is handled by the area whose matter it is. It is the
// same as a notice.
type Finding func(ctx context.Context, n Notification) error

// OnPaid names who deals with payments that are found to have been made. Awaited is the condition, on a payment with
// the alias r, that its order still waits for the money.
func (s *Service) OnPaid(paid Finding, awaited clause.Expr) { s.paid, s.awaited = paid, awaited }

// Jobs returns the work that time does.
func (s *Service) Jobs() []job.Job {
	return []job.Job{
		{
			Name: "paymentQuery", Every: 30 * time.Second, Most: time.Minute, Run: s.QueryOpen,
			Does: "asks the platform about payments it has said nothing about for a minute",
		},
		{
			Name: "refundRetry", Every: time.Minute, Most: time.Minute, Run: s.RetryRefunds,
			Does: "finishes refunds without an answer after five minutes; tries refused ones of late money again after an hour",
		},
	}
}

// QueryOpen asks the platform about open payments of unpaid orders that it has said nothing about, and reports how many
// it asked about. The claim of a payment is the time of the question, so nobody asks about it again within a minute.
func (s *Service) QueryOpen(ctx context.Context) (int, error) {
	due := s.now().Add(-silentAfter)
	numbers := map[int64]string{}
	var unanswered error
	done, err := s.failures.Each(ctx, job.Batch{
		Job: "paymentQuery", Key: "r.id",
		Find: func(ctx context.Context, q db.Querier, ready clause.Expr) ([]int64, error) {
			found, err := silent(ctx, q, s.gateway.Channel(), due, s.awaited, ready, askedPerRun)
			ids := make([]int64, len(found))
			for i, p := range found {
				ids[i], numbers[p.ID] = p.ID, p.OutTradeNo
			}
			return ids, err
		},
		Handle: func(ctx context.Context, id int64) error {
			if err := job.MovedUnless(claimOpen(ctx, s.db, id, due, s.now())); err != nil {
				return err
			}
			if err := s.queryOne(ctx, numbers[id]); err != nil { // the claim says when it is asked about again
				unanswered = fmt.Errorf("ask about payment %s: %w", numbers[id], err)
			}
			return nil
		},
	})
	return done, errors.Join(err, unanswered)
}

// queryOne asks the platform about one payment and hands on what it finds.
func (s *Service) queryOne(ctx context.Context, outTradeNo string) error {
	ask, cancel := context.WithTimeout(ctx, platformTimeout)
	defer cancel()
	n, err := s.gateway.Query(ask, outTradeNo)
	if errors.Is(err, ErrUnpaid) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.paid(ctx, n)
}

// RetryRefunds finishes refunds that are on their way without an answer, with the same number at the platform, and
// tries refunds of late money again that it has refused: no operator could do that. It reports how many it took up.
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
	var unanswered error
	done, err := s.failures.Each(ctx, job.Batch{
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
			if err := s.retryable(ctx, &r); err != nil {
				return err
			}
			if err := s.finish(ctx, r); err != nil && !errors.Is(err, ErrRefused) { // taken up, it has its own next time
				unanswered = fmt.Errorf("finish refund %s: %w", r.OutRefundNo, err)
			}
			return nil
		},
	})
	return done, errors.Join(err, unanswered)
}

// retryable claims a refund under the number of attempts it was read with, so that of two processes one asks. It fails
// with job.ErrMoved where the refund moved meanwhile, and with errno.Stale where its payment has nothing left to
// return.
func (s *Service) retryable(ctx context.Context, r *Refund) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if r.Status != RefundReleased { // what was refused holds no amount of its payment
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

// Purge empties the bodies of old notices and removes old forged ones, a batch at a time, and reports how many.
func (s *Service) Purge(ctx context.Context) (int, error) {
	n, err := purgeNotifications(ctx, s.db, s.now().Add(-notificationRetention), purged)
	if err != nil {
		return n, fmt.Errorf("empty old notices: %w", err)
	}
	return n, nil
}

// silent finds payments that are open although their order waits for the money.
func silent(
	ctx context.Context, q db.Querier, channel string, due time.Time, awaited, ready clause.Expr, limit int,
) ([]row, error) {
	return payments.Find(ctx, q, `r.status IN ? AND r.update_time <= ? AND r.channel = ? AND ? AND ?
		ORDER BY r.update_time, r.id LIMIT ?`, transitions.From(Close), due, channel, awaited, ready, limit)
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
