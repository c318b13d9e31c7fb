package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shop.internal/pkg/base/bound"
	"shop.internal/pkg/base/csv"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/text"
)

// MaxCSV is the maximum size of a CSV file of goods.
const MaxCSV = 10 << 20

// CSVHeader is the header of the CSV file of goods, which has a row for each product.
func CSVHeader() []string {
	header := make([]string, len(columns))
	for i, c := range columns {
		header[i] = c.name
	}
	return header
}

// rows says which rows of goods have a value in a column.
type rows int

const (
	repeated rows = iota // all rows
	first                // the row of the first product; others may repeat it
	each                 // each row has its own
)

// column is a column of the file. The header, the writer and the reader are generated from the table of columns.
type column struct {
	name string
	// field is the label of the value in refusals, nil for a column without rules.
	field *text.Field
	rows  rows
	write func(csvRow) string
	read  cellReader
	// check is the rule of the goods' value, nil where Goods.problems has it.
	check func(g Goods, p *problems)
	// rank is the order in which columns are parsed, and so the order of the faults of a line.
	rank int
	// later is set for a column that files of earlier releases lack.
	later bool
}

// cellReader parses a cell into the goods, or into the product if each row has a value.
type cellReader func(r *reading, name string, into *written, p *Product)

// csvRow is the source of a row.
type csvRow struct {
	Detail
	names   Names
	groups  []string
	product Product
	first   bool
}

func anyColumn(
	name string, field *text.Field, rows rows, write func(csvRow) string, read cellReader, rank int,
) column {
	return column{name: name, field: field, rows: rows, write: write, read: read, rank: rank}
}

func textColumn(name string, field *text.Field, rows rows, of func(*Goods) *string) column {
	return column{
		name: name, field: field, rows: rows, write: func(c csvRow) string { return *of(&c.Goods) },
		read: func(r *reading, name string, w *written, _ *Product) {
			if *of(&w.Goods) = r.text(name); csv.Rounded(r.text(name)) {
				r.fault(name, rounded)
			}
		},
	}
}

func flagColumn(name string, otherwise bool, of func(*Goods) *bool) column {
	return column{
		name: name, rows: first, write: func(c csvRow) string { return onOff(*of(&c.Goods)) },
		read: func(r *reading, name string, w *written, _ *Product) { *of(&w.Goods) = r.flag(name, otherwise) },
	}
}

// wholeColumn is a whole number of goods within a range, wherever it comes from.
func wholeColumn(name string, field *text.Field, otherwise string, within bound.Range, of func(*Goods) *int) column {
	return column{
		name: name, field: field, rows: first,
		write: func(c csvRow) string { return strconv.Itoa(*of(&c.Goods)) },
		read:  func(r *reading, name string, w *written, _ *Product) { *of(&w.Goods) = r.whole(name, otherwise) },
		check: func(g Goods, p *problems) { p.within(field, *of(&g), within, whole) },
	}
}

// columns are the columns of the file, in the order of the header.
var columns = []column{
	textColumn("goodsSn", text.FieldGoodsNumber, repeated, func(g *Goods) *string { return &g.SN }),
	textColumn("name", text.FieldName, repeated, func(g *Goods) *string { return &g.Name }),
	anyColumn("category", nil, first, writeCategory, readCategory, 2),
	anyColumn("subcategory", nil, first, writeSubcategory, skip, 2), // parsed with the category
	anyColumn("brand", nil, first, func(c csvRow) string { return c.names.brands[c.Goods.BrandID] }, readBrand, 2),
	textColumn("keywords", text.FieldKeywords, first, func(g *Goods) *string { return &g.Keywords }),
	textColumn("brief", text.FieldBrief, first, func(g *Goods) *string { return &g.Brief }),
	anyColumn("unit", text.FieldUnit, first, func(c csvRow) string { return c.Goods.Unit }, readUnit, 0),
	anyColumn("counterPrice", text.FieldCounterPrice, first, writeCounterPrice, readCounterPrice, 1),
	flagColumn("isOnSale", true, func(g *Goods) *bool { return &g.OnSale }),
	flagColumn("isNew", false, func(g *Goods) *bool { return &g.New }),
	flagColumn("isHot", false, func(g *Goods) *bool { return &g.Hot }),
	wholeColumn("sortOrder", text.FieldSortOrder, "100", bound.SortOrder, func(g *Goods) *int { return &g.SortOrder }),
	since(wholeColumn("weight", text.FieldWeight, "0", bound.Weight, func(g *Goods) *int { return &g.Weight })),
	since(anyColumn("freight", text.FieldFreight, first, writeFreight, readFreight, 2)),
	textColumn("picUrl", text.FieldPicture, first, func(g *Goods) *string { return &g.PicURL }),
	anyColumn("gallery", text.FieldGallery, first, writeGallery, readGallery, 0),
	textColumn("detail", text.FieldDetail, first, func(g *Goods) *string { return &g.Detail }),
	anyColumn("attributes", text.FieldAttributes, first, writeAttributes, readAttributes, 3),
	anyColumn("specifications", text.FieldSpecifications, each, writeValues, readValues, 1),
	anyColumn("specificationPics", nil, each, writePictures, readPictures, 1),
	anyColumn("price", text.FieldPrice, each, func(c csvRow) string { return c.product.Price.String() }, readPrice, 0),
	anyColumn("number", text.FieldNumber, each, writeNumber, readNumber, 0),
	anyColumn("url", text.FieldURL, each, func(c csvRow) string { return c.product.URL }, readURL, 0),
}

