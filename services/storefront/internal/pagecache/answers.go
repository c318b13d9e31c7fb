package pagecache

import (
	"context"
	"encoding/json"
	"fmt"

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/kit/envelope"
	"shop.internal/pkg/kit/wire"
)

// Answers caches the answers of operations by request. A nil *Answers caches nothing; it serves where operations are
// only listed.
type Answers struct {
	cache *cache.Cache[cacheKey, Page]
	loads []func(context.Context, string) (Page, error)
}

// cacheKey is an operation, by its place in loads, and a request to it as JSON.
type cacheKey struct {
	operation int
	request   string
}

// NewAnswers returns an empty cache.
func NewAnswers(o Options) *Answers {
	a := new(Answers)
	a.cache = New(o, func(ctx context.Context, q cacheKey) (Page, error) { return a.loads[q.operation](ctx, q.request) })
	return a
}

// Len returns the number of answers that may be served while the database does not answer.
func (a *Answers) Len() int { return a.cache.Len() }

// InvalidateAll drops all answers.
func (a *Answers) InvalidateAll() { a.cache.InvalidateAll() }

// Pages returns load with its pages cached. It is called while operations are declared, before the first request.
func Pages[R any](a *Answers, load func(context.Context, R) (Page, error)) func(context.Context, R) (Page, error) {
	if a == nil {
		return load
	}
	operation := len(a.loads)
	a.loads = append(a.loads, func(ctx context.Context, request string) (Page, error) {
		var r R
		if err := json.Unmarshal([]byte(request), &r); err != nil {
			return Page{}, fmt.Errorf("decode a request for a page: %w", err)
		}
		return load(ctx, r)
	})
	return func(ctx context.Context, r R) (Page, error) {
		request, err := json.Marshal(r)
		if err != nil {
			return Page{}, fmt.Errorf("encode a request for a page: %w", err)
		}
		return a.cache.Get(ctx, cacheKey{operation, string(request)})
	}
}

// Same returns an operation whose answers are the same for all callers, with its answers cached.
func Same[R, V any](a *Answers, do func(context.Context, R) (V, error)) func(context.Context, R) (wire.Raw[V], error) {
	page := Pages(a, func(ctx context.Context, r R) (Page, error) {
		view, err := do(ctx, r)
		if err != nil {
			return Page{}, err
		}
		whole, err := envelope.Encode(view)
		if err != nil {
			return Page{}, fmt.Errorf("encode an answer: %w", err)
		}
		return Page{whole: whole, body: envelope.NewBody(whole), cut: len(whole)}, nil
	})
	return func(ctx context.Context, r R) (wire.Raw[V], error) {
		p, err := page(ctx, r)
		if err != nil {
			return wire.Raw[V]{}, err
		}
		return wire.RawBody[V](p.Body()), nil
	}
}
