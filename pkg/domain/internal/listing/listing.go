// Package listing reads the pages of operators' lists of one table: one statement counts, one finds the ids of the page
// in an index and then reads these rows alone. The total of a whole table may be half a minute old. Pages behind the
// middle are walked from the other end, and far pages from the nearest one that was read a moment ago.
package listing

import (
	"context"
	"fmt"
	"strings"
	"time"

	"shop.internal/pkg/domain/internal/counter"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/page"
)

// Query is a list of the live rows of a table.
type Query struct {
	table, columns string
	conditions     []string
	args           []any
	// tested says that rows are looked at which are not in the list: no index holds the list in its order.
	tested bool
	// equal says that the rows of one owner are listed, whose index the database finds by itself.
	equal bool
	// timed is the index on (add_time, id, deleted), where the database must be told to use it; sorts are those on
	// (column, id, deleted) of the other columns that the list is sorted by.
	timed string
	sorts map[string]string
	// within narrows the table to a part whose total is kept under the name of scope.
	within, scope string
	parts         *parts
	// drawn is the dear part of counting, done on an index alone; see Drawn.
	drawn     string
	drawnArgs []any
	// far, large and few are lowered by tests.
	far        int
	large, few int64
}

// parts are the values of a column by which the list is put together.
type parts struct {
	column, index string
	values        []any
}

// Of returns the list of a table's live rows. The columns are named with the alias r, as in "r.id, r.name"; a table
// whose name is a word of SQL comes quoted.
func Of(table, columns string) *Query {
	return &Query{
		table: table, columns: columns, conditions: []string{"i.deleted = 0"}, args: nil, tested: false, equal: false,
		timed: "", sorts: map[string]string{}, within: "", scope: "", parts: nil, drawn: "", drawnArgs: nil, far: far,
		large: counter.Large, few: few,
	}
}

// Where adds a condition on columns, which are named with the alias i, and its arguments.
func (l *Query) Where(condition string, args ...any) *Query {
	l.tested = true
	return l.and(condition, args...)
}

func (l *Query) and(condition string, args ...any) *Query {
	l.conditions, l.args = append(l.conditions, condition), append(l.args, args...)
	return l
}

// ID adds the condition that a column holds an id; nil is any.
func (l *Query) ID(column string, id *int64) *Query {
	if id == nil {
		return l
	}
	return l.Is(column, *id)
}

// Is adds the condition that a column, on which there is an index, holds a value that few rows share.
func (l *Query) Is(column string, value any) *Query {
	l.equal = true
	return l.and("i."+column+" = ?", value)
}

// Within narrows the table to a part of it that is a list of its own, such as the groups among those who take part in
// them: the total of all of it is kept under a name, as that of a table is. The condition has no arguments.
func (l *Query) Within(scope, condition string) *Query {
	l.scope, l.within, l.tested = scope, " AND "+condition, true
	return l
}

// Contains adds the condition that a column contains a text, taken literally; the empty text is in all.
func (l *Query) Contains(column, text string) *Query {
	if text == "" {
		return l
	}
	return l.Where("i."+column+" LIKE ?", db.Contains(text))
}

// Between adds the condition that rows were added from start on and before end; zero times do not bound.
func (l *Query) Between(start, end time.Time) *Query {
	if !start.IsZero() {
		l.and("i.add_time >= ?", start)
	}
	if !end.IsZero() {
		l.and("i.add_time < ?", end)
	}
	return l
}

// Timed names the table's index on (add_time, id, deleted), which is then walked whatever the database thinks best.
func (l *Query) Timed(index string) *Query {
	l.timed = index
	return l
}

// By lets the list be sorted by a column too, whose index on (column, id, deleted) is named.
func (l *Query) By(column, index string) *Query {
	l.sorts[column] = index
	return l
}

// Among adds the condition that a column holds one of some values. Index is the one on (column, add_time, id, deleted):
// it yields the rows of each value in the order of time.
func (l *Query) Among(column, index string, values ...any) *Query {
	l.parts = &parts{column, index, values}
	return l
}

