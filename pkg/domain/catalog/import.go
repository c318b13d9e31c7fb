package catalog

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
)

// Imported is what a CSV file of goods holds.
type Imported struct{ Goods, Products int }

// CheckCSV says what a CSV file of goods holds and everything that keeps it from being imported. It writes nothing.
func (s *Service) CheckCSV(ctx context.Context, file []byte) (Imported, []Fault, error) {
	list, faults, err := s.read(ctx, s.db, file)
	return count(list), faults, err
}

// ImportCSV puts all goods of a file on the shelf, by the rules of Add, or none. It fails with errno.Invalid for a
// file with faults, and with errno.GoodsNameExists where goods of one of the names are there.
func (s *Service) ImportCSV(ctx context.Context, file []byte) (Imported, error) {
	return idempotency.InTx(ctx, s.once, func(tx *db.Tx) (Imported, error) {
		list, faults, err := s.read(ctx, tx, file)
		if err != nil {
			return Imported{}, err
		}
		if len(faults) > 0 {
			return Imported{}, refused(faults)
		}
		goods := make([]NewGoods, len(list))
		for i, w := range list {
			goods[i] = w.cleaned()
		}
		if err := holdAllParents(ctx, tx, goods); err != nil {
			return Imported{}, err
		}
		ids, err := s.insert(ctx, tx, goods)
		if err != nil {
			return Imported{}, err
		}
		s.touch(tx, 0)
		return count(list), recordImported(ctx, tx, ids, goods)
	})
}

// refused is the failure of a file with faults: that of its names alone, if nothing else is wrong.
func refused(faults []Fault) error {
	for _, f := range faults {
		if f.Reason != taken {
			return fmt.Errorf("import goods: %w", f.refusal())
		}
	}
	return fmt.Errorf("import goods: %w", errno.GoodsNameExists)
}

// read reads a file and looks which of its names other goods have.
func (s *Service) read(ctx context.Context, q db.Querier, file []byte) ([]written, []Fault, error) {
	names, err := s.Names(ctx)
	if err != nil {
		return nil, nil, err
	}
	list, faults := readCSV(file, names)
	if len(list) == 0 {
		return list, faults, nil
	}
	keys := make([]string, len(list))
	for i, w := range list {
		keys[i] = nameKey(w.Goods.Name)
	}
	owned, err := owners(ctx, q, keys)
	if err != nil {
		return nil, nil, err
	}
	for i, w := range list {
		if owned[keys[i]] != 0 {
			faults = append(faults, Fault{w.lines[0], "name", taken})
		}
	}
	slices.SortStableFunc(faults, func(a, b Fault) int { return a.Line - b.Line })
	return list, faults, nil
}

func count(list []written) Imported {
	done := Imported{Goods: len(list)}
	for _, w := range list {
		done.Products += len(w.Products)
	}
	return done
}

// holdAllParents keeps the categories and brands of goods from being deleted, those of lower ids first.
func holdAllParents(ctx context.Context, tx *db.Tx, goods []NewGoods) error {
	categories, brands := map[int64]bool{}, map[int64]bool{}
	for _, n := range goods {
		categories[n.Goods.CategoryID], brands[n.Goods.BrandID] = true, true
	}
	for _, id := range slices.Sorted(maps.Keys(categories)) {
		if err := holdParents(ctx, tx, id, 0); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(brands)) {
		if err := holdParents(ctx, tx, 0, id); err != nil {
			return err
		}
	}
	return nil
}

// recordImported records all goods of a file at once, by what they are found by.
func recordImported(ctx context.Context, tx *db.Tx, ids []int64, goods []NewGoods) error {
	type brief struct {
		ID       int64
		SN, Name string
	}
	list := make([]brief, len(ids))
	for i, id := range ids {
		list[i] = brief{id, goods[i].Goods.SN, goods[i].Goods.Name}
	}
	return audit.Record(ctx, tx, audit.Change{
		After: map[string]any{"goods": list}, Result: goods[0].Goods.Name, Comment: strconv.Itoa(len(ids)),
	})
}

// Names are the categories and brands of a shop by what they are called, since their ids differ from shop to shop.
type Names struct {
	categories map[int64]Category
	brands     map[int64]string
}

// mostNames is how many brands are known by name.
const mostNames = 100_000

// Names reads what categories and brands are called.
func (s *Service) Names(ctx context.Context) (Names, error) {
	n := Names{map[int64]Category{}, map[int64]string{}}
	for _, level := range []string{FirstLevel, SecondLevel} {
		list, err := categoriesOfLevel(ctx, s.db, level)
		if err != nil {
			return n, err
		}
		for _, c := range list {
			n.categories[c.ID] = c
		}
	}
	brands, err := s.FirstBrands(ctx, mostNames)
	for _, b := range brands {
		n.brands[b.ID] = b.Name
	}
	return n, err
}

// path returns what the category and the one below it are called; the latter is empty for goods of the first level.
func (n Names) path(id int64) (first, second string) {
	c := n.categories[id]
	if c.Level == SecondLevel {
		return n.categories[c.Pid].Name, c.Name
	}
	return c.Name, ""
}

// category finds a category by its path, 0 for the empty one. It reports false where none or several are called so.
func (n Names) category(first, second string) (int64, bool) {
	if first == "" && second == "" {
		return 0, true
	}
	var found []int64
	for id := range n.categories {
		if a, b := n.path(id); a == first && b == second {
			found = append(found, id)
		}
	}
	if len(found) != 1 {
		return 0, false
	}
	return found[0], true
}

// brand finds a brand by its name in the same way.
func (n Names) brand(name string) (int64, bool) {
	if name == "" {
		return 0, true
	}
	var found []int64
	for id, b := range n.brands {
		if b == name {
			found = append(found, id)
		}
	}
	if len(found) != 1 {
		return 0, false
	}
	return found[0], true
}
