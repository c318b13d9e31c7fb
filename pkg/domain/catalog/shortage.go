package catalog

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/internal/store/db"
)

// ShortageError is the error of a product of which there is less than was asked for. Its code is errno.GoodsNoStock.
type ShortageError struct {
	Product int64
	// Left is what there was, Wanted what was asked for.
	Left, Wanted int
}

// Error is for logs.
func (e *ShortageError) Error() string {
	return fmt.Sprintf("%d of product %d, of which there are %d: %s", e.Wanted, e.Product, e.Left, errno.GoodsNoStock.Name)
}

// Unwrap returns the code.
func (e *ShortageError) Unwrap() error { return errno.GoodsNoStock }

// Stock moves stock and writes the ledger: every change of a number has its row, so the numbers can be verified.
type Stock struct {
	now   func() time.Time
	short *shortages // nil if the process remembers none
	// shown is called with goods whose stock has changed; nil for none.
	shown func(goodsID int64)
}

// OnMove registers a function that is called with each goods whose stock a commit of this process has changed. It is
// not called for purchases in batches: the page of a product that many buy would be rendered for each of them.
// It is called at wiring.
func (s *Stock) OnMove(fn func(goodsID int64)) { s.shown = fn }

// shows calls the function of OnMove after the commit.
func (s *Stock) shows(tx *db.Tx, pieces []StockLine) {
	if s.shown == nil {
		return
	}
	tx.OnCommit(func() {
		for _, p := range pieces {
			s.shown(p.GoodsID)
		}
	})
}

// NewStock returns a Stock that remembers no shortages.
func NewStock(now func() time.Time) *Stock { return &Stock{now: now} }

// Remember lets the process remember of which products there was too little, so that Short can refuse without asking
// the database. d reads what is left; a change of goods, also in another process, is noticed by way of the catalogue.
func (s *Stock) Remember(d *db.DB, c *Service) {
	s.short = &shortages{now: s.now, flags: map[int64]*shortage{}}
	s.short.products = cache.New(cache.Options[ProductSnapshot]{
		Name: "shortages", Meter: d.Meter(),
		TTL: cache.For[ProductSnapshot](time.Second), MaxSize: maxShortages, Deadline: shortageTimeout, Now: s.now,
		Weigh: nil, Ahead: 0, Stale: 0, MaxWait: 0, Sweep: false,
	}, func(ctx context.Context, w Wanted) (ProductSnapshot, error) {
		found, err := ProductSnapshots(ctx, d, []Wanted{w})
		return found[w], err
	})
	c.OnChange(func(x Change) { s.short.changed(x.Goods) })
}

const (
	// maxShortages bounds the products of which a shortage is remembered.
	maxShortages = 10_000
	// shortageTimeout bounds reading what is left of a product.
	shortageTimeout = 2 * time.Second
	// shortageQuiet is the time without a request after which a shortage is forgotten.
	shortageQuiet = 30 * time.Second
)

// shortages are the products of which there was too little when they were bought last, and how many there are, at most
// a second old. They only ever refuse; what is sold is decided by the database.
type shortages struct {
	now      func() time.Time
	products *cache.Cache[Wanted, ProductSnapshot]
	refused  atomic.Int64

	mu    sync.RWMutex
	flags map[int64]*shortage
	swept time.Time
}

// shortage is a product of which a number was not there.
type shortage struct {
	product  Wanted
	number   int
	lastUsed atomic.Int64 // in nanoseconds since 1970
}

// lack notes that a product had less than a number, and returns the error that says so.
func (s *Stock) lack(o ProductSnapshot, number int) error {
	if s.short != nil && o.HotMode != NeverHot {
		s.short.add(Wanted{o.ProductID, o.GoodsID}, o.Stock, number)
	}
	return &ShortageError{Product: o.ProductID, Left: o.Stock, Wanted: number}
}

// forget drops what is known of products that have got stock.
func (s *Stock) forget(products []int64) {
	if s.short != nil {
		s.short.drop(products)
	}
}

// AnyShort reports whether there is a product of which the process remembers a shortage.
func (s *Stock) AnyShort() bool { return s.short != nil && s.short.any() }

// ShortagesRefused is how many purchases Short has refused.
func (s *Stock) ShortagesRefused() int64 {
	if s.short == nil {
		return 0
	}
	return s.short.refused.Load()
}

// Left returns how many pieces there are of a product that was short when it was bought last, as the database had it at
// most a second ago, and false for every other product, or if that cannot be read.
func (s *Stock) Left(ctx context.Context, product int64) (int, bool) {
	if s.short == nil {
		return 0, false
	}
	return s.short.left(ctx, product)
}

// Refuse counts a purchase that is refused because of what Left has returned, and returns the error for it.
func (s *Stock) Refuse(product int64, left, number int) error {
	s.short.refused.Add(1)
	return &ShortageError{Product: product, Left: left, Wanted: number}
}

func (s *shortages) add(w Wanted, left, number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := &shortage{product: w, number: number}
	f.lastUsed.Store(s.now().UnixNano())
	old, known := s.flags[w.ProductID]
	switch {
	case known:
		f.number = min(f.number, old.number)
	case len(s.flags) >= maxShortages:
		return
	}
	if o, ok := s.products.Cached(w); ok && o.Stock != left {
		s.products.Invalidate(w)
	}
	s.flags[w.ProductID] = f
}

func (s *shortages) drop(products []int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range products {
		if f, ok := s.flags[id]; ok {
			delete(s.flags, id)
			s.products.Invalidate(f.product)
		}
	}
}

// changed drops what is known of the products of goods that have changed, or of all products for 0.
func (s *shortages) changed(goods int64) {
	var products []int64
	s.mu.RLock()
	for id, f := range s.flags {
		if goods == 0 || f.product.GoodsID == goods {
			products = append(products, id)
		}
	}
	s.mu.RUnlock()
	if len(products) > 0 {
		s.drop(products)
	}
}

// any drops what has not been read for a while, every now and then.
func (s *shortages) any() bool {
	now := s.now()
	s.mu.RLock()
	n, due := len(s.flags), now.Sub(s.swept) > shortageQuiet
	s.mu.RUnlock()
	if n == 0 || !due {
		return n > 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.swept = now
	for id, f := range s.flags {
		if now.Sub(time.Unix(0, f.lastUsed.Load())) > shortageQuiet {
			delete(s.flags, id)
		}
	}
	return len(s.flags) > 0
}

func (s *shortages) left(ctx context.Context, product int64) (int, bool) {
	s.mu.RLock()
	f, ok := s.flags[product]
	s.mu.RUnlock()
	if !ok {
		return 0, false
	}
	f.lastUsed.Store(s.now().UnixNano())
	o, err := s.products.Get(ctx, f.product)
	switch {
	case err != nil:
		return 0, false
	case o.Buyable() != nil, o.HotMode == NeverHot, o.Stock >= f.number:
		s.drop([]int64{product})
		return 0, false
	}
	return o.Stock, true
}
