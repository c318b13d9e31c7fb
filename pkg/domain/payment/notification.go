package payment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// Result is the outcome of a notification.
type Result int

// A notification is received, then applied, found to be a repetition, or refused; a refused one may be sent again.
// NotificationUnsettled is applied, and staff must act; NotificationSettled was refused or unsettled, and staff has
// dealt with it.
const (
	NotificationReceived Result = iota
	NotificationApplied
	NotificationRepeated
	NotificationRefused
	NotificationSettled
	NotificationUnsettled
)

// Final reports whether the notification is accepted, so that a repetition changes nothing.
func (v Result) Final() bool { return v != NotificationReceived && v != NotificationRefused }

// What a notification is about, as stored.
const (
	aboutPayment = 1
	aboutRefund  = 2
)

// unsigned is the channel under which a notification is stored that no channel has signed, where there is no channel.
const unsigned = "none"

// Read verifies and decrypts a notification that was sent to the address of a channel, or to the common address if
// channel is empty: there the signature says whose it is. It fails as Gateway.Read does; what it returns then names the
// channel under which the notification is to be stored.
func (s *Service) Read(
	ctx context.Context, channel string, header func(string) string, body []byte,
) (Notification, error) {
	n, err := Notification{Channel: unsigned}, ErrSignature
	for _, c := range s.channels.open {
		if channel != "" && channel != c.Code {
			continue
		}
		one, failed := c.Read(ctx, header, body, s.now())
		one.Channel = c.Code
		if !errors.Is(failed, ErrSignature) {
			return one, failed
		}
		if n.Channel == unsigned {
			n, err = one, failed
		}
	}
	return n, err
}

// RecordForged stores a notification with a wrong signature, for diagnosis only, under an id that no authentic one can
// have. Since anybody can send them, only some are stored and the rest are counted.
func (s *Service) RecordForged(ctx context.Context, channel string, body []byte) error {
	keep, window, more := s.forged.next(s.now())
	if keep {
		sum := sha256.Sum256(body)
		n := Notification{ID: "bad-" + hex.EncodeToString(sum[:])}
		text := form.Truncate(string(body), forgedBody)
		if _, err := insertNotification(ctx, s.db, channel, n, false, text, s.now()); err != nil {
			return fmt.Errorf("store a forged notification: %w", err)
		}
	}
	if more == 0 {
		return nil
	}
	if err := countForged(ctx, s.db, channel, window, more, s.now()); err != nil {
		return fmt.Errorf("count forged notifications: %w", err)
	}
	return nil
}

// Receive stores a notification as the first step of the transaction that applies it, and returns the result of an
// earlier one with the same id. Of two concurrent ones the second waits here for the first.
func (s *Service) Receive(ctx context.Context, tx *db.Tx, n Notification, body []byte) (Result, error) {
	first, err := insertNotification(ctx, tx, n.Channel, n, true, form.Truncate(string(body), 1<<16), s.now())
	if err != nil {
		return NotificationReceived, fmt.Errorf("store notification %s: %w", n.ID, err)
	}
	if first {
		return NotificationReceived, nil
	}
	v, err := lockNotification(ctx, tx, n.Channel, n.ID)
	if err != nil {
		return v, fmt.Errorf("lock notification %s: %w", n.ID, err)
	}
	return v, nil
}

// SetResult stores the result of a notification, and the reason if staff must act. A repetition may say something else
// than the notification that was refused, so what it says is stored again.
func (s *Service) SetResult(ctx context.Context, tx *db.Tx, n Notification, v Result, reason string) error {
	if err := saveResult(ctx, tx, n, v, reason); err != nil {
		return fmt.Errorf("store the result of notification %s: %w", n.ID, err)
	}
	return nil
}

// notificationRow is a notification as stored.
type notificationRow struct {
	ID                int64
	Channel, NotifyID string
	Kind              int
	OutNo             string
	SignatureOk       bool
	Result            Result
	Amount            money.Amount `table:"null"`
	Reason            string
	Body              string
	AddTime           time.Time
}

