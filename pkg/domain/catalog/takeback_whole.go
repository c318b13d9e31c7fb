package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/seen"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/audit"
)

// nothing stands in records for a row that is not there.
const nothing = "-"

func kindOf(c audit.Stored) takenKind {
	switch {
	case c.Before == nothing && c.After != nothing:
		return takenAdded
	case c.Before != nothing && c.After == nothing:
		return takenDeleted
	}
	return takenChanged
}

// importedIn returns the ids of the goods that the record of an import names, none for any other record.
func importedIn(c audit.Stored) (ids []int64) {
	var after struct{ Goods []struct{ ID int64 } }
	if c.Row != 0 || c.Before != nothing || json.Unmarshal([]byte(c.After), &after) != nil {
		return nil
	}
	for _, g := range after.Goods {
		ids = append(ids, g.ID)
	}
	return ids
}

// eachGoods makes a record of each goods of that of an import.
func eachGoods(changes []audit.Stored) (each []audit.Stored) {
	for _, c := range changes {
		ids := importedIn(c)
		if len(ids) == 0 {
			each = append(each, c)
		}
		for _, id := range ids {
			each = append(each, audit.Stored{Row: id, Before: nothing, After: "{}"})
		}
	}
	return each
}

// stillThere reads goods by id, deleted or not, without their rich text.
func stillThere(ctx context.Context, q db.Querier, ids []int64, lock string) (map[int64]Remembered, error) {
	list, err := table.Select[Remembered](ctx, q, "SELECT "+goods.Columns("r")+`, r.deleted, '' AS detail
		FROM goods r
		WHERE r.id IN ?
		ORDER BY r.id`+lock, ids)
	if err != nil {
		return nil, fmt.Errorf("read goods to take back: %w", err)
	}
	byID := make(map[int64]Remembered, len(list))
	for _, g := range list {
		byID[g.ID] = g
	}
	return byID, nil
}

// uses is what keeps goods from being deleted, and names that other goods have taken.
type uses struct {
	known map[int64]bool
	names map[string]int64
}

// inUse finds out what taking back needs to know of goods that were added or deleted.
func (s *Service) inUse(
	ctx context.Context, q db.Querier, records map[int64]audit.Stored, byID map[int64]Remembered,
) (u uses, err error) {
	var added []int64
	var names []string
	for id, record := range records {
		switch kindOf(record) {
		case takenAdded:
			added = append(added, id)
		case takenDeleted:
			names = append(names, nameKey(byID[id].Name))
		case takenChanged:
		}
	}
	u.known = map[int64]bool{}
	if len(added) > 0 {
		slices.Sort(added)
		for _, knows := range s.knows {
			known, err := knows(ctx, q, added)
			if err != nil {
				return u, err
			}
			for _, id := range known {
				u.known[id] = true
			}
		}
	}
	slices.Sort(names)
	u.names, err = owners(ctx, q, names)
	return u, err
}

// remove is what becomes of added goods.
func (u uses) remove(g Goods, record audit.Stored) takenRow {
	row := takenRow{Outcome{Before: g, After: g}, takenAdded, members{}}
	var is struct{ UpdateTime time.Time }
	err := json.Unmarshal([]byte(record.After), &is)
	if is.UpdateTime.IsZero() { // an import names them only
		is.UpdateTime = g.AddTime
	}
	switch {
	case err != nil:
		row.Refusal = errno.Invalid.Because(text.TakeBackOther)
	case !is.UpdateTime.Equal(g.UpdateTime):
		row.Refusal = errno.Invalid.Because(text.TakeBackEdited)
	case u.known[g.ID]:
		row.Refusal = errno.Invalid.Because(text.TakeBackUsed)
	}
	return row
}

