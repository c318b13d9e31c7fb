package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Takes reports whether records such as this one can be taken back, as far as their goods allow it.
func (*Service) Takes(c audit.Stored) bool { return c.Row != 0 || len(importedIn(c)) > 0 }

// CheckTakeBack returns what taking back changes of goods would do to each of them, by id, and what Seen must be to do
// just that. The changes are those of audit records; a row that was changed since keeps the change, and so does one
// whose change is of more than prices, flags, category, brand and position. Added goods are deleted, unless an order, a
// cart or a group-buy rule has them, and deleted goods return with all their children; their group-buy rule does not.
func (s *Service) CheckTakeBack(ctx context.Context, changes []audit.Stored) ([]audit.Taken, string, error) {
	all, err := s.taken(ctx, s.db, changes, "")
	return tellTaken(all), takenState(all), err
}

// TakeBack takes back changes of goods, once for a repeated request, and returns of how many goods. It fails with
// errno.Stale if goods were changed since CheckTakeBack has returned seen; "" skips the comparison.
func (s *Service) TakeBack(ctx context.Context, changes []audit.Stored, seen string) (int, error) {
	return idempotency.InTx(ctx, s.once, func(tx *db.Tx) (int, error) {
		for _, parent := range parentsOf(changes) {
			// One that is gone refuses its goods below.
			of := Goods{CategoryID: parent.category, BrandID: parent.brand, FreightID: parent.freight}
			if err := s.holdParentsOf(ctx, tx, of); err != nil && errno.Of(err) != errno.Invalid {
				return 0, err
			}
		}
		all, err := s.taken(ctx, tx, changes, " FOR UPDATE")
		if err != nil {
			return 0, err
		}
		if seen != "" && takenState(all) != seen {
			return 0, fmt.Errorf("goods were changed before their change was taken back: %w", errno.Stale)
		}
		return s.writeTaken(ctx, tx, all)
	})
}

// noted are the members of records that no one sets.
var noted = map[string]bool{"updateTime": true, "version": true}

// taken finds out what becomes of each goods.
func (s *Service) taken(ctx context.Context, q db.Querier, changes []audit.Stored, lock string) ([]takenRow, error) {
	changes = eachGoods(changes)
	records := map[int64]audit.Stored{}
	for _, c := range changes { // a call may have changed a row twice; its last record has the row as it left it
		if first, twice := records[c.Row]; twice {
			c.Before = first.Before
		}
		records[c.Row] = c
	}
	ids := slices.Sorted(maps.Keys(records))
	byID, err := stillThere(ctx, q, ids, lock)
	if err != nil {
		return nil, err
	}
	own, err := s.repriced(ctx, q, Batch{Raise: new(money.Amount)}, ids)
	if err != nil {
		return nil, err
	}
	gone, err := s.missingParents(ctx, q, changes)
	if err != nil {
		return nil, err
	}
	used, err := s.inUse(ctx, q, records, byID)
	if err != nil {
		return nil, err
	}
	all := make([]takenRow, len(ids))
	for i, id := range ids {
		g, record := byID[id], records[id]
		g.ID = id
		kind := kindOf(record)
		switch {
		case kind == takenDeleted:
			all[i] = used.restore(g, record, gone)
		case g.Deleted || g.AddTime.IsZero():
			refusal := errno.Invalid.Because(text.TakeBackGone)
			all[i] = takenRow{Outcome{Before: g.Goods, After: g.Goods, Refusal: refusal}, kind, members{}}
		case kind == takenAdded:
			all[i] = used.remove(g.Goods, record)
		default:
			all[i] = own.takeBack(g.Goods, record, gone)
		}
	}
	return all, nil
}

