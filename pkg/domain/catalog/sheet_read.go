package catalog

import (
	"encoding/csv"
	"errors"
	"slices"
	"strconv"
	"strings"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/sheet"
	"shop.internal/pkg/domain/text"
)

// The largest sheet that is read.
const (
	MaxSheet     = 10 << 20
	maxSheetRows = 5000
)

// Fault is one thing that is wrong with a sheet of goods.
type Fault struct {
	// Line is the line of the file, from 1; Column the name of the column, "" for the line as a whole.
	Line   int
	Column string
	// Reason is missing, malformed, unknown, taken, twice, differs, unreadable or toomany.
	Reason string
}

// says is what people read of each reason.
var says = map[string]*text.Text{
	missing: text.CellMissing, malformed: text.CellMalformed, unknown: text.CellUnknown, taken: text.CellTaken,
	double: text.CellTwice, differs: text.CellDiffers, unreadable: text.CellUnreadable, toomany: text.CellTooMany,
}

// Message says in a language what is wrong with the cell.
func (f Fault) Message(language string) string { return says[f.Reason].In(language) }

// refusal is the fault as the reason why a file is not taken.
func (f Fault) refusal() error {
	if f.Column == "" {
		return errno.Invalid.Because(text.SheetLine, f.Line, says[f.Reason])
	}
	return errno.Invalid.Because(text.SheetFault, f.Line, f.Column, says[f.Reason])
}

// The reasons of faults.
const (
	missing    = "missing"
	malformed  = "malformed"
	unknown    = "unknown"    // no category or brand, or several, are called so
	taken      = "taken"      // other goods of the shop have this name
	double     = "twice"      // another line has it too
	differs    = "differs"    // from the first line of the goods
	unreadable = "unreadable" // no CSV in UTF-8
	toomany    = "toomany"    // lines
)

// written is goods as a sheet has them, with the line of each product.
type written struct {
	NewGoods

	lines []int
}

// reading is a sheet being read.
type reading struct {
	names  Names
	column map[string]int
	row    sheet.Row
	first  sheet.Row // of the goods
	all    []written
	byName map[string]bool
	faults []Fault
}

// readSheet reads a file; what is wrong with it is all in the faults.
func readSheet(file []byte, n Names) ([]written, []Fault) {
	rows, err := sheet.Read(file, maxSheetRows+1)
	if err != nil {
		fault := Fault{Line: 1, Reason: unreadable}
		if broken, ok := errors.AsType[*csv.ParseError](err); ok {
			fault.Line = broken.Line
		}
		if errors.Is(err, sheet.ErrLength) {
			fault.Reason = toomany
		}
		return nil, []Fault{fault}
	}
	r := &reading{names: n, column: map[string]int{}, byName: map[string]bool{}}
	if !r.header(rows) {
		return nil, r.faults
	}
	for _, row := range rows[1:] {
		r.row = row
		r.line()
	}
	if len(r.all) == 0 {
		r.fault("", missing)
	}
	for i := range r.all {
		r.check(&r.all[i])
	}
	slices.SortStableFunc(r.faults, func(a, b Fault) int { return a.Line - b.Line })
	return r.all, slices.Compact(r.faults)
}

func (r *reading) fault(column, reason string) {
	r.faults = append(r.faults, Fault{max(r.row.Line, 1), column, reason})
}

// header finds the columns by their names; those that nobody knows are left alone.
func (r *reading) header(rows []sheet.Row) bool {
	if len(rows) > 0 {
		r.row = rows[0]
		for i, name := range rows[0].Cells {
			r.column[strings.TrimSpace(name)] = i
		}
	}
	for _, name := range SheetHeader() {
		if _, there := r.column[name]; !there {
			r.fault(name, missing)
		}
	}
	return len(r.faults) == 0
}

// cell returns a cell of the row, "" where the row is short.
func (r *reading) cell(row sheet.Row, name string) string {
	if i := r.column[name]; i < len(row.Cells) {
		return row.Cells[i]
	}
	return ""
}

func (r *reading) text(name string) string { return r.cell(r.row, name) }

// line reads a product, and the goods where it is the first of them.
func (r *reading) line() {
	last := len(r.all) - 1
	if last < 0 || r.text("name") != r.all[last].Goods.Name || r.text("goodsSn") != r.all[last].Goods.SN {
		r.begin()
		last++
	} else {
		for _, name := range SheetHeader()[nameCells:goodsCells] {
			if c := r.text(name); c != "" && c != r.cell(r.first, name) {
				r.fault(name, differs)
			}
		}
	}
	r.product(&r.all[last])
}

