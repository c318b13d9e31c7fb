package address

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
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
	storedRegions = table.Of[storedRegion]("region",
		table.MayRefer("pid", "region"),
	)
	shownRegions = table.Part[Region](storedRegions)
)

const (
	// regionsTTL is how long regions are cached. They change only with LoadRegions of a new release.
	regionsTTL = time.Minute
	// regionsAhead is the age from which a read renews them in the background; regionsStale is how much older they may be
	// while the database does not answer, and regionsMaxWait how long the first reader waits for it then.
	regionsAhead   = regionsTTL / 2
	regionsStale   = 10 * time.Minute
	regionsMaxWait = 300 * time.Millisecond
	// regionsTimeout bounds the time of loading them.
	regionsTimeout = 10 * time.Second
)

// regions are all divisions by parent; there are a few thousand.
type regions map[int64][]Region

// cachedRegions caches the divisions. An empty table is not cached, so that a shop that is being set up shows its
// regions at once.
func cachedRegions(q *db.DB, now func() time.Time) *cache.One[regions] {
	return cache.NewOne(cache.Options[regions]{
		Name: "regions", Meter: q.Meter(),
		TTL: func(r regions) time.Duration {
			if len(r) == 0 {
				return 0
			}
			return regionsTTL
		},
		MaxSize: 1, Deadline: regionsTimeout, Now: now,
		Ahead: regionsAhead, Stale: regionsStale, MaxWait: regionsMaxWait,
	}, func(ctx context.Context) (regions, error) {
		all, err := shownRegions.Find(ctx, q, "retired = 0 ORDER BY code, id")
		tree := make(regions)
		for _, r := range all {
			tree[r.Parent] = append(tree[r.Parent], r)
		}
		return tree, err
	})
}

// Regions returns the children of a division, by code; the parent 0 has the provinces. An unknown parent has none, and
// outside China there are none. The slice is shared: the caller must not change it.
func (s *Service) Regions(ctx context.Context, parent int64) ([]Region, error) {
	below, err := s.listed(ctx)
	return below[parent], err
}

// listed returns the divisions of the country, if there is a list of them.
func (s *Service) listed(ctx context.Context) (regions, error) {
	if !s.country.IsChina() {
		return nil, nil
	}
	below, err := s.regions.Get(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the regions: %w", err)
	}
	return below, nil
}

// Division is a region with its children.
type Division struct {
	Region
	// Below is empty if there are none.
	Below []Division
}

// Divisions returns all regions as a tree, by code. The result is shared: the caller must not change it.
func (s *Service) Divisions(ctx context.Context) ([]Division, error) {
	below, err := s.listed(ctx)
	return divided(below, 0, depth), err
}

// depth is the number of levels: provinces, cities, counties. It also ends a cycle of parents.
const depth = 3

func divided(below regions, parent int64, deep int) []Division {
	if deep == 0 {
		return nil
	}
	all := make([]Division, len(below[parent]))
	for i, r := range below[parent] {
		all[i] = Division{Region: r, Below: divided(below, r.ID, deep-1)}
	}
	return all
}
