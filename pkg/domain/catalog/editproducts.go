package catalog

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
)

func (x *editing) matchProducts(ctx context.Context) error {
	var err error
	if x.products, err = productsOf(ctx, x.tx, x.ID); err != nil {
		return err
	}
	own := make(map[int64]Product, len(x.products))
	for _, p := range x.products {
		own[p.ID] = p
	}
	for _, e := range x.Products {
		p, ok := own[e.ID]
		if !ok || e.Deleted || !slices.Equal(p.Specifications, e.Specifications) {
			return notAllowed("product", e.ID)
		}
		if !e.Edited {
			continue
		}
		x.before.Products = append(x.before.Products, p)
		p.Price, p.UpdateTime = e.Price, x.at
		if e.URL != nil {
			p.URL = *e.URL
		}
		x.after.Products = append(x.after.Products, p)
	}
	byID := func(a, b Product) int { return cmp.Compare(a.ID, b.ID) }
	slices.SortFunc(x.before.Products, byID)
	slices.SortFunc(x.after.Products, byID)
	return nil
}

// repriced returns all products with their prices after the edit.
func (x *editing) repriced() []Product {
	all := slices.Clone(x.products)
	for i := range all {
		for _, p := range x.after.Products {
			if p.ID == all[i].ID {
				all[i].Price = p.Price
			}
		}
	}
	return all
}

// writeProducts moves the stock and stores prices and pictures. The stock is locked here, at the end, since buyers wait
// for it; it may have changed since the products were read.
func (x *editing) writeProducts(ctx context.Context) error {
	ids := make([]int64, len(x.after.Products))
	for i, p := range x.after.Products {
		ids[i] = p.ID
	}
	numbers, err := lockNumbers(ctx, x.tx, ids)
	if err != nil {
		return err
	}
	wanted := make(map[int64]ProductEdit, len(x.Products))
	for _, e := range x.Products {
		wanted[e.ID] = e
	}
	deltas := make(map[int64]int, len(ids))
	for i := range x.after.Products {
		p := &x.after.Products[i]
		n, e := numbers[p.ID], wanted[p.ID]
		seen := n.Shown
		if e.Base != nil {
			seen = *e.Base
		}
		delta := e.Number - seen
		if n.Free+delta < 0 {
			return fmt.Errorf("product %d has %d left, %+d is not possible: %w", p.ID, n.Free, delta, errno.Stale)
		}
		if delta > 0 && n.Shown+delta > MaxStock {
			return errno.Invalid.Because(text.ValidationMax, text.FieldNumber, MaxStock)
		}
		x.before.Products[i].Number, p.Number = n.Shown, n.Shown+delta
		deltas[p.ID] = delta
	}
	record, err := x.record(ctx)
	if err != nil {
		return err
	}
	if err := insertLedger(ctx, x.tx, x.entries(record, deltas), x.by, x.at); err != nil {
		return err
	}
	return updateProducts(ctx, x.tx, x.after.Products, deltas, x.at)
}

// entries are the rows of the ledger, identified by the audit record of the change, or outside an operator's call by
// the version of the goods.
func (x *editing) entries(record int64, deltas map[int64]int) []entry {
	var entries []entry
	for _, p := range x.after.Products {
		if deltas[p.ID] == 0 {
			continue
		}
		ref := fmt.Sprintf("edit:%d:%d", record, p.ID)
		if record == 0 {
			ref = fmt.Sprintf("edit:v%d:%d", x.before.Version, p.ID)
		}
		entries = append(entries, moved(StockLine{ProductID: p.ID}, Edited, deltas[p.ID], ref))
	}
	return entries
}
