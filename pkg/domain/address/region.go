package address

import (
	"context"
	"sync"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

// Region is an administrative division.
type Region struct {
	ID int64
	// Parent is 0 for a province.
	Parent int64
	Name   string
	// Type is 1 province, 2 city, 3 county.
	Type int
	// Code is the official six-digit code; some codes occur twice.
	Code int
}

// regionsFor is how long the regions are served from memory. They change with the state's own divisions, by
// LoadRegions of a later release.
const regionsFor = time.Minute

// regions keeps all divisions in memory, by parent; there are a few thousand.
type regions struct {
	now func() time.Time

	mu     sync.Mutex
	tree   map[int64][]Region
	loaded time.Time
}

// below returns the divisions by parent. Only one caller at a time reads them anew; nothing is kept of an empty
// table, so that a shop that is just being filled shows its regions at once.
func (r *regions) below(ctx context.Context, q db.Querier) (map[int64][]Region, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	if age := now.Sub(r.loaded); r.tree != nil && age >= 0 && age < regionsFor {
		return r.tree, nil
	}
	all, err := allRegions(ctx, q)
	if err != nil {
		return nil, err
	}
	tree := make(map[int64][]Region)
	for _, region := range all {
		tree[region.Parent] = append(tree[region.Parent], region)
	}
	if r.tree = nil; len(all) > 0 {
		r.tree, r.loaded = tree, now
	}
	return tree, nil
}

// drop has the next caller read the divisions anew.
func (r *regions) drop() {
	r.mu.Lock()
	r.tree = nil
	r.mu.Unlock()
}