var notifications = table.Of[notificationRow]("payment_notify",
	table.RefersToNone("notify_id", "the platform's number of a notification"),
)

// insertNotification reports whether the notification is the first with its id. If it is not, the row is locked
// exclusively: with a failing insert, concurrent repetitions would each hold a shared lock and deadlock.
func insertNotification(
	ctx context.Context, q db.Querier, channel string, n Notification, signed bool, body string, now time.Time,
) (first bool, err error) {
	r := notificationRow{
		Channel: channel, NotifyID: form.Truncate(n.ID, 96), SignatureOk: signed, Body: body, AddTime: now,
	}
	r.Kind, r.OutNo, r.Amount = n.about()
	affected, err := notifications.Upsert(ctx, q, r, "id = id")
	return affected == 1, err
}

func lockNotification(ctx context.Context, tx *db.Tx, channel, id string) (Result, error) {
	r, _, err := notifications.One(ctx, tx, "r.channel = ? AND r.notify_id = ? FOR UPDATE", channel, id)
	return r.Result, err
}

// about returns what a notification is about, our number of it and the amount, as stored.
func (n Notification) about() (kind int, number string, amount money.Amount) {
	amount = min(max(n.Amount, 0), money.Max)
	if n.Refund {
		return aboutRefund, form.Truncate(n.OutRefundNo, 64), amount
	}
	return aboutPayment, form.Truncate(n.OutTradeNo, 64), amount
}

func saveResult(ctx context.Context, tx *db.Tx, n Notification, v Result, reason string) error {
	set := table.Set{"result": v, "reason": form.Truncate(reason, 255)}
	if set["kind"], set["out_no"], set["amount"] = n.about(); n.Sum { // how much of it this refund is, it does not say
		set["amount"] = nil
	}
	_, err := notifications.Update(ctx, tx.Later(nil), set, "channel = ? AND notify_id = ?", n.Channel, n.ID)
	return err
}

// HandleRefundNotification applies a notification about a refund. It changes only the refund: a released one fails, or
// is passed to the outbox, which queries the platform once more and finishes it. It returns a phrase if operators must
// act.
func (s *Service) HandleRefundNotification(
	ctx context.Context, tx *db.Tx, n Notification,
) (v Result, alarm text.Phrase, err error) {
	r, ok, err := refundByNumber(ctx, tx, n.OutRefundNo)
	if err != nil {
		return v, alarm, fmt.Errorf("find refund %s: %w", n.OutRefundNo, err)
	}
	switch {
	case !ok:
		return NotificationRefused, text.AlarmNoRefund.With(n.OutRefundNo), nil
	case n.Amount < r.Amount || n.Amount > r.Amount && !n.Sum:
		return NotificationRefused, text.AlarmRefundAmount.With(n.OutRefundNo, n.Amount, r.Amount), nil
	case r.Status == RefundReleased && n.RefundFailed:
		alarm = text.AlarmRefundFailed.With(n.OutRefundNo)
		return NotificationApplied, alarm, s.failIn(ctx, tx, r, alarm.In(text.English))
	case r.Status == RefundReleased:
		return NotificationApplied, alarm, s.outbox.Add(ctx, tx, TopicRefund, refundKey(r)+":told", r.ID, nil)
	case r.Status == RefundDone && n.RefundFailed:
		// The platform had accepted it, so it must be settled on the platform's own pages. The refund stays recorded as paid
		// to the shopper.
		alarm = text.AlarmRefundReturned.With(n.OutRefundNo)
		return NotificationUnsettled, alarm, saveError(ctx, tx, r.ID, alarm.In(text.English), s.now())
	case r.Status == RefundDone:
		return NotificationRepeated, alarm, nil
	case n.RefundFailed:
		return NotificationRepeated, alarm, nil
	}
	return NotificationUnsettled, text.AlarmRefundUnasked.With(n.OutRefundNo), nil
}

// countForged adds to the row that counts the forged notifications of a window that are not stored. All processes share
// it.
func countForged(ctx context.Context, q db.Querier, channel string, window time.Time, more int, now time.Time) error {
	_, err := notifications.Upsert(ctx, q, notificationRow{
		Channel: channel, NotifyID: "bad-more-" + window.UTC().Format("20060102T15"), Kind: aboutPayment,
		Body: strconv.Itoa(more), AddTime: now,
	}, "body = CAST(body AS UNSIGNED) + ?", more)
	return err
}

