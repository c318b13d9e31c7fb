package catalog

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/text"
)

// notAllowed is the failure of an edit that would restructure goods.
func notAllowed(what string, id int64) error {
	return fmt.Errorf("%s %d: %w", what, id, errno.GoodsUpdateNotAllowed.Because(text.GoodsRestructured))
}

// match finds the children that are named among the goods' own, and keeps those that change as they were and as they
// will be.
func (x *editing) match(ctx context.Context) error {
	if err := x.matchSpecifications(ctx); err != nil {
		return err
	}
	if err := x.matchProducts(ctx); err != nil {
		return err
	}
	return x.matchAttributes(ctx)
}

func (x *editing) matchSpecifications(ctx context.Context) error {
	stored, err := specificationsOf(ctx, x.tx, x.ID)
	if err != nil {
		return err
	}
	own := make(map[int64]Specification, len(stored))
	for _, v := range stored {
		own[v.ID] = v
	}
	for _, e := range x.Specifications {
		v, ok := own[e.ID]
		if !ok || e.Deleted || v.Group != e.Group || v.Value != e.Value {
			return notAllowed("specification", e.ID)
		}
		if !e.Edited || e.PicURL == nil {
			continue
		}
		x.before.Specifications = append(x.before.Specifications, v)
		v.PicURL, v.UpdateTime = *e.PicURL, x.at
		x.after.Specifications = append(x.after.Specifications, v)
	}
	return nil
}

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

// repriced returns all products at the prices that the edit leaves.
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

func (x *editing) matchAttributes(ctx context.Context) error {
	stored, err := attributesOf(ctx, x.tx, x.ID)
	if err != nil {
		return err
	}
	own := make(map[int64]Attribute, len(stored))
	for _, a := range stored {
		own[a.ID] = a
	}
	for _, e := range x.Attributes {
		a, ok := own[e.ID]
		if e.ID != 0 && !ok {
			return notAllowed("attribute", e.ID)
		}
		if !e.Edited && !e.Deleted || e.ID == 0 && e.Deleted {
			continue
		}
		if ok {
			x.before.Attributes = append(x.before.Attributes, a)
			delete(own, e.ID) // named twice it is a stranger
		}
		if e.Deleted {
			continue
		}
		a.GoodsID, a.Name, a.Value, a.UpdateTime = x.ID, e.Name, e.Value, x.at
		if !ok {
			a.AddTime = x.at
		}
		x.after.Attributes = append(x.after.Attributes, a)
	}
	return nil
}

// writeChildren stores pictures of specifications, and attributes.
func (x *editing) writeChildren(ctx context.Context) error {
	if err := x.writePictures(ctx); err != nil {
		return err
	}
	var added []Attribute
	var changed []int64
	var names, values []string
	gone := map[int64]bool{}
	for _, a := range x.before.Attributes {
		gone[a.ID] = true
	}
	for _, a := range x.after.Attributes {
		if a.ID == 0 {
			added = append(added, a)
			continue
		}
		delete(gone, a.ID)
		changed, names, values = append(changed, a.ID), append(names, a.Name), append(values, a.Value)
	}
	if len(changed) > 0 {
		set := table.Set{"attribute": table.Case(changed, names), "value": table.Case(changed, values), "update_time": x.at}
		if _, err := attributes.Update(ctx, x.tx, set, "id IN ?", changed); err != nil {
			return err
		}
	}
	if len(gone) > 0 {
		ids := slices.Sorted(maps.Keys(gone))
		if _, err := attributes.Remove(ctx, x.tx, table.Set{"update_time": x.at}, "id IN ?", ids); err != nil {
			return err
		}
	}
	return attributes.InsertAll(ctx, x.tx, added)
}

func (x *editing) writePictures(ctx context.Context) error {
	var ids []int64
	var pictures []string
	for _, v := range x.after.Specifications {
		ids, pictures = append(ids, v.ID), append(pictures, v.PicURL)
	}
	if len(ids) == 0 {
		return nil
	}
	set := table.Set{"pic_url": table.Case(ids, pictures), "update_time": x.at}
	_, err := specifications.Update(ctx, x.tx, set, "id IN ?", ids)
	return err
}

// writeProducts moves the stock and stores prices and pictures. The numbers are locked here, at the end, since buyers
// wait for them; they may have moved since the products were read.
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
			return errno.Invalid.Because(text.MemberAtMost, text.FieldNumber, MaxStock)
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

// updateProducts stores price and picture of products that are locked, and moves their stock.
func updateProducts(ctx context.Context, tx *db.Tx, list []Product, deltas map[int64]int, at time.Time) error {
	if len(list) == 0 {
		return nil
	}
	var ids []int64
	var prices []money.Amount
	var pictures []sql.NullString
	var moved []int
	for _, p := range list {
		ids, prices, moved = append(ids, p.ID), append(prices, p.Price), append(moved, deltas[p.ID])
		pictures = append(pictures, sql.NullString{String: p.URL, Valid: p.URL != ""})
	}
	_, err := products.Update(ctx, tx, table.Set{
		"price": table.Case(ids, prices), "url": table.Case(ids, pictures),
		"number": gorm.Expr("number + ?", table.Case(ids, moved)), "update_time": at,
	}, "id IN ? ORDER BY id", ids)
	return err
}

// entries are the rows of the ledger, each named by the record of the change. Outside an operator's call, which leaves
// none, it is the version of the goods.
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
