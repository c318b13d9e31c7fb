package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/settings"
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

// lacking are the last lines of the setup of a new shop without a sender and a channel.
const lacking = "missing: a name: `shopctl setup --name`\n" +
	"missing: a sender of text messages, with whose codes shoppers register: sms.sender\n" +
	"missing: a payment channel: payment.channels, such as [transfer, cod]\n" +
	"missing: goods on sale, which staff enter in the console\n" +
	"the staff console is what admin serves, which listens at :8081\n"

// What the owner says of the shop is stored under its rules, each with its record, and may be said again.
func TestSetupOfTheOwnersShop(t *testing.T) {
	db := database(t)
	stored := func() (all string) {
		require.NoError(t, db.QueryRowContext(t.Context(), "SELECT GROUP_CONCAT(key_value ORDER BY key_name) FROM system_config "+
			"WHERE key_name REGEXP 'mall_(name|phone|address|currency)$|express_freight_(value|min)$'").Scan(&all))
		return all
	}
	out, err := shopctl(t, "setup", "--name", "Kettle & Cup", "--phone", "+44 20 7946 0000", "--address", "1 High Street, Bath",
		"--currency", "GBP", "--freight", "3.5", "--free-from", "40")
	require.NoError(t, err, out)
	require.NotContains(t, out, "missing: a name")
	require.Equal(t, "40,3.5,1 High Street, Bath,GBP,Kettle & Cup,+44 20 7946 0000", stored())
	out, err = shopctl(t, "setup", "--phone", "")
	require.NoError(t, err, out)
	require.Equal(t, "40,3.5,1 High Street, Bath,GBP,Kettle & Cup,", stored())
	for _, wrong := range [][]string{{"--freight", "much"}, {"--currency", "KWD"}, {"--name", strings.Repeat("x", 64)}} {
		_, err = shopctl(t, append([]string{"setup"}, wrong...)...)
		require.ErrorContains(t, err, wrong[0])
	}
	require.Equal(t, "40,3.5,1 High Street, Bath,GBP,Kettle & Cup,", stored())
	var records int
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM audit_log WHERE method_path = 'shopctl setup' "+
		"AND after_json LIKE '%Kettle%'").Scan(&records))
	require.Equal(t, 1, records)
}

// A person at a terminal is asked for what was not given, and may leave it as it is.
func TestSetupAsks(t *testing.T) {
	database(t)
	_, err := shopctl(t, "setup")
	require.NoError(t, err)
	c := root(&program{now: now})
	c.SetArgs([]string{"--config", "", "verify"})
	var out bytes.Buffer
	p := &program{now: now}
	verify, _, err := c.Find([]string{"verify"})
	require.NoError(t, err)
	verify.SetContext(t.Context())
	given := map[string]string{"name": "Kettle"}
	require.NoError(t, p.with(verify, func(ctx context.Context, s shop) error {
		return ownerDetails{}.ask(ctx, strings.NewReader("021\n\nUSD\n"), &out, s, given)
	}))
	require.Equal(t, map[string]string{"name": "Kettle", "phone": "021", "currency": "USD"}, given)
	require.Equal(t, "telephone for shoppers []: address of the shop []: currency, by its code of ISO 4217 [CNY]: "+
		"freight of an order [8]: amount from which an order is sent free [88]: ", out.String())
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
		"operators: owner_one was made and may do everything\n"+lacking, out)
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

func TestSetupInAnotherCountry(t *testing.T) {
	db := database(t)
	t.Setenv("ADMIN_SHOP_COUNTRY", "JP")
	out, err := shopctl(t, "setup")
	require.NoError(t, err)
	require.Contains(t, out, "country: JP, where addresses are free text\n")
	require.NotContains(t, out, "regions:")
	var stored string
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT GROUP_CONCAT(key_value ORDER BY key_name) FROM system_config "+
		"WHERE key_name IN ('litemall_mall_currency', 'litemall_shop_country')").Scan(&stored))
	require.Equal(t, "JPY,JP", stored)
	out, err = shopctl(t, "verify")
	require.NoError(t, err, out)

	_, err = db.ExecContext(t.Context(), "INSERT INTO user (username, username_key, add_time, update_time, deleted, del_mark) "+
		"VALUES ('lin', 'lin', NOW(), NOW(), 1, 1)")
	require.NoError(t, err)
	t.Setenv("ADMIN_SHOP_COUNTRY", "CN")
	_, err = shopctl(t, "setup")
	require.ErrorIs(t, err, settings.ErrCountryFixed)
	t.Setenv("ADMIN_SHOP_COUNTRY", "JP")
	t.Setenv("ADMIN_DEMO", "true")
	_, err = shopctl(t, "setup", "--demo")
	require.ErrorIs(t, err, errDemoAbroad)
}

func TestSetupMakesUpAPassword(t *testing.T) {
	database(t)
	out, err := shopctl(t, "setup")
	require.NoError(t, err)
	require.Regexp(t, `operators: administrator was made and may do everything\n`+
		`password: [A-Z2-7]{26}\nIt is not shown again\.\n`+regexp.QuoteMeta(lacking)+"$", out)
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
	if testing.Short() {
		t.Skip("builds the program")
	}
	home := t.TempDir()
	program := filepath.Join(home, "bin", "shopctl")
	c := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-X shop.internal/pkg/kit/program.version=v9.9 "+
		"-X shop.internal/pkg/kit/program.commit=0123abcd -X shop.internal/pkg/kit/program.date=2026-11-25",
		"-o", program, ".")
	c.Env = append(os.Environ(), asReleased)
	out, err := c.CombinedOutput()
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
