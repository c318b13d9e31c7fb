package table

import (
	"context"
	"fmt"
	"strings"

	"shop.internal/pkg/domain/internal/store/db"
)

// Readable fails if the account of q cannot read each of the tables. It reads at most a row of each.
func Readable(ctx context.Context, q db.Querier) error {
	var reads []string
	for _, t := range All() {
		reads = append(reads, "EXISTS (SELECT 1 FROM "+quote(t.Name)+")")
	}
	rows, err := db.Query(ctx, q, "SELECT "+strings.Join(reads, ", "))
	if err != nil {
		return fmt.Errorf("read the tables: %w", err)
	}
	defer func() { _ = rows.Close() }()
	return rows.Err()
}

// Writable fails if the account of q cannot insert into the table and update it. It changes nothing: that a server or
// an account refuses writes is decided before the rows.
func (w *writer) Writable(ctx context.Context, q db.Querier) error {
	var into, from []string
	for _, f := range w.inserted {
		into, from = append(into, quote(f.DBName)), append(from, "r."+quote(f.DBName))
	}
	key := w.of.quoted + "." + quote(w.of.key)
	_, err := db.Exec(ctx, q, "INSERT INTO "+w.of.quoted+" ("+strings.Join(into, ", ")+") SELECT "+
		strings.Join(from, ", ")+" FROM "+w.of.quoted+" r WHERE FALSE ON DUPLICATE KEY UPDATE "+key+" = "+key)
	if err != nil {
		return fmt.Errorf("write to %s: %w", w.of.name, err)
	}
	return nil
}
