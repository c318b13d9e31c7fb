// Package lists reads pages of long lists: one statement counts, another finds the ids of the page in an index and then
// reads these rows. The total of a whole table may be half a minute old. Pages in the second half are read from the
// other end, and deep pages from the nearest bookmark.
package lists

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/internal/store/counter"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// Engine reads lists from a database and stores bookmarks of their deep pages.
type Engine struct {
	db        *db.DB
	bookmarks bookmarks
}

// New returns an engine without bookmarks.
func New(d *db.DB) *Engine { return &Engine{db: d} }

// Query is a list of the live rows of a table.
type Query struct {
	table, columns string
	conditions     []string
	args           []any
	// filtered reports whether a condition is not covered by the ordering index, so that rows are read which are not in
	// the list.
	filtered bool
	// owned says that the list contains the rows of one owner, whose index the optimizer finds.
	owned bool
	// timeIndex is the index on (add_time, id, deleted), if the database must be forced to use it; sortIndexes are those
	// on (column, id, deleted) of the other sort columns.
	timeIndex   string
	sortIndexes map[string]string
	// subset restricts the table to a part whose total is cached under the name of scope.
	subset, scope string
	values        *values
	// countFrom is the expensive part of counting, done on an index alone; see CountVia.
	countFrom string
	countArgs []any
	// countAll is a statement that finds as many rows as the list has, the total of which is cached under countName from
	// countLarge rows on; see Found.
	countAll, countName string
	countLarge          int64
	limits              limits
}

// values are those of a column whose rows are merged.
type values struct {
	column, index string
	of            []any
}

// limits decide how a page is read; tests lower them.
type limits struct {
	// bookmark is how many rows a scan may skip before it starts at a bookmark.
	bookmark int
	// total is the number of rows from which a total is cached, sort up to which they are sorted rather than scanned.
	total, sort int64
}

// Rows is a table, or some columns of one.
type Rows interface {
	Name() string
	Columns(alias string) string
}

// Of returns the list of a table's live rows.
func Of(rows Rows) *Query { return Select(rows.Name(), rows.Columns("r")) }

// Select is Of for a select list with other expressions; the table has the alias r in it.
func Select(table, columns string) *Query {
	return &Query{
		table: table, columns: columns, conditions: []string{"i.deleted = 0"}, sortIndexes: map[string]string{},
		limits: limits{bookmark: bookmarkAfter, total: counter.Large, sort: sortUpTo},
	}
}

// Where adds a condition on columns, which are named with the alias i, and its arguments.
func (l *Query) Where(condition string, args ...any) *Query {
	l.filtered = true
	return l.and(condition, args...)
}

// Covered adds a condition on columns of the ordering index, or one that almost all rows fulfil, so that the rows are
// still read in that order.
func (l *Query) Covered(condition string, args ...any) *Query { return l.and(condition, args...) }

func (l *Query) and(condition string, args ...any) *Query {
	l.conditions, l.args = append(l.conditions, condition), append(l.args, args...)
	return l
}

// ID adds the condition that a column equals an id; nil matches any.
func (l *Query) ID(column string, id *int64) *Query {
	if id == nil {
		return l
	}
	return l.Equals(column, *id)
}

// Equals adds the condition that an indexed column has a value that few rows share.
func (l *Query) Equals(column string, value any) *Query {
	l.owned = true
	return l.and("i."+column+" = ?", value)
}

// Subset restricts the table to a part that is a list of its own, such as the groups among their members: its total is
// cached under a name. The condition has no arguments.
func (l *Query) Subset(scope, condition string) *Query {
	l.scope, l.subset, l.filtered = scope, " AND "+condition, true
	return l
}

// Contains adds the condition that a column contains all words of a text; an empty text matches all.
func (l *Query) Contains(column, text string) *Query {
	if text == "" {
		return l
	}
	condition, args := db.Matches(text, "i."+column)
	return l.Where(condition, args...)
}

// Between adds the condition that rows were added from start to before end; zero times are unbounded.
func (l *Query) Between(start, end time.Time) *Query {
	if !start.IsZero() {
		l.and("i.add_time >= ?", start)
	}
	if !end.IsZero() {
		l.and("i.add_time < ?", end)
	}
	return l
}

// TimeIndex names the index on (add_time, id, deleted) and forces its use.
func (l *Query) TimeIndex(index string) *Query {
	l.timeIndex = index
	return l
}

// SortIndex allows sorting by another column with the named index on (column, id, deleted).
func (l *Query) SortIndex(column, index string) *Query {
	l.sortIndexes[column] = index
	return l
}

