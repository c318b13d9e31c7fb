package order

import (
	"context"
	"errors"
	"fmt"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
)

// waiting is a purchase in the queue of a hot product. err is its result.
type waiting struct {
	*purchase

	ctx context.Context // of the caller; the first one's values serve the whole transaction
	key *idempotency.Request
	err error
}

// attempts bounds the transactions of a batch: each is rolled back for a reason that the next one avoids.
const attempts = 4

// errRepeated says that an equal request has claimed the key of a purchase meanwhile.
var errRepeated = errors.New("an idempotency key is claimed")

// gathered makes the purchases of one product in one transaction. Those that cannot be made are left out and get their
// own errors; if that is not enough, each is made alone.
func (s *Service) gathered(all []*waiting) {
	b := &rushBatch{service: s}
	defer func() {
		if cause := recover(); cause != nil { // no request is there to log it
			b.end(all, fmt.Errorf("gather purchases: %v", cause))
		}
	}()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(all[0].ctx), batchTimeout)
	defer cancel()
	b.left = b.distinct(all)
	for range attempts {
		if len(b.left) == 0 || b.attempt(ctx) {
			return
		}
	}
	b.end(append(b.left, b.short...), errAlone)
}

// rushBatch is the purchases that share a transaction.
type rushBatch struct {
	service *Service
	// left are those that the next transaction contains, short those for which there is too little stock beside them.
	left, short []*waiting
	// committing says that the last transaction was about to commit.
	committing bool
}

// distinct keeps the first purchase of each shopper: a second one must see what the first has left of the cart.
func (b *rushBatch) distinct(all []*waiting) []*waiting {
	seen := make(map[int64]bool, len(all))
	return b.keep(all, func(w *waiting) error {
		if seen[w.shopper] {
			return errAlone
		}
		seen[w.shopper] = true
		return nil
	})
}

// keep returns the purchases without an error; the others end with it.
func (b *rushBatch) keep(all []*waiting, check func(w *waiting) error) []*waiting {
	kept := make([]*waiting, 0, len(all))
	for _, w := range all {
		if w.err = check(w); w.err == nil {
			kept = append(kept, w)
		}
	}
	return kept
}

func (b *rushBatch) end(all []*waiting, err error) {
	for _, w := range all {
		w.err = err
	}
}

// attempt runs the transaction once, and reports whether the batch has ended.
func (b *rushBatch) attempt(ctx context.Context) (ended bool) {
	err := b.transaction(ctx)
	lacking, isShort := errors.AsType[*catalog.ShortageError](err)
	switch {
	case err == nil:
		return true
	case b.committing && errno.Of(err) != errno.Stale, errors.Is(err, errno.ErrBusy):
		// What happened at the commit is unknown, as to any purchase whose connection breaks then.
		b.end(b.left, err)
		b.end(b.short, errAlone)
		return true
	case anyRefused(b.purchases()) != nil:
		b.left = b.keep(b.left, func(w *waiting) error { return w.purchase.err })
		b.recall()
	case isShort:
		b.fit(lacking)
	case errors.Is(err, errRepeated):
		b.left = b.keep(b.left, func(w *waiting) error {
			if w.key != nil {
				return errAlone
			}
			return nil
		})
		b.recall()
	case errors.Is(err, errno.Stale): // the price has changed since it was read
	default:
		b.end(append(b.left, b.short...), errAlone)
		return true
	}
	return false
}

// fit keeps the purchases for which there is enough, in the order of their arrival.
func (b *rushBatch) fit(lacking *catalog.ShortageError) {
	left := lacking.Left
	b.left = b.keep(b.left, func(w *waiting) error {
		n := w.lines[0].Number
		if n <= left {
			left -= n
			return nil
		}
		b.short = append(b.short, w)
		return &catalog.ShortageError{Product: lacking.Product, Left: left, Wanted: n}
	})
}

// recall lets those for which there was too little try alone, because somebody before them buys nothing after all.
func (b *rushBatch) recall() {
	b.end(b.short, errAlone)
	b.short = nil
}

func (b *rushBatch) purchases() []*purchase {
	all := make([]*purchase, len(b.left))
	for i, w := range b.left {
		all[i] = w.purchase
	}
	return all
}

// transaction makes all purchases that are left: keys, shoppers, carts, orders, and the stock at the end.
func (b *rushBatch) transaction(ctx context.Context) error {
	s, all := b.service, b.purchases()
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		b.committing = false
		for _, p := range all {
			p.err = nil // of an earlier attempt
		}
		var keys []idempotency.Request
		for _, w := range b.left {
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
func (b *rushBatch) answer(ctx context.Context, tx *db.Tx, keys []idempotency.Request) error {
	var placed []Placed
	for _, w := range b.left {
		if w.key != nil {
			placed = append(placed, w.placed)
		}
	}
	return idempotency.AnswerAll(ctx, b.service.Once, tx, keys, placed)
}
