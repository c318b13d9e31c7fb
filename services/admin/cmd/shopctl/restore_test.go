package main

import (
	"context"
	"database/sql"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/audit"
)

// dumped copies the database into another one, and returns it with a function that has commands use it.
func dumped(t *testing.T, db *sql.DB) (copied *sql.DB, restore func()) {
	t.Helper()
	cfg, err := mysql.ParseDSN(os.Getenv("ADMIN_MYSQL_DSN"))
	require.NoError(t, err)
	run := func(statement string) {
		t.Helper()
		_, err := db.ExecContext(t.Context(), statement)
		require.NoError(t, err, statement)
	}
	from := cfg.DBName
	cfg.DBName += "_dump"
	run("DROP DATABASE IF EXISTS " + cfg.DBName)
	run("CREATE DATABASE " + cfg.DBName + " CHARACTER SET utf8mb4")
	t.Cleanup(func() {
		_, err := db.ExecContext(context.Background(), "DROP DATABASE "+cfg.DBName)
		require.NoError(t, err)
	})
	rows, err := db.QueryContext(t.Context(), `
		SELECT c.table_name, c.column_name
		FROM information_schema.columns c
		JOIN information_schema.tables b ON b.table_schema = c.table_schema AND b.table_name = c.table_name
		WHERE c.table_schema = ? AND b.table_type = 'BASE TABLE'
			AND COALESCE(c.generation_expression, '') = ''`, from)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	columns := map[string][]string{}
	for rows.Next() {
		var table, column string
		require.NoError(t, rows.Scan(&table, &column))
		columns[table] = append(columns[table], "`"+column+"`")
	}
	require.NoError(t, rows.Err())
	for table := range columns {
		to, list := cfg.DBName+".`"+table+"`", strings.Join(columns[table], ", ")
		run("CREATE TABLE " + to + " LIKE " + from + ".`" + table + "`")
		run("INSERT INTO " + to + " (" + list + ") SELECT " + list + " FROM " + from + ".`" + table + "`")
	}
	copied, err = sql.Open("mysql", cfg.FormatDSN())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, copied.Close()) })
	return copied, func() { t.Setenv("ADMIN_MYSQL_DSN", cfg.FormatDSN()) }
}

// afterRestore are the commands of shopctl that backup.md names after a restore.
func afterRestore(t *testing.T) (commands [][]string) {
	t.Helper()
	page, err := os.ReadFile("../../../../docs/operate/backup.md")
	require.NoError(t, err)
	_, section, _ := strings.Cut(string(page), "\n## Restore\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, found := range regexp.MustCompile(`(?m)^ADMIN_MYSQL_DSN=\S+ shopctl (.+)$`).FindAllStringSubmatch(section, -1) {
		commands = append(commands, strings.Fields(found[1]))
	}
	require.Equal(t, [][]string{{"verify"}, {"audit", "accept"}, {"verify"}}, commands)
	return commands
}

// succeeds returns a function that runs a command without an error.
func succeeds(t *testing.T) func(args ...string) string {
	return func(args ...string) string {
		t.Helper()
		out, err := shopctl(t, args...)
		require.NoError(t, err, out)
		return out
	}
}

// After the steps of the page the books of a restored shop agree, though its audit records are older than the newest
// head in the object store.
func TestARestoredBackup(t *testing.T) {
	db := database(t)
	do := succeeds(t)
	head := func() string { return strings.TrimSpace(do("audit", "head")) }
	do("migrate")
	do("admin", "create", "first_one")
	do("jobs", "run", "auditSeal")
	do("jobs", "run", "verify")
	common, _, _ := strings.Cut(head(), ":")
	restored, restore := dumped(t, db)
	do("admin", "create", "second_one")
	do("jobs", "run", "auditSeal")
	lost := head()
	do("jobs", "run", "verify")
	heads, err := filepath.Glob(filepath.Join(os.Getenv("ADMIN_STORAGE_DIR"), "audit-head", "*.txt"))
	require.NoError(t, err)
	require.Len(t, heads, 2)
	// Earlier releases named a head by its number.
	number, _, _ := strings.Cut(lost, ":")
	require.NoError(t, os.Rename(heads[1], filepath.Join(filepath.Dir(heads[1]), "000000000000900-20300101T000000.000.txt")))

	restore()
	commands := afterRestore(t)
	missing := "audit_log seal " + number + ": the head that was kept is missing, should be " + lost + "\n"
	for range 2 {
		out, err := shopctl(t, commands[0]...)
		require.ErrorIs(t, err, errDisagree)
		require.Equal(t, missing+lostHead+"\n", out)
		do("jobs", "run", "verify") // it keeps no head
	}

	do("admin", "create", "other_one") // gets the number of the lost record
	do("jobs", "run", "auditSeal")
	newest, _, _ := strings.Cut(head(), ":")
	for _, answer := range []string{"", "yes\n", "1" + number + "\n"} {
		out, err := shopctlReading(t, answer, commands[1]...)
		require.EqualError(t, err, "not accepted: nothing was changed")
		require.Contains(t, out, "has another record "+number+", or none.\nUp to record "+common+" it agrees with")
	}
	require.Empty(t, recordsOf(t, restored, "shopctl audit accept"))
	out, err := shopctlReading(t, number+"\n", commands[1]...)
	require.NoError(t, err)
	require.Contains(t, out, "accepted")
	require.Equal(t, []string{
		`shopctl audit accept audit_log 0 1 1 - {"common":` + common + `,"lost":"` + lost + `","newest":` + newest + `}`,
	}, recordsOf(t, restored, "shopctl audit accept"))
	require.Empty(t, do(commands[2]...))
	accepted, _, _ := strings.Cut(head(), ":")

	// From now on the new head counts.
	out, err = shopctlReading(t, "", "audit", "accept")
	require.NoError(t, err)
	require.Contains(t, out, "nothing to accept")
	require.Empty(t, do("verify"))
	_, err = restored.ExecContext(t.Context(), "UPDATE list_counter SET total = total - 1 WHERE scope = 'audit:sealed'")
	require.NoError(t, err)
	_, err = restored.ExecContext(t.Context(), "DELETE FROM audit_log WHERE method_path = 'shopctl audit accept'")
	require.NoError(t, err)
	out, err = shopctl(t, "verify")
	require.ErrorIs(t, err, errDisagree)
	require.Contains(t, out, "audit_log seal "+accepted+": the head that was kept is missing")

	// What no backup causes is not accepted.
	_, err = restored.ExecContext(t.Context(), "UPDATE audit_log SET ip = 'x' WHERE seal_no = 1")
	require.NoError(t, err)
	_, err = shopctlReading(t, accepted+"\n", "audit", "accept")
	require.ErrorContains(t, err, "`shopctl verify` names them; nothing was changed")
	require.Empty(t, recordsOf(t, restored, "shopctl audit accept"))
}

