package migrations

import (
	"database/sql"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSchema compares what the server says about a migrated database with the contract, both ways: nothing may be
// missing, nothing may be different, nothing may be added.
func TestSchema(t *testing.T) {
	want := readContract(t)
	require.Len(t, want.tables, 53)
	db := open(t)
	require.NoError(t, Apply(t.Context(), db, nil))

	expected := append(slices.Collect(maps.Keys(want.tables)), "goose_lock")
	slices.Sort(expected)
	require.Equal(t, expected, tables(t, db), "all tables, and no other but goose's lock")
	for _, name := range expected {
		if name == "goose_lock" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			require.Equal(t, strings.Join(want.tables[name].lines(), "\n"), strings.Join(describe(t, db, name), "\n"))
		})
	}
	require.Empty(t, forbidden(t, db))
}

// TestKeysNameTheirCollation reads the files, because a server does not tell a named collation from a default.
func TestKeysNameTheirCollation(t *testing.T) {
	want := readContract(t)
	seen := 0
	for _, file := range stepNames(t) {
		body, err := files.ReadFile(file)
		require.NoError(t, err)
		name := strings.TrimSuffix(file[len("0000_"):], ".sql")
		table, ok := want.tables[name]
		if !ok {
			continue // a later step that changes a table
		}
		const end = `(?m)^\) ENGINE = InnoDB .*DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_general_ci;$`
		require.Regexp(t, end, string(body), file)
		text := string(body) + additions(t, name)
		for _, column := range table.textKeys {
			require.Regexp(t, "(?m)(^  |ADD COLUMN )`"+column+"` .* COLLATE utf8mb4_", text, "%s: %s", file, column)
			seen++
		}
	}
	require.Greater(t, seen, 30)
}

// additions are the steps that change a table, one after the other.
func additions(t *testing.T, table string) string {
	t.Helper()
	var all strings.Builder
	for _, file := range stepNames(t) {
		body, err := files.ReadFile(file)
		require.NoError(t, err)
		if strings.Contains(string(body), "ALTER TABLE `"+table+"` ") {
			all.Write(body)
		}
	}
	return all.String()
}

// TestForbidden proves that each forbidden feature is seen where there is one.
func TestForbidden(t *testing.T) {
	db := open(t)
	run(t, db, "CREATE TABLE parent (id BIGINT PRIMARY KEY, name VARCHAR(10)) ENGINE = InnoDB")
	require.Equal(t, []string{"parent: collation latin1_bin", "parent.name: collation latin1_bin"}, forbidden(t, db))
	run(t, db, "ALTER TABLE parent CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
	require.Empty(t, forbidden(t, db))

	tests := map[string]struct{ make, drop, want string }{
		"foreign key": {
			"CREATE TABLE bad (id BIGINT PRIMARY KEY, CONSTRAINT fk FOREIGN KEY (id) REFERENCES parent (id))",
			"DROP TABLE bad", "foreign key",
		},
		"generated column": {
			"CREATE TABLE bad (id BIGINT PRIMARY KEY, twice BIGINT GENERATED ALWAYS AS (id * 2) STORED)",
			"DROP TABLE bad", "bad.twice: stored generated",
		},
		"json": {"CREATE TABLE bad (id BIGINT PRIMARY KEY, body JSON)", "DROP TABLE bad", "json"},
		"enum": {"CREATE TABLE bad (id BIGINT PRIMARY KEY, e ENUM ('a'))", "DROP TABLE bad", "bad.e: type enum"},
		"time by the server": {
			"CREATE TABLE bad (id BIGINT PRIMARY KEY, d DATETIME NULL ON UPDATE CURRENT_TIMESTAMP)",
			"DROP TABLE bad", "bad.d: on update",
		},
		"engine":    {"CREATE TABLE bad (id BIGINT PRIMARY KEY) ENGINE = MyISAM", "DROP TABLE bad", "bad: engine MyISAM"},
		"fulltext":  {"CREATE FULLTEXT INDEX ft ON parent (name)", "DROP INDEX ft ON parent", "parent.ft: FULLTEXT"},
		"prefix":    {"CREATE INDEX ix ON parent (name(3))", "DROP INDEX ix ON parent", "parent.ix: prefix"},
		"view":      {"CREATE VIEW bad AS SELECT id FROM parent", "DROP VIEW bad", "bad: view"},
		"procedure": {"CREATE PROCEDURE bad() SELECT 1", "DROP PROCEDURE bad", "procedure bad"},
		"trigger": {
			"CREATE TRIGGER bad BEFORE INSERT ON parent FOR EACH ROW SET NEW.name = ''", "DROP TRIGGER bad", "trigger bad",
		},
		"partitions": {
			"CREATE TABLE bad (id BIGINT PRIMARY KEY) PARTITION BY HASH (id) PARTITIONS 2", "DROP TABLE bad", "partition",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(tt.make, "CREATE TABLE") && !strings.Contains(tt.make, "PARTITION") {
				tt.make += " DEFAULT CHARSET utf8mb4 COLLATE utf8mb4_general_ci"
			}
			run(t, db, tt.make)
			require.Contains(t, strings.ToLower(strings.Join(forbidden(t, db), "\n")), strings.ToLower(tt.want))
			run(t, db, tt.drop)
			require.Empty(t, forbidden(t, db))
		})
	}
}

