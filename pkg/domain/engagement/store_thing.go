package engagement

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/page"
)

func hasCollected(ctx context.Context, q db.Querier, shopper int64, kind Kind, id int64) (bool, error) {
	var n int64
	err := q.G(ctx).Raw("SELECT COUNT(*) FROM collect WHERE user_id = ? AND type = ? AND value_id = ? AND deleted = 0",
		shopper, int(kind), id).Scan(&n).Error
	if err != nil {
		return false, fmt.Errorf("read a favourite of shopper %d: %w", shopper, err)
	}
	return n > 0, nil
}

// toggle turns the flag of the one row of a shopper and a thing, or makes that row, in one statement: whoever comes
// second waits for the first.
func toggle(ctx context.Context, tx *db.Tx, shopper int64, kind Kind, id int64, at time.Time) error {
	err := tx.G(ctx).Exec("INSERT INTO collect (user_id, type, value_id, add_time, update_time) VALUES (?, ?, ?, ?, ?) "+
		"ON DUPLICATE KEY UPDATE deleted = 1 - deleted, add_time = ?, update_time = ?",
		shopper, int(kind), id, at, at, at, at).Error
	if err != nil {
		return fmt.Errorf("turn a favourite of shopper %d: %w", shopper, err)
	}
	return nil
}

// The columns of goods and of topics as traces show them; g is the table of another area, as the package says.
const (
	goodsColumns = "g.name, g.brief, COALESCE(g.pic_url, '') AS pic_url, g.retail_price AS price"
	topicColumns = "g.title AS name, COALESCE(g.subtitle, '') AS brief, COALESCE(g.pic_url, '') AS pic_url, g.price"
)

const joinFootprints = "JOIN goods g ON g.id = c.goods_id AND g.deleted = 0"

// ofKind returns what favourites of a kind are joined with, and its columns.
func ofKind(kind Kind) (join, columns string) {
	if kind == Topic {
		return "JOIN topic g ON g.id = c.value_id AND g.deleted = 0", topicColumns
	}
	return "JOIN goods g ON g.id = c.value_id AND g.deleted = 0", goodsColumns
}

type favouriteRow struct {
	ID, ValueID         int64
	Type                int
	Name, Brief, PicURL string
	Price               money.Amount
	AddTime             time.Time
}

func countFavourites(ctx context.Context, q db.Querier, shopper int64, kind Kind) (n int64, err error) {
	join, _ := ofKind(kind)
	err = q.G(ctx).Raw("SELECT COUNT(*) FROM collect c "+join+
		" WHERE c.user_id = ? AND c.type = ? AND c.deleted = 0", shopper, int(kind)).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("count the favourites of shopper %d: %w", shopper, err)
	}
	return n, nil
}

func listFavourites(ctx context.Context, q db.Querier, shopper int64, kind Kind, w page.Query) ([]Favourite, error) {
	var rows []favouriteRow
	join, columns := ofKind(kind)
	err := q.G(ctx).Raw("SELECT c.id, c.value_id, c.type, c.add_time, "+columns+" FROM collect c "+join+
		" WHERE c.user_id = ? AND c.type = ? AND c.deleted = 0 ORDER BY "+sortedBy("add_time", w)+" LIMIT ? OFFSET ?",
		shopper, int(kind), w.Limit, w.Offset()).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("list the favourites of shopper %d: %w", shopper, err)
	}
	out := make([]Favourite, len(rows))
	for i, r := range rows {
		out[i] = Favourite{
			ID: r.ID, ValueID: r.ValueID, Kind: Kind(r.Type), Name: r.Name, Brief: r.Brief, PicURL: r.PicURL, Price: r.Price,
			AddTime: r.AddTime,
		}
	}
	return out, nil
}

// sortedBy maps the words one may sort by to the order of rows, ties by id in the same direction; column is the one
// that a trace shows as its time.
func sortedBy(column string, q page.Query) string {
	direction := q.Direction()
	if q.Sort == "id" {
		return "c.id " + direction
	}
	return "c." + column + " " + direction + ", c.id " + direction
}

func seeGoods(ctx context.Context, q db.Querier, shopper, goods int64, at time.Time) error {
	err := q.G(ctx).Exec("INSERT INTO footprint (user_id, goods_id, view_time, add_time, update_time) "+
		"VALUES (?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE view_time = GREATEST(view_time, ?), view_count = view_count + 1, "+
		"update_time = ?, deleted = 0",
		shopper, goods, at, at, at, at, at).Error
	if err != nil {
		return fmt.Errorf("record the footprint of shopper %d on goods %d: %w", shopper, goods, err)
	}
	return nil
}

type footprintRow struct {
	ID, GoodsID         int64
	Name, Brief, PicURL string
	Price               money.Amount
	ViewTime            time.Time
}

func countFootprints(ctx context.Context, q db.Querier, shopper int64) (n int64, err error) {
	err = q.G(ctx).Raw("SELECT COUNT(*) FROM footprint c "+joinFootprints+" WHERE c.user_id = ? AND c.deleted = 0",
		shopper).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("count the footprints of shopper %d: %w", shopper, err)
	}
	return n, nil
}

func listFootprints(ctx context.Context, q db.Querier, shopper int64, w page.Query) ([]Footprint, error) {
	var rows []footprintRow
	err := q.G(ctx).Raw("SELECT c.id, c.goods_id, c.view_time, "+goodsColumns+" FROM footprint c "+
		joinFootprints+" WHERE c.user_id = ? AND c.deleted = 0 ORDER BY "+sortedBy("view_time", w)+
		" LIMIT ? OFFSET ?", shopper, w.Limit, w.Offset()).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("list the footprints of shopper %d: %w", shopper, err)
	}
	out := make([]Footprint, len(rows))
	for i, r := range rows {
		out[i] = Footprint(r)
	}
	return out, nil
}

func deleteFootprint(ctx context.Context, q db.Querier, shopper, id int64, at time.Time) (bool, error) {
	res := q.G(ctx).Exec("UPDATE footprint SET deleted = 1, update_time = ? WHERE id = ? AND user_id = ? AND deleted = 0",
		at, id, shopper)
	if res.Error != nil {
		return false, fmt.Errorf("delete footprint %d of shopper %d: %w", id, shopper, res.Error)
	}
	return res.RowsAffected > 0, nil
}
