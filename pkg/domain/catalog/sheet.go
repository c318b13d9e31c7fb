package catalog

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// SheetHeader names the columns of the sheet of goods: a row a product. The cells of the goods itself stand in the row
// of its first product; further rows repeat number and name alone.
func SheetHeader() []string {
	return []string{
		"goodsSn", "name", "category", "subcategory", "brand", "keywords", "brief", "unit", "counterPrice", "isOnSale",
		"isNew", "isHot", "sortOrder", "picUrl", "gallery", "detail", "attributes", "specifications", "specificationPics",
		"price", "number", "url",
	}
}

// goodsCells is how many columns are about the goods itself, and nameCells how many of them are repeated.
const (
	goodsCells = 17
	nameCells  = 2
)

// Names are the categories and brands of a shop by what they are called, since their ids differ from shop to shop.
type Names struct {
	categories map[int64]Category
	brands     map[int64]string
}

// mostNames is how many brands are known by name.
const mostNames = 100_000

// Names reads what categories and brands are called.
func (s *Service) Names(ctx context.Context) (Names, error) {
	n := Names{map[int64]Category{}, map[int64]string{}}
	for _, level := range []string{FirstLevel, SecondLevel} {
		list, err := categoriesOfLevel(ctx, s.db, level)
		if err != nil {
			return n, err
		}
		for _, c := range list {
			n.categories[c.ID] = c
		}
	}
	brands, err := firstBrands(ctx, s.db, mostNames)
	for _, b := range brands {
		n.brands[b.ID] = b.Name
	}
	return n, err
}

// path returns what the category and the one below it are called; the latter is empty for goods of the first level.
func (n Names) path(id int64) (first, second string) {
	c := n.categories[id]
	if c.Level == SecondLevel {
		return n.categories[c.Pid].Name, c.Name
	}
	return c.Name, ""
}

// category finds a category by its path, 0 for the empty one. It reports false where none or several are called so.
func (n Names) category(first, second string) (int64, bool) {
	if first == "" && second == "" {
		return 0, true
	}
	var found []int64
	for id := range n.categories {
		if a, b := n.path(id); a == first && b == second {
			found = append(found, id)
		}
	}
	if len(found) != 1 {
		return 0, false
	}
	return found[0], true
}

// brand finds a brand by its name in the same way.
func (n Names) brand(name string) (int64, bool) {
	if name == "" {
		return 0, true
	}
	var found []int64
	for id, b := range n.brands {
		if b == name {
			found = append(found, id)
		}
	}
	if len(found) != 1 {
		return 0, false
	}
	return found[0], true
}

// SheetRows returns the rows of one goods.
func (d Detail) SheetRows(n Names) [][]string {
	first, second := n.path(d.Goods.CategoryID)
	g := d.Goods
	groups, _ := grouped(d.Specifications)
	var attributes, pictures []string
	for _, a := range d.Attributes {
		attributes = append(attributes, pair(a.Name, a.Value))
	}
	for _, v := range d.Specifications {
		if v.PicURL != "" {
			pictures = append(pictures, pair(v.Group, v.Value, v.PicURL))
		}
	}
	head := []string{
		g.SN, g.Name, first, second, n.brands[g.BrandID], g.Keywords, g.Brief, g.Unit, g.CounterPrice.String(),
		onOff(g.OnSale), onOff(g.New), onOff(g.Hot), strconv.Itoa(g.SortOrder), g.PicURL, strings.Join(g.Gallery, "\n"),
		g.Detail,
		strings.Join(attributes, "\n"),
	}
	var rows [][]string
	for i, p := range d.Products {
		row := make([]string, len(SheetHeader()))
		copy(row, head[:nameCells])
		if i == 0 {
			copy(row, head)
			row[goodsCells+1] = strings.Join(pictures, "\n")
		}
		var values []string
		for k, v := range p.Specifications {
			values = append(values, pair(groupName(groups, k), v))
		}
		row[goodsCells] = strings.Join(values, "\n")
		row[goodsCells+2], row[goodsCells+3], row[goodsCells+4] = p.Price.String(), strconv.Itoa(p.Number), p.URL
		rows = append(rows, row)
	}
	return rows
}

// groupName is the name of the k-th group. Old goods have products whose groups nobody has named.
func groupName(groups []string, k int) string {
	if k < len(groups) {
		return groups[k]
	}
	if k == 0 {
		return "规格"
	}
	return fmt.Sprintf("规格%d", k+1)
}

func onOff(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// pair writes texts that belong together as a=b, with what would be taken for a sign of that writing escaped.
func pair(texts ...string) string {
	escape := strings.NewReplacer(`\`, `\\`, "=", `\=`, "\n", `\n`, "\r", `\r`)
	for i, t := range texts {
		texts[i] = escape.Replace(t)
	}
	return strings.Join(texts, "=")
}

// linesOf reads the lines of a cell, each of n texts. It reports false for any other line.
func linesOf(cell string, n int) ([][]string, bool) {
	var out [][]string
	for line := range strings.SplitSeq(strings.ReplaceAll(cell, "\r\n", "\n"), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		texts := []string{""}
		for i := 0; i < len(line); i++ {
			last := &texts[len(texts)-1]
			switch c := line[i]; {
			case c == '=':
				texts = append(texts, "")
			case c == '\\' && i+1 < len(line):
				i++
				*last += unescaped(line[i])
			default:
				*last += line[i : i+1]
			}
		}
		if len(texts) != n {
			return nil, false
		}
		out = append(out, texts)
	}
	return out, true
}

func unescaped(c byte) string {
	switch c {
	case 'n':
		return "\n"
	case 'r':
		return "\r"
	}
	return string([]byte{c})
}
