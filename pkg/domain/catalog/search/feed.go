package search

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// change is an entry of the feed by which replicas keep their index current.
type change struct {
	ID, GoodsID int64
	AddTime     time.Time
}

var changes = table.Of[change]("goods_change",
	table.MayRefer("goods_id", "goods"),
)

// everything is the goods of an entry that says that any goods may have changed, as after a bulk load.
const everything = 0

// Append adds entries to the feed. The transaction must be the one of the change.
func Append(ctx context.Context, tx *db.Tx, goods []int64, at time.Time) error {
	if len(goods) == 0 {
		return nil
	}
	rows := make([]change, len(goods))
	for i, id := range goods {
		rows[i] = change{GoodsID: id, AddTime: at}
	}
	return changes.InsertAll(ctx, tx, rows)
}

// AppendAll adds the entry that says so, for programs that write goods themselves.
func AppendAll(ctx context.Context, tx *db.Tx, at time.Time) error {
	return Append(ctx, tx, []int64{everything}, at)
}

// FeedRetention is how long entries stay. A replica that has not read the feed for so long loads the goods anew.
const FeedRetention = 24 * time.Hour

// Purge deletes a batch of entries written before a time, and returns how many.
func (e *Engine) Purge(ctx context.Context, before time.Time) (int, error) {
	n, err := changes.Delete(ctx, e.db, "add_time < ? ORDER BY add_time LIMIT ?", before, feedBatch)
	return int(n), err
}

const (
	// feedBatch is the number of entries that are read at once.
	feedBatch = 2000
	// A transaction may take an earlier number than others and commit after them. A number that is missing is looked for
	// again for this time, longer than any transaction takes; most are of transactions that were rolled back.
	gapTime = 2 * time.Minute
	// maxGaps bounds the numbers that are looked for. On a cluster whose servers number by turns, most never come.
	maxGaps = 5000
)

// feed is a place in the feed: all entries up to last were read, except those of gaps.
type feed struct {
	// mu is held while entries are read and applied.
	mu   sync.Mutex
	last int64
	// left are the goods of entries that were read and not yet applied.
	left []int64
	// gaps are the missing numbers with the time when they were found missing.
	gaps map[int64]time.Time
}

// openFeed returns the end of the feed. Whatever commits later, or was not visible yet, is read by next.
func openFeed(ctx context.Context, q db.Querier, now time.Time) (*feed, error) {
	var last int64
	if err := table.Scan(ctx, q, &last, "SELECT COALESCE(MAX(id), 0) FROM goods_change"); err != nil {
		return nil, fmt.Errorf("find the end of the goods changes: %w", err)
	}
	f := &feed{last: max(0, last-maxGaps), gaps: map[int64]time.Time{}}
	for f.last < last {
		if _, err := f.next(ctx, q, now); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// next returns the goods of the next entries, at most once each; no goods mean that there are no further entries.
func (f *feed) next(ctx context.Context, q db.Querier, now time.Time) ([]int64, error) {
	rows, err := changes.Find(ctx, q, "r.id > ? ORDER BY r.id LIMIT ?", f.last, feedBatch)
	if err != nil {
		return nil, err
	}
	if late := slices.Sorted(maps.Keys(f.gaps)); len(late) > 0 {
		found, err := changes.Find(ctx, q, "r.id IN ?", late)
		if err != nil {
			return nil, err
		}
		for _, r := range found {
			delete(f.gaps, r.ID)
		}
		rows = append(found, rows...)
	}
	var goods []int64
	for _, r := range rows {
		goods = append(goods, r.GoodsID)
		for id := max(f.last+1, r.ID-maxGaps); id < r.ID; id++ {
			f.gaps[id] = now
		}
		f.last = max(f.last, r.ID)
	}
	maps.DeleteFunc(f.gaps, func(id int64, since time.Time) bool {
		return id < f.last-maxGaps || now.Sub(since) > gapTime
	})
	slices.Sort(goods)
	return slices.Compact(goods), nil
}
