package lists

import (
	"context"
	"fmt"
	"strings"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/internal/store/table"
)

const (
	// Up to sortUpTo matching rows are sorted instead of scanned in the order of the list; so are more rows if sortDepth
	// times the end of the page exceeds their number.
	sortUpTo  = 5000
	sortDepth = 5
	// unionUpTo bounds the rows that are read to merge a page from the values of In.
	unionUpTo = 100_000
)

// scan finds the rows of a page: it skips rows from a bookmark, or from one end of the list.
type scan struct {
	skip, limit int
	// reverse says that it runs against the order of the list.
	reverse bool
	from    *bookmark
}

// shortestScan returns the scan that skips the fewest rows of a list of total rows.
func shortestScan(w page.Query, total int64, known []*bookmark) scan {
	offset, limit := w.Offset(), min(w.Limit, int(total)-w.Offset())
	best := scan{skip: offset, limit: w.Limit}
	try := func(s scan) {
		if s.skip >= 0 && s.skip < best.skip {
			best = s
		}
	}
	try(scan{skip: int(total) - offset - limit, limit: limit, reverse: true})
	for _, b := range known {
		try(scan{skip: offset - b.position, limit: w.Limit, from: b})
		try(scan{skip: b.position - offset - limit, limit: limit, reverse: true, from: b})
	}
	return best
}

// rowsOf reads the rows of a page.
func rowsOf[R any](ctx context.Context, e *Engine, l *Query, w page.Query, total int64) ([]R, error) {
	s := shortestScan(w, total, nil)
	ids, args, scanned := l.ids(w, s, total)
	if scanned && s.skip > l.limits.bookmark {
		return rowsByBookmark[R](ctx, e, l, w, total)
	}
	return table.Select[R](ctx, e.db, "SELECT "+l.columns+" FROM ("+ids+") p JOIN "+l.table+
		" r ON r.id = p.id ORDER BY "+l.order("r", w.Sort, w.Desc), args...)
}

// rowsByBookmark reads the rows of a deep page from the nearest bookmark, and stores a bookmark at its start.
func rowsByBookmark[R any](ctx context.Context, e *Engine, l *Query, w page.Query, total int64) ([]R, error) {
	where, args := l.Condition()
	name := fmt.Sprint(l.table, where, args, w.Sort, w.Desc)
	s := shortestScan(w, total, e.bookmarks.of(name))
	var keys []key
	ids, args, _ := l.ids(w, s, total)
	err := table.Scan(ctx, e.db, &keys,
		"SELECT p.id, p.add_time FROM ("+ids+") p ORDER BY "+l.order("p", w.Sort, w.Desc), args...)
	if err != nil || len(keys) == 0 {
		return nil, err
	}
	e.bookmarks.add(bookmark{list: name, position: w.Offset(), key: keys[0]})
	found := make([]int64, len(keys))
	for i, k := range keys {
		found[i] = k.ID
	}
	return table.Select[R](ctx, e.db, "SELECT "+l.columns+" FROM "+l.table+" r WHERE r.id IN ? ORDER BY "+
		l.order("r", w.Sort, w.Desc), found)
}

// ids returns the statement that finds the ids of a page, with their sort columns. It reports whether rows are skipped
// in the order of the list, so that a bookmark helps.
func (l *Query) ids(w page.Query, to scan, total int64) (statement string, args []any, scanned bool) {
	by, keys := l.order("i", w.Sort, w.Desc != to.reverse), l.keys(w.Sort)
	window := func(args []any) []any { return append(args, to.limit, to.skip) }
	// The rows of one owner are few and have an index, so they are not merged.
	divided := l.values != nil && !l.owned
	reach := to.skip + to.limit
	if l.filtered && total <= max(l.limits.sort, int64(sortDepth*reach)) ||
		divided && !l.byTime(w.Sort) && total <= unionUpTo {
		from, where, args := l.source()
		return "SELECT " + keys + " FROM (SELECT " + keys + " FROM " + from + " WHERE " + where +
			" LIMIT 18446744073709551615) i ORDER BY " + by + " LIMIT ? OFFSET ?", window(args), false
	}
	index := ""
	switch {
	case l.owned:
	case divided && l.byTime(w.Sort) && len(l.values.of) == 1:
		index = l.values.index
	case divided && l.byTime(w.Sort) && min(total, int64(len(l.values.of)*reach)) <= unionUpTo:
		return l.union(by, to)
	case divided || l.filtered:
		index = l.index(w.Sort)
	}
	from := l.table + " i"
	if index != "" {
		from += " FORCE INDEX (" + index + ")"
	}
	where, args := l.Condition()
	if to.from != nil {
		condition, bounds := to.bound(w)
		where, args = where+condition, append(args, bounds...)
	}
	scanned = !l.owned && l.sortIndexes[w.Sort] == "" // bookmarks hold the time and the id of a row
	return "SELECT " + keys + " FROM " + from + " WHERE " + where + " ORDER BY " + by + " LIMIT ? OFFSET ?",
		window(args), scanned
}

// index returns the forced index of a sort word; "" leaves the choice to the optimizer.
func (l *Query) index(word string) string {
	switch {
	case l.sortIndexes[word] != "":
		return l.sortIndexes[word]
	case l.timeIndex != "" && word == "id":
		return "PRIMARY"
	default:
		return l.timeIndex
	}
}

// union merges the page from one short scan per value.
func (l *Query) union(by string, to scan) (statement string, args []any, scanned bool) {
	branch := "(SELECT i.id, i.add_time FROM " + l.table + " i FORCE INDEX (" + l.values.index + ") WHERE " +
		strings.Join(l.conditions, " AND ") + l.subset + " AND i." + l.values.column + " = ? ORDER BY " + by + " LIMIT ?)"
	for _, v := range l.values.of {
		args = append(append(args, l.args...), v, to.skip+to.limit)
	}
	branches := strings.Repeat(branch+" UNION ALL ", len(l.values.of)-1) + branch
	return "SELECT i.id, i.add_time FROM (" + branches + ") i ORDER BY " + by + " LIMIT ? OFFSET ?",
		append(args, to.limit, to.skip), false
}

// bound is the condition for rows after the bookmark at which a scan begins. A scan in the order of the list includes
// the bookmark. The first comparison bounds the range of the index; a row comparison would not.
func (to scan) bound(w page.Query) (condition string, args []any) {
	than := ">"
	if w.Desc != to.reverse {
		than = "<"
	}
	or := than
	if !to.reverse {
		or += "="
	}
	k := to.from.key
	if w.Sort == "id" {
		return " AND i.id " + or + " ?", []any{k.ID}
	}
	return " AND i.add_time " + than + "= ? AND (i.add_time " + than + " ? OR i.id " + or + " ?)",
		[]any{k.AddTime, k.AddTime, k.ID}
}

// byTime reports whether a sort word sorts by the time at which rows were added.
func (l *Query) byTime(word string) bool { return word != "id" && l.sortIndexes[word] == "" }

// keys returns the sort columns of the ids of a page. The index in that order contains all of them; otherwise the
// optimizer would sort the table.
func (l *Query) keys(word string) string {
	if l.sortIndexes[word] != "" {
		return "i.id, i." + word
	}
	return "i.id, i.add_time"
}

// order maps the sort words to the ORDER BY clause, ties by id in the same direction.
func (l *Query) order(alias, word string, desc bool) string {
	direction := " ASC"
	if desc {
		direction = " DESC"
	}
	if word == "id" {
		return alias + ".id" + direction
	}
	if l.byTime(word) {
		word = "add_time"
	}
	return alias + "." + word + direction + ", " + alias + ".id" + direction
}