// Files that were restored to an earlier moment lack what a purge has kept since.
func TestARestoredObjectStore(t *testing.T) {
	db := database(t)
	do := succeeds(t)
	do("migrate")
	do("admin", "create", "first_one")
	do("jobs", "run", "auditSeal")
	do("jobs", "run", "verify")
	kept := do("audit", "head")
	files := os.Getenv("ADMIN_STORAGE_DIR")
	restored := t.TempDir()
	require.NoError(t, os.CopyFS(restored, os.DirFS(files)))
	t.Setenv("ADMIN_RETENTION_AUDIT", "1ms")
	do("jobs", "run", "purge")
	t.Setenv("ADMIN_RETENTION_AUDIT", "0")
	do("jobs", "run", "auditSeal")
	require.Empty(t, do("verify"))

	t.Setenv("ADMIN_STORAGE_DIR", restored)
	var purged string
	require.NoError(t, db.QueryRowContext(t.Context(),
		"SELECT total FROM list_counter WHERE scope = 'audit:purged'").Scan(&purged))
	wrong := "audit_log the purge: last number purged is " + purged + ", should be 0\n" + lostHead + "\n"
	for range 2 {
		out, err := shopctl(t, "verify")
		require.ErrorIs(t, err, errDisagree)
		require.Equal(t, wrong, out)
		do("jobs", "run", "verify") // it keeps nothing
	}
	number, _, _ := strings.Cut(kept, ":")
	out, err := shopctlReading(t, number+"\n", "audit", "accept")
	require.NoError(t, err)
	require.Contains(t, out, "This database has it.\nUp to record "+number+" it agrees with the heads in the object store.\n"+
		"In this database the records up to "+purged+" are purged, by the object store those up to 0.\n")
	require.Empty(t, do("verify"))
	require.Contains(t, strings.Join(recordsOf(t, db, "shopctl audit accept"), "\n"), `"confirmed":0`)
}

func TestWhatIsLostIsSaid(t *testing.T) {
	t.Parallel()
	head := func(n int64) audit.Head { return audit.Head{Number: n} }
	const begin = "The newest head in the object store is that of audit record 9.\n"
	for want, l := range map[string]domain.LostRecords{
		begin + "This database ends at record 7: those after it are lost.\n" +
			"Up to record 5 it agrees with the heads in the object store.": {Kept: head(9), Chain: head(7), Common: head(5)},
		begin + "This database has another record 9, or none.\n" +
			"Up to record 5 it agrees with the heads in the object store.": {Kept: head(9), Chain: head(12), Common: head(5)},
		begin + "This database ends at record 7: those after it are lost.\n" +
			"It agrees with none of the heads in the object store.": {Kept: head(9), Chain: head(7)},
		begin + "This database has no sealed audit record.\n" +
			"It agrees with none of the heads in the object store.": {Kept: head(9)},
		begin + "This database has it.\nUp to record 9 it agrees with the heads in the object store.\n" +
			"In this database the records up to 8 are purged, by the object store those up to 5.": {
			Kept: head(9), Chain: head(12), Common: head(9), Purged: 8, Confirmed: 5,
		},
	} {
		require.Equal(t, want, lossOf(l))
	}
}

// An interrupt ends a command that waits for an answer.
func TestAnInterruptEndsAPrompt(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	input, silent := io.Pipe()
	defer func() { require.NoError(t, silent.Close()) }()
	var c cobra.Command
	c.SetContext(ctx)
	c.SetIn(input)
	interrupt()
	_, err := readLine(&c)
	require.ErrorIs(t, err, context.Canceled)
}
