package catalog

import (
	"bytes"
	"context"
	"encoding/json"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/seen"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
)

// productsIn reads the products of a record, numbers as they are written.
func productsIn(raw json.RawMessage) (list []map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return list, d.Decode(&list)
}

// parent is a category, a brand or a freight template.
type parent struct{ category, brand, freight int64 }

// parentsOf returns the categories, brands and freight templates to which goods return.
func parentsOf(changes []audit.Stored) []parent {
	known := map[parent]bool{}
	var all []parent
	add := func(p parent) {
		if !known[p] {
			known[p] = true
			all = append(all, p)
		}
	}
	for _, c := range changes {
		var was struct{ CategoryID, BrandID, FreightID int64 }
		if json.Unmarshal([]byte(c.Before), &was) != nil {
			continue // none
		}
		if was.CategoryID != 0 {
			add(parent{category: was.CategoryID})
		}
		if was.BrandID != 0 {
			add(parent{brand: was.BrandID})
		}
		if was.FreightID != 0 {
			add(parent{freight: was.FreightID})
		}
	}
	return all
}

// missingParents returns those that were deleted since.
func (s *Service) missingParents(ctx context.Context, q db.Querier, changes []audit.Stored) (map[parent]bool, error) {
	gone := map[parent]bool{}
	for _, p := range parentsOf(changes) {
		var live bool
		var err error
		switch {
		case p.category != 0:
			live, err = categories.Exists(ctx, q, "id = ? AND deleted = 0", p.category)
		case p.brand != 0:
			live, err = brands.Exists(ctx, q, "id = ? AND deleted = 0", p.brand)
		case s.freight.Exists != nil:
			live, err = s.freight.Exists(ctx, q, p.freight)
		}
		if err != nil {
			return nil, err
		}
		gone[p] = !live
	}
	return gone, nil
}

// writeTaken stores what becomes of locked goods, with an audit record of each, and returns of how many. The goods of
// one call were all added, all deleted or all changed.
func (s *Service) writeTaken(ctx context.Context, tx *db.Tx, all []takenRow) (int, error) {
	rows := map[takenKind][]Outcome{}
	n := 0
	for _, r := range all {
		if r.Refusal == nil {
			rows[r.kind] = append(rows[r.kind], r.Outcome)
			n++
		}
	}
	if n == 0 {
		return 0, audit.Record(ctx, tx, audit.Change{})
	}
	for _, kind := range []struct {
		takenKind
		write func(context.Context, *db.Tx, []Outcome) error
	}{{takenAdded, s.removeAll}, {takenDeleted, s.restoreAll}, {takenChanged, s.changeBack}} {
		if len(rows[kind.takenKind]) == 0 {
			continue
		}
		if err := kind.write(ctx, tx, rows[kind.takenKind]); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// changeBack stores what goods had before a change; the rows with stock come last.
func (s *Service) changeBack(ctx context.Context, tx *db.Tx, rows []Outcome) error {
	now := s.clock()
	var ids, productIDs []int64
	var prices []money.Amount
	for i := range rows {
		o := &rows[i]
		o.After.UpdateTime = seen.After(o.Before.UpdateTime, now)
		ids = append(ids, o.After.ID)
		for _, p := range o.Products {
			productIDs, prices = append(productIDs, p.ID), append(prices, p.After)
		}
	}
	n, err := goodsRows.Update(ctx, tx, table.Set{
		"update_time":   table.Case(ids, valuesOf(rows, func(g Goods) any { return g.UpdateTime })),
		"retail_price":  table.Case(ids, valuesOf(rows, func(g Goods) any { return g.RetailPrice })),
		"counter_price": table.Case(ids, valuesOf(rows, func(g Goods) any { return g.CounterPrice })),
		"is_on_sale":    table.Case(ids, valuesOf(rows, func(g Goods) any { return g.OnSale })),
		"is_new":        table.Case(ids, valuesOf(rows, func(g Goods) any { return g.New })),
		"is_hot":        table.Case(ids, valuesOf(rows, func(g Goods) any { return g.Hot })),
		"category_id":   table.Case(ids, valuesOf(rows, func(g Goods) any { return g.CategoryID })),
		"brand_id":      table.Case(ids, valuesOf(rows, func(g Goods) any { return g.BrandID })),
		"sort_order":    table.Case(ids, valuesOf(rows, func(g Goods) any { return g.SortOrder })),
	}, "id IN ? AND deleted = 0", ids)
	if err := allOf(n, len(ids), err); err != nil {
		return err
	}
	if err := recordBatch(ctx, tx, rows, now); err != nil {
		return err
	}
	if err := s.touch(ctx, tx, ids...); err != nil {
		return err
	}
	return reprice(ctx, tx, productIDs, prices, now)
}

func valuesOf(rows []Outcome, of func(Goods) any) []any {
	values := make([]any, len(rows))
	for i, o := range rows {
		values[i] = of(o.After)
	}
	return values
}

// takenState tells the states of goods apart, as stateOf does.
func takenState(all []takenRow) string {
	rows := make([]Outcome, len(all))
	for i, r := range all {
		rows[i] = r.Outcome
	}
	return stateOf(rows)
}

// tellTaken is what taking back does, for people.
func tellTaken(all []takenRow) []audit.Taken {
	records := make([]audit.Taken, len(all))
	for i, r := range all {
		records[i] = audit.Taken{
			ID: r.Before.ID, Name: r.Before.Name, Before: "-", After: "-", Refusal: r.Refusal,
			Effect: map[takenKind]audit.Effect{takenAdded: audit.Deleted, takenDeleted: audit.Restored}[r.kind],
		}
		if r.Refusal == nil && r.kind == takenChanged {
			records[i].Before, records[i].After = audit.Encode(recorded{Goods: r.Before}, recorded{Goods: r.After})
		}
	}
	return records
}
