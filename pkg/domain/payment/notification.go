package payment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"shop.internal/pkg/domain/form"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/text"
)

// Result is what became of a notice.
type Result int

// A notice is received, then applied, found to be a repetition, or refused; a refused one may be sent again.
const (
	NoticeReceived Result = iota
	NoticeApplied
	NoticeRepeated
	NoticeRefused
)

// What a notice is about, as it is stored.
const (
	aboutPayment = 1
	aboutRefund  = 2
)

// RecordForged stores a notice whose signature is wrong, for diagnosis only, under a name that can never take a real
// one's place. Anybody can send such notices, so only some of them are stored, and the rest are counted.
func (s *Service) RecordForged(ctx context.Context, body []byte) error {
	keep, window, more := s.forged.next(s.now())
	if keep {
		sum := sha256.Sum256(body)
		n := Notification{ID: "bad-" + hex.EncodeToString(sum[:])}
		text := form.Truncate(string(body), forgedBody)
		if _, err := insertNotice(ctx, s.db, s.gateway.Channel(), n, false, text, s.now()); err != nil {
			return fmt.Errorf("keep a forged notice: %w", err)
		}
	}
	if more == 0 {
		return nil
	}
	if err := countForged(ctx, s.db, s.gateway.Channel(), window, more, s.now()); err != nil {
		return fmt.Errorf("count forged notices: %w", err)
	}
	return nil
}

// Receive stores a notice as the first step of the transaction that applies it, and reports what became of an earlier
// one with the same id. Of two equal ones at once the second waits here for the first.
func (s *Service) Receive(ctx context.Context, tx *db.Tx, n Notification, body []byte) (Result, error) {
	first, err := insertNotice(ctx, tx, s.gateway.Channel(), n, true, form.Truncate(string(body), 1<<16), s.now())
	if err != nil {
		return NoticeReceived, fmt.Errorf("store notice %s: %w", n.ID, err)
	}
	if first {
		return NoticeReceived, nil
	}
	v, err := lockNotice(ctx, tx, s.gateway.Channel(), n.ID)
	if err != nil {
		return v, fmt.Errorf("lock notice %s: %w", n.ID, err)
	}
	return v, nil
}

// SetResult records what became of a notice.
func (s *Service) SetResult(ctx context.Context, tx *db.Tx, n Notification, v Result) error {
	if err := judge(ctx, tx, s.gateway.Channel(), n.ID, v); err != nil {
		return fmt.Errorf("judge notice %s: %w", n.ID, err)
	}
	return nil
}

// insertNotice reports whether the notice is the first with its id. Where it is not, the row is locked: an insert that
// merely fails would leave twenty equal notices with a shared lock each, and none of them could go on.
func insertNotice(
	ctx context.Context, q db.Querier, channel string, n Notification, signed bool, body string, now time.Time,
) (first bool, err error) {
	kind, outNo := aboutPayment, n.OutTradeNo
	if n.Refund {
		kind, outNo = aboutRefund, n.OutRefundNo
	}
	res := q.G(ctx).Exec("INSERT INTO payment_notify (channel, notify_id, kind, out_no, signature_ok, body, add_time) "+
		"VALUES (?, ?, ?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE id = id",
		channel, form.Truncate(n.ID, 96), kind, form.Truncate(outNo, 64), signed, body, now)
	return res.RowsAffected == 1, res.Error
}

func lockNotice(ctx context.Context, tx *db.Tx, channel, id string) (v Result, err error) {
	err = tx.G(ctx).Raw("SELECT result FROM payment_notify WHERE channel = ? AND notify_id = ? FOR UPDATE", channel, id).
		Scan(&v).Error
	return v, err
}

func judge(ctx context.Context, tx *db.Tx, channel, id string, v Result) error {
	return tx.G(ctx).Exec("UPDATE payment_notify SET result = ? WHERE channel = ? AND notify_id = ?", v, channel, id).Error
}

// HandleRefundNotification applies a notice about a refund. It moves the refund's own row and nothing else: one that
// waits for an answer has failed, or is handed to the outbox, which asks once more and ends what the refund is about.
// It returns a phrase where people must act.
func (s *Service) HandleRefundNotification(
	ctx context.Context, tx *db.Tx, n Notification,
) (v Result, alarm text.Phrase, err error) {
	r, ok, err := refundByNumber(ctx, tx, n.OutRefundNo)
	if err != nil {
		return v, alarm, fmt.Errorf("find refund %s: %w", n.OutRefundNo, err)
	}
	switch {
	case !ok:
		return NoticeRefused, text.AlarmNoRefund.With(n.OutRefundNo), nil
	case n.Amount != r.Amount:
		return NoticeRefused, text.AlarmRefundAmount.With(n.OutRefundNo, n.Amount, r.Amount), nil
	case r.Status == RefundReleased && n.RefundFailed:
		alarm = text.AlarmRefundFailed.With(n.OutRefundNo)
		return NoticeApplied, alarm, s.failIn(ctx, tx, r, alarm.In(text.English))
	case r.Status == RefundReleased:
		return NoticeApplied, alarm, s.outbox.Put(ctx, tx, TopicRefund, refundKey(r)+":told", r.ID, nil)
	case r.Status == RefundDone && n.RefundFailed:
		// The platform had taken it. It is now settled on the platform's own pages; the books go on saying that the
		// money is the shopper's.
		alarm = text.AlarmRefundReturned.With(n.OutRefundNo)
		return NoticeApplied, alarm, blame(ctx, tx, r.ID, alarm.In(text.English), s.now())
	case r.Status == RefundDone:
		return NoticeRepeated, alarm, nil
	case n.RefundFailed:
		return NoticeRepeated, alarm, nil
	}
	return NoticeApplied, text.AlarmRefundUnasked.With(n.OutRefundNo), nil
}
