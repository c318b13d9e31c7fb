package listing

import (
	"context"
	"fmt"
	"strings"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/page"
)

// few rows are gathered and sorted rather than looked for in the order of the list; so are more of them where the page
// lies among them that deep.
const (
	few  = 5000
	deep = 5
	// union is the most rows that are read to put a page together from the parts of a list.
	union = 100_000
)

// way is a walk to the rows of a page: over skip rows, from a place of the list or from one of its ends.
type way struct {
	skip, limit int
	// back says that it goes against the order of the list.
	back bool
	from *mark
}

// wayTo returns the shortest way to the rows of a window on a list of total rows.
func wayTo(w page.Query, total int64, known []*mark) way {
	offset, limit := w.Offset(), min(w.Limit, int(total)-w.Offset())
	best := way{skip: offset, limit: w.Limit, back: false, from: nil}
	try := func(o way) {
		if o.skip >= 0 && o.skip < best.skip {
			best = o
		}
	}
	try(way{skip: int(total) - offset - limit, limit: limit, back: true, from: nil})
	for _, m := range known {
		try(way{skip: offset - m.pos, limit: w.Limit, back: false, from: m})
		try(way{skip: m.pos - offset - limit, limit: limit, back: true, from: m})
	}
	return best
}

// rowsOf reads the rows of a window.
func rowsOf[R any](ctx context.Context, q db.Querier, l *Query, w page.Query, total int64) ([]R, error) {
	to := wayTo(w, total, nil)
	ids, args, walked := l.ids(w, to, total)
	places := marksOf(q)
	if walked && to.skip > l.far && places != nil {
		return farRows[R](ctx, q, l, w, total, places)
	}
	var rows []R
	err := q.G(ctx).Raw("SELECT "+l.columns+" FROM ("+ids+") p JOIN "+l.table+" r ON r.id = p.id ORDER BY "+
		l.order("r", w.Sort, w.Desc), args...).Scan(&rows).Error
	return rows, err
}

// farRows reads the rows of a far window, from the nearest remembered place, and remembers where they begin.
func farRows[R any](
	ctx context.Context, q db.Querier, l *Query, w page.Query, total int64, places *marks,
) ([]R, error) {
	where, args := l.where()
	name := fmt.Sprint(l.table, where, args, w.Sort, w.Desc)
	to := wayTo(w, total, places.of(name))
	var keys []key
	ids, args, _ := l.ids(w, to, total)
	if err := q.G(ctx).Raw("SELECT p.id, p.add_time FROM ("+ids+") p ORDER BY "+l.order("p", w.Sort, w.Desc), args...).
		Scan(&keys).Error; err != nil || len(keys) == 0 {
		return nil, err
	}
	places.add(mark{list: name, pos: w.Offset(), key: keys[0]})
	found := make([]int64, len(keys))
	for i, k := range keys {
		found[i] = k.ID
	}
	var rows []R
	err := q.G(ctx).Raw("SELECT "+l.columns+" FROM "+l.table+" r WHERE r.id IN ? ORDER BY "+
		l.order("r", w.Sort, w.Desc), found).Scan(&rows).Error
	return rows, err
}

// ids returns the statement that finds the ids of a page, with what they are sorted by. It reports whether rows are
// passed over one by one in the order of the list, so that a remembered place can shorten that.
func (l *Query) ids(w page.Query, to way, total int64) (statement string, args []any, walked bool) {
	by, keys := l.order("i", w.Sort, w.Desc != to.back), l.keys(w.Sort)
	window := func(args []any) []any { return append(args, to.limit, to.skip) }
	// What belongs to one owner is not put together from parts: it is few rows, whose index the database finds.
	divided := l.parts != nil && !l.equal
	reach := to.skip + to.limit
	if l.tested && total <= max(l.few, int64(deep*reach)) || divided && !l.byTime(w.Sort) && total <= union {
		from, where, args := l.source()
		return "SELECT " + keys + " FROM (SELECT " + keys + " FROM " + from + " WHERE " + where +
			" LIMIT 18446744073709551615) i ORDER BY " + by + " LIMIT ? OFFSET ?", window(args), false
	}
	index := ""
	switch {
	case l.equal:
	case divided && l.byTime(w.Sort) && len(l.parts.values) == 1:
		index = l.parts.index
	case divided && l.byTime(w.Sort) && min(total, int64(len(l.parts.values)*reach)) <= union:
		return l.union(by, to)
	case divided || l.tested:
		index = l.index(w.Sort)
	}
	from := l.table + " i"
	if index != "" {
		from += " FORCE INDEX (" + index + ")"
	}
	where, args := l.where()
	if to.from != nil {
		condition, bounds := to.bound(w)
		where, args = where+condition, append(args, bounds...)
	}
	walked = !l.equal && l.sorts[w.Sort] == "" // places are remembered by the time and the id of their rows
	return "SELECT " + keys + " FROM " + from + " WHERE " + where + " ORDER BY " + by + " LIMIT ? OFFSET ?",
		window(args), walked
}

// index is the one in the order of a word, which must be walked whatever the database thinks best; "" leaves it to it.
func (l *Query) index(word string) string {
	switch {
	case l.sorts[word] != "":
		return l.sorts[word]
	case l.timed != "" && word == "id":
		return "PRIMARY"
	default:
		return l.timed
	}
}

// union puts the page together from one short walk for each part.
func (l *Query) union(by string, to way) (statement string, args []any, walked bool) {
	branch := "(SELECT i.id, i.add_time FROM " + l.table + " i FORCE INDEX (" + l.parts.index + ") WHERE " +
		strings.Join(l.conditions, " AND ") + l.within + " AND i." + l.parts.column + " = ? ORDER BY " + by + " LIMIT ?)"
	for _, v := range l.parts.values {
		args = append(append(args, l.args...), v, to.skip+to.limit)
	}
	branches := strings.Repeat(branch+" UNION ALL ", len(l.parts.values)-1) + branch
	return "SELECT i.id, i.add_time FROM (" + branches + ") i ORDER BY " + by + " LIMIT ? OFFSET ?",
		append(args, to.limit, to.skip), false
}

// bound is the condition that rows stand behind the place where a walk begins. The place itself belongs to a walk in
// the order of the list. The first comparison bounds the range of the index; a comparison of pairs would not.
func (to way) bound(w page.Query) (condition string, args []any) {
	than := ">"
	if w.Desc != to.back {
		than = "<"
	}
	or := than
	if !to.back {
		or += "="
	}
	k := to.from.key
	if w.Sort == "id" {
		return " AND i.id " + or + " ?", []any{k.ID}
	}
	return " AND i.add_time " + than + "= ? AND (i.add_time " + than + " ? OR i.id " + or + " ?)",
		[]any{k.AddTime, k.AddTime, k.ID}
}

// byTime reports whether a word sorts the list by the time that rows were added at.
func (l *Query) byTime(word string) bool { return word != "id" && l.sorts[word] == "" }

// keys are the columns that the ids of a page are sorted by. The index in that order holds them all, else the database
// would rather sort the table.
func (l *Query) keys(word string) string {
	if l.sorts[word] != "" {
		return "i.id, i." + word
	}
	return "i.id, i.add_time"
}

// order maps the words one may sort by to the order of rows, ties by id in the same direction.
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
