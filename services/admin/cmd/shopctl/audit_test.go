package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// recordsOf are the audit records of commands, oldest first.
func recordsOf(t *testing.T, db *sql.DB, commands string) (records []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "SELECT CONCAT_WS(' ', method_path, target_type, target_id, "+
		"admin_name LIKE 'shopctl:_%', ip <> '', COALESCE(before_json, '-'), after_json) FROM audit_log "+
		"WHERE method_path LIKE ? ORDER BY id", commands)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var r string
		require.NoError(t, rows.Scan(&r))
		records = append(records, fingerprint.ReplaceAllString(r, "")) // of a password, which is other in each run
	}
	require.NoError(t, rows.Err())
	return records
}

var fingerprint = regexp.MustCompile(`"fingerprint":"[0-9a-f]{64}",`)

// version is the newest migration of a database.
func version(t *testing.T, db *sql.DB) (newest int) {
	t.Helper()
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT MAX(version) FROM schema_migration").Scan(&newest))
	return newest
}

// The record of a command that migrates lists each step, even if an earlier run was killed between a step and its
// record; a run that changes nothing leaves no record.
func TestMigrationsAreRecorded(t *testing.T) {
	db := database(t)
	run := func(query string) {
		_, err := db.ExecContext(t.Context(), query)
		require.NoError(t, err)
	}
	_, err := shopctl(t, "migrate")
	require.NoError(t, err)
	_, err = shopctl(t, "migrate")
	require.NoError(t, err)
	records := recordsOf(t, db, "shopctl migrate")
	require.Len(t, records, 1)
	newest := strconv.Itoa(version(t, db))
	require.Contains(t, records[0], "shopctl migrate schema_migration "+newest+" 1 1 - {")
	require.Contains(t, records[0], `"settings":["litemall_`)
	require.Regexp(t, `"steps":\{"0001_account.sql":"20\d\d-`, records[0])
	require.Equal(t, version(t, db), strings.Count(records[0], ".sql"))

	// The newest steps are missing, and the previous run was killed before its record.
	run("DELETE FROM schema_migration WHERE version = " + newest)
	run("UPDATE audit_log SET target_id = target_id - 2")
	_, err = shopctl(t, "setup")
	require.NoError(t, err)
	records = recordsOf(t, db, "shopctl setup")
	require.Len(t, records, 3)
	require.Contains(t, records[0], "shopctl setup schema_migration "+newest+" 1 1 - {\"settings\":[],")
	require.Equal(t, 2, strings.Count(records[0], ".sql"))
	require.Regexp(t, `^shopctl setup region 0 1 1 - \{"added":3\d\d\d,"changed":0,"retired":0\}$`, records[1])
	require.Contains(t, records[2], "shopctl setup admin 1 ")

	// A setting that is new in a release.
	run("DELETE FROM system_config WHERE key_name = 'litemall_wx_share'")
	_, err = shopctl(t, "setup")
	require.NoError(t, err)
	require.Equal(t, "shopctl setup schema_migration "+newest+` 1 1 - {"settings":["litemall_wx_share"],"steps":{}}`,
		recordsOf(t, db, "shopctl setup")[3])
}

// The steps of a migration that fails halfway are recorded, by itself or by the next one.
func TestFailedMigrationsAreRecorded(t *testing.T) {
	db := database(t)
	_, err := shopctl(t, "migrate")
	require.NoError(t, err)
	newest := version(t, db)
	for _, query := range []string{
		fmt.Sprintf("DELETE FROM schema_migration WHERE version >= %d", newest-1),
		fmt.Sprintf("UPDATE audit_log SET target_id = %d", newest-2),
		// The newest step always fails.
		"CREATE TRIGGER no_more BEFORE INSERT ON schema_migration FOR EACH ROW BEGIN IF NEW.version = " +
			strconv.Itoa(newest) + " THEN SIGNAL SQLSTATE '45000'; END IF; END",
	} {
		_, err := db.ExecContext(t.Context(), query)
		require.NoError(t, err)
	}
	_, err = shopctl(t, "migrate")
	require.Error(t, err)
	records := recordsOf(t, db, "shopctl migrate")
	require.Len(t, records, 2)
	require.Contains(t, records[1], fmt.Sprintf("schema_migration %d ", newest-1))
	require.Equal(t, 1, strings.Count(records[1], ".sql"))
}

