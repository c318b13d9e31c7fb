// Package idempotency stores the first answers of requests with an Idempotency-Key, which a client may repeat: the same
// key and body give the first answer, another body is refused.
//
// The key is stored in the transaction of the request's effect, so that both are committed or neither is.
package idempotency

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
)

// Request is a request with a key.
type Request struct {
	// Scope is the operation, such as "order.submit"; Owner the caller; Key the client's key; Hash the SHA-256 of the body
	// in hexadecimal digits, which is never stored itself.
	Scope string
	Owner int64
	Key   string
	Hash  string
}

// retention is how long an answer is stored.
const retention = 24 * time.Hour

type contextKey struct{}

// With returns a context in which InTx and the like use the key of r.
func With(ctx context.Context, r Request) context.Context {
	return context.WithValue(ctx, contextKey{}, r)
}

// Store stores the answers.
type Store struct {
	db     *db.DB
	secret []byte
	now    func() time.Time
}

// New returns the store. Hashes of requests are keyed with the secret, which all replicas share: a body may contain a
// password, and a plain hash would allow guessing it.
func New(d *db.DB, secret []byte, now func() time.Time) *Store { return &Store{d, secret, now} }

// keyed returns the stored form of a request's hash: HMAC-SHA-256 with the secret over scope, owner, key and hash, in
// hexadecimal digits, so that equal bodies of different requests differ.
func (s *Store) keyed(r Request) string {
	mac := hmac.New(sha256.New, s.secret)
	_, _ = fmt.Fprintf(mac, "%s\x00%d\x00%s\x00%s", r.Scope, r.Owner, r.Key, r.Hash)
	return hex.EncodeToString(mac.Sum(nil))
}

// sameBody reports whether a stored hash is that of a request. Releases before the secret stored the plain hash; such
// rows are gone a day after the upgrade, and until then a repetition gets its first answer.
func (s *Store) sameBody(stored string, r Request) bool {
	return hmac.Equal([]byte(stored), []byte(s.keyed(r))) || hmac.Equal([]byte(stored), []byte(r.Hash))
}

// InTx runs fn in one transaction. If the request has a key whose answer is known, it returns that answer and runs
// nothing. It fails with errno.Invalid for a key that was used with another body. T must survive JSON.
func InTx[T any](ctx context.Context, s *Store, fn func(tx *db.Tx) (T, error)) (T, error) {
	return InTxAfter(ctx, s, func() (func(*db.Tx) (T, error), error) { return fn, nil })
}

// Do is InTx for work without a result.
func Do(ctx context.Context, s *Store, fn func(tx *db.Tx) error) error {
	return DoAfter(ctx, s, func() (func(*db.Tx) error, error) { return fn, nil })
}

// DoAfter is InTxAfter for work without a result.
func DoAfter(ctx context.Context, s *Store, prepare func() (func(tx *db.Tx) error, error)) error {
	_, err := InTxAfter(ctx, s, func() (func(tx *db.Tx) (nothing, error), error) {
		fn, err := prepare()
		return func(tx *db.Tx) (nothing, error) { return nothing{}, fn(tx) }, err
	})
	return err
}

// nothing is the answer of work without a result.
type nothing struct{}

// InTxAfter is InTx for work that reads before its transaction: prepare reads and returns what to run inside. A
// repeated request is answered before prepare, which would see the effects of the first one.
func InTxAfter[T any](ctx context.Context, s *Store, prepare func() (func(tx *db.Tx) (T, error), error)) (T, error) {
	r, keyed := ctx.Value(contextKey{}).(Request)
	var result T
	if keyed {
		known, err := replay(ctx, s, r, &result)
		if known || err != nil {
			return result, err
		}
	}
	fn, err := prepare()
	if err != nil {
		return result, err
	}
	var repeated bool
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if keyed {
			if err := s.claim(ctx, tx, r); err != nil {
				if repeated = db.Duplicate(err, "uk_idem"); repeated {
					return err
				}
				return fmt.Errorf("claim the idempotency key: %w", err)
			}
		}
		var err error
		if result, err = fn(tx); err != nil || !keyed {
			return err
		}
		return remember(ctx, tx, r, result)
	})
	if repeated { // an equal request committed between the look-up and the claim
		known, err := replay(ctx, s, r, &result)
		if !known && err == nil {
			err = fmt.Errorf("an equal request has just been rolled back: %w", errno.Stale)
		}
		return result, err
	}
	return result, err
}

// Known finds the first answer of a request with a key whose work takes several transactions. It reports false without
// an answer or a key.
func Known[T any](ctx context.Context, s *Store) (result T, known bool, err error) {
	r, keyed := ctx.Value(contextKey{}).(Request)
	if !keyed {
		return result, false, nil
	}
	known, err = replay(ctx, s, r, &result)
	return result, known, err
}

// Save stores the answer of such a request in the transaction that ends its work. A concurrent equal request has stored
// the same.
func Save[T any](ctx context.Context, s *Store, tx *db.Tx, result T) error {
	r, keyed := ctx.Value(contextKey{}).(Request)
	if !keyed {
		return nil
	}
	if err := tx.Flush(ctx); err != nil {
		return err
	}
	if err := s.claim(ctx, tx, r); err != nil {
		if db.Duplicate(err, "uk_idem") {
			return nil
		}
		return fmt.Errorf("claim the idempotency key: %w", err)
	}
	return remember(ctx, tx, r, result)
}

// Done reports whether a keyed request has been answered whose work has several transactions and no result.
func Done(ctx context.Context, s *Store) (bool, error) {
	_, done, err := Known[nothing](ctx, s)
	return done, err
}

// SaveDone is Save for work without a result.
func SaveDone(ctx context.Context, s *Store, tx *db.Tx) error { return Save(ctx, s, tx, nothing{}) }

// replay decodes the known answer of an equal request, and reports whether there is one.
func replay(ctx context.Context, s *Store, r Request, into any) (bool, error) {
	stored, known, err := find(ctx, s.db, r)
	switch {
	case err != nil:
		return false, fmt.Errorf("look up the idempotency key: %w", err)
	case !known:
		return false, nil
	case !stored.ExpireTime.After(s.now()):
		if err := forget(ctx, s.db, r, s.now()); err != nil {
			return false, fmt.Errorf("forget the idempotency key: %w", err)
		}
		return false, nil
	case !s.sameBody(stored.RequestHash, r):
		return true, errno.Invalid.Because(text.IdempotencyKeyReused)
	case stored.State == claimed:
		return true, errUnderWay
	}
	if err := json.Unmarshal([]byte(stored.Response), into); err != nil {
		return true, fmt.Errorf("read the first answer: %w", err)
	}
	return true, nil
}

func remember(ctx context.Context, tx *db.Tx, r Request, result any) error {
	text, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("store the answer: %w", err)
	}
	if err := finish(ctx, tx, r, string(text)); err != nil {
		return fmt.Errorf("store the answer: %w", err)
	}
	return nil
}

// Writable fails if no key could be stored.
func (s *Store) Writable(ctx context.Context) error { return answers.Writable(ctx, s.db) }
