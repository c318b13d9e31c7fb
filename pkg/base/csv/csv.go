// Package csv writes and reads CSV for spreadsheets: with a byte order mark, so that they recognize UTF-8, and without
// cells that they would execute as formulas or round as numbers. Read is the inverse of Writer.
package csv

import (
	"bytes"
	stdcsv "encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
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

// digits is text that a spreadsheet would take for a number and change: more digits than it keeps, as in numbers of
// orders and parcels, zeros at the beginning, or an exponent. Neither amounts nor counts are written in these forms.
var digits = regexp.MustCompile(`^(?:\d{12,}|0\d+|\d+(?:\.\d+)?[eE][+-]?\d+)$`)

var rounded = regexp.MustCompile(`^\d(?:\.\d+)?E\+\d+$`)

// Rounded reports whether a cell is a long number of which a spreadsheet has written what it shows, the first digits.
func Rounded(cell string) bool { return rounded.MatchString(cell) }

// Defuse prefixes an apostrophe to a cell that a spreadsheet would execute or take for a number although it is text,
// and to one that begins with an apostrophe, so that Plain can remove it.
func Defuse(cell string) string {
	if leading(cell) || digits.MatchString(cell) {
		return "'" + cell
	}
	return cell
}

// Plain removes the apostrophe that Defuse has added.
func Plain(cell string) string {
	if rest, quoted := strings.CutPrefix(cell, "'"); quoted && (leading(rest) || digits.MatchString(rest)) {
		return rest
	}
	return cell
}

// Row is a row of a file. Number is what a spreadsheet shows beside it: it counts empty rows, and a row with line feeds
// in its cells once.
type Row struct {
	Number int
	Cells  []string
}

// Errors of files that are not CSV files.
var (
	ErrText   = errors.New("the file is not text of UTF-8 or GB18030")
	ErrLength = errors.New("the file has too many rows")
)

// decode returns a file as UTF-8. Spreadsheets on Chinese Windows write GB18030.
func decode(file []byte) ([]byte, error) {
	if bytes.IndexByte(file, 0) >= 0 {
		return nil, ErrText
	}
	rest, marked := bytes.CutPrefix(file, []byte(mark))
	switch {
	case utf8.Valid(rest):
		return rest, nil
	case marked || mostlyUTF8(rest):
		return nil, ErrText
	}
	out, err := simplifiedchinese.GB18030.NewDecoder().Bytes(rest)
	if err != nil || bytes.ContainsRune(out, utf8.RuneError) {
		return nil, ErrText
	}
	return out, nil
}

// mostlyUTF8 reports whether a file is UTF-8 with some broken characters, which would be read as others of GB18030.
func mostlyUTF8(file []byte) bool {
	whole, broken := 0, 0
	for len(file) > 0 {
		r, n := utf8.DecodeRune(file)
		switch {
		case n > 1:
			whole++
		case r == utf8.RuneError:
			broken++
		}
		file = file[n:]
	}
	return whole > broken
}

// Read parses a file of UTF-8, with or without the mark, or GB18030; rows may have different lengths, and empty ones
// are skipped. It fails with ErrText, with ErrLength for more rows than most, and with the *ParseError of encoding/csv,
// whose Line is the number of the row.
func Read(file []byte, most int) ([]Row, error) {
	file, err := decode(file)
	if err != nil {
		return nil, err
	}
	r := stdcsv.NewReader(bytes.NewReader(file))
	r.FieldsPerRecord = -1
	var rows []Row
	inner := 0 // line feeds in cells so far
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			if broken, ok := errors.AsType[*stdcsv.ParseError](err); ok {
				broken.Line = broken.StartLine - inner
			}
			return nil, fmt.Errorf("read a CSV file: %w", err)
		}
		line, _ := r.FieldPos(0)
		number, whole := line-inner, strings.Join(cells, "")
		inner += strings.Count(whole, "\n")
		if strings.TrimSpace(whole) == "" {
			continue
		}
		if len(rows) == most {
			return nil, ErrLength
		}
		for i, c := range cells {
			cells[i] = Plain(c)
		}
		rows = append(rows, Row{number, cells})
	}
}
