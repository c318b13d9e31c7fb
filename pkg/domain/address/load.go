package address

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"shop.internal/pkg/domain/address/division"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// RegionsChanged counts the rows that LoadRegions has changed.
type RegionsChanged struct {
	// Added are new divisions, Renamed those with a new name or parent, Retired those that the list no longer contains. A
	// division that came back counts as renamed.
	Added, Renamed, Retired int
}

// Total is the number of changed rows.
func (c RegionsChanged) Total() int { return c.Added + c.Renamed + c.Retired }

// The types of regions, from the top.
const (
	typeProvince = 1
	typeCounty   = 3
)

// LoadRegions updates the table to the list of this release. A division is identified by its type and code and keeps
// its id; one that the list no longer contains is hidden, but its row stays. Addresses hold names and codes, so they do
// not change. It must not run concurrently.
func (s *Service) LoadRegions(ctx context.Context) (RegionsChanged, error) {
	provinces, err := division.Provinces()
	if err != nil {
		return RegionsChanged{}, fmt.Errorf("load the regions: %w", err)
	}
	var done RegionsChanged
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		done, err = loadRegions(ctx, tx, provinces)
		return err
	})
	if err != nil {
		return RegionsChanged{}, fmt.Errorf("load the regions: %w", err)
	}
	s.regions.Invalidate()
	return done, nil
}

// regionKey identifies a region.
type regionKey struct{ kind, code int }

// loadRegions goes from the top, since a row needs the id of its parent.
func loadRegions(ctx context.Context, tx *db.Tx, provinces []division.Division) (RegionsChanged, error) {
	var done RegionsChanged
	rows, err := regionRows(ctx, tx)
	if err != nil {
		return done, err
	}
	named := map[int64]bool{}
	parents, level := map[int]int64{0: 0}, map[int][]division.Division{0: provinces}
	for kind := typeProvince; kind <= typeCounty; kind++ {
		want := regionsOf(kind, parents, level)
		added, err := addRegions(ctx, tx, want, rows)
		if err != nil {
			return done, err
		}
		if done.Added += added; added > 0 {
			if rows, err = regionRows(ctx, tx); err != nil {
				return done, err
			}
		}
		parents, level = map[int]int64{}, below(level)
		for _, w := range want {
			row := rows[regionKey{kind, w.Code}]
			named[row.ID], parents[w.Code] = true, row.ID
			if row.Name == w.Name && row.Parent == w.Parent && !row.Retired {
				continue
			}
			set := table.Set{"pid": w.Parent, "name": w.Name, "retired": false}
			if _, err := storedRegions.Update(ctx, tx, set, "id = ?", row.ID); err != nil {
				return done, err
			}
			done.Renamed++
		}
	}
	done.Retired, err = retireRegions(ctx, tx, named)
	return done, err
}

// regionsOf returns the divisions of one type as rows, without ids.
func regionsOf(kind int, parents map[int]int64, level map[int][]division.Division) []Region {
	var all []Region
	for above, list := range level {
		for _, d := range list {
			all = append(all, Region{Parent: parents[above], Name: d.Name, Type: kind, Code: d.Code})
		}
	}
	slices.SortFunc(all, func(a, b Region) int { return cmp.Compare(a.Code, b.Code) })
	return all
}

// below returns the next level down: the divisions by the code of their parent.
func below(level map[int][]division.Division) map[int][]division.Division {
	next := map[int][]division.Division{}
	for _, list := range level {
		for _, d := range list {
			next[d.Code] = d.Below
		}
	}
	return next
}

// addRegions inserts the regions without a row and returns how many.
func addRegions(ctx context.Context, tx *db.Tx, want []Region, rows map[regionKey]storedRegion) (int, error) {
	var missing []storedRegion
	for _, r := range want {
		if _, some := rows[regionKey{r.Type, r.Code}]; !some {
			missing = append(missing, storedRegion{Region: r})
		}
	}
	return len(missing), storedRegions.InsertAll(ctx, tx, missing)
}

// regionRows loads all rows for a change; of several rows with the same key the oldest counts.
func regionRows(ctx context.Context, tx *db.Tx) (map[regionKey]storedRegion, error) {
	rows, err := storedRegions.Find(ctx, tx, "TRUE ORDER BY id DESC")
	all := make(map[regionKey]storedRegion, len(rows))
	for _, r := range rows {
		all[regionKey{r.Type, r.Code}] = r
	}
	return all, err
}

// retireRegions hides all rows but the named ones and returns how many.
func retireRegions(ctx context.Context, tx *db.Tx, named map[int64]bool) (int, error) {
	shown, err := storedRegions.IDs(ctx, tx, "retired = 0")
	if err != nil {
		return 0, err
	}
	gone := slices.DeleteFunc(shown, func(id int64) bool { return named[id] })
	if len(gone) == 0 {
		return 0, nil
	}
	_, err = storedRegions.Update(ctx, tx, table.Set{"retired": true}, "id IN ?", gone)
	return len(gone), err
}
