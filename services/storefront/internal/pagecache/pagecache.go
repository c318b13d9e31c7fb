// Package pagecache caches encoded pages in memory, so that popular pages cost neither SQL nor encoding. No copy is
// older than a second while the database answers; what depends on the caller is appended and never cached. A page that
// is read often is renewed ahead of its time by one load, so no request waits for it.
package pagecache

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/kit/envelope"
)

// Page is an encoded JSON object whose last member depends on the caller.
type Page struct {
	whole []byte
	// body is the page for guests.
	body *envelope.Body
	// cut is the offset of the last member's value.
	cut int
}

// Encode encodes a view whose last member has the name last.
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
	return Page{whole: whole, body: envelope.NewBody(whole), cut: len(whole) - len(tail) - 1}, nil
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
	// ahead is the age from which a read renews a copy in the background.
	ahead = maxAge / 2
	// stale is how much older a copy may be while the database does not answer, and maxWait how long the first reader
	// waits for it then.
	stale   = 30 * time.Second
	maxWait = 300 * time.Millisecond
	// loadTimeout bounds the time of loading a page.
	loadTimeout = 10 * time.Second
	// maxBytes is the maximum size of all cached pages, without their compressed forms, which are a third of them.
	maxBytes = 24 << 20
)

// Options are the properties of a cache that differ.
type Options struct {
	// Name is its label in metrics, Meter counts its reads; nil does not.
	Name  string
	Meter *meter.Meter
	// Now measures ages.
	Now func() time.Time
	// AllowStale lets pages lag as the reads of those who ask for them may; see cache.Options.
	AllowStale bool
	// Parts is how old what pages are rendered from may be already, by which they are kept shorter.
	Parts time.Duration
}

func (o Options) all() cache.Options[Page] {
	return cache.Options[Page]{
		Name: o.Name, Meter: o.Meter, TTL: cache.For[Page](maxAge - o.Parts), Deadline: loadTimeout, Sweep: true, Now: o.Now,
		Ahead: ahead, Stale: stale, MaxWait: maxWait, AllowStale: o.AllowStale,
		MaxSize: maxBytes, Weigh: func(p Page) uint32 { return uint32(min(len(p.whole), maxBytes)) },
	}
}

// New returns a cache of pages by key; load renders a page that is not cached.
func New[K comparable](o Options, load func(context.Context, K) (Page, error)) *cache.Cache[K, Page] {
	return cache.New(o.all(), load)
}

// NewOne returns a cache of a single page; load renders it if it is not cached.
func NewOne(o Options, load func(context.Context) (Page, error)) *cache.One[Page] {
	return cache.NewOne(o.all(), load)
}
