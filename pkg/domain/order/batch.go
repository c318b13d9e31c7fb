package order

import (
	"context"
	"errors"
	"fmt"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// errRepeated says that an equal request has claimed the key of a purchase meanwhile.
var errRepeated = errors.New("an idempotency key is claimed")

// attempts bounds the transactions of a batch: each is rolled back for a reason that the next one avoids.
const attempts = 4

// placeBatch makes the purchases of one product in one transaction. Those that cannot be made are left out and get
// their own errors; if that is not enough, each is made alone.
func (s *Service) placeBatch(all []*queued) {
	b := &batch{service: s}
	defer func() {
		if cause := recover(); cause != nil { // no request is there to log it
			b.end(all, fmt.Errorf("place a batch of purchases: %v", cause))
		}
	}()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(all[0].ctx), batchTimeout)
	defer cancel()
	b.pending = b.distinct(all)
	for range attempts {
		if len(b.pending) == 0 || b.attempt(ctx) {
			return
		}
	}
	b.end(append(b.pending, b.insufficient...), errNotBatched)
}

// batch is the purchases that share a transaction.
type batch struct {
	service *Service
	// pending are those that the next transaction contains, insufficient those for which there is too little stock beside
	// them.
	pending, insufficient []*queued
	// committing says that the last transaction was about to commit.
	committing bool
}

// distinct keeps the first purchase of each shopper: a second one must see what the first has left of the cart.
func (b *batch) distinct(all []*queued) []*queued {
	seen := make(map[int64]bool, len(all))
	return b.keep(all, func(w *queued) error {
		if seen[w.shopper] {
			return errNotBatched
		}
		seen[w.shopper] = true
		return nil
	})
}

// keep returns the purchases without an error; the others end with it.
func (b *batch) keep(all []*queued, check func(w *queued) error) []*queued {
	kept := make([]*queued, 0, len(all))
	for _, w := range all {
		if w.err = check(w); w.err == nil {
			kept = append(kept, w)
		}
	}
	return kept
}

func (b *batch) end(all []*queued, err error) {
	for _, w := range all {
		w.err = err
	}
}

// attempt runs the transaction once, and reports whether the batch has ended.
func (b *batch) attempt(ctx context.Context) (ended bool) {
	err := b.transaction(ctx)
	lacking, isShort := errors.AsType[*catalog.ShortageError](err)
	switch {
	case err == nil:
		return true
	case b.committing && errno.Of(err) != errno.Stale, errors.Is(err, errno.ErrBusy):
		// What happened at the commit is unknown, as to any purchase whose connection breaks then.
		b.end(b.pending, err)
		b.end(b.insufficient, errNotBatched)
		return true
	case anyRefused(b.purchases()) != nil:
		b.pending = b.keep(b.pending, func(w *queued) error { return w.purchase.err })
		b.retryAlone()
	case isShort:
		b.keepInStock(lacking)
	case errors.Is(err, errRepeated):
		b.pending = b.keep(b.pending, func(w *queued) error {
			if w.key != nil {
				return errNotBatched
			}
			return nil
		})
		b.retryAlone()
	case errors.Is(err, errno.Stale): // the price has changed since it was read
	default:
		b.end(append(b.pending, b.insufficient...), errNotBatched)
		return true
	}
	return false
}

// keepInStock keeps the purchases for which there is enough, in the order of their arrival.
func (b *batch) keepInStock(lacking *catalog.ShortageError) {
	left := lacking.Left
	b.pending = b.keep(b.pending, func(w *queued) error {
		n := w.lines[0].Number
		if n <= left {
			left -= n
			return nil
		}
		b.insufficient = append(b.insufficient, w)
		return &catalog.ShortageError{Product: lacking.Product, Left: left, Wanted: n}
	})
}

// retryAlone lets those for which there was too little try alone, because somebody before them buys nothing after all.
func (b *batch) retryAlone() {
	b.end(b.insufficient, errNotBatched)
	b.insufficient = nil
}

func (b *batch) purchases() []*purchase {
	all := make([]*purchase, len(b.pending))
	for i, w := range b.pending {
		all[i] = w.purchase
	}
	return all
}

// transaction makes all purchases that are left: keys, shoppers, carts, orders, and the stock at the end.
func (b *batch) transaction(ctx context.Context) error {
	s, all := b.service, b.purchases()
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		b.committing = false
		for _, p := range all {
			p.err = nil // of an earlier attempt
		}
		var keys []idempotency.Request
		for _, w := range b.pending {
			if w.key != nil {
				keys = append(keys, *w.key)
			}
		}
		if repeated, err := s.Once.ClaimAll(ctx, tx, keys); err != nil || repeated {
			return errors.Join(err, errRepeatedIf(repeated))
		}
		if err := s.write(ctx, tx, all); err != nil {
			return err
		}
		if err := b.answer(ctx, tx, keys); err != nil {
			return err
		}
		if err := s.take(ctx, tx, all); err != nil {
			return err
		}
		b.committing = true
		return nil
	})
}

func errRepeatedIf(repeated bool) error {
	if repeated {
		return errRepeated
	}
	return nil
}

// answer stores the answers of the requests that have a key.
func (b *batch) answer(ctx context.Context, tx *db.Tx, keys []idempotency.Request) error {
	var placed []Placed
	for _, w := range b.pending {
		if w.key != nil {
			placed = append(placed, w.placed)
		}
	}
	return idempotency.AnswerAll(ctx, b.service.Once, tx, keys, placed)
}
