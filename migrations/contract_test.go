package migrations

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// contract is testdata/contract.tsv: every table, column, key and check that a migrated database must have, and all it
// may have. It is written from the data-model contract, never from the steps, so that an error in a step shows.
type contract struct {
	tables map[string]*contractTable
}

type contractTable struct {
	columns  []contractColumn
	keys     []contractKey
	checks   [][2]string // name, condition
	firstID  string      // empty: 1
	textKeys []string    // text columns that stand in a key
}

type contractColumn struct{ name, kind, null, fallback string }

type contractKey struct {
	name    string
	unique  bool
	columns []string
}

func readContract(t *testing.T) contract {
	t.Helper()
	body, err := os.ReadFile("testdata/contract.tsv")
	require.NoError(t, err)
	standard := map[string][]contractColumn{}
	c := contract{tables: map[string]*contractTable{}}
	var codes []string
	var now *contractTable
	finish := func() {
		for _, code := range codes {
			require.NotEmpty(t, standard[code], "standard code %q", code)
			now.columns = append(now.columns, standard[code]...)
		}
		codes = nil
	}
	for i, line := range strings.Split(string(body), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		switch {
		case f[0] == "standard" && len(f) == 6:
			standard[f[1]] = append(standard[f[1]], contractColumn{f[2], f[3], f[4], f[5]})
		case f[0] == "table" && len(f) == 3:
			finish()
			require.NotContains(t, c.tables, f[1])
			now = &contractTable{}
			c.tables[f[1]] = now
			if f[2] != "none" {
				codes = strings.Fields(f[2])
			}
		case f[0] == "column" && len(f) == 5:
			now.columns = append(now.columns, contractColumn{f[1], f[2], f[3], f[4]})
		case f[0] == "key" && len(f) == 4:
			now.keys = append(now.keys, contractKey{f[1], f[2] == "unique", strings.Split(f[3], ", ")})
		case f[0] == "check" && len(f) == 3:
			now.checks = append(now.checks, [2]string{f[1], f[2]})
		case f[0] == "counter" && len(f) == 2:
			now.firstID = f[1]
		default:
			t.Fatalf("testdata/contract.tsv:%d: not understood: %q", i+1, line)
		}
	}
	finish()
	for _, table := range c.tables {
		table.findTextKeys()
	}
	return c
}

func (c *contractTable) findTextKeys() {
	for _, column := range c.columns {
		inKey := slices.ContainsFunc(c.keys, func(k contractKey) bool { return slices.Contains(k.columns, column.name) })
		if inKey && isText(column.kind) {
			c.textKeys = append(c.textKeys, column.name)
		}
	}
}

func isText(kind string) bool {
	return strings.Contains(kind, "CHAR") || strings.Contains(kind, "TEXT")
}

// lines renders the table as the server's description of it is rendered, for comparison.
func (c *contractTable) lines() []string {
	out := []string{"table engine InnoDB collation utf8mb4_general_ci options none first id " + or(c.firstID, "1")}
	for _, column := range c.columns {
		kind, flag, _ := strings.Cut(column.kind, " ")
		collation := "none"
		if isText(kind) {
			collation = "utf8mb4_general_ci"
		}
		extra := "none"
		switch flag {
		case "bin":
			collation = "utf8mb4_bin"
		case "auto":
			extra = "auto_increment"
		}
		fallback := strings.Trim(column.fallback, "'")
		switch column.fallback {
		case "–":
			fallback = "no default"
		case "NULL":
			fallback = "default NULL"
		default:
			fallback = fmt.Sprintf("default %q", fallback)
		}
		out = append(out, columnLine(column.name, strings.ToLower(kind), column.null == "yes", fallback, collation, extra))
	}
	keys := make([]string, 0, len(c.keys))
	for _, k := range c.keys {
		keys = append(keys, keyLine(k.name, k.unique, k.columns))
	}
	slices.Sort(keys)
	out = append(out, keys...)
	checks := make([]string, 0, len(c.checks))
	for _, check := range c.checks {
		checks = append(checks, "check "+check[0]+" "+check[1])
	}
	slices.Sort(checks)
	return append(out, checks...)
}

func columnLine(name, kind string, null bool, fallback, collation, extra string) string {
	nullable := "not null"
	if null {
		nullable = "null"
	}
	return fmt.Sprintf("column %s %s %s, %s, collation %s, extra %s", name, kind, nullable, fallback, collation, extra)
}

func keyLine(name string, unique bool, columns []string) string {
	kind := "plain"
	if unique {
		kind = "unique"
	}
	return fmt.Sprintf("key %s %s (%s)", strings.ToLower(name), kind, strings.Join(columns, ", "))
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}