// Drawn has the rows counted by way of a statement that an index alone answers: the column holds one of its values,
// which are many. The condition itself must be added too.
func (l *Query) Drawn(column, statement string, args ...any) *Query {
	l.drawn = "(" + statement + " LIMIT 18446744073709551615) d STRAIGHT_JOIN " + l.table + " i ON i." + column + " = d.id"
	l.drawnArgs = args
	return l
}

// Fetch reads the page that a window asks for. Sort is add_time, id or a column that By names.
func Fetch[R any](ctx context.Context, q db.Querier, l *Query, w page.Query) (page.List[R], error) {
	total, err := l.total(ctx, q)
	if err != nil {
		return page.List[R]{}, fmt.Errorf("count the rows of %s: %w", l.table, err)
	}
	list, err := read[R](ctx, q, l, w, total.N)
	if err != nil || !total.Kept || holds(list, w, total.N) {
		return list, err
	}
	n, err := l.exactly(ctx, q)
	if err != nil {
		return page.List[R]{}, fmt.Errorf("count the rows of %s: %w", l.table, err)
	}
	return read[R](ctx, q, l, w, n)
}

// holds reports whether a page is what the total lets expect.
func holds[R any](l page.List[R], asked page.Query, total int64) bool {
	return l.Query.Page == asked.Page && int64(len(l.Items)) >= min(int64(asked.Limit), total-int64(asked.Offset()))
}

func read[R any](ctx context.Context, q db.Querier, l *Query, w page.Query, total int64) (page.List[R], error) {
	list, err := page.Fetch(w, func() (int64, error) { return total, nil }, func(w page.Query) ([]R, error) {
		rows, err := rowsOf[R](ctx, q, l, w, total)
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

// total counts the rows. What no condition narrows, and each part of a list that nothing else narrows, may be kept.
func (l *Query) total(ctx context.Context, q db.Querier) (counter.Total, error) {
	if len(l.conditions) > 1 {
		n, err := l.exactly(ctx, q)
		return counter.Total{N: n, Kept: false}, err
	}
	totals, err := counter.Totals(ctx, q, l.counts()...)
	var sum counter.Total
	for _, t := range totals {
		sum.N, sum.Kept = sum.N+t.N, sum.Kept || t.Kept
	}
	return sum, err
}

func (l *Query) counts() []counter.Count {
	name := strings.Trim(l.table, "`") + ":" + l.scope
	all := l.table + " i WHERE i.deleted = 0" + l.within
	if l.parts == nil {
		if l.scope == "" {
			name += "all"
		}
		return []counter.Count{{Scope: name, From: all, Args: nil, Large: l.large}}
	}
	counts := make([]counter.Count, len(l.parts.values))
	for i, v := range l.parts.values {
		counts[i] = counter.Count{
			Scope: fmt.Sprintf("%s%s=%v", name, l.parts.column, v), From: all + " AND i." + l.parts.column + " = ?",
			Args: []any{v}, Large: l.large,
		}
	}
	return counts
}

func (l *Query) exactly(ctx context.Context, q db.Querier) (int64, error) {
	from, where, args := l.source()
	return counter.Exact(ctx, q, counter.Count{Scope: l.table, From: from + " WHERE " + where, Args: args, Large: 0})
}

// source is where all rows of the list come from when their order does not matter.
func (l *Query) source() (from, where string, args []any) {
	where, args = l.where()
	if l.drawn == "" {
		return l.table + " i", where, args
	}
	return l.drawn, where, append(l.drawnArgs[:len(l.drawnArgs):len(l.drawnArgs)], args...)
}

// where returns the condition of the list and its arguments.
func (l *Query) where() (string, []any) {
	where, args := strings.Join(l.conditions, " AND ")+l.within, l.args[:len(l.args):len(l.args)]
	if l.parts != nil {
		where, args = where+" AND i."+l.parts.column+" IN ?", append(args, l.parts.values)
	}
	return where, args
}
