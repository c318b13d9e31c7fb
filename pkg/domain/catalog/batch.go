package catalog

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"shop.internal/pkg/base/bound"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/seen"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Batch is one change of many goods. What is nil stays.
type Batch struct {
	IDs              []int64
	OnSale, New, Hot *bool
	// CategoryID is the new category, 0 for none.
	CategoryID *int64
	// Raise is added to the price of each product, in cents, and Percent is how much of it is added, in hundredths of a
	// per cent; negative numbers lower it. At most one of them is given.
	Raise   *money.Amount
	Percent *int64
	// Seen is what CheckBatch has returned for the goods; "" skips the comparison.
	Seen string
}

// maxRepriced is the maximum number of products whose prices one batch changes.
const maxRepriced = 10_000

// Outcome is what a batch does to goods.
type Outcome struct {
	Before, After Goods
	// Products are those whose price changes, by id.
	Products []Repriced
	// Refusal says why the goods cannot be changed so; nil where they can. It carries errno.Invalid.
	Refusal error
}

// Repriced is a product, as it was, with its new price.
type Repriced struct {
	Product

	After money.Amount
}

// Changes reports whether the batch changes anything of the goods.
func (o Outcome) Changes() bool {
	b, a := o.Before, o.After
	return len(o.Products) > 0 || b.OnSale != a.OnSale || b.New != a.New || b.Hot != a.Hot || b.CategoryID != a.CategoryID
}

// reprices reports whether the batch changes prices.
func (b Batch) reprices() bool { return b.Raise != nil || b.Percent != nil }

// price returns a price after the batch. Half a unit of the currency is rounded up.
func (b Batch) price(before, unit money.Amount) money.Amount {
	if b.Raise != nil {
		return before + *b.Raise
	}
	const whole = 100_00
	return ((before*money.Amount(whole+*b.Percent) + whole/2) / whole).Round(unit)
}

// apply returns the goods after the batch, without their retail price.
func (b Batch) apply(g Goods) Goods {
	for _, flag := range []struct {
		wanted *bool
		field  *bool
	}{{b.OnSale, &g.OnSale}, {b.New, &g.New}, {b.Hot, &g.Hot}} {
		if flag.wanted != nil {
			*flag.field = *flag.wanted
		}
	}
	if b.CategoryID != nil {
		g.CategoryID = *b.CategoryID
	}
	return g
}

// CheckBatch returns what a batch would do to each of its goods, by id, and what Seen must be to do just that. It
// changes nothing. It fails with errno.Invalid for an unknown category, for one that takes no goods, for a raise by
// both amount and per cent, and for too many products.
func (s *Service) CheckBatch(ctx context.Context, b Batch) ([]Outcome, string, error) {
	if b.CategoryID != nil && *b.CategoryID != 0 {
		if _, err := s.Category(ctx, *b.CategoryID); err != nil {
			return nil, "", err
		}
		if err := takesGoods(ctx, s.db, *b.CategoryID); err != nil {
			return nil, "", err
		}
	}
	all, err := s.outcomes(ctx, s.db, b, "")
	return all, stateOf(all), err
}

// ChangeMany changes all goods of a batch or none, once for a repeated request, and returns how many it changes. It
// fails with errno.Stale where Seen is given and goods have changed since, with the first refusal of the goods, and
// like CheckBatch. The number of statements depends on the number of products alone, by the thousand.
func (s *Service) ChangeMany(ctx context.Context, b Batch) (int, error) {
	return idempotency.InTx(ctx, s.once, func(tx *db.Tx) (int, error) {
		if b.CategoryID != nil {
			if err := holdParents(ctx, tx, *b.CategoryID, 0); err != nil {
				return 0, err
			}
			if err := takesGoods(ctx, tx, *b.CategoryID); err != nil {
				return 0, err
			}
		}
		all, err := s.outcomes(ctx, tx, b, " FOR UPDATE")
		if err != nil {
			return 0, err
		}
		for _, o := range all {
			if o.Refusal != nil {
				return 0, o.Refusal
			}
		}
		if b.Seen != "" && b.Seen != stateOf(all) {
			return 0, fmt.Errorf("goods of a batch were changed meanwhile: %w", errno.Stale)
		}
		changed := slices.DeleteFunc(all, func(o Outcome) bool { return !o.Changes() })
		return len(changed), s.writeBatch(ctx, tx, b, changed)
	})
}

// outcomes reads the goods of a batch and finds out what becomes of each. Prices of products change only while their
// goods are locked.
func (s *Service) outcomes(ctx context.Context, q db.Querier, b Batch, lock string) ([]Outcome, error) {
	if b.Raise != nil && b.Percent != nil {
		return nil, errno.Invalid.Because(text.RaiseTwice)
	}
	ids := slices.Clone(b.IDs)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	found, err := goods.Find(ctx, q, "r.id IN ? AND r.deleted = 0 ORDER BY r.id"+lock, ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]Goods, len(found))
	for _, g := range found {
		byID[g.ID] = g
	}
	prices, err := s.repriced(ctx, q, b, ids)
	if err != nil {
		return nil, err
	}
	all := make([]Outcome, len(ids))
	for i, id := range ids {
		g, live := byID[id]
		if !live {
			all[i] = Outcome{Before: Goods{ID: id}, After: Goods{ID: id}, Refusal: errno.NoSuch(text.FieldGoods)}
			continue
		}
		all[i] = prices.outcome(b, g)
	}
	return all, nil
}

// pricing is what a batch that changes prices needs to know: the products of each goods, and the discount of the
// running group-buy rule on them.
type pricing struct {
	products  map[int64][]Product
	discounts map[int64]money.Amount
	unit      money.Amount
}

