package engagement

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/domain/platform/text"
)

// Seen is a footprint as stored. AddTime is the first view.
type Seen struct {
	ID, UserID, GoodsID int64
	AddTime, UpdateTime time.Time
}

type footprintRow struct {
	Seen

	ViewTime  time.Time
	ViewCount int
}

var (
	footprints = table.Of[footprintRow]("footprint",
		table.Refers("user_id", "user"),
		table.Refers("goods_id", "goods"),
	)
	seen = table.Part[Seen](footprints)
)

// Footprint is a view of goods, with the time of the latest view.
type Footprint struct {
	ID, GoodsID         int64
	Name, Brief, PicURL string
	Price               money.Amount
	ViewTime            time.Time
}

// SeeGoods records a view of goods: it increments the count and restores a deleted footprint. While Gather runs it is
// written a little later.
func (s *Service) SeeGoods(ctx context.Context, shopper, goods int64) error {
	v, at := view{shopper, goods}, s.clock()
	if s.gathered.sees(v, at) {
		return nil
	}
	return s.writeViews(ctx, map[view]repeated{v: {1, at}})
}

// viewsPerStatement bounds the rows of one statement.
const viewsPerStatement = 500

// writeViews writes views in the order of their key, so that replicas do not block each other.
func (s *Service) writeViews(ctx context.Context, views map[view]repeated) error {
	all := slices.SortedFunc(maps.Keys(views), func(a, b view) int {
		return cmp.Or(cmp.Compare(a.shopper, b.shopper), cmp.Compare(a.goods, b.goods))
	})
	for part := range slices.Chunk(all, viewsPerStatement) {
		var args []any
		for _, v := range part {
			seen := views[v]
			args = append(args, v.shopper, v.goods, seen.at, seen.times, seen.at, seen.at)
		}
		rows := strings.Repeat(", (?, ?, ?, ?, ?, ?)", len(part))[2:]
		err := s.db.G(ctx).Exec(`INSERT INTO footprint (user_id, goods_id, view_time, view_count, add_time, update_time)
			VALUES `+rows+`
			ON DUPLICATE KEY UPDATE view_time = GREATEST(view_time, VALUES(view_time)),
				view_count = view_count + VALUES(view_count), update_time = VALUES(update_time), deleted = 0`, args...).Error
		if err != nil {
			return fmt.Errorf("record %d views from that of shopper %d on: %w", len(part), part[0].shopper, err)
		}
	}
	return nil
}

// Footprints lists the shopper's views. Deleted goods are neither shown nor counted. Sort is add_time, the time of the
// latest view, or id.
func (s *Service) Footprints(ctx context.Context, shopper int64, q page.Query) (page.List[Footprint], error) {
	if err := s.flushFor(ctx, shopper); err != nil {
		return page.List[Footprint]{}, err
	}
	return lists.FetchJoin[Footprint](ctx, s.db, lists.Join{
		Columns: "c.id, c.goods_id, c.view_time, g.name, g.brief, g.pic_url, g.price",
		From: `footprint c
			JOIN (` + catalog.LiveCards + `) g ON g.id = c.goods_id
			WHERE c.user_id = ? AND c.deleted = 0`,
		Args: []any{shopper}, Order: sortedBy("view_time"),
	}, q)
}

// DeleteFootprint removes one of the shopper's footprints. It fails with errno.Invalid for an unknown one or another
// shopper's.
func (s *Service) DeleteFootprint(ctx context.Context, shopper, id int64) error {
	return idempotency.Do(ctx, s.once, func(tx *db.Tx) error {
		n, err := footprints.Remove(ctx, tx, table.Set{"update_time": s.clock()}, "id = ? AND user_id = ?", id, shopper)
		if err == nil && n == 0 {
			err = errno.NoSuch(text.FieldFootprint)
		}
		return err
	})
}

// AllFootprints lists the footprints of all shoppers.
func (s *Service) AllFootprints(ctx context.Context, f TraceFilter, q page.Query) (page.List[Seen], error) {
	list := lists.Of(seen).ID("id", f.ID).ID("user_id", f.Shopper).ID("goods_id", f.Thing)
	return traces[Seen](ctx, s, list, q)
}
