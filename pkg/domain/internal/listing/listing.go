// Package listing reads the pages of operators' lists of one table: one statement counts, one finds the ids of the page
// in an index and then reads these rows alone. Pages behind the middle are walked from the other end.
package listing

import (
	"context"
	"fmt"
	"strings"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/page"
)

// Query is a list of the live rows of a table.
type Query struct {
	table, columns string
	conditions     []string
	args           []any
}

// Of returns the list of a table's live rows. The columns are named with the alias r, as in "r.id, r.name"; a table
// whose name is a word of SQL comes quoted.
func Of(table, columns string) *Query {
	return &Query{table: table, columns: columns, conditions: []string{"i.deleted = 0"}}
}

// Where adds a condition on columns, which are named with the alias i, and its arguments.
func (l *Query) Where(condition string, args ...any) *Query {
	l.conditions, l.args = append(l.conditions, condition), append(l.args, args...)
	return l
}

// ID adds the condition that a column holds an id; nil is any.
func (l *Query) ID(column string, id *int64) *Query {
	if id == nil {
		return l
	}
	return l.Where("i."+column+" = ?", *id)
}

// Contains adds the condition that a column contains a text, taken literally; the empty text is in all.
func (l *Query) Contains(column, text string) *Query {
	if text == "" {
		return l
	}
	return l.Where("i."+column+" LIKE ?", db.Contains(text))
}

// Fetch reads the page that a window asks for. Sort is add_time or id.
func Fetch[R any](ctx context.Context, q db.Querier, l *Query, w page.Query) (page.List[R], error) {
	from := l.table + " i WHERE " + strings.Join(l.conditions, " AND ")
	var total int64
	count := func() (int64, error) {
		if err := q.G(ctx).Raw("SELECT COUNT(*) FROM "+from, l.args...).Scan(&total).Error; err != nil {
			return 0, fmt.Errorf("count the rows of %s: %w", l.table, err)
		}
		return total, nil
	}
	return page.Fetch(w, count, func(w page.Query) ([]R, error) {
		offset, limit, back := shorter(w, total)
		var rows []R
		ids := "SELECT i.id FROM " + from + " ORDER BY " + order("i", w.Sort, w.Desc != back) + " LIMIT ? OFFSET ?"
		err := q.G(ctx).Raw("SELECT "+l.columns+" FROM ("+ids+") p JOIN "+l.table+" r ON r.id = p.id ORDER BY "+
			order("r", w.Sort, w.Desc),
			append(l.args[:len(l.args):len(l.args)], limit, offset)...).Scan(&rows).Error
		if err != nil {
			return nil, fmt.Errorf("list the rows of %s: %w", l.table, err)
		}
		return rows, nil
	})
}

// shorter turns a window on a list of total rows into the shorter of the two walks to it; back says that it begins at
// the end of the list.
func shorter(w page.Query, total int64) (offset, limit int, back bool) {
	offset, limit = w.Offset(), w.Limit
	if int64(offset) <= total/2 {
		return offset, limit, false
	}
	limit = min(limit, int(total)-offset)
	return int(total) - offset - limit, limit, true
}

// order maps the words one may sort by to the order of rows, ties by id in the same direction.
func order(alias, word string, desc bool) string {
	direction := " ASC"
	if desc {
		direction = " DESC"
	}
	if word == "id" {
		return alias + ".id" + direction
	}
	return alias + ".add_time" + direction + ", " + alias + ".id" + direction
}