func (s *Service) repriced(ctx context.Context, q db.Querier, b Batch, ids []int64) (p pricing, err error) {
	if !b.reprices() {
		return p, nil
	}
	n, err := products.Count(ctx, q, "r.goods_id IN ? AND r.deleted = 0", ids)
	if err == nil && n > maxRepriced {
		err = errno.Invalid.Because(text.ValidationMaxItems, text.FieldProducts, maxRepriced)
	}
	if err != nil {
		return p, err
	}
	list, err := productsOf(ctx, q, ids...)
	if err != nil {
		return p, err
	}
	if p.unit, err = s.unit(ctx); err != nil {
		return p, err
	}
	p.products = make(map[int64][]Product, len(ids))
	for _, v := range list {
		p.products[v.GoodsID] = append(p.products[v.GoodsID], v)
	}
	if s.groupRules.Discounts != nil {
		p.discounts, err = s.groupRules.Discounts(ctx, q, ids...)
	}
	return p, err
}

// outcome is what a batch does to goods.
func (p pricing) outcome(b Batch, g Goods) Outcome {
	o := Outcome{Before: g, After: b.apply(g)}
	own := p.products[g.ID]
	if len(own) == 0 {
		return o
	}
	priced := slices.Clone(own)
	for i := range priced {
		v := &priced[i]
		v.Price = b.price(v.Price, p.unit)
		if !bound.Price.Contains(int64(v.Price)) && o.Refusal == nil {
			o.Refusal = errno.Invalid.Because(text.ValidationRange, text.FieldPrice,
				money.Amount(bound.Price.Min), money.Amount(bound.Price.Max))
		}
		if v.Price != own[i].Price {
			o.Products = append(o.Products, Repriced{own[i], v.Price})
		}
	}
	o.After.RetailPrice = cheapest(priced)
	off := p.discounts[g.ID]
	if o.Refusal == nil && off > 0 && o.After.RetailPrice < cheapest(own) && o.After.RetailPrice <= off {
		o.Refusal = errno.Invalid.Because(text.OfferAbovePrice, off.String())
	}
	return o
}

// writeBatch stores what becomes of locked goods; the rows with stock come last.
func (s *Service) writeBatch(ctx context.Context, tx *db.Tx, b Batch, changed []Outcome) error {
	if len(changed) == 0 {
		return audit.Record(ctx, tx, audit.Change{})
	}
	now := s.clock()
	var ids, productIDs []int64
	var retail, prices []money.Amount
	var times []time.Time
	for i := range changed {
		o := &changed[i]
		o.After.UpdateTime = seen.After(o.Before.UpdateTime, now)
		ids, times = append(ids, o.After.ID), append(times, o.After.UpdateTime)
		retail = append(retail, o.After.RetailPrice)
		for _, p := range o.Products {
			productIDs, prices = append(productIDs, p.ID), append(prices, p.After)
		}
	}
	set := table.Set{"update_time": table.Case(ids, times)}
	if b.reprices() {
		set["retail_price"] = table.Case(ids, retail)
	}
	for column, value := range map[string]*bool{"is_on_sale": b.OnSale, "is_new": b.New, "is_hot": b.Hot} {
		if value != nil {
			set[column] = *value
		}
	}
	if b.CategoryID != nil {
		set["category_id"] = *b.CategoryID
	}
	n, err := goodsRows.Update(ctx, tx, set, "id IN ? AND deleted = 0", ids)
	if err := allOf(n, len(ids), err); err != nil {
		return err
	}
	if err := recordBatch(ctx, tx, changed, now); err != nil {
		return err
	}
	if err := s.touch(ctx, tx, ids...); err != nil {
		return err
	}
	return reprice(ctx, tx, productIDs, prices, now)
}

// allOf fails with errno.Stale if fewer rows were changed than there were when they were locked.
func allOf(changed int64, wanted int, err error) error {
	if err == nil && changed != int64(wanted) {
		err = fmt.Errorf("%d of %d rows changed: %w", changed, wanted, errno.Stale)
	}
	return err
}

// reprice stores the prices of products whose goods are locked.
func reprice(ctx context.Context, tx *db.Tx, ids []int64, prices []money.Amount, at time.Time) error {
	for len(ids) > 0 {
		k := min(rowsPerStatement, len(ids))
		set := table.Set{"price": table.Case(ids[:k], prices[:k]), "update_time": at}
		n, err := products.Update(ctx, tx, set, "id IN ? AND deleted = 0 ORDER BY id", ids[:k])
		if err := allOf(n, k, err); err != nil {
			return err
		}
		ids, prices = ids[k:], prices[k:]
	}
	return nil
}

// recordBatch writes an audit record of each goods, as Edit does.
func recordBatch(ctx context.Context, tx *db.Tx, changed []Outcome, now time.Time) error {
	records := make([]audit.Change, len(changed))
	for i, o := range changed {
		before, after := recorded{Goods: o.Before}, recorded{Goods: o.After}
		for _, p := range o.Products {
			before.Products = append(before.Products, p.Product)
			p.Price, p.UpdateTime = p.After, now
			after.Products = append(after.Products, p.Product)
		}
		records[i] = audit.Change{ID: o.After.ID, Before: before, After: after}
	}
	if err := audit.RecordAll(ctx, tx, records); err != nil {
		return err
	}
	return audit.Note(ctx, tx, changed[0].After.Name, strconv.Itoa(len(changed)))
}

// stateOf tells the states of goods apart: every change of goods raises their version.
func stateOf(all []Outcome) string {
	var text strings.Builder
	for _, o := range all {
		fmt.Fprintf(&text, "%d:%d ", o.Before.ID, o.Before.Version)
	}
	return digest([]byte(text.String()))
}
