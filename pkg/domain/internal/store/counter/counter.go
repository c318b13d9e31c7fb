// Package counter counts rows. Totals that are too expensive to count for every page are cached in list_counter for
// half a minute, for all processes.
package counter

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"shop.internal/pkg/base/lag"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// Large is the total from which it is cached; smaller ones are counted each time.
const Large = 100_000

// Ages in milliseconds, by the clock of the database. A total older than oldest is never used. One older than due is
// refreshed by the first caller who claims it; a claim expires after void.
const (
	due    = 20_000
	oldest = 30_000
	void   = 5_000
)

// row is a cached total.
type row struct {
	Scope       string `gorm:"primaryKey"`
	Total       int64
	RefreshTime time.Time
}

var rows = table.Of[row]("list_counter")

// Stored returns the total stored under a name, 0 for none.
func Stored(ctx context.Context, q db.Querier, scope string) (int64, error) {
	r, _, err := rows.One(ctx, q, "r.scope = ?", scope)
	return r.Total, err
}

// Store writes a total that its owner maintains instead of counting.
func Store(ctx context.Context, tx *db.Tx, scope string, n int64, at time.Time) error {
	_, err := rows.Upsert(ctx, tx, row{scope, n, at}, "total = VALUES(total), refresh_time = VALUES(refresh_time)")
	return err
}

// First stores a total under a name unless there is one, and returns the one that is there.
func First(ctx context.Context, q db.Querier, scope string, n int64, at time.Time) (int64, error) {
	r, found, err := rows.One(ctx, q, "r.scope = ?", scope)
	if err != nil || found {
		return r.Total, err
	}
	if _, err := rows.Upsert(ctx, q, row{scope, n, at}, "total = total"); err != nil {
		return 0, err
	}
	return Stored(ctx, q, scope)
}

// Count is a total that may be cached.
type Count struct {
	// Scope is the name of the total, as in "orders:all".
	Scope string
	// From is what follows "SELECT COUNT(*) FROM", with its arguments.
	From string
	Args []any
	// Large is the total from which it is cached; 0 means the default.
	Large int64
}

// Total is a number of rows; Cached says that it may be half a minute old.
type Total struct {
	N      int64
	Cached bool
}

// cachedTotal is a total and the age of its row in list_counter, nil for none.
type cachedTotal struct {
	N, Total int64
	Age      *int64
}

// Totals returns totals in the order of counts. All are read in one statement; a second one stores large ones. What is
// stored is for everybody, so it never lags: whoever reads from a replica counts again where nothing is stored yet.
func Totals(ctx context.Context, q db.Querier, counts ...Count) ([]Total, error) {
	found, err := read(ctx, q, counts)
	if err != nil {
		return nil, err
	}
	sure, lags := lag.Forbid(ctx), lag.Of(ctx) != nil
	totals, fresh := make([]Total, len(counts)), map[string]int64{}
	for i, k := range found {
		cached, large := k.Age != nil && *k.Age <= oldest, k.Total >= counts[i].large()
		totals[i] = Total{N: k.Total, Cached: cached}
		mine := false
		if cached && *k.Age > due || lags && !cached && large {
			if mine, err = claim(sure, q, counts[i].Scope); err != nil {
				return nil, err
			}
		}
		switch {
		case mine:
			n, err := Exact(sure, q, counts[i])
			if err != nil {
				return nil, err
			}
			// The rows of a page that lags need not be as many.
			totals[i], fresh[counts[i].Scope] = Total{N: n, Cached: lags}, n
		case !cached && large && !lags:
			fresh[counts[i].Scope] = k.Total
		}
	}
	return totals, store(sure, q, fresh)
}

// Exact counts without the cache.
func Exact(ctx context.Context, q db.Querier, c Count) (int64, error) {
	n, err := table.Select[int64](ctx, q, countOf+c.From, c.Args...)
	if err != nil {
		return 0, fmt.Errorf("count %s: %w", c.Scope, err)
	}
	return n[0], nil // COUNT always answers
}

