package address

import (
	"context"
	"fmt"
	"slices"

	"shop.internal/pkg/domain/internal/db"
)

func allRegions(ctx context.Context, q db.Querier) ([]Region, error) {
	var rows []struct {
		ID   int64
		Pid  int64
		Name string
		Type int
		Code int
	}
	err := q.G(ctx).
		Raw("SELECT id, pid, name, type, code FROM region WHERE retired = 0 ORDER BY code, id").Scan(&rows).Error
	if err != nil {
		return nil, err
	}
	all := make([]Region, len(rows))
	for i, r := range rows {
		all[i] = Region{ID: r.ID, Parent: r.Pid, Name: r.Name, Type: r.Type, Code: r.Code}
	}
	return all, nil
}

// storedRegion is a row as it is, shown or not.
type storedRegion struct {
	Region
	retired bool
}

// storedRegions reads all rows for a change of them; of several rows of one place the oldest counts.
func storedRegions(ctx context.Context, tx *db.Tx) (map[place]storedRegion, error) {
	var rows []struct {
		ID, Pid    int64
		Name       string
		Type, Code int
		Retired    bool
	}
	err := tx.G(ctx).Raw("SELECT id, pid, name, type, code, retired FROM region ORDER BY id DESC").Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the regions: %w", err)
	}
	all := make(map[place]storedRegion, len(rows))
	for _, r := range rows {
		all[place{r.Type, r.Code}] = storedRegion{
			Region{ID: r.ID, Parent: r.Pid, Name: r.Name, Type: r.Type, Code: r.Code}, r.Retired,
		}
	}
	return all, nil
}

func renameRegion(ctx context.Context, tx *db.Tx, r Region) error {
	err := tx.G(ctx).Exec("UPDATE region SET pid = ?, name = ?, retired = 0 WHERE id = ?", r.Parent, r.Name, r.ID).Error
	if err != nil {
		return fmt.Errorf("rename region %d: %w", r.ID, err)
	}
	return nil
}

// retireRegions hides every row but the named ones and reports how many it has hidden.
func retireRegions(ctx context.Context, tx *db.Tx, named map[int64]bool) (int, error) {
	var shown []int64
	if err := tx.G(ctx).Raw("SELECT id FROM region WHERE retired = 0").Scan(&shown).Error; err != nil {
		return 0, fmt.Errorf("read the regions: %w", err)
	}
	gone := slices.DeleteFunc(shown, func(id int64) bool { return named[id] })
	if len(gone) == 0 {
		return 0, nil
	}
	if err := tx.G(ctx).Exec("UPDATE region SET retired = 1 WHERE id IN ?", gone).Error; err != nil {
		return 0, fmt.Errorf("retire regions: %w", err)
	}
	return len(gone), nil
}
