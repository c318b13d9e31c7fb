package report_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/internal/dbtest"
	"shop.internal/pkg/domain/report"
)

// books are a busy shop with a copy of every table, from which each corruption is undone.
type books struct {
	*domaintest.Shop
	t      testing.TB
	tables map[string]*described
}

// described is a table as the database describes it.
type described struct {
	name    string
	columns []column
	key     []string
	auto    string
}

type column struct {
	name, kind         string
	nullable, computed bool
}

func newBooks(t testing.TB) *books {
	b := &books{domaintest.Open(t), t, map[string]*described{}}
	b.Fill()
	for _, line := range b.Texts(`SELECT CONCAT_WS('|', c.table_name, c.column_name, c.data_type, c.is_nullable, c.column_key,
			c.extra)
		FROM information_schema.columns c
		JOIN information_schema.tables b ON b.table_schema = c.table_schema AND b.table_name = c.table_name
		WHERE c.table_schema = DATABASE() AND b.table_type = 'BASE TABLE'
		ORDER BY c.table_name, c.ordinal_position`) {
		f := strings.Split(line, "|")
		if strings.HasPrefix(f[0], "copy_of_") {
			continue
		}
		if b.tables[f[0]] == nil {
			b.tables[f[0]] = &described{name: f[0]}
		}
		d := b.tables[f[0]]
		d.columns = append(d.columns, column{f[1], f[2], f[3] == "YES", strings.Contains(f[5], "GENERATED")})
		if f[4] == "PRI" {
			d.key = append(d.key, f[1])
		}
		if strings.Contains(f[5], "auto_increment") {
			d.auto = f[1]
		}
	}
	for name := range b.tables {
		b.Exec("CREATE TABLE copy_of_" + name + " LIKE `" + name + "`")
		b.copyAgain(name)
	}
	return b
}

// copyAgain takes the tables as they are now for what they should be.
func (b *books) copyAgain(names ...string) {
	for _, name := range names {
		b.Exec("DELETE FROM copy_of_" + name)
		b.Exec("INSERT INTO copy_of_" + name + b.tables[name].into() + " SELECT " + b.tables[name].list("") + " FROM `" + name + "`")
	}
}

// close drops the copies; the next test gets the same database.
func (b *books) close() {
	for name := range b.tables {
		b.Exec("DROP TABLE copy_of_" + name)
	}
}

// list is the columns that can be written, each with a prefix.
func (d *described) list(prefix string) string {
	var names []string
	for _, c := range d.columns {
		if !c.computed {
			names = append(names, prefix+"`"+c.name+"`")
		}
	}
	return strings.Join(names, ", ")
}

func (d *described) into() string { return " (" + d.list("") + ")" }

// same is the condition that two rows have the same key.
func (d *described) same(a, b string) string {
	var equal []string
	for _, k := range d.key {
		equal = append(equal, a+".`"+k+"` = "+b+".`"+k+"`")
	}
	return strings.Join(equal, " AND ")
}

// restore makes a table what it was.
func (b *books) restore(d *described) {
	b.t.Helper()
	var differ []string
	for _, c := range d.columns {
		differ = append(differ, "NOT (BINARY c.`"+c.name+"` <=> BINARY t.`"+c.name+"`)")
	}
	b.Exec("DELETE t FROM `" + d.name + "` t LEFT JOIN copy_of_" + d.name + " c ON " + d.same("c", "t") + " WHERE c.`" +
		d.key[0] + "` IS NULL OR " + strings.Join(differ, " OR "))
	b.Exec("INSERT INTO `" + d.name + "`" + d.into() + " SELECT " + d.list("c.") + " FROM copy_of_" + d.name + " c LEFT JOIN `" +
		d.name + "` t ON " + d.same("c", "t") + " WHERE t.`" + d.key[0] + "` IS NULL")
}

// specimen is the condition that finds the row to corrupt: one that has a value in the column and in most others.
func (b *books) specimen(d *described, c string) string {
	b.t.Helper()
	full := func(name string) string {
		return "(COALESCE(CAST(`" + name + "` AS CHAR), '') NOT IN ('', '0', '0.00', '[]'))"
	}
	var score []string
	for _, o := range d.columns {
		score = append(score, full(o.name))
	}
	order := strings.Join(score, " + ") + " DESC, " + "`" + strings.Join(d.key, "` DESC, `") + "` DESC"
	if slices.ContainsFunc(d.columns, func(c column) bool { return c.name == "deleted" }) {
		order = "deleted, " + order
	}
	if c != "" {
		order = full(c) + " DESC, " + order
	}
	var parts []string
	for _, k := range d.key {
		parts = append(parts, "'`"+k+"` = ', QUOTE(`"+k+"`)")
	}
	return b.Text("SELECT CONCAT(" + strings.Join(parts, ", ' AND ', ") + ") FROM copy_of_" + d.name + " ORDER BY " + order + " LIMIT 1")
}

// kinds are the ways to corrupt a column.
var kinds = []string{"null", "zero", "more", "other"}

