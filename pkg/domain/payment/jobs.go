package payment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/job"
)

const (
	// silence is how long a payment may stay open before the platform is asked about it, and the pause between two
	// questions.
	silence = time.Minute
	// lateAgain is the pause after which a refund of late money is tried again that the platform has refused.
	lateAgain = time.Hour
	// asked bounds the payments and refunds of one batch: each is a call to the platform.
	asked = 50
	// noticesKept is how long the bodies of notices are kept, purged how many of them go in one batch.
	noticesKept = 90 * 24 * time.Hour
	purged      = 5000
)

// Finding is how money that the platform tells of when it is asked is handled by the area whose matter it is. It is the
// same as a notice.
type Finding func(ctx context.Context, n Notice) error

// OnPaid names who deals with payments that are found to have been made.
func (s *Service) OnPaid(paid Finding) { s.paid = paid }

// Jobs returns the work that time does.
func (s *Service) Jobs() []job.Job {
	return []job.Job{
		{Name: "paymentQuery", Every: 30 * time.Second, Most: time.Minute, Run: s.QueryOpen},
		{Name: "refundRetry", Every: time.Minute, Most: time.Minute, Run: s.RetryRefunds},
	}
}

// QueryOpen asks the platform about open payments of unpaid orders that it has said nothing about, and reports how many
// it asked about. The claim of a payment is the time of the question, so nobody asks about it again within a minute.
func (s *Service) QueryOpen(ctx context.Context) (int, error) {
	due := s.now().Add(-silence)
	found, err := silent(ctx, s.db, s.gateway.Channel(), due, asked)
	if err != nil {
		return 0, fmt.Errorf("look for silent payments: %w", err)
	}
	done := 0
	var failed error
	for _, p := range found {
		if ctx.Err() != nil {
			break
		}
		mine, err := claimOpen(ctx, s.db, p.ID, due, s.now())
		if err != nil {
			return done, fmt.Errorf("claim payment %d: %w", p.ID, err)
		}
		if !mine {
			continue
		}
		done++
		if err := s.look(ctx, p.OutTradeNo); err != nil { // the others have their turn
			failed = fmt.Errorf("ask about payment %s: %w", p.OutTradeNo, err)
		}
	}
	return done, failed
}

// look asks the platform about one payment and hands on what it finds.
func (s *Service) look(ctx context.Context, outTradeNo string) error {
	ask, cancel := context.WithTimeout(ctx, platformTime)
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
	waiting, err := refundsBefore(ctx, s.db, RefundReleased, s.now().Add(-answerFor), asked)
	if err != nil {
		return 0, fmt.Errorf("look for refunds without an answer: %w", err)
	}
	refused, err := lateRefundsBefore(ctx, s.db, s.now().Add(-lateAgain), asked)
	if err != nil {
		return 0, fmt.Errorf("look for refused refunds of late money: %w", err)
	}
	done := 0
	var failed error
	for _, r := range append(waiting, refused...) {
		if ctx.Err() != nil {
			break
		}
		mine, err := s.takeUp(ctx, &r)
		if err != nil {
			return done, err
		}
		if !mine {
			continue
		}
		done++
		if err := s.finish(ctx, r); err != nil && !errors.Is(err, ErrRefused) {
			failed = fmt.Errorf("finish refund %s: %w", r.OutRefundNo, err)
		}
	}
	return done, failed
}

// takeUp claims a refund under the number of attempts it was read with, so that of two processes one asks. It is
// reported as not claimed where it moved meanwhile.
func (s *Service) takeUp(ctx context.Context, r *Refund) (mine bool, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		mine = false
		if r.Status != RefundReleased { // what was refused holds no amount of its payment
			ok, err := reserve(ctx, tx, r.PaymentID, r.Amount, s.now())
			if err != nil || !ok {
				return errors.Join(fmt.Errorf("payment %d cannot return %s: %w", r.PaymentID, r.Amount, errno.Stale), err)
			}
		}
		ok, err := takeUp(ctx, tx, *r, s.now())
		if err == nil && !ok {
			err = errno.Stale
		}
		mine = err == nil
		return err
	})
	if errors.Is(err, errno.Stale) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("take up refund %d: %w", r.ID, err)
	}
	r.Status, r.Attempts, r.UpdateTime = RefundReleased, r.Attempts+1, s.now()
	return mine, nil
}

// Purge empties the bodies of old notices and removes old forged ones, a batch at a time, and reports how many.
func (s *Service) Purge(ctx context.Context) (int, error) {
	n, err := emptyNotices(ctx, s.db, s.now().Add(-noticesKept), purged)
	if err != nil {
		return n, fmt.Errorf("empty old notices: %w", err)
	}
	return n, nil
}