// In adds the condition that a column has one of some values. index is the one on (column, add_time, id, deleted),
// which has the rows of each value by time.
func (l *Query) In(column, index string, of ...any) *Query {
	l.values = &values{column, index, of}
	return l
}

// CountVia counts the rows through a subquery that a covering index answers: the column holds one of the many values of
// the statement. The condition itself must be added too.
func (l *Query) CountVia(column, statement string, args ...any) *Query {
	l.countFrom = "(" + statement + " LIMIT 18446744073709551615) d STRAIGHT_JOIN " + l.table + " i ON i." + column +
		" = d.id"
	l.countArgs = args
	return l
}

// Found is CountVia for a statement that finds the ids of exactly the rows of the list, so that its rows are counted
// alone. A total of large or more is cached under a name, unless the name is too long.
func (l *Query) Found(name string, large int64, statement string, args ...any) *Query {
	l.countAll, l.countName, l.countLarge = statement, name, large
	return l.CountVia("id", statement, args...)
}

// Fetch reads a page. Sort is add_time, id or a column of SortIndex.
func Fetch[R any](ctx context.Context, e *Engine, l *Query, w page.Query) (page.List[R], error) {
	return FetchWith(ctx, e, l, w, func(db.Queue, []R) error { return nil })
}

// FetchWith is Fetch, and reads what depends on the rows of the page: more queues it. What more queues makes one round
// trip, together with the count of the list where a full first page needs one.
func FetchWith[R any](
	ctx context.Context, e *Engine, l *Query, w page.Query, more func(q db.Queue, rows []R) error,
) (page.List[R], error) {
	q := e.db.Reads()
	if l.owned && !l.filtered && w.Page <= 1 {
		return firstOfOwner(ctx, q, e, l, w, more)
	}
	list, err := fetch[R](ctx, e, l, w)
	if err == nil {
		err = more(q, list.Items)
	}
	if err == nil {
		err = q.Flush(ctx)
	}
	return list, err
}

// fetch counts before it reads the page.
func fetch[R any](ctx context.Context, e *Engine, l *Query, w page.Query) (page.List[R], error) {
	total, err := l.total(ctx, e.db)
	if err != nil {
		return page.List[R]{}, fmt.Errorf("count the rows of %s: %w", l.table, err)
	}
	list, err := read[R](ctx, e, l, w, total.N)
	if err != nil || !total.Cached || full(list, w, total.N) {
		return list, err
	}
	n, err := l.exactly(ctx, e.db)
	if err != nil {
		return page.List[R]{}, fmt.Errorf("count the rows of %s: %w", l.table, err)
	}
	return read[R](ctx, e, l, w, n)
}

// firstOfOwner reads the first page of the rows of one owner, and then what depends on it.
func firstOfOwner[R any](
	ctx context.Context, q *db.Reads, e *Engine, l *Query, w page.Query, more func(q db.Queue, rows []R) error,
) (page.List[R], error) {
	first, err := FirstLater[R](ctx, q, e, l, w)
	if err == nil {
		err = q.Flush(ctx)
	}
	if err != nil {
		return page.List[R]{}, fmt.Errorf("list the rows of %s: %w", l.table, err)
	}
	list, err := first.counted(ctx, q)
	if err == nil {
		err = more(q, first.rows())
	}
	if err == nil {
		err = q.Flush(ctx)
	}
	if err != nil {
		return page.List[R]{}, fmt.Errorf("list the rows of %s: %w", l.table, err)
	}
	return list(), nil
}

// First is the first page of the rows of one owner, which is read with what else is queued.
type First[R any] struct {
	rows func() []R
	l    *Query
	w    page.Query
	e    *Engine
}

// FirstLater reads the first page of the rows of one owner, with what else is queued. The list has Equals and no Where.
// The page is a plain join in the order of the owner's index: it skips nothing, and a derived table of its ids would be
// stored and sorted again, which costs several times as much.
func FirstLater[R any](ctx context.Context, q db.Queue, e *Engine, l *Query, w page.Query) (First[R], error) {
	where, args := l.Condition()
	rows, err := table.SelectLater[R](ctx, q, "SELECT "+l.columns+" FROM "+l.table+" i STRAIGHT_JOIN "+l.table+
		" r ON r.id = i.id WHERE "+where+" ORDER BY "+l.order("i", w.Sort, w.Desc)+" LIMIT ?", append(args, w.Limit)...)
	return First[R]{rows, l, w, e}, err
}

// List returns what was read. It counts the rows if the page is full, which the owner mostly has too few for.
func (f First[R]) List(ctx context.Context) (page.List[R], error) {
	q := f.e.db.Reads()
	list, err := f.counted(ctx, q)
	if err == nil {
		err = q.Flush(ctx)
	}
	if err != nil {
		return page.List[R]{}, fmt.Errorf("count the rows of %s: %w", f.l.table, err)
	}
	return list(), nil
}

