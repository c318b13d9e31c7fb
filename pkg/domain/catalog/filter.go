package catalog

import (
	"fmt"
	"strings"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
)

// Filter selects goods. The zero Filter selects all.
type Filter struct {
	// CategoryID, BrandID and Except are ids; 0 is no filter. Except excludes one goods. A category of the first level
	// selects its own goods and those of its children.
	CategoryID, BrandID, Except int64
	// Keyword are words that the name or the keywords contain, in any order and case; empty is no filter.
	Keyword string
	// New and Hot filter if they are not nil.
	New, Hot *bool
	// MinPrice and MaxPrice are the bounds of the retail price, each within the range; nil is no bound.
	MinPrice, MaxPrice *money.Amount

	children []int64 // of CategoryID
}

// categories are the ids of the categories that the filter selects, none for all.
func (f Filter) categories() []int64 {
	if f.CategoryID == 0 {
		return nil
	}
	return append([]int64{f.CategoryID}, f.children...)
}

// check refuses a filter that contradicts itself.
func (f Filter) check() error {
	if f.MinPrice != nil && f.MaxPrice != nil && *f.MinPrice > *f.MaxPrice {
		return fmt.Errorf("goods from %s to %s: %w", f.MinPrice, f.MaxPrice, errno.Invalid.Because(text.PriceRange))
	}
	return nil
}

// sortColumn maps the sort words to columns.
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

// conditions are the WHERE clause of a list of goods, as texts with their arguments.
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

func conditionsOf(f Filter, found lookup) conditions {
	c := conditions{texts: []string{onSale}}
	switch in := f.categories(); len(in) {
	case 0:
	case 1:
		c.add("g.category_id = ?", in[0])
	default:
		c.add("g.category_id IN ?", in)
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
	if f.MinPrice != nil {
		c.add("g.retail_price >= ?", *f.MinPrice)
	}
	if f.MaxPrice != nil {
		c.add("g.retail_price <= ?", *f.MaxPrice)
	}
	if found.keyword != "" {
		matches, args := db.Matches(found.keyword, "g.name", "g.keywords")
		c.add(matches, args...)
	}
	return c
}

// candidates returns the FROM clause of a keyword search and its arguments: the term index, with a forced join order,
// or all goods.
func candidates(found lookup) (from string, args []any) {
	if found.term == "" {
		return "goods g", nil
	}
	return "goods_term t STRAIGHT_JOIN goods g ON g.id = t.goods_id AND t.term = ?", []any{found.term}
}

// lookup is a keyword with the way to search for it.
type lookup struct {
	keyword string
	// none says that no goods can match.
	none bool
	// term is the rarest term of the keyword, which every match has. It is empty without a keyword.
	term string
	// frequent says that so many goods have the term that scanning the goods in the order of the list fills a page sooner
	// than collecting the candidates.
	frequent bool
}

// ListFilter selects goods for operators, on sale or not.
type ListFilter struct {
	ID int64
	SN string
	// Name are words that the name contains, in any order and case.
	Name string
	// CategoryID, BrandID and FreightID are ids, nil for no filter and 0 for goods that have none. A category selects the
	// goods of those below it, too.
	CategoryID, BrandID, FreightID *int64
	// OnSale, New and Hot filter if they are not nil.
	OnSale, New, Hot *bool
	// Stock is a level; of very many goods that have it, those with the least stock.
	Stock StockLevel
}

// equality requires a column to have a value that few goods have.
type equality struct {
	column string
	value  any
}

func (f ListFilter) equals() (all []equality) {
	if f.ID != 0 {
		all = append(all, equality{"id", f.ID})
	}
	if f.SN != "" {
		all = append(all, equality{"goods_sn", f.SN})
	}
	return all
}

// named returns the condition on the name of goods with an alias, and its arguments.
func (f ListFilter) named(alias string) (condition string, args []any) {
	return db.Matches(f.Name, alias+".name")
}

// conditions are all conditions of the filter, with its choices, on live goods with an alias.
func (f ListFilter) conditions(alias string, of []choice) conditions {
	c := conditions{texts: []string{alias + ".deleted = 0"}}
	for _, e := range f.equals() {
		c.add(alias+"."+e.column+" = ?", e.value)
	}
	if f.Name != "" {
		condition, args := f.named(alias)
		c.add(condition, args...)
	}
	for _, o := range of {
		c.add(alias+"."+o.column+" IN ?", o.of)
	}
	return c
}

// chooses reports whether the filter has choices.
func (f ListFilter) chooses() bool {
	return f.CategoryID != nil || f.BrandID != nil || f.FreightID != nil || f.OnSale != nil || f.New != nil ||
		f.Hot != nil || f.Stock != AnyStock
}

// StockLevel selects goods by what is left of their products.
type StockLevel string

// The levels.
const (
	// AnyStock is no filter.
	AnyStock StockLevel = ""
	// LowStock selects goods of which a product has fewer than LowFrom pieces, SoldOut those of which one has none.
	LowStock StockLevel = "low"
	SoldOut  StockLevel = "out"
)

// LowFrom is the number of pieces from which the stock of a product is not low.
const LowFrom = 10

// maxNarrowed bounds the goods that are read for a list whose filters and order no index has together.
const maxNarrowed = 1000

// choice requires a column to have one of some values that many goods may share. The index has its goods by time.
type choice struct {
	column, index string
	of            []any
}
