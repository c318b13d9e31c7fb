package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAdmin(t *testing.T) {
	db := database(t)
	_, err := shopctl(t, "admin", "create", "owner_one")
	require.ErrorContains(t, err, "shopctl setup")
	out, err := shopctl(t, "migrate")
	require.NoError(t, err)
	require.Contains(t, out, "applied 0001_account.sql")
	out, err = shopctl(t, "migrate")
	require.NoError(t, err)
	require.Equal(t, "the database is up to date; 0 steps applied\nsettings: every one has a value\n", out)

	out, err = shopctl(t, "admin", "create", "owner_one")
	require.NoError(t, err)
	require.Regexp(t, `(?s)^operator owner_one was made\npassword: [A-Z2-7]{26}\n`, out)
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"admin", "create", "abc"}, "does not fit"},
		{[]string{"admin", "create", "OWNER_ONE"}, "there is an operator OWNER_ONE already"},
		{[]string{"admin", "create"}, "accepts 1 arg"},
		{[]string{"admin", "password", "unknown_operator"}, "there is no operator unknown_operator"},
		{[]string{"admin", "disable", "unknown_operator"}, "there is no operator unknown_operator"},
		{[]string{"admin", "disable", "owner_one"}, "is the last operator who may do everything"},
		{[]string{"outbox", "retry", "five"}, `"five" is no id`},
		{[]string{"admin", "enable"}, `unknown command "enable" for "shopctl admin"`},
		{[]string{"outbox", "drop"}, `unknown command "drop" for "shopctl outbox"`},
		{[]string{"jobs", "stop"}, `unknown command "stop" for "shopctl jobs"`},
		{[]string{"audit", "clear"}, `unknown command "clear" for "shopctl audit"`},
		{[]string{"access", "grant"}, `unknown command "grant" for "shopctl access"`},
		{[]string{"message", "send"}, `unknown command "send" for "shopctl message"`},
		{[]string{"message", "test", "fax"}, `unknown command "fax" for "shopctl message test"`},
		{[]string{"docs", "all"}, `unknown command "all" for "shopctl docs"`},
		{[]string{"demo", "load"}, `unknown command "load" for "shopctl demo"`},
		{[]string{"open"}, `unknown command "open" for "shopctl"`},
		{[]string{"outbox", "list", "--limit", "0"}, "--limit is at least 1"},
		{[]string{"jobs", "run", "dance"}, `there is no job "dance"`},
		{[]string{"jobs", "failures", "--limit", "0"}, "--limit is at least 1"},
		{[]string{"jobs", "retry", "refundRetry", "-1"}, "unknown shorthand flag"},
		{[]string{"jobs", "retry", "refundRetry", "one"}, `"one" is no id`},
	}
	for _, tt := range tests {
		out, err := shopctl(t, tt.args...)
		require.ErrorContains(t, err, tt.want, strings.Join(tt.args, " "))
		require.Empty(t, out, "a refused command says nothing else")
	}
	out, err = shopctl(t, "outbox", "retry", "99999999")
	require.ErrorContains(t, err, "nothing to try again: 99999999")
	require.Equal(t, "99999999 is not one that was given up\n", out)
	out, err = shopctl(t, "admin")
	require.NoError(t, err)
	require.Contains(t, out, "password    Give an operator a new password")
	_, err = shopctl(t, "admin", "create", "second_one")
	require.NoError(t, err)
	out, err = shopctl(t, "admin", "disable", "owner_one")
	require.NoError(t, err)
	require.Equal(t, "operator owner_one is disabled; its sessions are over\n", out)
	out, err = shopctl(t, "admin", "password", "second_one")
	require.NoError(t, err)
	require.Contains(t, out, "its sessions are over\npassword: ")

	// Each change is an audit record with who and what, without the password; a refused command leaves none.
	require.Equal(t, []string{ // the refused name has used up the id 2
		`shopctl admin create admin 1 1 1 - {"avatar":"","roleIds":[1],"username":"owner_one"}`,
		`shopctl admin create admin 3 1 1 - {"avatar":"","roleIds":[1],"username":"second_one"}`,
		`shopctl admin disable admin 1 1 1 {"locked":false} {"locked":true}`,
		`shopctl admin password admin 3 1 1 - {"password":"***","username":"second_one"}`,
	}, recordsOf(t, db, "shopctl admin %"))
	out, err = shopctl(t, "jobs", "run", "--once")
	require.NoError(t, err)
	require.Contains(t, out, "checkOrderUnpaid: 0 changed\n")
	out, err = shopctl(t, "outbox", "list")
	require.NoError(t, err)
	require.Equal(t, "ID  TOPIC  KEY  ROW  TRIES\n", out)

	_, err = db.ExecContext(t.Context(), "INSERT INTO job_failure VALUES ('refundRetry.late', 7, 5, '2030-01-02 03:04:05', "+
		"'payment 3\ncannot return 2.00', '2030-01-01 03:04:05')")
	require.NoError(t, err)
	out, err = shopctl(t, "jobs", "failures")
	require.NoError(t, err)
	require.Equal(t, "JOB               ROW  TRIES  SINCE                 NEXT                  CAUSE\n"+
		"refundRetry.late  7    5      2030-01-01T03:04:05Z  2030-01-02T03:04:05Z  payment 3 cannot return 2.00\n", out)
	out, err = shopctl(t, "jobs", "retry", "refundRetry.late", "7", "8")
	require.ErrorContains(t, err, "nothing to try again: 8")
	require.Equal(t, "7 is due again\n8 is not set aside\n", out)
	var record string
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT CONCAT_WS(' ', method_path, target_type, target_id, after_json) "+
		"FROM audit_log ORDER BY id DESC LIMIT 1").Scan(&record))
	require.Equal(t, `shopctl jobs retry job_failure 7 {"job":"refundRetry.late","retry":true}`, record)
}
