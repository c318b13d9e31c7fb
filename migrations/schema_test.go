package migrations

import (
	"database/sql"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSchemaKeepsTheRules uses a database with a wrong default character set, so that a table without one is detected.
// The test of cmd/schema compares the tables with docs/schema.sql.
func TestSchemaKeepsTheRules(t *testing.T) {
	db := open(t)
	require.NoError(t, Apply(t.Context(), db, nil))
	require.Empty(t, forbidden(t, db))
}

// TestKeysNameTheirCollation reads the files, because a server does not distinguish a named collation from a default.
func TestKeysNameTheirCollation(t *testing.T) {
	db := open(t)
	require.NoError(t, Apply(t.Context(), db, nil))
	const inKeys = `SELECT DISTINCT CONCAT(c.table_name, '.', c.column_name)
		FROM information_schema.columns c
		JOIN information_schema.statistics s USING (table_schema, table_name, column_name)
		WHERE c.table_schema = DATABASE() AND c.collation_name IS NOT NULL
		AND c.table_name NOT IN ('goose_lock', 'schema_migration')`
	keyed := column(t, db, inKeys)
	require.Greater(t, len(keyed), 30)
	named := map[string]bool{}
	for _, file := range stepNames(t) {
		for _, statement := range statements(t, file) {
			table := regexp.MustCompile("(?m)^(?:CREATE TABLE IF NOT EXISTS|ALTER TABLE) `(.*?)`").FindStringSubmatch(statement)
			for _, c := range regexp.MustCompile("(?m)(?:^  |ADD COLUMN |MODIFY COLUMN )`(.*?)` .* COLLATE utf8mb4_").FindAllStringSubmatch(statement, -1) {
				named[table[1]+"."+c[1]] = true
			}
		}
	}
	for _, c := range keyed {
		require.True(t, named[c], "%s stands in a key and must name its collation", c)
	}
}

// TestForbidden proves that each forbidden feature is detected.
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

// forbidden returns the features of the database that not all supported engines share, except the lock of goose.
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

// column returns the only column of a result.
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
