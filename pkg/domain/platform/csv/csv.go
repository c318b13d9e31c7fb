// Package csv writes and reads CSV for spreadsheets: with a byte order mark, so that they recognize UTF-8, and without
// cells that they would execute as formulas. Read is the inverse of Writer.
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
	out := &Writer{stdcsv.NewWriter(w)} // with plain line feeds: the other ending would change line feeds in cells
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

// Flush writes buffered rows.
func (w *Writer) Flush() error {
	w.csv.Flush()
	if err := w.csv.Error(); err != nil {
		return fmt.Errorf("write rows: %w", err)
	}
	return nil
}

// leads are the first characters of cells that a spreadsheet takes for a formula, including their full-width forms, and
// the apostrophe that prevents it.
const leads = "=+-@＝＋－＠\t\r\n'"

// leading reports whether a text begins with one of leads.
func leading(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return text != "" && strings.ContainsRune(leads, first)
}

// Defuse prefixes an apostrophe to a cell that a spreadsheet would execute, and to one that begins with an apostrophe,
// so that Plain can remove it.
func Defuse(cell string) string {
	if leading(cell) {
		return "'" + cell
	}
	return cell
}

// Plain removes the apostrophe that Defuse has added.
func Plain(cell string) string {
	if rest, quoted := strings.CutPrefix(cell, "'"); quoted && leading(rest) {
		return rest
	}
	return cell
}

// Row is a row of a file with its first line.
type Row struct {
	Line  int
	Cells []string
}

// Errors of files that are not CSV files.
var (
	ErrText   = errors.New("the file is not text of UTF-8")
	ErrLength = errors.New("the file has too many rows")
)

// Read parses a file with or without the mark; rows may have different lengths, and empty ones are skipped. It fails
// with ErrText, with ErrLength for more rows than most, and with encoding/csv's *ParseError, which names the line.
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
