package catalog

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/richtext"
	"shop.internal/pkg/base/seen"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/internal/store/upload"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// GoodsEdit is an operator's change of goods and their children. Children that it does not name stay unchanged.
type GoodsEdit struct {
	ID int64
	// Fresh reports whether the operator has seen the current version of the goods, by the time of their last change; nil
	// skips the check.
	Fresh func(updated time.Time) bool
	// Change sets the fields of the goods that the operator names, and no others; nil changes none. It must not set the
	// id, the prices that follow from the products, the share image, the times or the version.
	Change func(*Goods)

	Specifications []SpecificationEdit
	Products       []ProductEdit
	Attributes     []AttributeEdit
}

// EditDetail is everything about one goods, as operators edit it.
type EditDetail struct {
	Detail
	// Categories are the ids of the parent and the category, only that of the category if it has no parent, and none if
	// the goods have no existing category.
	Categories []int64
}

// EditDetail returns everything about one goods except the brand, on sale or not. It fails with errno.Invalid.
func (s *Service) EditDetail(ctx context.Context, id int64) (EditDetail, error) {
	d, err := detailOf(ctx, s.db.Reads(), id)
	if errors.Is(err, errno.GoodsUnknown) {
		return EditDetail{}, fmt.Errorf("goods %d: %w", id, errno.NoSuch(text.FieldGoods))
	}
	if err != nil {
		return EditDetail{}, err
	}
	path, err := s.path(ctx, d.Goods.CategoryID)
	return EditDetail{d, path}, err
}

// SpecificationEdit names a specification by its id and repeats its immutable fields. It changes the picture if Edited
// is set. If Deleted is set, the edit is refused.
type SpecificationEdit struct {
	ID              int64
	Edited, Deleted bool
	Group, Value    string
	PicURL          *string
}

// AttributeEdit removes an attribute if Deleted is set, and adds or changes it if Edited is set. The id 0 means a new
// one.
type AttributeEdit struct {
	ID              int64
	Edited, Deleted bool
	Name, Value     string
}

// named are the fields that the edit names; others are zero.
func (e GoodsEdit) named() (g Goods) {
	if e.Change != nil {
		e.Change(&g)
	}
	return g
}

// apply returns the goods after the edit.
func (e GoodsEdit) apply(g Goods) Goods {
	if e.Change != nil {
		e.Change(&g)
	}
	if detail := e.named().Detail; detail != "" {
		g.Detail = richtext.Clean(detail)
	}
	return g
}

// Edit changes goods and their children, once for a repeated request. Checks run in this order:
//
//   - errno.Invalid for an unknown category or brand, a negative price or stock, a specification or values of a product
//     that are repeated
//   - errno.UpdateFailed for unknown goods
//   - errno.GoodsNameExists for a new name that other goods have
//   - errno.Stale for goods that were modified concurrently
//   - errno.GoodsUpdateNotAllowed for children of other goods, and for changes of immutable fields
//   - errno.Invalid for a price that is not above the discount of the group-buy rule on the goods
//   - errno.Stale for a difference that would make the stock negative
//
// Orders never change, and carts are read live.
func (s *Service) Edit(ctx context.Context, by actor.Actor, e GoodsEdit) error {
	if err := e.validate(); err != nil {
		return err
	}
	return idempotency.Do(ctx, s.once, func(tx *db.Tx) error {
		x := &editing{s: s, tx: tx, by: by, GoodsEdit: e}
		return x.run(ctx)
	})
}

// validate checks what can be checked without the database.
func (e GoodsEdit) validate() error {
	if err := priced(text.FieldCounterPrice, e.named().CounterPrice); err != nil {
		return err
	}
	values := map[[2]string]bool{}
	for _, v := range e.Specifications {
		if key := [2]string{v.Group, v.Value}; values[key] {
			return errno.Invalid.Because(text.SpecificationTwice, v.Group, v.Value)
		} else {
			values[key] = true
		}
	}
	seen := map[string]bool{}
	for _, p := range e.Products {
		column, err := textsColumn(p.Specifications)
		switch {
		case err != nil:
			return err
		case p.Number < 0:
			return errno.Invalid.Because(text.ValidationMin, text.FieldNumber, 0)
		case p.Edited && p.Number > MaxStock:
			return errno.Invalid.Because(text.ValidationMax, text.FieldNumber, MaxStock)
		case priced(text.FieldPrice, p.Price) != nil:
			return priced(text.FieldPrice, p.Price)
		case seen[column]:
			return errno.Invalid.Because(text.ProductTwice, strings.Join(p.Specifications, " / "))
		}
		seen[column] = true
	}
	return nil
}

// editing is one run of an edit in its transaction.
type editing struct {
	GoodsEdit

	s  *Service
	tx *db.Tx
	by actor.Actor
	at time.Time

	rule          int64
	before, after recorded
	products      []Product // all live ones, before the edit
}