// statement corrupts a column of the row that where finds; it is empty if the kind does not apply.
func (d *described) statement(c column, kind, where string) string {
	name := "`" + c.name + "`"
	value := ""
	text := strings.Contains(c.kind, "char") || strings.Contains(c.kind, "text")
	timed := c.kind == "datetime" || c.kind == "date"
	switch {
	case kind == "null" && c.nullable:
		value = "NULL"
	case kind == "null":
		return ""
	case kind == "zero" && text:
		value = "''"
	case kind == "zero" && timed:
		value = "'1970-01-02'"
	case kind == "zero":
		value = "0"
	case kind == "more" && text:
		value = "CONCAT(LEFT(" + name + ", GREATEST(CHAR_LENGTH(" + name + ") - 1, 0)), IF(RIGHT(" + name + ", 1) = 'x', 'y', 'x'))"
	case kind == "more" && timed:
		value = name + " + INTERVAL 1 DAY"
	case kind == "more" && c.name == d.auto:
		value = name + " + 1000000"
	case kind == "more":
		value = name + " + 1"
	case kind == "other":
		value = "(SELECT o." + name + " FROM copy_of_" + d.name + " o WHERE NOT (o." + name + " <=> `" + d.name + "`." + name +
			") AND COALESCE(CAST(o." + name + " AS CHAR), '') <> '' ORDER BY o.`" + strings.Join(d.key, "`, o.`") + "` LIMIT 1)"
		where += " AND " + value + " IS NOT NULL"
	}
	return "UPDATE `" + d.name + "` SET " + name + " = " + value + " WHERE " + where
}

var errSeen = errors.New("seen")

// seen applies a corruption and reports whether verifying names anything, or the database refuses the statement. It
// returns false for applied if the statement changes nothing.
func (b *books) seen(d *described, statement string) (seen, applied bool) {
	b.t.Helper()
	n, err := b.TryExec(statement)
	if err != nil {
		return true, true
	}
	if n == 0 {
		return false, false
	}
	defer b.restore(d)
	err = b.Report.VerifyOf(b.t.Context(), d.name, func(report.Disagreement) error { return errSeen })
	if err != nil {
		require.ErrorIs(b.t, err, errSeen, statement)
	}
	return err != nil, true
}

// attempts are the corruptions of a table by name: column.kind, removed and doubled.
func (b *books) attempts(d *described) map[string]string {
	all := map[string]string{}
	for _, c := range d.columns {
		if c.computed {
			continue
		}
		where := b.specimen(d, c.name)
		for _, kind := range kinds {
			if s := d.statement(c, kind, where); s != "" {
				all[c.name+" "+kind] = s
			}
		}
	}
	where := b.specimen(d, "")
	all["row removed"] = "DELETE FROM `" + d.name + "` WHERE " + where
	if d.auto != "" {
		list := strings.ReplaceAll(d.list(""), "`"+d.auto+"`", "NULL")
		all["row doubled"] = "INSERT INTO `" + d.name + "`" + d.into() + " SELECT " + list + " FROM copy_of_" + d.name + " WHERE " + where
	}
	return all
}

// quick is the part of the corruptions that go test tries, drawn by the seed. With SHOP_PROVE, which make prove sets, all are tried.
const quick = 10

// Every column of every table is corrupted, one at a time: verifying names it, or silent says why nothing can be said.
// Two shops share the work.
func TestVerifySeesEveryCorruption(t *testing.T) {
	t.Parallel()
	all := os.Getenv("SHOP_PROVE") != ""
	drawn := int(dbtest.Seed(t) % quick)
	expected := silences(t)
	for half := range 2 {
		t.Run(fmt.Sprintf("half %d", half), func(t *testing.T) {
			t.Parallel()
			b := newBooks(t)
			defer b.close()
			b.Agree()
			tried, excused, n := 0, 0, 0
			for _, name := range slices.Sorted(maps.Keys(b.tables)) {
				if unread[name] != "" {
					continue
				}
				d := b.tables[name]
				require.Positive(t, b.Int("SELECT COUNT(*) FROM `"+name+"`"), "the busy shop has no row of %s", name)
				attempts := b.attempts(d)
				for _, attempt := range slices.Sorted(maps.Keys(attempts)) {
					n++
					if n%2 != half || !all && n/2%quick != drawn {
						continue
					}
					seen, applied := b.seen(d, attempts[attempt])
					if !applied {
						continue
					}
					tried++
					what := fmt.Sprintf("%s.%s", name, attempt)
					switch silent := expected[what]; {
					case !seen && silent:
						excused++
					case !seen:
						t.Errorf("unseen: %s by %s", what, attempts[attempt])
					case silent:
						t.Errorf("seen, but listed as silent: %s", what)
					}
				}
			}
			fmt.Printf("ok    %d corruptions, %d of which are listed as silent\n", tried, excused)
			require.Positive(t, tried)
		})
	}
}

// unread are the tables that no area reads.
var unread = map[string]string{
	"goose_lock": "replicas take it while they migrate", "schema_migration": "the migrations that have been applied",
	"replica_beat": "whatever is in it, the next beat goes on from there",
	"import_run":   "the progress of an import", "import_archive": "what an import had no place for",
}
