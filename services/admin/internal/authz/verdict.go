package authz

import "sync"

// cacheKey is the input of a decision.
type cacheKey struct {
	operator int64
	value    string
}

// verdicts caches the decisions on one load of the grants. Every load starts with an empty cache, so a verdict never
// outlives its grants; calls that still use the old cache may add to it, but that is never read. Its size is bounded by
// operators times operations. This is no cache.Cache: verdicts have no TTL, they end with the load.
type verdicts struct{ m sync.Map }

// of returns the verdict by a key, deciding it the first time.
func (v *verdicts) of(q cacheKey, decide func(cacheKey) (bool, error)) (bool, error) {
	if known, ok := v.m.Load(q); ok {
		allowed, _ := known.(bool)
		return allowed, nil
	}
	allowed, err := decide(q)
	if err == nil {
		v.m.Store(q, allowed)
	}
	return allowed, err
}