// run locks in the global order: the group-buy rule on the goods, the goods, and the stock last.
func (x *editing) run(ctx context.Context) error {
	if err := x.open(ctx); err != nil {
		return err
	}
	if err := x.match(ctx); err != nil {
		return err
	}
	if err := x.writeChildren(ctx); err != nil {
		return err
	}
	if err := x.writeGoods(ctx); err != nil {
		return err
	}
	if err := x.writeProducts(ctx); err != nil {
		return err
	}
	return x.s.touch(ctx, x.tx, x.ID)
}

// open locks the group-buy rule and the goods, and checks whether the edit is allowed.
func (x *editing) open(ctx context.Context) error {
	var err error
	if x.rule, err = x.s.lockGroupRule(ctx, x.tx, x.ID); err != nil {
		return err
	}
	if err := x.s.holdParentsOf(ctx, x.tx, x.named()); err != nil {
		return err
	}
	g, found, err := lockGoods(ctx, x.tx, x.ID)
	if err == nil && !found {
		err = errno.UpdateFailed
	}
	if err != nil {
		return fmt.Errorf("edit goods %d: %w", x.ID, err)
	}
	x.before.Goods, x.after.Goods = g, x.apply(g)
	if x.after.CategoryID != g.CategoryID {
		if err := takesGoods(ctx, x.tx, x.after.CategoryID); err != nil {
			return err
		}
	}
	if x.after.Name != g.Name {
		owners, err := owners(ctx, x.tx, []string{nameKey(x.after.Name)})
		if err == nil && len(owners) > 0 {
			err = fmt.Errorf("rename goods %d: %w", x.ID, errno.GoodsNameExists)
		}
		if err != nil {
			return err
		}
	}
	if x.Fresh != nil && !x.Fresh(g.UpdateTime) {
		return fmt.Errorf("goods %d were changed meanwhile: %w", x.ID, errno.Stale)
	}
	x.at = seen.After(g.UpdateTime, x.s.clock())
	x.after.UpdateTime = x.at
	return nil
}

// writeGoods stores the goods, their search terms, and the copies of name and picture in their group-buy rule.
func (x *editing) writeGoods(ctx context.Context) error {
	if len(x.products) > 0 {
		x.after.RetailPrice = cheapest(x.repriced())
		if err := x.checkDiscount(ctx); err != nil {
			return err
		}
	}
	if err := saveGoods(ctx, x.tx, x.before.Goods, x.after.Goods); err != nil {
		return err
	}
	if x.after.Name != x.before.Name || x.after.Keywords != x.before.Keywords {
		if err := words.write(ctx, x.tx, x.ID, x.after.Name, x.after.Keywords); err != nil {
			return err
		}
	}
	if x.after.Name == x.before.Name && x.after.PicURL == x.before.PicURL {
		return nil
	}
	if err := x.s.draw(ctx, x.tx, x.ID); err != nil || x.rule == 0 {
		return err
	}
	return x.s.groupRules.Relabel(ctx, x.tx, x.rule, x.after.Name, x.after.PicURL)
}

// checkDiscount refuses a price cut to or below the discount of the group-buy rule on the goods. The goods are locked,
// and creating or changing a rule locks them too before comparing, so the rule read now is the current one, whether or
// not there was one when the edit began.
func (x *editing) checkDiscount(ctx context.Context) error {
	if x.s.groupRules.Discounts == nil || x.after.RetailPrice >= cheapest(x.products) {
		return nil
	}
	discounts, err := x.s.groupRules.Discounts(ctx, x.tx, x.ID)
	if err != nil {
		return err
	}
	if off := discounts[x.ID]; off > 0 && x.after.RetailPrice <= off {
		return fmt.Errorf("the group-buy rule on goods %d takes %s off: %w", x.ID, off,
			errno.Invalid.Because(text.OfferAbovePrice, off.String()))
	}
	return nil
}

// record writes the audit record and returns its id.
func (x *editing) record(ctx context.Context) (int64, error) {
	if err := upload.Use(ctx, x.tx, x.after); err != nil {
		return 0, err
	}
	id, err := audit.RecordID(ctx, x.tx, audit.Change{ID: x.ID, Before: x.before, After: x.after})
	if err != nil {
		return 0, err
	}
	return id, audit.Note(ctx, x.tx, x.after.Name, "")
}

// notAllowed is the error for an edit of immutable fields.
func notAllowed(what string, id int64) error {
	return fmt.Errorf("%s %d: %w", what, id, errno.GoodsUpdateNotAllowed.Because(text.GoodsRestructured))
}

// match finds the named children among those of the goods, and collects those that change, before and after.
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
	stored, err := specifications.Find(ctx, x.tx, ofGoods, []int64{x.ID})
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

func (x *editing) matchAttributes(ctx context.Context) error {
	stored, err := attributes.Find(ctx, x.tx, ofGoods, []int64{x.ID})
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
			delete(own, e.ID) // a repeated id is unknown the second time
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

// writeChildren stores the pictures of specifications, and the attributes.
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