// counted is List with what else is queued.
func (f First[R]) counted(ctx context.Context, q db.Queue) (func() page.List[R], error) {
	list := page.List[R]{Items: f.rows(), Total: int64(len(f.rows())), Query: f.w}
	if len(list.Items) < f.w.Limit {
		return func() page.List[R] { return list }, nil
	}
	total, err := counter.ExactLater(ctx, q, f.l.exact())
	return func() page.List[R] {
		list.Total = max(list.Total, total())
		return list
	}, err
}

// full reports whether a page has as many rows as the cached total implies.
func full[R any](l page.List[R], asked page.Query, total int64) bool {
	return l.Query.Page == asked.Page && int64(len(l.Items)) >= min(int64(asked.Limit), total-int64(asked.Offset()))
}

func read[R any](ctx context.Context, e *Engine, l *Query, w page.Query, total int64) (page.List[R], error) {
	list, err := page.Fetch(w, func() (int64, error) { return total, nil }, func(w page.Query) ([]R, error) {
		rows, err := rowsOf[R](ctx, e, l, w, total)
		if err != nil {
			return nil, fmt.Errorf("list the rows of %s: %w", l.table, err)
		}
		return rows, nil
	})
	list.Total = max(list.Total, int64(list.Query.Offset()+len(list.Items)))
	if len(list.Items) == 0 {
		list.Total = total
	}
	return list, err
}

// maxName is the length of the longest name of Found, which is part of a column of 127 characters.
const maxName = 80

// total counts the rows. The totals of a whole table, of each value of In without other conditions, and of Found are
// cached.
func (l *Query) total(ctx context.Context, q db.Querier) (counter.Total, error) {
	if l.countAll != "" && utf8.RuneCountInString(l.countName) <= maxName {
		totals, err := counter.Totals(ctx, q, l.countOfFound())
		if err != nil {
			return counter.Total{}, err
		}
		return totals[0], nil
	}
	if len(l.conditions) > 1 {
		n, err := l.exactly(ctx, q)
		return counter.Total{N: n, Cached: false}, err
	}
	totals, err := counter.Totals(ctx, q, l.counts()...)
	var sum counter.Total
	for _, t := range totals {
		sum.N, sum.Cached = sum.N+t.N, sum.Cached || t.Cached
	}
	return sum, err
}

func (l *Query) counts() []counter.Count {
	name := strings.Trim(l.table, "`") + ":" + l.scope
	all := l.table + " i WHERE i.deleted = 0" + l.subset
	if l.values == nil {
		if l.scope == "" {
			name += "all"
		}
		return []counter.Count{{Scope: name, From: all, Args: nil, Large: l.limits.total}}
	}
	counts := make([]counter.Count, len(l.values.of))
	for i, v := range l.values.of {
		counts[i] = counter.Count{
			Scope: fmt.Sprintf("%s%s=%v", name, l.values.column, v), From: all + " AND i." + l.values.column + " = ?",
			Args: []any{v}, Large: l.limits.total,
		}
	}
	return counts
}

// countOfFound is the count of the rows that the statement of Found finds. Its name ends with a quote, since blanks at
// the end of a name do not count.
func (l *Query) countOfFound() counter.Count {
	return counter.Count{
		Scope: strings.Trim(l.table, "`") + ":'" + l.countName + "'", From: "(" + l.countAll + ") d", Args: l.countArgs,
		Large: l.countLarge,
	}
}

func (l *Query) exactly(ctx context.Context, q db.Querier) (int64, error) {
	return counter.Exact(ctx, q, l.exact())
}

// exact is the count of all rows of the list.
func (l *Query) exact() counter.Count {
	if l.countAll != "" {
		return l.countOfFound()
	}
	from, where, args := l.source()
	return counter.Count{Scope: l.table, From: from + " WHERE " + where, Args: args, Large: 0}
}

// source returns the FROM clause and condition of all rows of the list, in any order.
func (l *Query) source() (from, where string, args []any) {
	where, args = l.Condition()
	if l.countFrom == "" {
		return l.table + " i", where, args
	}
	return l.countFrom, where, append(l.countArgs[:len(l.countArgs):len(l.countArgs)], args...)
}

// Condition returns the condition of the list, with the alias i for its table, and its arguments.
func (l *Query) Condition() (string, []any) {
	where, args := strings.Join(l.conditions, " AND ")+l.subset, l.args[:len(l.args):len(l.args)]
	if l.values != nil {
		where, args = where+" AND i."+l.values.column+" IN ?", append(args, l.values.of)
	}
	return where, args
}
