package order

import (
	"context"
	"errors"
	"fmt"
	"time"

	"shop.internal/pkg/base/admission"
	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/hotkey"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Purchases of a product that many buy at once wait in a queue, from which one goroutine takes many into one
// transaction. What is remembered in memory only refuses or chooses this way; the database decides what is sold.

const (
	// batchSize is how many purchases of a hot product share a transaction, batchWait how long the first waits for
	// others.
	batchSize = 32
	batchWait = 2 * time.Millisecond
	// batchTimeout bounds their transaction, retries included.
	batchTimeout = 10 * time.Second
	// itemAge bounds the age of what is remembered of a cart item, itemsKept how many are.
	itemAge   = time.Second
	itemsKept = 100_000
)

// openQueues prepares the queues of hot products.
func (s *Service) openQueues() {
	s.hot = hotkey.NewDetector(s.Hot.After, s.Now)
	s.batches = hotkey.NewBatcher(hotkey.Limits{Queue: s.Hot.Queue, Batch: batchSize, Wait: batchWait}, s.placeBatch)
	s.items = cache.New(cache.Options[cart.Item]{
		Name: "cart items", Meter: s.DB.Meter(),
		TTL: cache.For[cart.Item](itemAge), MaxSize: itemsKept, Deadline: batchTimeout, Now: s.Now,
		Weigh: nil, Ahead: 0, Stale: 0, MaxWait: 0, Sweep: false,
	}, s.Cart.Single)
}

// Drain makes the purchases that wait, and batches no further ones.
func (s *Service) Drain() { s.batches.Close() }

// HotState is what the process does with hot products.
type HotState struct {
	// Products is how many are hot, Queued how many purchases of them wait.
	Products, Queued int
	// Batches and Batched are the transactions of several purchases and the purchases in them.
	Batches, Batched int64
	// Full and SoldOut are the purchases refused because too many waited, and because of a shortage in memory.
	Full, SoldOut int64
}

// HotState returns what the process does with hot products.
func (s *Service) HotState() HotState {
	g := s.batches.State()
	return HotState{
		Products: s.hot.Count(), Queued: int(g.Queued), Batches: g.Batches, Batched: g.Handled, Full: g.Refused,
		SoldOut: s.Stock.ShortagesRefused(),
	}
}

// placeHot makes the purchase of a hot product, or refuses one of a product that is sold out. For all others it fails
// with errNotBatched, without a statement while no product is hot or sold out. A repeated request gets its first
// answer.
func (s *Service) placeHot(ctx context.Context, shopper int64, sub Submission) (Placed, error) {
	if !s.hot.Any() && !s.Stock.AnyShort() {
		return Placed{}, errNotBatched
	}
	if placed, known, err := idempotency.Known[Placed](ctx, s.Once); known || err != nil {
		return placed, err
	}
	item, err := s.item(ctx, cart.Choice{Shopper: shopper, ID: sub.Cart})
	if err != nil {
		return Placed{}, err
	}
	if item.ID == 0 {
		return Placed{}, errNotBatched
	}
	if err := s.refuseShort(ctx, shopper, item); err != nil {
		return Placed{}, err
	}
	if sub.Coupon > 0 || sub.Rule > 0 || !s.hot.Hot(item.ProductID) {
		return Placed{}, errNotBatched
	}
	sub.Cart = item.ID
	return s.enqueue(ctx, &purchase{Submission: sub, shopper: shopper, product: item.ProductID})
}

// item finds the single item that a shopper buys, the zero Item if there is none or several. Which product an item is
// of never changes, so a named one may be remembered.
func (s *Service) item(ctx context.Context, c cart.Choice) (cart.Item, error) {
	if c.ID == cart.Everything {
		return s.Cart.Single(ctx, c)
	}
	return s.items.Get(ctx, c)
}

// refuseShort fails with errno.GoodsNoStock if there is less of a product than the shopper wants.
func (s *Service) refuseShort(ctx context.Context, shopper int64, item cart.Item) (err error) {
	left, short := s.Stock.Left(ctx, item.ProductID)
	if short && left > 0 && item.Number > left { // the number may have changed since it was remembered
		if item, err = s.Cart.Single(ctx, cart.Choice{Shopper: shopper, ID: item.ID}); err != nil {
			return err
		}
	}
	if !short || item.Number <= left {
		return nil
	}
	return s.Stock.Refuse(item.ProductID, left, item.Number)
}

// enqueue queues a purchase and returns its result. If ctx ends while it is being made, the outcome is unknown, as it
// is when an answer is lost.
func (s *Service) enqueue(ctx context.Context, p *purchase) (Placed, error) {
	admission.Leave(ctx) // a queued purchase needs no place at the database
	w := &queued{purchase: p, ctx: ctx}
	if r, keyed := idempotency.Of(ctx); keyed {
		w.key = &r
	}
	switch err := s.batches.Do(ctx, p.product, w); {
	case errors.Is(err, hotkey.ErrClosed):
		return Placed{}, errNotBatched
	case errors.Is(err, hotkey.ErrFull):
		return Placed{}, fmt.Errorf("product %d: %w: %w", p.product, errno.Stale.Because(text.TooManyBuyers), err)
	case err != nil:
		return Placed{}, fmt.Errorf("wait for product %d: %w", p.product, err)
	}
	return p.placed, w.err
}

// modes are what the choice of the operators means.
var modes = map[catalog.HotMode]hotkey.Mode{
	catalog.HotByLoad: hotkey.ByLoad, catalog.AlwaysHot: hotkey.Always, catalog.NeverHot: hotkey.Never,
}

// observe counts the purchase of some lines. They carry the choice of the operators, which therefore acts on every
// replica from the next purchase on.
func (s *Service) observe(lines []cart.Line) {
	if s.Hot.Queue == 0 {
		return
	}
	for _, l := range lines {
		s.hot.Observe(l.ProductID, modes[l.HotMode])
	}
}