// maxIDDisorder bounds by how much ids may deviate from the order of their times: servers of a cluster allocate ids in
// blocks.
const maxIDDisorder = 100_000

// purgeNotifications clears the bodies of old notifications and deletes the forged ones. It reads the ids first and
// changes rows by key, and does not scan what was purged before.
func purgeNotifications(ctx context.Context, q db.Querier, before time.Time, limit int) (int, error) {
	from, err := firstUnpurged(ctx, q)
	if err != nil {
		return 0, err
	}
	var rows []struct {
		ID          int64
		SignatureOk bool
		AddTime     time.Time
	}
	err = table.Scan(ctx, q, &rows, `SELECT id, signature_ok, add_time
		FROM payment_notify
		WHERE id >= ? AND body IS NOT NULL
		ORDER BY id
		LIMIT ?`, from-maxIDDisorder, limit)
	if err != nil {
		return 0, err
	}
	var signed, forged []int64
	for _, r := range rows {
		switch {
		case r.AddTime.After(before): // later ids may still be older
		case r.SignatureOk:
			signed = append(signed, r.ID)
		default:
			forged = append(forged, r.ID)
		}
	}
	done := 0
	for statement, ids := range map[string][]int64{
		"UPDATE payment_notify SET body = NULL WHERE id IN ?": signed,
		"DELETE FROM payment_notify WHERE id IN ?":            forged,
	} {
		if len(ids) == 0 {
			continue
		}
		res, err := db.Exec(ctx, q, statement, ids)
		if err != nil {
			return done, err
		}
		done += int(res.Affected)
	}
	return done, nil
}

// firstUnpurged finds the first notification that has its body, by binary search: all before were purged. The result
// may be off by maxIDDisorder.
func firstUnpurged(ctx context.Context, q db.Querier) (int64, error) {
	var ends struct{ Low, High int64 }
	err := table.Scan(ctx, q, &ends,
		"SELECT COALESCE(MIN(id), 0) AS low, COALESCE(MAX(id), 0) AS high FROM payment_notify")
	low, high := ends.Low, ends.High
	for err == nil && low < high {
		middle := low + (high-low)/2
		var next struct {
			ID      int64
			Emptied bool
		}
		err = table.Scan(ctx, q, &next,
			"SELECT id, body IS NULL AS emptied FROM payment_notify WHERE id >= ? ORDER BY id LIMIT 1",
			middle)
		if next.Emptied {
			low = next.ID + 1
		} else {
			high = middle
		}
	}
	return low, err
}

const (
	// forgedWindow is the window in which a process stores at most maxForged forged notifications, with forgedBody bytes
	// of each.
	forgedWindow = time.Hour
	maxForged    = 30
	forgedBody   = 4 << 10
)

// forged limits the forged notifications that a process stores. Without it an attacker could fill the database and
// cause a write per request. It is no ratelimit.Limit: it must cost no call of Redis either, its windows are the hours
// of the clock, which name the row of the total, and what is refused is counted too.
type forged struct {
	mu     sync.Mutex
	window time.Time
	seen   int
	// counted is how many beyond those stored were counted in the database.
	counted int
}

// next reports whether the current notification is stored, and how many more to count for a window. The count is
// written each time it doubles, and the remainder with the first notification of the next window.
func (f *forged) next(now time.Time) (keep bool, window time.Time, more int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at := now.Truncate(forgedWindow); !at.Equal(f.window) {
		window, more = f.window, max(0, f.seen-maxForged-f.counted)
		f.window, f.seen, f.counted = at, 1, 0
		return true, window, more
	}
	f.seen++
	over := f.seen - maxForged
	if over <= 0 {
		return true, f.window, 0
	}
	if over&(over-1) != 0 { // no power of two
		return false, f.window, 0
	}
	more, f.counted = over-f.counted, over
	return false, f.window, more
}