// Jobs run by hand leave a record of what they changed, and none if they changed nothing.
func TestJobsAreRecorded(t *testing.T) {
	db := database(t)
	_, err := shopctl(t, "migrate")
	require.NoError(t, err)
	for range 3 {
		_, err = shopctl(t, "jobs", "run", "--once")
		require.NoError(t, err)
	}
	first := `shopctl jobs run job_lease 0 1 1 - {"changed":{"rollup":1}}`
	require.Equal(t, []string{first}, recordsOf(t, db, "shopctl jobs run"), "the chaining of records does not count")

	due := func() {
		_, err := db.ExecContext(t.Context(), "INSERT INTO coupon (name, time_type, end_time, status, add_time, update_time) "+
			"VALUES ('spring', 1, '2020-01-02', 0, '2020-01-01', '2020-01-01')")
		require.NoError(t, err)
	}
	due()
	due()
	_, err = shopctl(t, "jobs", "run", "checkCouponExpired", "checkGrouponExpired")
	require.NoError(t, err)
	once := `shopctl jobs run job_lease 0 1 1 - {"changed":{"checkCouponExpired":2}}`
	require.Equal(t, []string{first, once}, recordsOf(t, db, "shopctl jobs run"))

	due()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	c := root(&program{now: now})
	c.SetOut(io.Discard)
	c.SetErr(io.Discard)
	c.SetArgs([]string{"--config", "", "jobs", "run"})
	ended := make(chan error, 1)
	go func() { ended <- c.ExecuteContext(ctx) }()
	require.Eventually(t, func() bool {
		var ran int
		err := db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM job_lease WHERE name = 'checkCouponExpired' "+
			"AND last_note = '1 changed'").Scan(&ran)
		return err == nil && ran == 1
	}, time.Minute, 20*time.Millisecond)
	stop() // like an interrupt
	require.NoError(t, <-ended)
	records := recordsOf(t, db, "shopctl jobs run")
	require.Len(t, records, 4)
	require.Contains(t, records[2], `{"jobs":["`)
	require.Contains(t, records[3], `"checkCouponExpired":1`)
}

func TestAudit(t *testing.T) {
	db := database(t)
	_, err := shopctl(t, "migrate")
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "TRUNCATE audit_log")
	require.NoError(t, err)
	_, err = shopctl(t, "audit", "head")
	require.ErrorContains(t, err, "nothing is sealed yet")
	_, err = db.ExecContext(t.Context(), "INSERT INTO audit_log (admin_id, admin_name, method_path, target_type, target_id, "+
		"after_json, add_time) VALUES (0, 'clerk', 'POST /admin/order/ship', 'orders', 7, '{\"status\":301}', '2030-01-02 12:00:00')")
	require.NoError(t, err)
	_, err = shopctl(t, "jobs", "run", "auditSeal")
	require.NoError(t, err)
	head, err := shopctl(t, "audit", "head")
	require.NoError(t, err)
	require.Regexp(t, `^1:[0-9a-f]{64}\n$`, head)
	out, err := shopctl(t, "audit", "list", "--table", "orders", "--row", "7")
	require.NoError(t, err)
	require.Regexp(t, `1 +2030-01-02 12:00:00 +clerk +POST /admin/order/ship +orders 7 +- +{"status":301}`, out)
	_, err = shopctl(t, "audit", "list", "--operator", "unknown")
	require.EqualError(t, err, `no record is of an operator named "unknown"`)
	_, err = shopctl(t, "audit", "list", "--row", "7")
	require.ErrorContains(t, err, "--table")

	noted := strings.TrimSpace(head)
	out, err = shopctl(t, "verify", "--audit-head", noted)
	require.NoError(t, err, out)
	_, err = shopctl(t, "verify", "--audit-head", "1")
	require.ErrorContains(t, err, "no place in the chain")
	_, err = db.ExecContext(t.Context(), "UPDATE audit_log SET after_json = '{}'")
	require.NoError(t, err)
	out, err = shopctl(t, "verify")
	require.ErrorIs(t, err, errDisagree)
	require.Contains(t, out, "audit_log 1: seal of the record")
	out, err = shopctl(t, "verify", "--audit-head", strings.Replace(noted, ":", "1:", 1))
	require.ErrorIs(t, err, errDisagree)
	require.Contains(t, out, "no record has the seal 11:")
}
