package main

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAccess(t *testing.T) {
	db := database(t)
	_, err := shopctl(t, "access", "why", "owner_one", "admin:order:ship")
	require.ErrorContains(t, err, "shopctl setup")
	_, err = shopctl(t, "migrate")
	require.NoError(t, err)
	_, err = shopctl(t, "admin", "create", "owner_one")
	require.NoError(t, err)
	for _, statement := range []string{
		"INSERT INTO admin (username, username_key, password_hash, add_time, update_time) VALUES " +
			"('Clerk_one', 'clerk_one', '', NOW(), NOW()), ('gone_one', 'gone_one', '', NOW(), NOW()), " +
			"('locked_one', 'locked_one', '', NOW(), NOW())",
		"UPDATE admin SET deleted = 1, del_mark = id WHERE username = 'gone_one'",
		"UPDATE admin SET status = 1 WHERE username = 'locked_one'",
		"INSERT INTO role (name, enabled, add_time, update_time) VALUES " +
			"('clerks', 1, NOW(), NOW()), ('packers', 0, NOW(), NOW())",
		"INSERT INTO permission (role_id, permission, add_time, update_time) VALUES " +
			"(2, 'admin:order:list', NOW(), NOW()), (3, 'admin:order:ship', NOW(), NOW()), " +
			"(3, 'admin:role:permission-get', NOW(), NOW())",
		"INSERT INTO admin_role (admin_id, role_id, position, add_time) VALUES " +
			"(2, 2, 1, NOW()), (2, 3, 0, NOW()), (3, 2, 0, NOW()), (4, 2, 0, NOW())",
	} {
		_, err := db.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	tests := map[string]struct {
		args []string
		out  string
		code int
		says string
	}{
		"by everything": {
			[]string{"why", "owner_one", "admin:order:ship"},
			"owner_one may use admin:order:ship\n  role 1 超级管理员: grants everything\n", 0, "",
		},
		"by name": {
			[]string{"why", "CLERK_one", "admin:order:list"},
			"CLERK_one may use admin:order:list\n  role 2 clerks: grants it\n", 0, "",
		},
		"by a disabled role": {
			[]string{"why", "clerk_one", "admin:order:ship"},
			"clerk_one may not use admin:order:ship\n  role 3 packers: grants it, but is disabled\n", 3, "not granted",
		},
		"by an alias": {
			[]string{"why", "clerk_one", "admin:role:permission:get"},
			"clerk_one may not use admin:role:permission-get\n  role 3 packers: grants it, but is disabled\n", 3, "not granted",
		},
		"by none": {
			[]string{"why", "clerk_one", "admin:order:refund"},
			"clerk_one may not use admin:order:refund\n  none of the roles grants it\n", 3, "not granted",
		},
		"everything, by none": {
			[]string{"why", "clerk_one", "*"},
			"clerk_one may not use *\n  none of the roles grants it\n", 3, "not granted",
		},
		"a locked operator": {
			[]string{"why", "locked_one", "admin:order:list"},
			"locked_one may not use admin:order:list\n  role 2 clerks: grants it, but the operator is locked\n", 3, "not granted",
		},
		"a deleted operator":    {[]string{"why", "gone_one", "admin:order:list"}, "", 1, "there is no operator gone_one"},
		"an unknown operator":   {[]string{"why", "unknown", "admin:order:list"}, "", 1, "there is no operator unknown"},
		"an unknown permission": {[]string{"why", "owner_one", "admin:moon:read"}, "", 1, "there is no permission admin:moon:read"},
		"a missing permission":  {[]string{"why", "owner_one"}, "", 1, "accepts 2 arg"},
		"who": {
			[]string{"who", "admin:order:list"},
			"OPERATOR    ROLE      HOW\nClerk_one   2 clerks  grants it\n" +
				"locked_one  2 clerks  grants it, but the operator is locked\nowner_one   1 超级管理员   grants everything\n", 0, "",
		},
		"who may do everything": {[]string{"who", "*"}, "OPERATOR   ROLE     HOW\nowner_one  1 超级管理员  grants everything\n", 0, ""},
		"who may do what is not": {
			[]string{"who", "admin:order:*"}, "", 1, "there is no permission admin:order:*; `shopctl docs permissions` lists them",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			out, err := shopctl(t, append([]string{"access"}, tt.args...)...)
			require.Equal(t, tt.out, out)
			require.Equal(t, tt.code, exitCode(err), "%v", err)
			if tt.says != "" {
				require.ErrorContains(t, err, tt.says)
			}
		})
	}
}

func TestExitCode(t *testing.T) {
	require.Equal(t, 0, exitCode(nil))
	require.Equal(t, 1, exitCode(errors.New("anything")))
}