// columnOf is the column of the file that has a field.
func columnOf(field *text.Field) string {
	i := slices.IndexFunc(columns, func(c column) bool { return c.field == field })
	if i < 0 {
		return "products" // their number
	}
	return columns[i].name
}

// CSVRows returns the rows of one goods.
func (d Detail) CSVRows(n Names) [][]string {
	groups, _ := grouped(d.Specifications)
	var list [][]string
	for i, p := range d.Products {
		cells := make([]string, len(columns))
		for k, c := range columns {
			if c.rows != first || i == 0 {
				cells[k] = c.write(csvRow{d, n, groups, p, i == 0})
			}
		}
		list = append(list, cells)
	}
	return list
}

func skip(*reading, string, *written, *Product) {}

func writeCategory(c csvRow) string {
	above, _ := c.names.path(c.Goods.CategoryID)
	return above
}

func writeSubcategory(c csvRow) string {
	_, below := c.names.path(c.Goods.CategoryID)
	return below
}

func readCategory(r *reading, name string, w *written, _ *Product) {
	id, ok := r.names.category(r.text(name), r.text("subcategory"))
	if !ok {
		r.fault(name, unknown)
	}
	w.Goods.CategoryID = id
}

func readBrand(r *reading, name string, w *written, _ *Product) {
	id, ok := r.names.brand(r.text(name))
	if !ok {
		r.fault(name, unknown)
	}
	w.Goods.BrandID = id
}

func readUnit(r *reading, name string, w *written, _ *Product) {
	if w.Goods.Unit = r.text(name); w.Goods.Unit == "" {
		w.Goods.Unit = "件"
	}
}

func readCounterPrice(r *reading, name string, w *written, _ *Product) {
	w.Goods.CounterPrice = r.price(name, "0")
}

func writeCounterPrice(c csvRow) string { return c.Goods.CounterPrice.String() }

func writeGallery(c csvRow) string { return strings.Join(c.Goods.Gallery, "\n") }

func readGallery(r *reading, name string, w *written, _ *Product) {
	for url := range strings.Lines(r.text(name)) {
		if url = strings.TrimSpace(url); url != "" {
			w.Goods.Gallery = append(w.Goods.Gallery, url)
		}
	}
}

func writeAttributes(c csvRow) string {
	var lines []string
	for _, a := range c.Attributes {
		lines = append(lines, pair(a.Name, a.Value))
	}
	return strings.Join(lines, "\n")
}

func readAttributes(r *reading, name string, w *written, _ *Product) {
	for _, a := range r.lines(name, 2) {
		w.Attributes = append(w.Attributes, Attribute{Name: a[0], Value: a[1]})
	}
}

func writeValues(c csvRow) string {
	var lines []string
	for k, v := range c.product.Specifications {
		lines = append(lines, pair(groupName(c.groups, k), v))
	}
	return strings.Join(lines, "\n")
}

func readValues(r *reading, name string, w *written, p *Product) {
	before := len(r.faults)
	for _, v := range r.lines(name, 2) {
		p.Specifications = append(p.Specifications, v[1])
		w.specify(Specification{Group: v[0], Value: v[1]})
	}
	if len(p.Specifications) == 0 && len(r.faults) == before {
		r.fault(name, missing)
	}
}

// writePictures writes the pictures of all values into the row of the first product.
func writePictures(c csvRow) string {
	var lines []string
	for _, v := range c.Specifications {
		if c.first && v.PicURL != "" {
			lines = append(lines, pair(v.Group, v.Value, v.PicURL))
		}
	}
	return strings.Join(lines, "\n")
}

func readPictures(r *reading, name string, w *written, _ *Product) {
	for _, v := range r.lines(name, 3) {
		w.specify(Specification{Group: v[0], Value: v[1], PicURL: v[2]})
	}
}

func readPrice(r *reading, name string, _ *written, p *Product) { p.Price = r.price(name, "") }

func readNumber(r *reading, name string, _ *written, p *Product) { p.Number = r.whole(name, "") }

func writeNumber(c csvRow) string { return strconv.Itoa(c.product.Number) }

func readURL(r *reading, name string, _ *written, p *Product) { p.URL = r.text(name) }

// groupName is the name of the k-th group. Old goods have products with unnamed groups.
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

// pair writes two texts as a=b, with the separators in them escaped.
func pair(texts ...string) string {
	escape := strings.NewReplacer(`\`, `\\`, "=", `\=`, "\n", `\n`, "\r", `\r`)
	for i, t := range texts {
		texts[i] = escape.Replace(t)
	}
	return strings.Join(texts, "=")
}

// linesOf parses the lines of a cell, each of n texts. It reports false for any other line.
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
		for i, t := range texts {
			texts[i] = form.Name(t)
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

func writeFreight(c csvRow) string { return c.names.freights[c.Goods.FreightID] }

func readFreight(r *reading, name string, w *written, _ *Product) {
	id, ok := r.names.freight(r.text(name))
	if !ok {
		r.fault(name, unknown)
	}
	w.Goods.FreightID = id
}

// since marks a column that files of earlier releases lack.
func since(c column) column {
	c.later = true
	return c
}
