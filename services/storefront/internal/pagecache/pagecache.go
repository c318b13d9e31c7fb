// Package pagecache caches encoded pages in memory, so that popular pages cost neither SQL nor encoding. No copy is
// older than a second; what depends on the caller is appended and never cached.
package pagecache

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/maypok86/otter/v2"

	"shop.internal/pkg/kit/envelope"
)

// Page is an encoded JSON object whose last member depends on the caller.
type Page struct {
	whole []byte
	// body is the page for guests.
	body *envelope.Body
	// cut is the offset of the last member's value.
	cut  int
	took time.Duration
}

// Encode encodes a view whose last member is last.
func Encode(view, last any) (Page, error) {
	whole, err := json.Marshal(view)
	if err != nil {
		return Page{}, fmt.Errorf("encode a page: %w", err)
	}
	tail, err := json.Marshal(last)
	if err != nil {
		return Page{}, fmt.Errorf("encode the end of a page: %w", err)
	}
	if !bytes.HasSuffix(whole, append(tail, '}')) {
		return Page{}, errors.New("the page does not end with the member that depends on the caller")
	}
	return Page{whole: whole, body: envelope.NewBody(whole), cut: len(whole) - len(tail) - 1, took: 0}, nil
}

// Body returns the encoded page, with what is computed once, such as its compressed forms.
func (p Page) Body() *envelope.Body { return p.body }

// Bytes returns the encoded page. The caller must not change them.
func (p Page) Bytes() []byte { return p.whole }

// With returns the page with another value of its last member.
func (p Page) With(last any) ([]byte, error) {
	tail, err := json.Marshal(last)
	if err != nil {
		return nil, fmt.Errorf("encode the end of a page: %w", err)
	}
	b := make([]byte, 0, p.cut+len(tail)+1)
	b = append(append(b, p.whole[:p.cut]...), tail...)
	return append(b, '}'), nil
}

const (
	// maxAge is the maximum age of a copy, counted from before its data were read.
	maxAge = time.Second
	// loadTimeout is the timeout of a load. It is not the caller's, since others wait for the same load.
	loadTimeout = 10 * time.Second
	// weight bounds the bytes of cached pages, without their compressed forms, which take a third of them.
	weight = 24 << 20
)

// Cache caches the pages of one operation.
type Cache[K comparable] struct {
	cache  *otter.Cache[K, Page]
	loader otter.LoaderFunc[K, Page]
}

// New returns a cache of pages that load renders. Concurrent misses of a page share one load. now is a clock for ages.
func New[K comparable](now func() time.Time, load func(context.Context, K) (Page, error)) (*Cache[K], error) {
	cache, err := otter.New(&otter.Options[K, Page]{
		MaximumWeight: weight,
		Weigher: func(_ K, p Page) uint32 {
			return uint32(min(len(p.whole), weight))
		},
		ExpiryCalculator: otter.ExpiryWritingFunc(func(e otter.Entry[K, Page]) time.Duration {
			return max(maxAge-e.Value.took, time.Nanosecond)
		}),
	})
	if err != nil {
		return nil, fmt.Errorf("make a place for kept pages: %w", err)
	}
	return &Cache[K]{cache: cache, loader: func(ctx context.Context, key K) (Page, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTimeout)
		defer cancel()
		start := now()
		page, err := load(ctx, key)
		page.took = now().Sub(start)
		return page, err
	}}, nil
}

// Get returns a page that is at most a second old. A failed load is not cached.
func (p *Cache[K]) Get(ctx context.Context, key K) (Page, error) {
	return p.cache.Get(ctx, key, p.loader)
}

// Drop drops a page, including the result of a load in progress.
func (p *Cache[K]) Drop(key K) { p.cache.Invalidate(key) }

// DropAll drops all pages.
func (p *Cache[K]) DropAll() { p.cache.InvalidateAll() }