// takeBack is what becomes of goods by one record.
func (p pricing) takeBack(g Goods, record audit.Stored, gone map[parent]bool) takenRow {
	row := takenRow{Outcome: Outcome{Before: g, After: g}}
	was, other, err := membersOf(record.Before)
	is, _, errAfter := membersOf(record.After)
	row.was = was
	switch {
	case err != nil || errAfter != nil || record.Before == "-" || record.After == "-":
		row.Refusal = errno.Invalid.Because(text.TakeBackOther)
	case other != "":
		row.Refusal = errno.Invalid.Because(text.TakeBackOther)
	case !is.UpdateTime.Equal(g.UpdateTime):
		row.Refusal = errno.Invalid.Because(text.TakeBackEdited)
	case was.CategoryID != nil && gone[parent{category: *was.CategoryID}]:
		row.Refusal = errno.NoSuch(text.FieldCategory)
	case was.BrandID != nil && gone[parent{brand: *was.BrandID}]:
		row.Refusal = errno.NoSuch(text.FieldBrand)
	default:
		row.Refusal = row.restore(p.products[g.ID], p.discounts[g.ID], is)
	}
	return row
}

// restore sets what the goods have after their change is taken back.
func (r *takenRow) restore(own []Product, off money.Amount, is members) error {
	a := &r.After
	for _, price := range []struct {
		set *money.Amount
		to  *json.Number
	}{{&a.RetailPrice, r.was.RetailPrice}, {&a.CounterPrice, r.was.CounterPrice}} {
		if price.to == nil {
			continue
		}
		amount, err := money.Parse(price.to.String())
		if err != nil {
			return errno.Invalid.Because(text.TakeBackOther)
		}
		*price.set = amount
	}
	put(&a.OnSale, r.was.OnSale)
	put(&a.New, r.was.New)
	put(&a.Hot, r.was.Hot)
	put(&a.CategoryID, r.was.CategoryID)
	put(&a.BrandID, r.was.BrandID)
	put(&a.SortOrder, r.was.SortOrder)
	prices, err := pricesOf(r.was.Products, is.Products)
	if err != nil {
		return err
	}
	for _, p := range own {
		if price, changed := prices[p.ID]; changed && price != p.Price {
			r.Products = append(r.Products, Repriced{p, price})
		}
	}
	if off > 0 && a.RetailPrice < r.Before.RetailPrice && a.RetailPrice <= off {
		return errno.Invalid.Because(text.OfferAbovePrice, off.String())
	}
	return nil
}

func put[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// pricesOf returns the prices before a change of products. It fails if more than prices was changed.
func pricesOf(was, is []map[string]any) (map[int64]money.Amount, error) {
	refused := errno.Invalid.Because(text.TakeBackOther)
	if len(was) != len(is) {
		return nil, refused
	}
	prices := map[int64]money.Amount{}
	for i, before := range was {
		for name, value := range before {
			if name != "price" && !noted[name] && fmt.Sprint(value) != fmt.Sprint(is[i][name]) {
				return nil, refused
			}
		}
		id, err := strconv.ParseInt(fmt.Sprint(before["id"]), 10, 64)
		if err != nil {
			return nil, refused
		}
		if prices[id], err = money.Parse(fmt.Sprint(before["price"])); err != nil {
			return nil, refused
		}
	}
	return prices, nil
}

// membersOf reads a record, and names a member that cannot be taken back.
func membersOf(record string) (m members, other string, err error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal([]byte(record), &raw); err != nil {
		return m, "", err
	}
	targets := map[string]any{
		"retailPrice": &m.RetailPrice, "counterPrice": &m.CounterPrice, "onSale": &m.OnSale, "new": &m.New, "hot": &m.Hot,
		"categoryId": &m.CategoryID, "brandId": &m.BrandID, "sortOrder": &m.SortOrder, "updateTime": &m.UpdateTime,
	}
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		switch target, known := targets[name]; {
		case name == "products":
			if m.Products, err = productsIn(raw[name]); err != nil {
				return m, name, err
			}
		case known:
			if err := json.Unmarshal(raw[name], target); err != nil {
				return m, name, err
			}
		case !noted[name]:
			return m, name, nil
		}
	}
	return m, "", nil
}