// begin reads new goods.
func (r *reading) begin() {
	r.first = r.row
	g := Goods{
		SN: r.text("goodsSn"), Name: r.text("name"), Keywords: r.text("keywords"), Brief: r.text("brief"),
		Unit: r.text("unit"), PicURL: r.text("picUrl"), Detail: r.text("detail"),
		OnSale: r.flag("isOnSale", true), New: r.flag("isNew", false), Hot: r.flag("isHot", false),
		SortOrder: r.whole("sortOrder", "100"), CounterPrice: r.price("counterPrice", "0"),
	}
	if g.Unit == "" {
		g.Unit = "件"
	}
	for url := range strings.Lines(r.text("gallery")) {
		if url = strings.TrimSpace(url); url != "" {
			g.Gallery = append(g.Gallery, url)
		}
	}
	var ok bool
	if g.CategoryID, ok = r.names.category(r.text("category"), r.text("subcategory")); !ok {
		r.fault("category", unknown)
	}
	if g.BrandID, ok = r.names.brand(r.text("brand")); !ok {
		r.fault("brand", unknown)
	}
	if r.byName[g.Name] {
		r.fault("name", double)
	}
	r.byName[g.Name] = true
	w := written{NewGoods: NewGoods{Goods: g}}
	attributes, ok := linesOf(r.text("attributes"), 2)
	if !ok {
		r.fault("attributes", malformed)
	}
	for _, a := range attributes {
		w.Attributes = append(w.Attributes, Attribute{Name: a[0], Value: a[1]})
	}
	r.all = append(r.all, w)
}

// product reads one product and the specification values that it brings.
func (r *reading) product(w *written) {
	p := Product{Price: r.price("price", ""), Number: r.whole("number", ""), URL: r.text("url")}
	values, ok := linesOf(r.text("specifications"), 2)
	switch {
	case !ok:
		r.fault("specifications", malformed)
	case len(values) == 0:
		r.fault("specifications", missing)
	}
	for _, v := range values {
		p.Specifications = append(p.Specifications, v[1])
		w.specify(Specification{Group: v[0], Value: v[1]})
	}
	pictures, ok := linesOf(r.text("specificationPics"), 3)
	if !ok {
		r.fault("specificationPics", malformed)
	}
	for _, v := range pictures {
		w.specify(Specification{Group: v[0], Value: v[1], PicURL: v[2]})
	}
	w.Products, w.lines = append(w.Products, p), append(w.lines, r.row.Line)
}

// specify adds a specification value, or the picture of one.
func (w *written) specify(v Specification) {
	for i, known := range w.Specifications {
		if known.Group == v.Group && known.Value == v.Value {
			if v.PicURL != "" {
				w.Specifications[i].PicURL = v.PicURL
			}
			return
		}
	}
	w.Specifications = append(w.Specifications, v)
}

// check holds goods to the rules of those that are written by hand.
func (r *reading) check(w *written) {
	for _, p := range w.Problems() {
		line := w.lines[max(p.Product, 0)]
		reason := malformed
		if errno.Of(p.Err) == errno.Missing {
			reason = missing
		}
		known := func(f Fault) bool { return f.Line == line && f.Column == p.Field }
		if !slices.ContainsFunc(r.faults, known) {
			r.faults = append(r.faults, Fault{line, p.Field, reason})
		}
	}
}

// orElse is the text of a cell, or another where it is empty.
func (r *reading) orElse(name, otherwise string) string {
	if t := strings.TrimSpace(r.text(name)); t != "" {
		return t
	}
	return otherwise
}

func (r *reading) price(name, otherwise string) money.Amount {
	t := r.orElse(name, otherwise)
	a, err := money.Parse(t)
	switch {
	case t == "":
		r.fault(name, missing)
	case err != nil || a < 0:
		r.fault(name, malformed)
		return 0
	}
	return a
}

func (r *reading) whole(name, otherwise string) int {
	t := r.orElse(name, otherwise)
	n, err := strconv.ParseInt(t, 10, 32)
	switch {
	case t == "":
		r.fault(name, missing)
	case err != nil:
		r.fault(name, malformed)
	}
	return int(n)
}

func (r *reading) flag(name string, otherwise bool) bool {
	switch strings.ToLower(r.orElse(name, onOff(otherwise))) {
	case "1", "true":
		return true
	case "0", "false":
		return false
	}
	r.fault(name, malformed)
	return false
}