// ExactLater is Exact, read with what else is queued; the function returns the number.
func ExactLater(ctx context.Context, q db.Queue, c Count) (func() int64, error) {
	n, err := table.SelectLater[struct{ N int64 }](ctx, q, countOf+c.From, c.Args...)
	return func() int64 { return n()[0].N }, err
}

// countOf begins the statement of a count.
const countOf = "SELECT COUNT(*) AS n FROM "

func (c Count) large() int64 {
	if c.Large == 0 {
		return Large
	}
	return c.Large
}

// cachedOr is one total: what is cached of it, or else a count. COALESCE stops at the first value.
const cachedOr = `SELECT @n AS n,
	COALESCE(
		(SELECT total FROM list_counter WHERE scope = @scope AND @age <= @oldest),
		(SELECT COUNT(*) FROM @from)
	) AS total,
	(SELECT @age FROM list_counter WHERE scope = @scope) AS age`

// age is that of a total, in milliseconds.
var age = gorm.Expr(`TIMESTAMPDIFF(MICROSECOND, refresh_time, UTC_TIMESTAMP(3)) DIV 1000`)

// read takes the cached totals and counts only where there is none.
func read(ctx context.Context, q db.Querier, counts []Count) ([]cachedTotal, error) {
	parts := make([]any, len(counts))
	for i, c := range counts {
		parts[i] = clause.NamedExpr{SQL: cachedOr, Vars: []any{map[string]any{
			"n": i, "scope": c.Scope, "oldest": oldest, "age": age, "from": gorm.Expr(c.From, c.Args...),
		}}}
	}
	var found []cachedTotal
	if err := table.Scan(ctx, q, &found, union(len(counts))+" ORDER BY n", parts...); err != nil {
		return nil, fmt.Errorf("count %s: %w", counts[0].Scope, err)
	}
	return found, nil
}

// claim reports whether this caller refreshes a total. The claim is a row of its own, so that it does not change the
// age of the total.
func claim(ctx context.Context, q db.Querier, scope string) (bool, error) {
	res, err := db.Exec(ctx, q, `INSERT INTO list_counter (scope, total, refresh_time)
		VALUES (?, 0, UTC_TIMESTAMP(3))
		ON DUPLICATE KEY UPDATE refresh_time = IF(? > ?, UTC_TIMESTAMP(3), refresh_time)`, "claim:"+scope, age, void)
	if err != nil {
		return false, fmt.Errorf("claim %s: %w", scope, err)
	}
	return res.Affected > 0, nil
}

func store(ctx context.Context, q db.Querier, totals map[string]int64) error {
	if len(totals) == 0 {
		return nil
	}
	var values clause.CommaExpression
	for scope, n := range totals {
		values.Exprs = append(values.Exprs, gorm.Expr("(?, ?, UTC_TIMESTAMP(3))", scope, n))
	}
	_, err := db.Exec(ctx, q, `INSERT INTO list_counter (scope, total, refresh_time)
		VALUES ?
		ON DUPLICATE KEY UPDATE total = VALUES(total), refresh_time = VALUES(refresh_time)`, values)
	if err != nil {
		return fmt.Errorf("store totals: %w", err)
	}
	return nil
}

// Each counts the rows of each value of a column, in one statement. No number is above most, since no more rows are
// read for it. from is what follows "SELECT COUNT(*) FROM", with one placeholder, which stands for the value.
func Each[V ~int](ctx context.Context, q db.Querier, most int, from string, values []V) (map[V]int64, error) {
	parts := make([]any, len(values))
	for i, v := range values {
		parts[i] = gorm.Expr("SELECT ? AS value, (SELECT COUNT(*) FROM (SELECT 1 FROM "+from+" LIMIT ?) d) AS n", v, v, most)
	}
	var found []struct {
		Value V
		N     int64
	}
	if err := table.Scan(ctx, q, &found, union(len(parts)), parts...); err != nil {
		return nil, fmt.Errorf("count from %s: %w", from, err)
	}
	counts := make(map[V]int64, len(found))
	for _, f := range found {
		counts[f.Value] = f.N
	}
	return counts, nil
}

// union is a statement of some parts, each a placeholder.
func union(parts int) string { return "?" + strings.Repeat(" UNION ALL ?", parts-1) }
