package table

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"gorm.io/gorm/schema"

	"shop.internal/pkg/domain/internal/store/db"
)

// HoldsAddresses reports whether a table has columns with addresses.
func (d Declared) HoldsAddresses() bool { return len(d.addresses()) > 0 }

// addresses are the columns with addresses.
func (d Declared) addresses() []*schema.Field {
	var all []*schema.Field
	for _, f := range d.Fields {
		if holds(f) != "" {
			all = append(all, f)
		}
	}
	return all
}

// held is a row as it is stored: its key and its columns with addresses.
type held struct {
	key   int64
	texts []sql.NullString
}

// Rekey stores the keys of the shop's own files in at most n rows after a key, in place of addresses that an earlier
// release has stored. It returns the key of the last row and how many rows it has read. Clients see no change, so
// version and time of the rows stay. A row that is changed meanwhile keeps what the change has stored.
func (d Declared) Rekey(ctx context.Context, in *db.DB, after int64, n int) (last int64, read int, err error) {
	rows, err := d.held(ctx, in, after, n)
	if err != nil || len(rows) == 0 {
		return after, 0, err
	}
	err = in.InTx(ctx, func(tx *db.Tx) error {
		for _, r := range rows {
			if err := d.rekey(ctx, tx, r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return after, 0, fmt.Errorf("store keys in %s: %w", d.Name, err)
	}
	return rows[len(rows)-1].key, len(rows), nil
}

func (d Declared) held(ctx context.Context, q db.Querier, after int64, n int) ([]held, error) {
	columns := []string{d.Key}
	for _, f := range d.addresses() {
		columns = append(columns, quote(f.DBName))
	}
	found, err := db.Query(ctx, q, "SELECT "+strings.Join(columns, ", ")+" FROM "+quote(d.Name)+
		" WHERE "+d.Key+" > ? ORDER BY "+d.Key+" LIMIT ?", after, n)
	if err != nil {
		return nil, fmt.Errorf("read addresses of %s: %w", d.Name, err)
	}
	defer func() { _ = found.Close() }() // Err reports its failures
	var rows []held
	for found.Next() {
		r := held{texts: make([]sql.NullString, len(columns)-1)}
		into := []any{&r.key}
		for i := range r.texts {
			into = append(into, &r.texts[i])
		}
		if err := found.Scan(into...); err != nil {
			return nil, fmt.Errorf("read addresses of %s: %w", d.Name, err)
		}
		rows = append(rows, r)
	}
	return rows, found.Err()
}

func (d Declared) rekey(ctx context.Context, tx *db.Tx, r held) error {
	for i, f := range d.addresses() {
		was := r.texts[i].String
		is := filed(tx, f, was)
		if is == was {
			continue
		}
		// As binary, since texts that differ in case alone are equal to a collation.
		_, err := db.Exec(ctx, tx, "UPDATE "+quote(d.Name)+" SET "+quote(f.DBName)+" = ? WHERE "+d.Key+" = ? AND "+
			quote(f.DBName)+" = CAST(? AS BINARY)", is, r.key, was)
		if err != nil {
			return err
		}
	}
	return nil
}