// restore is what becomes of deleted goods. Deleting them has raised the version by one.
func (u uses) restore(g Remembered, record audit.Stored, gone map[parent]bool) takenRow {
	row := takenRow{Outcome{Before: g.Goods, After: g.Goods}, takenDeleted, members{}}
	var was struct{ Version int }
	err := json.Unmarshal([]byte(record.Before), &was)
	switch {
	case g.AddTime.IsZero():
		row.Refusal = errno.Invalid.Because(text.TakeBackGone)
	case err != nil:
		row.Refusal = errno.Invalid.Because(text.TakeBackOther)
	case !g.Deleted || g.Version != was.Version+1:
		row.Refusal = errno.Invalid.Because(text.TakeBackEdited)
	case gone[parent{category: g.CategoryID}]:
		row.Refusal = errno.NoSuch(text.FieldCategory)
	case gone[parent{brand: g.BrandID}]:
		row.Refusal = errno.NoSuch(text.FieldBrand)
	case gone[parent{freight: g.FreightID}]:
		row.Refusal = errno.NoSuch(text.FieldFreight)
	case u.names[nameKey(g.Name)] != 0:
		row.Refusal = errno.GoodsNameExists
	}
	return row
}

// later returns a time after the last change of each goods, and their ids.
func later(rows []Outcome, now time.Time) (time.Time, []int64) {
	ids := make([]int64, len(rows))
	for i, o := range rows {
		ids[i] = o.Before.ID
		now = seen.After(o.Before.UpdateTime, now)
	}
	return now, ids
}

// removeAll deletes added goods that nothing refers to, with an audit record of each.
func (s *Service) removeAll(ctx context.Context, tx *db.Tx, rows []Outcome) error {
	at, ids := later(rows, s.clock())
	if err := words.drop(ctx, tx, ids...); err != nil {
		return err
	}
	if err := s.recordWhole(ctx, tx, rows, func(g Goods) audit.Change {
		return audit.Change{ID: g.ID, Before: g}
	}); err != nil {
		return err
	}
	return deleteGoods(ctx, tx, at, ids...)
}

// restoreAll brings back deleted goods with the children that were deleted with them, with an audit record of each. It
// fails with errno.GoodsNameExists.
func (s *Service) restoreAll(ctx context.Context, tx *db.Tx, rows []Outcome) error {
	at, ids := later(rows, s.clock())
	keys, texts := make([]string, len(rows)), make([][]string, len(rows))
	for i, o := range rows {
		keys[i], texts[i] = nameKey(o.Before.Name), []string{o.Before.Name, o.Before.Keywords}
	}
	for _, children := range []string{attributes.Name(), specifications.Name()} {
		_, err := db.Exec(ctx, tx, "UPDATE "+children+` c JOIN goods g ON g.id = c.goods_id AND g.update_time = c.update_time
			SET c.deleted = 0, c.update_time = ?
			WHERE c.goods_id IN ? AND c.deleted = 1`, at, ids)
		if err != nil {
			return fmt.Errorf("restore %s: %w", children, err)
		}
	}
	res, err := db.Exec(ctx, tx, `UPDATE goods
		SET deleted = 0, version = version + 1, name_key = ?, update_time = ?
		WHERE id IN ? AND deleted = 1`, table.Case(ids, keys), at, ids)
	if db.Duplicate(err, "uk_goods_name") {
		return fmt.Errorf("restore goods: %w: %w", errno.GoodsNameExists, err)
	}
	if err := allOf(res.Affected, len(ids), err); err != nil {
		return fmt.Errorf("restore goods: %w", err)
	}
	if err := words.add(ctx, tx, ids, texts); err != nil {
		return err
	}
	if err := s.recordWhole(ctx, tx, rows, func(g Goods) audit.Change {
		g.UpdateTime = at
		return audit.Change{ID: g.ID, After: g}
	}); err != nil {
		return err
	}
	_, err = db.Exec(ctx, tx, `UPDATE goods_product SET deleted = 0, del_mark = 0, version = version + 1, update_time = ?
		WHERE goods_id IN ? AND deleted = 1
		ORDER BY id`, at, ids)
	if err != nil {
		return fmt.Errorf("restore products: %w", err)
	}
	return nil
}

// recordWhole writes an audit record of each goods and adds them to the feed of changes.
func (s *Service) recordWhole(ctx context.Context, tx *db.Tx, rows []Outcome, change func(Goods) audit.Change) error {
	records, ids := make([]audit.Change, len(rows)), make([]int64, len(rows))
	for i, o := range rows {
		records[i], ids[i] = change(o.Before), o.Before.ID
	}
	if err := audit.RecordAll(ctx, tx, records); err != nil {
		return err
	}
	if err := audit.Note(ctx, tx, rows[0].Before.Name, strconv.Itoa(len(rows))); err != nil {
		return err
	}
	return s.touch(ctx, tx, ids...)
}
