package address

import (
	"context"
	"fmt"
	"sync"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
)

// Region is an administrative division.
type Region struct {
	ID int64
	// Parent is 0 for a province.
	Parent int64 `gorm:"column:pid"`
	Name   string
	// Type is 1 province, 2 city, 3 county.
	Type int
	// Code is the official six-digit code; some codes occur twice.
	Code int
}

// storedRegion is a row, shown or hidden.
type storedRegion struct {
	Region

	Retired bool
}

var (
	storedRegions = table.Of[storedRegion]("region")
	shownRegions  = table.Part[Region](storedRegions)
)

// regionsFor is how long regions are cached. They change only with LoadRegions of a new release.
const regionsFor = time.Minute

// regions caches all divisions by parent; there are a few thousand.
type regions struct {
	now func() time.Time

	mu     sync.Mutex
	tree   map[int64][]Region
	loaded time.Time
}

// below returns the divisions by parent. Only one caller at a time loads them; an empty table is not cached, so that a
// shop that is being set up shows its regions at once.
func (r *regions) below(ctx context.Context, q db.Querier) (map[int64][]Region, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	if age := now.Sub(r.loaded); r.tree != nil && age >= 0 && age < regionsFor {
		return r.tree, nil
	}
	all, err := shownRegions.Find(ctx, q, "retired = 0 ORDER BY code, id")
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

// drop clears the cache.
func (r *regions) drop() {
	r.mu.Lock()
	r.tree = nil
	r.mu.Unlock()
}

// Regions returns the children of a division, by code; the parent 0 has the provinces. An unknown parent has none. The
// slice is shared: the caller must not change it.
func (s *Service) Regions(ctx context.Context, parent int64) ([]Region, error) {
	below, err := s.regions.below(ctx, s.db)
	if err != nil {
		return nil, fmt.Errorf("read the regions: %w", err)
	}
	return below[parent], nil
}

// Division is a region with those below it.
type Division struct {
	Region
	// Below is empty where there are none.
	Below []Division
}

// Divisions returns all regions as a tree, by code. The result is shared: the caller must not change it.
func (s *Service) Divisions(ctx context.Context) ([]Division, error) {
	below, err := s.regions.below(ctx, s.db)
	if err != nil {
		return nil, fmt.Errorf("read the regions: %w", err)
	}
	return divided(below, 0, depth), nil
}

// depth is the number of levels: provinces, cities, counties. It also ends a cycle of parents.
const depth = 3

func divided(below map[int64][]Region, parent int64, deep int) []Division {
	if deep == 0 {
		return nil
	}
	all := make([]Division, len(below[parent]))
	for i, r := range below[parent] {
		all[i] = Division{Region: r, Below: divided(below, r.ID, deep-1)}
	}
	return all
}
