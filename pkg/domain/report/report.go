// Package report verifies the books of the shop: it compares the tables of the areas with each other and reports every
// row that disagrees. It reads the tables of all areas, which no other area may do; only a repair writes to them.
//
// What must agree is derived as far as possible: what a column refers to and which values it may have from the
// declarations of the tables, states and histories from the state machines, marks from the states that they stand for.
// The rest is listed by table: amounts and their parts, counters and their rows, ledgers and their sources, effects and
// their causes.
package report

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/internal/counter"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
)

// Disagreement is a row whose value does not follow from the other rows.
type Disagreement struct {
	// Table and Key identify the row: its id, or its key columns joined by a slash.
	Table, Key string
	// What is the column, or what was counted.
	What string
	// Found is the stored value, Expected the one that it should be.
	Found, Expected string

	mend *mendable
}

// differs is a row that no repair changes.
func differs(table, key, what, found, expected string) Disagreement {
	return Disagreement{Table: table, Key: key, What: what, Found: found, Expected: expected, mend: nil}
}

// String returns the disagreement as one line.
func (d Disagreement) String() string {
	return fmt.Sprintf("%s %s: %s is %s, should be %s", d.Table, d.Key, d.What, d.Found, d.Expected)
}

// Found is called for every disagreement; its error ends the verification.
type Found func(Disagreement) error

// Progress is called before each table, and after each range of its rows, with the number of tables done.
type Progress func(table string, done, of int, key int64)

// Service verifies the books.
type Service struct {
	db *db.DB
	// span is the number of rows that one statement reads, pause the time between the looks at a disagreement.
	span  int
	pause time.Duration
	zone  *time.Location
	now   func() time.Time
	// kept is what was kept of the audit records outside the database.
	kept audit.KeptFunc
	// at is where a verification in steps is, nil for one at once.
	at *position
}

// New returns the service. Days are days of the shop's time zone.
func New(d *db.DB, zone *time.Location, now func() time.Time, kept audit.KeptFunc) *Service {
	return &Service{db: d, span: 5000, pause: 200 * time.Millisecond, zone: zone, now: now, kept: kept, at: nil}
}

// part is what verifies one table, and the tables that it reads.
type part struct {
	table string
	reads []string
	run   func(ctx context.Context, found Found, told func(key int64)) error
}

// Verify checks the books and calls found for every disagreement. It walks each table by its key in ranges, so that its
// memory does not grow with the tables, and may run while the shop sells: a rule that spans several tables is one
// statement, which sees a consistent state, and what disagrees must do so at several looks. An error of found ends it.
func (s *Service) Verify(ctx context.Context, found Found, told Progress) error {
	return s.verify(ctx, s.parts(), found, told)
}

func (s *Service) verify(ctx context.Context, parts []part, found Found, told Progress) error {
	for i, p := range parts {
		tell := func(key int64) {
			if told != nil {
				told(p.table, i, len(parts), key)
			}
		}
		tell(0)
		if err := p.run(ctx, found, tell); err != nil {
			return err
		}
	}
	return nil
}

// parts are all that is verified.
func (s *Service) parts() []part {
	whole := *s // the sums of the ledger do not survive an interruption
	whole.at = nil
	parts := []part{{"goods_product", []string{"stock_log", "stock_bucket", "goods_product"}, whole.stock}}
	for _, w := range walks() {
		parts = append(parts, part{w.table, w.tablesRead, s.walk(w)})
	}
	parts = append(parts, s.indexes()...)
	parts = append(parts, s.addresses()...)
	parts = append(parts, s.recordedParts()...)
	return append(parts, part{"audit_log", []string{"audit_log", "list_counter"}, s.chain})
}

// walks are the checks of every declared table: those that follow from its declaration, and those listed for it. They
// depend on the program alone.
var walks = sync.OnceValue(func() []walk {
	listed := map[string]walk{}
	for _, w := range slices.Concat(orderWalks(), moneyWalks(), stockWalks(), promotionWalks(), catalogWalks(),
		peopleWalks(), staffWalks(), programWalks()) {
		listed[w.table] = w
	}
	var all []walk
	for _, t := range table.All() {
		w := listed[t.Name]
		w.table = t.Name
		w.key, w.name = keyOf(t)
		w.checks = append(declared(t), w.checks...)
		w.tablesRead = w.tables()
		all = append(all, w)
	}
	return all
})

func (s *Service) walk(w walk) func(context.Context, Found, func(key int64)) error {
	return s.ranged(w.table, w.key, func(ctx context.Context, lo, hi int64) ([]Disagreement, error) {
		list, err := w.look(ctx, s.db, s.named(lo, hi))
		for i := range list {
			if w.table == "goods_term" { // also one of goods that are not there
				list[i].mend = s.reindexing(list[i].Key)
			}
		}
		return list, err
	})
}

// ranged looks at a table in ranges of a key, or at once without one, and reports what is surely wrong.
func (s *Service) ranged(
	name, key string, look func(ctx context.Context, lo, hi int64) ([]Disagreement, error),
) func(context.Context, Found, func(key int64)) error {
	return func(ctx context.Context, found Found, told func(key int64)) error {
		check := func(lo, hi int64) error {
			list, err := s.sure(ctx, func() ([]Disagreement, error) { return look(ctx, lo, hi) })
			if err != nil {
				return err
			}
			for _, d := range list {
				if err := found(d); err != nil {
					return err
				}
			}
			told(hi)
			return nil
		}
		if key == "" {
			return check(0, 0)
		}
		return s.ranges(ctx, name, key, s.span, check)
	}
}

// chain verifies the hash chain of the audit records, and that it agrees with what was kept of it.
func (s *Service) chain(ctx context.Context, found Found, _ func(int64)) error {
	return audit.Verify(ctx, s.db, s.kept, func(f audit.Fault) error {
		return found(differs("audit_log", f.Key, f.What, f.Found, f.Expected))
	})
}

// Totals are the numbers of live rows.
type Totals struct {
	Users, Goods, Products, Orders int64
}

// Totals counts in one statement. Large totals may be half a minute old.
func (s *Service) Totals(ctx context.Context) (Totals, error) {
	count := func(scope, table string) counter.Count {
		return counter.Count{Scope: scope, From: table + " WHERE deleted = 0", Args: nil, Large: 0}
	}
	n, err := counter.Totals(ctx, s.db, count("user:all", "user"), count("goods:all", "goods"),
		count("goods_product:all", "goods_product"), count("orders:all", "orders"))
	if err != nil {
		return Totals{}, err
	}
	return Totals{Users: n[0].N, Goods: n[1].N, Products: n[2].N, Orders: n[3].N}, nil
}
