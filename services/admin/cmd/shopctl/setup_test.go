package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"
)

// shopctlReading is shopctl with standard input.
func shopctlReading(t *testing.T, input string, args ...string) (string, error) {
	t.Helper()
	c := root(&program{now: now})
	var out bytes.Buffer
	c.SetIn(strings.NewReader(input))
	c.SetOut(&out)
	c.SetErr(&out)
	c.SetArgs(append([]string{"--config", ""}, args...))
	err := c.ExecuteContext(t.Context())
	return out.String(), err
}

func TestSetup(t *testing.T) {
	db := database(t)
	rows := func(query string) (n int) {
		require.NoError(t, db.QueryRowContext(t.Context(), query).Scan(&n))
		return n
	}
	out, err := shopctlReading(t, "short\n", "setup", "--operator", "owner_one", "--password-stdin")
	require.ErrorContains(t, err, "the password does not fit", "every step before it has been done")
	require.Contains(t, out, "applied 0001_account.sql")
	require.Regexp(t, `the database is up to date; \d\d+ steps applied`, out)
	require.Regexp(t, `regions: 3\d\d\d added, 0 changed, 0 retired`, out)

	out, err = shopctlReading(t, "a-good-password\n", "setup", "--operator", "owner_one", "--password-stdin")
	require.NoError(t, err)
	require.Equal(t, "the database is up to date; 0 steps applied\nsettings: every one has a value\nregions: up to date\n"+
		"operators: owner_one was made and may do everything\n", out)
	require.Equal(t, 1, rows("SELECT COUNT(*) FROM admin"))
	require.Equal(t, 34, rows("SELECT COUNT(*) FROM region WHERE pid = 0"))

	_, err = db.ExecContext(t.Context(), "UPDATE region SET name = 'before' WHERE code IN (110101, 330000)")
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "INSERT INTO region (pid, name, type, code) VALUES (1, 'gone', 2, 119900)")
	require.NoError(t, err)
	out, err = shopctl(t, "setup")
	require.NoError(t, err)
	require.Contains(t, out, "regions: 0 added, 2 changed, 1 retired\n")
	require.Contains(t, out, "operators: there are some")
	require.NotContains(t, out, "password:")
	require.Equal(t, 1, rows("SELECT COUNT(*) FROM admin"))

	_, err = shopctl(t, "setup", "--demo")
	require.ErrorIs(t, err, errNoDemo)
}

func TestSetupMakesUpAPassword(t *testing.T) {
	database(t)
	out, err := shopctl(t, "setup")
	require.NoError(t, err)
	require.Regexp(t, `operators: administrator was made and may do everything\n`+
		`password: [A-Z2-7]{26}\nIt is not shown again\.\n$`, out)
}

// A wrong password is reported as such, and not as an outdated schema.
func TestWhatIsWrongWithTheDatabase(t *testing.T) {
	database(t)
	dsn, err := mysql.ParseDSN(os.Getenv("ADMIN_MYSQL_DSN"))
	require.NoError(t, err)
	tests := map[string]struct {
		change func(*mysql.Config)
		want   string
	}{
		"a wrong password":      {func(c *mysql.Config) { c.Passwd = "hidden" }, "refuses the user or the password in mysql.dsn"},
		"a database that is no": {func(c *mysql.Config) { c.DBName = "shop_test_none" }, "mysql.dsn"},
		"no server":             {func(c *mysql.Config) { c.Addr = "127.0.0.1:1" }, "no database server answers at the address in mysql.dsn"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			wrong := dsn.Clone()
			tt.change(wrong)
			t.Setenv("ADMIN_MYSQL_DSN", wrong.FormatDSN())
			for _, command := range [][]string{{"verify"}, {"setup"}, {"migrate"}, {"admin", "create", "owner_one"}} {
				_, err := shopctl(t, command...)
				require.ErrorContains(t, err, tt.want, command)
				require.NotContains(t, err.Error(), "shopctl setup")
				require.NotContains(t, err.Error(), "hidden")
			}
		})
	}
}

// The built program finds its configuration from any folder, and prints its version.
func TestFromAnyFolder(t *testing.T) {
	home := t.TempDir()
	program := filepath.Join(home, "bin", "shopctl")
	build := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-X shop.internal/pkg/kit/program.version=v9.9 "+
		"-X shop.internal/pkg/kit/program.commit=0123abcd -X shop.internal/pkg/kit/program.date=2026-11-25", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is delivered, also where the race detector needs cgo
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	run := func(more ...string) (string, error) {
		c := exec.CommandContext(t.Context(), program, "verify")
		c.Dir, c.Env = t.TempDir(), append(os.Environ(), more...)
		said, err := c.CombinedOutput()
		return string(said), err
	}
	said, err := run()
	require.Error(t, err)
	require.Contains(t, said, "mysql.dsn: is missing", "the defaults, where there is no file")
	file := filepath.Join(home, "deploy", "admin", "config.yaml")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte("from-the-file: 1\n"), 0o600))
	said, err = run()
	require.Error(t, err)
	require.Contains(t, said, "from-the-file: unknown key", "the file beside the program")
	said, err = run("ADMIN_CONFIG=" + filepath.Join(home, "none.yaml"))
	require.Error(t, err)
	require.Contains(t, said, "none.yaml")
	for _, flag := range []string{"-version", "--version"} {
		out, err := exec.CommandContext(t.Context(), program, flag).Output()
		require.NoError(t, err)
		require.Equal(t, "shopctl v9.9 (0123abcd, 2026-11-25)\n", string(out), "as the services do")
	}
}
