package documents

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"shop.internal/pkg/test/reliability/stack"
)

// open starts the servers and a demo shop of so many replicas of each service, and installs the tools. The database may have
// more options.
func open(t *testing.T, replicas int, database ...string) (*stack.Stack, machine) {
	t.Helper()
	s, err := stack.Start(t.Context(), stack.Options{Name: "pages", Storefronts: replicas, Admins: replicas, Quick: true, Database: database})
	must(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	socket, err := s.MariaDB.Socket(t.Context())
	must(t, err)
	m := machine{
		Root: t.TempDir(), Programs: s.Release.Programs, Redis: s.Redis.Addr(), Socket: socket,
		Settings: map[string]string{"STOREFRONT_STOP_DELAY": "0s", "ADMIN_STOP_DELAY": "0s"},
		Addresses: map[string]string{
			"mysql.example.com:3306": s.MariaDB.Addr(), "redis.example.com:6379": s.Redis.Addr(),
			".local/build": "/build",
		},
	}
	for setting, address := range map[string]string{
		"STOREFRONT_LISTEN": "127.0.0.1:8080", "STOREFRONT_OPS_LISTEN": "127.0.0.1:9080",
		"ADMIN_LISTEN": "127.0.0.1:8081", "ADMIN_OPS_LISTEN": "127.0.0.1:9081",
	} {
		m.Settings[setting] = freeAddress(t)
		m.Addresses[address] = m.Settings[setting]
	}
	if replicas > 0 {
		m.Addresses["127.0.0.1:8080"] = strings.TrimPrefix(s.Storefronts[0].URL, "http://")
		m.Addresses["127.0.0.1:8081"] = strings.TrimPrefix(s.Admins[0].URL, "http://")
	}
	must(t, os.Chmod(filepath.Dir(m.Root), 0o711)) // users of services reach their files below it
	m.Addresses["https://shop.example.com:8443"] = "http://" + m.Addresses["127.0.0.1:8081"]
	m.Addresses["https://shop.example.com"] = "http://" + m.Addresses["127.0.0.1:8080"]
	m.Addresses["127.0.0.1:3306"], m.Addresses["127.0.0.1:6379"] = s.MariaDB.Addr(), s.Redis.Addr()
	m.openMail(t)
	for _, dir := range []string{"bin", "dev", "etc/systemd/system", "etc/redis", "etc/caddy", "var/lib"} {
		must(t, os.MkdirAll(m.file(dir), 0o755)) // users of services reach their files below it
	}
	self, err := os.Executable()
	must(t, err)
	for name := range tools {
		must(t, os.Symlink(self, m.file("bin", name)))
	}
	m.write(t)
	return s, m
}

// write writes for the tools what they know of the machine.
func (m machine) write(t *testing.T) {
	t.Helper()
	text, err := json.Marshal(m)
	must(t, err)
	must(t, os.WriteFile(m.file("machine.json"), text, 0o600))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	return l.Addr().String()
}

var block = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// blocks are those of a page, in order; those before a heading, if one is named.
func blocks(t *testing.T, page string, before ...string) (list []string) {
	t.Helper()
	root, err := stack.ProjectRoot()
	must(t, err)
	text, err := os.ReadFile(filepath.Join(root, page))
	must(t, err)
	part := string(text)
	for _, heading := range before {
		found := false
		if part, _, found = strings.Cut(part, "\n"+heading+"\n"); !found {
			t.Fatalf("%s has no heading %s", page, heading)
		}
	}
	for _, b := range block.FindAllStringSubmatch(part, -1) {
		list = append(list, b[1])
	}
	if len(list) == 0 {
		t.Fatalf("%s has no commands", page)
	}
	return list
}

// follow runs all blocks of a page.
func (m machine) follow(ctx context.Context, t *testing.T, page string) []string {
	t.Helper()
	return m.run(ctx, t, page, blocks(t, page)...)
}

// run runs blocks of a page in one shell, in which a failed command ends it, and returns what each of them printed.
func (m machine) run(ctx context.Context, t *testing.T, page string, blocks ...string) []string {
	t.Helper()
	root, err := stack.ProjectRoot()
	must(t, err)
	const mark = "--- the next block ---\n"
	script := "set -euo pipefail\n"
	for _, b := range blocks {
		script += b + "echo '" + strings.TrimSpace(mark) + "'\n"
	}
	var names []string
	// The longest first, which may begin with another one.
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(m.Addresses))) {
		names = append(names, name, strings.Replace(m.Addresses[name], "/build", m.file("build"), 1))
	}
	for _, path := range []string{
		"/etc/systemd", "/etc/shop", "/etc/redis", "/etc/caddy", "/opt/shop", "/var/lib/shop", "/var/backups/shop", "/dev/tty",
	} {
		names = append(names, path, m.file(path))
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash")
	cmd.Stdin, cmd.Dir = strings.NewReader(strings.NewReplacer(names...).Replace(script)), root
	cmd.Env = append(unconfigured(), "PATH="+m.file("bin")+":"+os.Getenv("PATH"), knows+"="+m.file("machine.json"))
	for setting, value := range m.Settings {
		cmd.Env = append(cmd.Env, setting+"="+value)
	}
	out, err := cmd.CombinedOutput()
	said := strings.Split(string(out), mark)
	if err != nil {
		t.Fatalf("block %d of %d in %s: %v\n%s", len(said), len(blocks), page, err, said[len(said)-1])
	}
	return said
}

