package catalog

import (
	"context"
	"fmt"
	"strings"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/page"
)

// window is the part of an ordered list that is read. Far pages are read from the other end.
type window struct {
	sort          string
	desc          bool
	offset, limit int
	// reverse says that the rows are walked against the order of the list.
	reverse bool
}

// windowOf turns a checked query into the shorter of the two walks to its rows.
func windowOf(q page.Query, total int64) window {
	w := window{sort: q.Sort, desc: q.Desc, offset: q.Offset(), limit: q.Limit}
	if int64(w.offset) <= total/2 {
		return w
	}
	w.limit = min(w.limit, int(total)-w.offset)
	w.offset = int(total) - w.offset - w.limit
	w.reverse = true
	return w
}

// sortColumn maps the words one may sort by to columns.
func sortColumn(word string) string {
	switch word {
	case "id", "retail_price", "name":
		return word
	default:
		return "add_time"
	}
}

// orderBy returns the order of a table's rows, ties by id in the same direction.
func orderBy(alias, word string, desc bool) string {
	direction := " ASC"
	if desc {
		direction = " DESC"
	}
	column := sortColumn(word)
	if column == "id" {
		return alias + ".id" + direction
	}
	return alias + "." + column + direction + ", " + alias + ".id" + direction
}

// walk is the order in which the window is read, and list the order in which it is shown.
func (w window) walk(alias string) string { return orderBy(alias, w.sort, w.desc != w.reverse) }
func (w window) list(alias string) string { return orderBy(alias, w.sort, w.desc) }

// conditions are the WHERE of a list of goods, as texts and their arguments.
type conditions struct {
	texts []string
	args  []any
}

func (c *conditions) add(text string, args ...any) {
	c.texts = append(c.texts, text)
	c.args = append(c.args, args...)
}

func (c *conditions) where() string { return strings.Join(c.texts, " AND ") }

const onSale = "g.deleted = 0 AND g.is_on_sale = 1"

func conditionsOf(f Filter, found search) conditions {
	c := conditions{texts: []string{onSale}}
	if f.CategoryID != 0 {
		c.add("g.category_id = ?", f.CategoryID)
	}
	if f.BrandID != 0 {
		c.add("g.brand_id = ?", f.BrandID)
	}
	if f.Except != 0 {
		c.add("g.id <> ?", f.Except)
	}
	if f.New != nil {
		c.add("g.is_new = ?", *f.New)
	}
	if f.Hot != nil {
		c.add("g.is_hot = ?", *f.Hot)
	}
	if found.keyword != "" {
		// Compared letter by letter: the table's own collation also takes é for e, which the index of terms does not.
		c.add("(LOWER(g.name) LIKE LOWER(?) COLLATE utf8mb4_bin OR LOWER(g.keywords) LIKE LOWER(?) COLLATE utf8mb4_bin)",
			db.Contains(found.keyword), db.Contains(found.keyword))
	}
	return c
}

// candidates returns the FROM that makes the keyword cheap, and the arguments of it: by the index of terms, whose join
// order must not be left to the planner, or all goods.
func candidates(found search) (from string, args []any) {
	if found.term == "" {
		return "goods g", nil
	}
	return "goods_term t STRAIGHT_JOIN goods g ON g.id = t.goods_id AND t.term = ?", []any{found.term}
}

// countOnSale counts exactly. The candidates of a frequent word would cost more than reading the goods themselves.
func countOnSale(ctx context.Context, q db.Querier, f Filter, found search) (int64, error) {
	from, args := candidates(found)
	if found.frequent {
		from, args = "goods g", nil
	}
	c := conditionsOf(f, found)
	var n int64
	err := q.G(ctx).Raw("SELECT COUNT(*) FROM "+from+" WHERE "+c.where(), append(args, c.args...)...).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("count goods on sale: %w", err)
	}
	return n, nil
}

// walked returns the FROM of a page: a frequent word fills it sooner by walking the goods in the order of the list.
func walked(f Filter, found search, w window) (from string, args []any) {
	if !found.frequent {
		return candidates(found)
	}
	if f.CategoryID != 0 || f.BrandID != 0 || f.New != nil || f.Hot != nil {
		return "goods g", nil
	}
	key := map[string]string{
		"add_time": "ix_goods_time", "retail_price": "ix_goods_price", "name": "ix_goods_nameord", "id": "PRIMARY",
	}[sortColumn(w.sort)]
	return "goods g FORCE INDEX FOR ORDER BY (" + key + ")", nil
}

// listOnSale reads a page in two steps in one statement: an index alone yields the ids, then come the rows.
func listOnSale(ctx context.Context, q db.Querier, f Filter, found search, w window) ([]Summary, error) {
	from, args := walked(f, found, w)
	c := conditionsOf(f, found)
	args = append(append(args, c.args...), w.limit, w.offset)
	return summaries.From(ctx, q, "(SELECT g.id FROM "+from+" WHERE "+c.where()+
		" ORDER BY "+w.walk("g")+" LIMIT ? OFFSET ?) p JOIN goods r ON r.id = p.id ORDER BY "+w.list("r"), args...)
}

// newestByCategory returns the newest n goods on sale of each category, from one short walk of the index each.
func newestByCategory(ctx context.Context, q db.Querier, categories []int64, n int) ([]head, error) {
	if len(categories) == 0 || n <= 0 {
		return nil, nil
	}
	branch := "(SELECT g.id, g.category_id, g.add_time FROM goods g WHERE g.category_id = ? AND " + onSale +
		" ORDER BY g.add_time DESC, g.id DESC LIMIT ?)"
	args := make([]any, 0, 2*len(categories))
	for _, id := range categories {
		args = append(args, id, n)
	}
	var heads []head
	err := q.G(ctx).Raw(strings.Repeat(branch+" UNION ALL ", len(categories)-1)+branch, args...).Scan(&heads).Error
	if err != nil {
		return nil, fmt.Errorf("list the newest goods of categories: %w", err)
	}
	return heads, nil
}
