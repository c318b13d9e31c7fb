// Package export sends lists to operators as CSV files, row by row as they are read.
package export

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"shop.internal/pkg/base/csv"
	"shop.internal/pkg/base/lag"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/kit/wire"
)

// Limit is the timeout of an export, including a slow client.
const Limit = 30 * time.Minute

// List describes a list to export.
type List struct {
	// Audit stores the audit records of the export, Filter is the caller's filter.
	Audit  *audit.Service
	Filter any
	// Name is the name of the file, in ASCII and without an extension.
	Name string
	// Header are the cells of the first row.
	Header []string
	// Currency is that of the amounts.
	Currency money.Currency
}

// File is an export in progress.
type File struct {
	csv   *csv.Writer
	out   *http.ResponseController
	audit *audit.Service
	rows  int
	money money.Currency
}

// Open records the export and begins its file. The write deadline is that of ctx, which is later than for other
// answers.
func Open(ctx context.Context, w http.ResponseWriter, l List) (*File, error) {
	// The rows may lag all the same, since the record is none of them.
	if err := l.Audit.BeginExport(lag.Forbid(ctx), l.Filter); err != nil {
		return nil, err
	}
	h := w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", l.Name+".csv"))
	h.Set("Cache-Control", "no-store")
	f := &File{csv: nil, out: http.NewResponseController(w), audit: l.Audit, rows: 0, money: l.Currency}
	if end, ok := ctx.Deadline(); ok {
		_ = f.out.SetWriteDeadline(end) // a connection without deadlines needs none
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

// End sends the rest, unless something has failed, and records how the export ended.
func (f *File) End(ctx context.Context, failed error) error {
	if failed == nil {
		failed = f.Flush()
	}
	return errors.Join(failed, f.audit.EndExport(ctx, f.rows, failed == nil))
}

// Flush sends the rows of a batch.
func (f *File) Flush() error {
	if err := f.csv.Flush(); err != nil {
		return err
	}
	_ = f.out.Flush() // what cannot be flushed is sent at the end
	return nil
}

// Int formats a number.
func Int[T ~int | ~int64](n T) string { return strconv.FormatInt(int64(n), 10) }

// Money formats an amount with the decimals of the shop's currency.
func (f *File) Money(a money.Amount) string { return f.money.Text(a) }

// Flag formats a boolean as 1 or 0.
func Flag(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// Texts joins texts, one per line.
func Texts(list []string) string { return strings.Join(list, "\n") }

// Moment formats a time in the shop's time zone, "" for the zero time.
func Moment(zone wire.Zone, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(zone.Location()).Format(wire.Layout)
}
