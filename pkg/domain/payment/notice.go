package payment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

// Verdict is what became of a notice.
type Verdict int

// A notice is received, then applied, found to be a repetition, or refused; a refused one may be sent again.
const (
	NoticeReceived Verdict = iota
	NoticeApplied
	NoticeRepeated
	NoticeRefused
)

// KeepForged stores a notice whose signature is wrong, for diagnosis only, under a name that can never take a real
// one's place.
func (s *Service) KeepForged(ctx context.Context, body []byte) error {
	sum := sha256.Sum256(body)
	_, err := insertNotice(ctx, s.db, s.gateway.Channel(), "bad-"+hex.EncodeToString(sum[:]), "", false, body, s.now())
	if err != nil {
		return fmt.Errorf("keep a forged notice: %w", err)
	}
	return nil
}

// Receive stores a notice as the first step of the transaction that applies it, and reports what became of an earlier
// one with the same id. Of two equal ones at once the second waits here for the first.
func (s *Service) Receive(ctx context.Context, tx *db.Tx, n Notice, body []byte) (Verdict, error) {
	first, err := insertNotice(ctx, tx, s.gateway.Channel(), n.ID, n.OutTradeNo, true, body, s.now())
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

// Judge records what became of a notice.
func (s *Service) Judge(ctx context.Context, tx *db.Tx, n Notice, v Verdict) error {
	if err := judge(ctx, tx, s.gateway.Channel(), n.ID, v); err != nil {
		return fmt.Errorf("judge notice %s: %w", n.ID, err)
	}
	return nil
}

// insertNotice reports whether the notice is the first with its id. Where it is not, the row is locked: an insert that
// merely fails would leave twenty equal notices with a shared lock each, and none of them could go on.
func insertNotice(
	ctx context.Context, q db.Querier, channel, id, outNo string, signed bool, body []byte, now time.Time,
) (first bool, err error) {
	res := q.G(ctx).Exec("INSERT INTO payment_notify (channel, notify_id, kind, out_no, signature_ok, body, add_time) "+
		"VALUES (?, ?, 1, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE id = id",
		channel, cut(id, 96), cut(outNo, 64), signed, cut(string(body), 1<<16), now)
	return res.RowsAffected == 1, res.Error
}

func lockNotice(ctx context.Context, tx *db.Tx, channel, id string) (v Verdict, err error) {
	err = tx.G(ctx).Raw("SELECT result FROM payment_notify WHERE channel = ? AND notify_id = ? FOR UPDATE", channel, id).
		Scan(&v).Error
	return v, err
}

func judge(ctx context.Context, tx *db.Tx, channel, id string, v Verdict) error {
	return tx.G(ctx).Exec("UPDATE payment_notify SET result = ? WHERE channel = ? AND notify_id = ?", v, channel, id).Error
}
