// Package export sends lists to operators as files that spreadsheets open, row by row as they are read.
package export

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/platform/csv"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/kit/wire"
)

// Limit is the longest that an export may take, its reader's slowness included.
const Limit = 30 * time.Minute

// List is what is to be written.
type List struct {
	// Audit takes the records of the export, Filter is what the caller has chosen rows by.
	Audit  *audit.Service
	Filter any
	// Name is that of the file, in ASCII and without an ending.
	Name string
	// Header are the cells of the first row.
	Header []string
}

// File is an export under way.
type File struct {
	csv   *csv.Writer
	out   *http.ResponseController
	audit *audit.Service
	rows  int
}

// Open records the export and begins its file. The connection stays open as long as ctx may last, which is longer than
// for other answers.
func Open(ctx context.Context, w http.ResponseWriter, l List) (*File, error) {
	if err := l.Audit.BeginExport(ctx, l.Filter); err != nil {
		return nil, err
	}
	h := w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", l.Name+".csv"))
	h.Set("Cache-Control", "no-store")
	f := &File{csv: nil, out: http.NewResponseController(w), audit: l.Audit, rows: 0}
	if end, ok := ctx.Deadline(); ok {
		_ = f.out.SetWriteDeadline(end) // a connection that knows no deadline has none
	}
	var err error
	f.csv, err = csv.NewWriter(w, l.Header...)
	return f, err
}

// Row writes a row.
func (f *File) Row(cells ...string) error {
	f.rows++
	return f.csv.Row(cells...)
}

// End sends what is left, unless something has failed already, and records how the export ended.
func (f *File) End(ctx context.Context, failed error) error {
	if failed == nil {
		failed = f.Flush()
	}
	return errors.Join(failed, f.audit.EndExport(ctx, f.rows, failed == nil))
}

// Flush sends the rows of a batch on their way.
func (f *File) Flush() error {
	if err := f.csv.Flush(); err != nil {
		return err
	}
	_ = f.out.Flush() // what cannot be flushed is sent at the end
	return nil
}

// Int writes a number.
func Int[T ~int | ~int64](n T) string { return strconv.FormatInt(int64(n), 10) }

// Money writes an amount with two digits.
func Money(a money.Amount) string { return a.String() }

// Flag writes 1 or 0.
func Flag(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// Texts writes several texts, a line each.
func Texts(list []string) string { return strings.Join(list, "\n") }

// Moment writes a time by the shop's clock, nothing for the zero time.
func Moment(zone wire.Zone, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(zone.Location()).Format(wire.Layout)
}
