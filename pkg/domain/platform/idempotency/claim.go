package idempotency

import (
	"context"
	"encoding/json"
	"fmt"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
)

// Some work ends after the transaction that has begun it, and not always by the request that has begun it: money goes
// back through a platform whose answer may be lost, and a job finishes what the request could not. The key of such a
// request is claimed with the first transaction, bound to the work, and settled by whoever finishes that. Until then
// a repetition is told that the work is under way; what fails leaves no trace, as everywhere.

// errUnderWay is the answer to a repetition of a request that has not been answered yet.
var errUnderWay = errno.Stale.Because(text.RequestUnderWay)

// Claim takes the key of a request, if it has one, as the first step of the transaction that begins its work. It fails
// with errno.Stale where an equal request was faster; the transaction must then be rolled back.
func Claim(ctx context.Context, s *Store, tx *db.Tx) error {
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

// Bind says what work a key that was claimed in this transaction waits for, such as "refund:17", in 64 bytes at most.
// A request without a key, or one that has claimed none, is left alone.
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

// Settle gives the keys that wait for some work its answer, in the transaction that ends the work. answer must survive
// JSON.
func Settle(ctx context.Context, tx *db.Tx, subject string, answer any) error {
	text, err := json.Marshal(answer)
	if err != nil {
		return fmt.Errorf("keep the answer: %w", err)
	}
	return eachWaiting(ctx, tx, subject, func(ids []int64) error { return settle(ctx, tx, ids, string(text)) })
}

// Release frees the keys that wait for work that has failed, in the transaction that records the failure: the request
// may be tried again under the same key.
func Release(ctx context.Context, tx *db.Tx, subject string) error {
	return eachWaiting(ctx, tx, subject, func(ids []int64) error { return release(ctx, tx, ids) })
}

// eachWaiting finds the keys first, so that what is locked is named by its id.
func eachWaiting(ctx context.Context, tx *db.Tx, subject string, write func(ids []int64) error) error {
	ids, err := waiting(ctx, tx, subject)
	if err == nil && len(ids) > 0 {
		err = write(ids)
	}
	if err != nil {
		return fmt.Errorf("settle the idempotency keys of %s: %w", subject, err)
	}
	return nil
}