// unconfigured is the environment without settings of the services, which a shell may have.
func unconfigured() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "STOREFRONT_") || strings.HasPrefix(v, "ADMIN_")
	})
}

// TestTheReadme buys what the README buys, in the demo shop.
func TestTheReadme(t *testing.T) {
	_, m := open(t, 1)
	said := m.follow(t.Context(), t, "README.md")[0]
	for _, want := range []string{`"orderStatusText":"已付款"`} {
		if !strings.Contains(said, want) {
			t.Errorf("the purchase does not say %s:\n%s", want, said)
		}
	}
	if n := strings.Count(said, `"errno":0`); n != strings.Count(said, `"errno":`) || n < 4 {
		t.Errorf("%d requests succeeded:\n%s", n, said)
	}
}

// TestTheOperatorsPages installs a shop on an empty server, upgrades it and changes its secrets, as the pages say.
func TestTheOperatorsPages(t *testing.T) {
	s, m := open(t, 0)
	db := m.install(t)
	m.upgrade(t)
	m.separate(t)
	m.secrets(t, s, db)
}

// empty makes the server of the database one that knows nothing of a shop.
func empty(t *testing.T, db *sql.DB) {
	t.Helper()
	for _, statement := range []string{"DROP DATABASE shop", "DROP USER shop@'%', shop_storefront@'%', shop_admin@'%'"} {
		_, err := db.ExecContext(t.Context(), statement)
		must(t, err)
	}
}

// bare empties the server, and returns the database for its root.
func (m machine) bare(t *testing.T) *sql.DB {
	t.Helper()
	db, err := sql.Open("mysql", "root@unix("+m.Socket+")/")
	must(t, err)
	t.Cleanup(func() {
		for _, name := range []string{"storefront", "admin"} {
			if err := m.end(context.Background(), name); err != nil {
				t.Error(err)
			}
		}
		// The stack stops its servers with these.
		_, _ = db.ExecContext(context.Background(), "CREATE DATABASE IF NOT EXISTS shop")
		_ = db.Close()
	})
	empty(t, db)
	return db
}

// install follows the tutorial on an empty server until the shop is open, and returns the database for its root.
func (m machine) install(t *testing.T) *sql.DB {
	t.Helper()
	db := m.bare(t)
	said := m.run(t.Context(), t, tutorial, blocks(t, tutorial, "## 5. The address")...)
	m.installed(t, said)
	return db
}

// installed looks at what the commands of the installation said.
func (m machine) installed(t *testing.T, said []string) {
	t.Helper()
	if !strings.Contains(said[5], "password: ") {
		t.Errorf("setup prints no password:\n%s", said[5])
	}
	home := agree(said[6])
	if n := strings.Count(home, `{"ready":true}`); n != 2 || !strings.HasSuffix(strings.TrimSpace(home), "}") {
		t.Errorf("the services are not ready, the home page does not answer, or the books disagree:\n%s", said[6])
	}
}

// agree is what a block said, without the note of verify that nothing is sealed yet, which is a matter of seconds.
func agree(said string) string {
	before, _, _ := strings.Cut(said, "Note: no head of the audit records")
	return before
}

// secrets changes the secrets and requires that the old ones are refused afterwards, and the new ones in use.
func (m machine) secrets(t *testing.T, s *stack.Stack, db *sql.DB) {
	t.Helper()
	secret := func(name string) string {
		text, err := os.ReadFile(m.file("etc/shop/secrets", name))
		must(t, err)
		return string(text)
	}
	names := []string{"mysql-dsn-storefront", "redis-password", "codes", "idempotency"}
	before := map[string]string{}
	for _, name := range names {
		before[name] = secret(name)
	}
	m.follow(t.Context(), t, "docs/operate/secrets.md")
	for _, name := range names {
		if secret(name) == before[name] {
			t.Errorf("%s has not changed", name)
		}
	}
	lets := func(dsn string) bool {
		db, err := sql.Open("mysql", dsn)
		must(t, err)
		defer db.Close()
		return db.PingContext(t.Context()) == nil
	}
	if lets(before["mysql-dsn-storefront"]) || !lets(secret("mysql-dsn-storefront")) {
		t.Error("the old password of the storefront's account is valid, or the new one is not")
	}
	opens := func(password string) bool {
		db := redis.NewClient(&redis.Options{Addr: s.Redis.Addr(), Password: password, MaxRetries: -1})
		defer db.Close()
		return db.Ping(t.Context()).Err() == nil
	}
	if opens(before["redis-password"]) || !opens(secret("redis-password")) {
		t.Error("the old password of Redis is valid, or the new one is not")
	}
	var accounts string
	must(t, db.QueryRowContext(t.Context(), `SELECT GROUP_CONCAT(DISTINCT user ORDER BY user) FROM
		information_schema.processlist WHERE db = 'shop'`).Scan(&accounts))
	if accounts != "shop_admin,shop_storefront" {
		t.Errorf("the services use the accounts %s", accounts)
	}
	verify := exec.CommandContext(t.Context(), "bash", "-c", fmt.Sprintf(
		`set -a; . %s; . %s; %s verify`, m.file("etc/shop/admin.env"), m.file("etc/shop/root.env"), m.file("opt/shop/bin/shopctl")))
	verify.Env = unconfigured()
	out, err := verify.CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("shopctl verify: %v\n%s", err, out)
	}
}
