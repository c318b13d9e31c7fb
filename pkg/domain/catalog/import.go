package catalog

import (
	"context"
	stdcsv "encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shop.internal/pkg/base/csv"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/richtext"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Imported is the content of a CSV file of goods. Removed are the elements that are removed from their rich texts.
type Imported struct {
	Goods, Products int
	Removed         []string
}

// CheckCSV returns the content of a CSV file of goods and all its faults. It writes nothing.
func (s *Service) CheckCSV(ctx context.Context, file []byte) (Imported, []Fault, error) {
	list, faults, err := s.read(ctx, s.db, file)
	return count(list), faults, err
}

// ImportCSV adds all goods of a file, by the rules of Add, or none. It fails with errno.Invalid for a file with faults,
// and with errno.GoodsNameExists if goods with one of the names exist.
func (s *Service) ImportCSV(ctx context.Context, file []byte) (Imported, error) {
	return idempotency.InTx(ctx, s.once, func(tx *db.Tx) (Imported, error) {
		list, faults, err := s.read(ctx, tx, file)
		if err != nil {
			return Imported{}, err
		}
		if len(faults) > 0 {
			return Imported{}, refused(faults)
		}
		goods := make([]NewGoods, len(list))
		for i, w := range list {
			goods[i] = w.cleaned()
		}
		if err := s.holdAllParents(ctx, tx, goods); err != nil {
			return Imported{}, err
		}
		ids, err := s.insert(ctx, tx, goods)
		if err != nil {
			return Imported{}, err
		}
		if err := s.touch(ctx, tx, ids...); err != nil {
			return Imported{}, err
		}
		return count(list), recordImported(ctx, tx, ids, goods)
	})
}

// refused is the error for a file with faults: that of a taken name, if there is no other fault.
func refused(faults []Fault) error {
	for _, f := range faults {
		if f.Reason != taken {
			return fmt.Errorf("import goods: %w", f.refusal())
		}
	}
	return fmt.Errorf("import goods: %w", errno.GoodsNameExists)
}

// read parses a file and looks up which of its names other goods have.
func (s *Service) read(ctx context.Context, q db.Querier, file []byte) ([]written, []Fault, error) {
	names, err := s.Names(ctx)
	if err != nil {
		return nil, nil, err
	}
	unit, err := s.unit(ctx)
	if err != nil {
		return nil, nil, err
	}
	list, faults := readCSV(file, names, unit)
	if len(list) == 0 {
		return list, faults, nil
	}
	keys := make([]string, len(list))
	for i, w := range list {
		keys[i] = nameKey(w.Goods.Name)
	}
	owned, err := owners(ctx, q, keys)
	if err != nil {
		return nil, nil, err
	}
	for i, w := range list {
		if owned[keys[i]] != 0 {
			faults = append(faults, Fault{w.lines[0], w.Goods.SN, "name", taken})
		}
	}
	slices.SortStableFunc(faults, func(a, b Fault) int { return a.Line - b.Line })
	return list, faults, nil
}

func count(list []written) Imported {
	done, details := Imported{Goods: len(list)}, make([]string, len(list))
	for i, w := range list {
		done.Products += len(w.Products)
		details[i] = w.Goods.Detail
	}
	done.Removed = richtext.Removed(details...)
	return done
}

// recordImported writes one audit record for all goods of a file.
func recordImported(ctx context.Context, tx *db.Tx, ids []int64, goods []NewGoods) error {
	type brief struct {
		ID       int64
		SN, Name string
	}
	list := make([]brief, len(ids))
	for i, id := range ids {
		list[i] = brief{id, goods[i].Goods.SN, goods[i].Goods.Name}
	}
	return audit.Record(ctx, tx, audit.Change{
		After: map[string]any{"goods": list}, Result: goods[0].Goods.Name, Comment: strconv.Itoa(len(ids)),
	})
}

// maxCSVRows is the maximum number of rows.
const maxCSVRows = 5000

// Fault is one fault of a CSV file of goods.
type Fault struct {
	// Line is the row, as spreadsheets count them from 1, SN the number of its goods; Column is the name of the column,
	// "" for the whole row.
	Line   int
	SN     string
	Column string
	// Reason is missing, malformed, unknown, taken, twice, differs, rounded, decimals, unreadable or toomany.
	Reason string
}

// says maps each reason to its text for people.
var says = map[string]*text.Text{
	missing: text.CSVMissing, malformed: text.CSVMalformed, rounded: text.CSVRounded, unknown: text.CSVUnknown,
	taken: text.CSVTaken, double: text.CSVTwice, differs: text.CSVDiffers, unreadable: text.CSVUnreadable,
	toomany: text.CSVTooMany, decimals: text.CSVDecimals,
}

// Message is the text for people about the cell, in a language.
func (f Fault) Message(language string) string { return says[f.Reason].In(language) }

// refusal is the error for a file with this fault.
func (f Fault) refusal() error {
	if f.Column == "" {
		return errno.Invalid.Because(text.CSVLine, f.Line, says[f.Reason])
	}
	return errno.Invalid.Because(text.CSVCell, f.Line, f.Column, says[f.Reason])
}

// The reasons of faults.
const (
	missing    = "missing"
	malformed  = "malformed"
	unknown    = "unknown"    // no category or brand has this name, or several have
	taken      = "taken"      // other goods of the shop have this name
	double     = "twice"      // repeats a value of another line
	differs    = "differs"    // from the first line of the goods
	rounded    = "rounded"    // a long number that a spreadsheet has shortened
	decimals   = "decimals"   // of an amount in a currency that has none
	unreadable = "unreadable" // not CSV in UTF-8 or GB18030
	toomany    = "toomany"    // rows
)

// written is the goods of a file, with the line of each product.
type written struct {
	NewGoods

	lines []int
}

// reading is a file being parsed.
type reading struct {
	names  Names
	unit   money.Amount
	column map[string]int
	row    csv.Row
	first  csv.Row // of the goods
	all    []written
	byName map[string]bool
	faults []Fault
}

// readCSV parses a file and collects its faults.
func readCSV(file []byte, n Names, unit money.Amount) ([]written, []Fault) {
	rows, err := csv.Read(file, maxCSVRows+1)
	if err != nil {
		fault := Fault{Line: 1, Reason: unreadable}
		if broken, ok := errors.AsType[*stdcsv.ParseError](err); ok {
			fault.Line = broken.Line
		}
		if errors.Is(err, csv.ErrLength) {
			fault.Reason = toomany
		}
		return nil, []Fault{fault}
	}
	r := &reading{names: n, unit: unit, column: map[string]int{}, byName: map[string]bool{}}
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
	f := Fault{Line: max(r.row.Number, 1), Column: column, Reason: reason}
	if len(r.all) > 0 { // behind the header
		f.SN = r.text("goodsSn")
	}
	r.faults = append(r.faults, f)
}

// header finds the columns by their names; unknown ones are ignored.
func (r *reading) header(rows []csv.Row) bool {
	if len(rows) > 0 {
		r.row = rows[0]
		for i, name := range rows[0].Cells {
			r.column[strings.TrimSpace(name)] = i
		}
	}
	for _, c := range columns {
		if _, there := r.column[c.name]; !there && !c.later {
			r.fault(c.name, missing)
		}
	}
	return len(r.faults) == 0
}

// cell returns a cell of the row as requests have it, "" if the row is too short. Rich text has its own cleaning, and
// invisible characters are refused in all texts but the brief.
func (r *reading) cell(row csv.Row, name string) string {
	i, there := r.column[name]
	if !there || i >= len(row.Cells) {
		return ""
	}
	switch name {
	case "detail":
		return row.Cells[i]
	case "brief":
		return form.Clean(row.Cells[i])
	}
	return form.Name(row.Cells[i])
}

func (r *reading) text(name string) string { return r.cell(r.row, name) }

// line parses a product, and the goods if it is their first line.
func (r *reading) line() {
	last := len(r.all) - 1
	if last < 0 || r.text("name") != r.all[last].Goods.Name || r.text("goodsSn") != r.all[last].Goods.SN {
		r.begin()
		last++
	} else {
		for _, c := range columns {
			if t := r.text(c.name); c.rows == first && t != "" && t != r.cell(r.first, c.name) {
				r.fault(c.name, differs)
			}
		}
	}
	w := &r.all[last]
	var p Product
	r.columns(w, &p, func(c column) bool { return c.rows == each })
	w.Products, w.lines = append(w.Products, p), append(w.lines, r.row.Number)
}

// begin parses new goods.
func (r *reading) begin() {
	r.first = r.row
	name := r.text("name")
	r.all = append(r.all, written{})
	w := &r.all[len(r.all)-1]
	r.columns(w, nil, func(c column) bool { return c.rows != each && c.rank < 3 })
	if r.byName[name] {
		r.fault("name", double)
	}
	r.byName[name] = true
	r.columns(w, nil, func(c column) bool { return c.rows != each && c.rank >= 3 })
}

// columns parses the cells of some columns of the row, by rank.
func (r *reading) columns(w *written, p *Product, some func(column) bool) {
	byRank := func(a, b column) int { return a.rank - b.rank }
	for _, c := range slices.SortedStableFunc(slices.Values(columns), byRank) {
		if some(c) {
			c.read(r, c.name, w, p)
		}
	}
}

// lines parses the lines of a cell, each of n texts.
func (r *reading) lines(name string, n int) [][]string {
	lines, ok := linesOf(r.text(name), n)
	if !ok {
		r.fault(name, malformed)
	}
	return lines
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

// check applies the rules for goods entered in the console.
func (r *reading) check(w *written) {
	for _, p := range w.Problems() {
		line := w.lines[max(p.Product, 0)]
		reason := malformed
		if errno.Of(p.Err) == errno.Missing {
			reason = missing
		}
		column := columnOf(p.Field)
		known := func(f Fault) bool { return f.Line == line && f.Column == column }
		if !slices.ContainsFunc(r.faults, known) {
			r.faults = append(r.faults, Fault{line, w.Goods.SN, column, reason})
		}
	}
}

// orElse is the text of a cell, or a default if it is empty.
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
	case a%r.unit != 0:
		r.fault(name, decimals)
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