// forbidden lists what the contract bans and the database has, goose's lock apart.
func forbidden(t *testing.T, db *sql.DB) []string {
	t.Helper()
	var found []string
	for _, query := range []string{
		`SELECT CONCAT(table_name, ': collation ', table_collation) FROM information_schema.tables
			WHERE table_schema = DATABASE() AND table_collation <> 'utf8mb4_general_ci' AND table_name <> 'goose_lock'`,
		`SELECT CONCAT(table_name, ': engine ', engine) FROM information_schema.tables
			WHERE table_schema = DATABASE() AND engine <> 'InnoDB'`,
		`SELECT CONCAT(table_name, ': view') FROM information_schema.views WHERE table_schema = DATABASE()`,
		`SELECT CONCAT(table_name, '.', column_name, ': collation ', collation_name) FROM information_schema.columns
			WHERE table_schema = DATABASE() AND collation_name NOT IN ('utf8mb4_general_ci', 'utf8mb4_bin')
			AND table_name <> 'goose_lock'`,
		`SELECT CONCAT(table_name, '.', column_name, ': ', extra) FROM information_schema.columns
			WHERE table_schema = DATABASE() AND extra NOT IN ('', 'auto_increment')`,
		`SELECT CONCAT(table_name, '.', column_name, ': type ', column_type) FROM information_schema.columns
			WHERE table_schema = DATABASE() AND data_type NOT IN ('bigint', 'int', 'smallint', 'tinyint', 'varchar', 'char',
			'text', 'mediumtext', 'decimal', 'datetime', 'date') AND table_name NOT IN ('goose_lock')`,
		`SELECT CONCAT('json check ', constraint_name) FROM information_schema.check_constraints
			WHERE constraint_schema = DATABASE() AND check_clause LIKE '%json%'`,
		`SELECT CONCAT(table_name, ': foreign key ', constraint_name) FROM information_schema.table_constraints
			WHERE constraint_schema = DATABASE() AND constraint_type = 'FOREIGN KEY'`,
		`SELECT CONCAT(table_name, '.', index_name, ': ', index_type) FROM information_schema.statistics
			WHERE table_schema = DATABASE() AND index_type <> 'BTREE'`,
		`SELECT CONCAT(table_name, '.', index_name, ': prefix, expression or descending') FROM information_schema.statistics
			WHERE table_schema = DATABASE() AND index_type = 'BTREE'
			AND (sub_part IS NOT NULL OR column_name IS NULL OR collation <> 'A')`,
		`SELECT CONCAT('trigger ', trigger_name) FROM information_schema.triggers WHERE trigger_schema = DATABASE()`,
		`SELECT CONCAT(routine_type, ' ', routine_name) FROM information_schema.routines
			WHERE routine_schema = DATABASE()`,
		`SELECT CONCAT('event ', event_name) FROM information_schema.events WHERE event_schema = DATABASE()`,
		`SELECT DISTINCT CONCAT(table_name, ': partition ', partition_name) FROM information_schema.partitions
			WHERE table_schema = DATABASE() AND partition_name IS NOT NULL`,
	} {
		found = append(found, column(t, db, query)...)
	}
	return found
}

