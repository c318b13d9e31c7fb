package idempotency

import (
	"context"
	"encoding/json"
	"fmt"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
)

// Some work ends after the transaction that began it, possibly in another process: a refund calls a platform whose
// answer may be lost, and a job finishes it. The key of such a request is claimed in the first transaction, bound to
// the work, and settled by whatever finishes it. Until then a repetition is answered that the work is in progress; a
// failure releases the key.

// errUnderWay is the answer to a repetition while the first request is unanswered.
var errUnderWay = errno.Stale.Because(text.RequestInProgress)

// Begin runs the transaction that begins the work of a request, with its key claimed first, if it has one. It reports
// true, and runs nothing, if the request has been answered before. It fails with errno.Stale while the first one is
// unanswered.
func Begin(ctx context.Context, s *Store, fn func(tx *db.Tx) error) (answered bool, err error) {
	if answered, err = Done(ctx, s); answered || err != nil {
		return answered, err
	}
	return false, s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := claim(ctx, s, tx); err != nil {
			return err
		}
		return fn(tx)
	})
}

// claim stores the key of a request, if it has one. It fails with errno.Stale if an equal request was faster; the
// transaction must then be rolled back.
func claim(ctx context.Context, s *Store, tx *db.Tx) error {
	r, keyed := ctx.Value(contextKey{}).(Request)
	if !keyed {
		return nil
	}
	err := s.claim(ctx, tx, r)
	if db.Duplicate(err, "uk_idem") {
		return errUnderWay
	}
	if err != nil {
		return fmt.Errorf("claim the idempotency key: %w", err)
	}
	return nil
}

// Bind stores the work that a key claimed in this transaction waits for, such as "refund:17", at most 64 bytes. It does
// nothing without a claimed key.
func Bind(ctx context.Context, tx *db.Tx, subject string) error {
	r, keyed := ctx.Value(contextKey{}).(Request)
	if !keyed {
		return nil
	}
	if err := bind(ctx, tx, r, subject); err != nil {
		return fmt.Errorf("bind the idempotency key to %s: %w", subject, err)
	}
	return nil
}

// Settle answers the keys that wait for some work, in the transaction that ends the work.
func Settle(ctx context.Context, tx *db.Tx, subject string) error {
	text, err := json.Marshal(nothing{})
	if err != nil {
		return fmt.Errorf("store the answer: %w", err)
	}
	return eachPending(ctx, tx, subject, func(ids []int64) error { return settle(ctx, tx, ids, string(text)) })
}

// Release deletes the keys that wait for failed work, in the transaction that records the failure, so that the request
// may be repeated under the same key.
func Release(ctx context.Context, tx *db.Tx, subject string) error {
	return eachPending(ctx, tx, subject, func(ids []int64) error { return release(ctx, tx, ids) })
}

// eachPending finds the ids first, so that it locks rows by key.
func eachPending(ctx context.Context, tx *db.Tx, subject string, write func(ids []int64) error) error {
	ids, err := pendingKeys(ctx, tx, subject)
	if err == nil && len(ids) > 0 {
		err = write(ids)
	}
	if err != nil {
		return fmt.Errorf("settle the idempotency keys of %s: %w", subject, err)
	}
	return nil
}
