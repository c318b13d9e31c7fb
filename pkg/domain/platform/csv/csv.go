// Package csv writes and reads CSV as spreadsheets do: with a byte order mark, so that they see UTF-8, and with no
// cell that they would take for a formula. What Writer writes, Read reads back unchanged.
package csv

import (
	"bytes"
	stdcsv "encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// mark is the byte order mark of UTF-8.
const mark = "\ufeff"

// Writer writes rows.
type Writer struct{ csv *stdcsv.Writer }

// NewWriter writes the mark and the header.
func NewWriter(w io.Writer, header ...string) (*Writer, error) {
	if _, err := io.WriteString(w, mark); err != nil {
		return nil, fmt.Errorf("write a CSV file: %w", err)
	}
	out := &Writer{stdcsv.NewWriter(w)} // with plain line feeds: the other ending would reach into the cells
	return out, out.Row(header...)
}

// Row writes a row.
func (w *Writer) Row(cells ...string) error {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = Defuse(c)
	}
	if err := w.csv.Write(row); err != nil {
		return fmt.Errorf("write a row: %w", err)
	}
	return nil
}

// Flush sends what has been written on its way.
func (w *Writer) Flush() error {
	w.csv.Flush()
	if err := w.csv.Error(); err != nil {
		return fmt.Errorf("write rows: %w", err)
	}
	return nil
}

// leads are the characters by which a spreadsheet takes a cell for a formula, also in the full width that some turn
// into the plain one, and the one that tells it not to.
const leads = "=+-@＝＋－＠\t\r\n'"

// leading reports whether a text begins with one of them.
func leading(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return text != "" && strings.ContainsRune(leads, first)
}

// Defuse puts an apostrophe before what a spreadsheet would take for a formula, and before an apostrophe, so that it
// can be taken away again.
func Defuse(cell string) string {
	if leading(cell) {
		return "'" + cell
	}
	return cell
}

// Plain takes away the apostrophe that Defuse has put there.
func Plain(cell string) string {
	if rest, quoted := strings.CutPrefix(cell, "'"); quoted && leading(rest) {
		return rest
	}
	return cell
}

// Row is a row of a file with the line that it begins on.
type Row struct {
	Line  int
	Cells []string
}

// What a file can be that is no CSV file.
var (
	ErrText   = errors.New("the file is not text of UTF-8")
	ErrLength = errors.New("the file has too many rows")
)

// Read reads a file with or without the mark; rows may have fewer cells than others, and empty ones are left out. It
// fails with ErrText, with ErrLength for more rows than most, and with encoding/csv's *ParseError, which
// names the line.
func Read(file []byte, most int) ([]Row, error) {
	file = bytes.TrimPrefix(file, []byte(mark))
	if !utf8.Valid(file) || bytes.IndexByte(file, 0) >= 0 {
		return nil, ErrText
	}
	r := stdcsv.NewReader(bytes.NewReader(file))
	r.FieldsPerRecord = -1
	var rows []Row
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read a CSV file: %w", err)
		}
		if strings.TrimSpace(strings.Join(cells, "")) == "" {
			continue
		}
		if len(rows) == most {
			return nil, ErrLength
		}
		line, _ := r.FieldPos(0)
		for i, c := range cells {
			cells[i] = Plain(c)
		}
		rows = append(rows, Row{line, cells})
	}
}