func tables(t *testing.T, db *sql.DB) []string {
	t.Helper()
	names := column(t, db, "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()")
	slices.Sort(names)
	return names
}

// column is the only column of a result.
func column(t *testing.T, db *sql.DB, query string, args ...any) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query, args...)
	require.NoError(t, err, query)
	defer func() { require.NoError(t, rows.Close()) }()
	var out []string
	for rows.Next() {
		var s string
		require.NoError(t, rows.Scan(&s), query)
		out = append(out, s)
	}
	require.NoError(t, rows.Err())
	return out
}

// describe renders a table of the server as contractTable.lines renders one of the contract.
func describe(t *testing.T, db *sql.DB, name string) []string {
	t.Helper()
	const head = `SELECT CONCAT('table engine ', engine, ' collation ', table_collation, ' options ',
		IF(create_options = '', 'none', create_options)) FROM information_schema.tables
		WHERE table_schema = DATABASE() AND table_name = ?`
	var ignored, text string
	require.NoError(t, db.QueryRowContext(t.Context(), "SHOW CREATE TABLE `"+name+"`").Scan(&ignored, &text))
	first := "1"
	if m := regexp.MustCompile(` AUTO_INCREMENT=(\d+) `).FindStringSubmatch(text); m != nil {
		first = m[1]
	}
	out := []string{one[string](t, db, head, name) + " first id " + first}
	out = append(out, describeColumns(t, db, name)...)

	const keys = `SELECT CONCAT(index_name, ' ', non_unique, ' ', GROUP_CONCAT(column_name ORDER BY seq_in_index))
		FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ?
		GROUP BY index_name, non_unique`
	var lines []string
	for _, line := range column(t, db, keys, name) {
		f := strings.Fields(line)
		lines = append(lines, keyLine(f[0], f[1] == "0", strings.Split(f[2], ",")))
	}
	slices.Sort(lines)
	out = append(out, lines...)

	const checks = `SELECT CONCAT('check ', constraint_name, ' ', check_clause) FROM information_schema.check_constraints
		JOIN information_schema.table_constraints t USING (constraint_schema, constraint_name)
		WHERE constraint_schema = DATABASE() AND t.table_name = ? AND t.constraint_type = 'CHECK'`
	lines = column(t, db, checks, name)
	for i, line := range lines {
		lines[i] = strings.NewReplacer("`", "", "(", "", ")", "").Replace(line)
	}
	slices.Sort(lines)
	return append(out, lines...)
}

func describeColumns(t *testing.T, db *sql.DB, name string) []string {
	t.Helper()
	const query = `SELECT column_name, column_type, is_nullable, column_default, collation_name, extra
		FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position`
	rows, err := db.QueryContext(t.Context(), query, name)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var out []string
	for rows.Next() {
		var column, kind, nullable, extra string
		var fallback, collation sql.NullString
		require.NoError(t, rows.Scan(&column, &kind, &nullable, &fallback, &collation, &extra))
		null := nullable == "YES"
		out = append(out, columnLine(column, plainType(kind), null, plainDefault(fallback, null),
			or(collation.String, "none"), or(extra, "none")))
	}
	require.NoError(t, rows.Err())
	return out
}

// plainType drops the display widths that MariaDB prints and MySQL does not. That of a flag both keep.
func plainType(kind string) string {
	if kind == "tinyint(1)" {
		return kind
	}
	return regexp.MustCompile(`^((?:tiny|small|big)?int)\(\d+\)`).ReplaceAllString(kind, "$1")
}

// plainDefault reads a default as MariaDB prints it, quoted and with the word NULL, or as MySQL does, bare.
func plainDefault(d sql.NullString, null bool) string {
	switch {
	case null && (!d.Valid || d.String == "NULL"):
		return "default NULL"
	case !d.Valid:
		return "no default"
	default:
		return fmt.Sprintf("default %q", strings.Trim(d.String, "'"))
	}
}
