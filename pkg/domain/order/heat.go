package order

import (
	"sync"
	"sync/atomic"
	"time"

	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
)

// Hot configures the purchases of products that many buy at once. The zero Hot treats all products alike.
type Hot struct {
	// Queue is how many purchases of one product may wait in a process; 0 gathers none and remembers no shortages.
	Queue int
	// After is the number of purchases within a second above which a product becomes hot by itself; 0 is never.
	After int
}

// quiet is how long a product stays hot after the last second in which it was bought often enough.
const quiet = 30 * time.Second

// heat knows which products are hot in this process.
type heat struct {
	on    bool
	after int
	now   func() time.Time
	// products is the number of hot products, so that a shop without any does not wait for the lock.
	products atomic.Int64

	mu sync.Mutex
	// bought counts purchases in the current second.
	second int64
	bought map[int64]int
	until  map[int64]time.Time
}

func newHeat(h Hot, now func() time.Time) *heat {
	return &heat{on: h.Queue > 0, after: h.After, now: now, bought: map[int64]int{}, until: map[int64]time.Time{}}
}

// saw counts the purchase of some lines. They carry the choice of the operators, which therefore acts on every replica
// from the next purchase on.
func (h *heat) saw(lines []cart.Line) {
	if !h.on {
		return
	}
	now := h.now()
	h.mu.Lock()
	defer h.mu.Unlock()
	if second := now.Unix(); second != h.second {
		h.second = second
		clear(h.bought)
		h.cool(now)
	}
	for _, l := range lines {
		h.bought[l.ProductID]++
		switch l.HotMode {
		case catalog.NeverHot:
			delete(h.until, l.ProductID)
		case catalog.AlwaysHot:
			h.until[l.ProductID] = now.Add(quiet)
		case catalog.HotByLoad:
			if h.after > 0 && h.bought[l.ProductID] > h.after {
				h.until[l.ProductID] = now.Add(quiet)
			}
		}
	}
	h.products.Store(int64(len(h.until)))
}

// cool forgets the products that have become quiet.
func (h *heat) cool(now time.Time) {
	for product, until := range h.until {
		if !now.Before(until) {
			delete(h.until, product)
		}
	}
	h.products.Store(int64(len(h.until)))
}

// any reports whether a product may be hot.
func (h *heat) any() bool { return h.products.Load() > 0 }

// is reports whether a product is hot.
func (h *heat) is(product int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	until, ok := h.until[product]
	return ok && h.now().Before(until)
}

// count is the number of products that are hot now.
func (h *heat) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cool(h.now())
	return len(h.until)
}
