package pages

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"shop.internal/deploy/prove/stack"
)

// open starts the servers and a demo shop of so many replicas of each service, and installs the tools.
func open(t *testing.T, replicas int) (*stack.Stack, machine) {
	t.Helper()
	s, err := stack.Start(t.Context(), stack.Options{Name: "pages", Storefronts: replicas, Admins: replicas, Quick: true})
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
	for _, dir := range []string{"bin", "etc/systemd/system", "var/lib"} {
		must(t, os.MkdirAll(m.file(dir), 0o700))
	}
	self, err := os.Executable()
	must(t, err)
	for name := range tools {
		must(t, os.Symlink(self, m.file("bin", name)))
	}
	text, err := json.Marshal(m)
	must(t, err)
	must(t, os.WriteFile(m.file("machine.json"), text, 0o600))
	return s, m
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := stack.ListenFree(t.Context())
	must(t, err)
	defer l.Close()
	return l.Addr().String()
}

var block = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// follow runs the blocks of pages in one shell, in which a failed command ends it, and returns what each of them printed.
func (m machine) follow(ctx context.Context, t *testing.T, pages ...string) []string {
	t.Helper()
	root, err := stack.ProjectRoot()
	must(t, err)
	const mark = "--- the next block ---\n"
	script, n := "set -euo pipefail\n", 0
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(root, page))
		must(t, err)
		for _, b := range block.FindAllStringSubmatch(string(text), -1) {
			script += b[1] + "echo '" + strings.TrimSpace(mark) + "'\n"
			n++
		}
	}
	if n == 0 {
		t.Fatalf("%v have no commands", pages)
	}
	var names []string
	for name, address := range m.Addresses {
		names = append(names, name, strings.Replace(address, "/build", m.file("build"), 1))
	}
	for _, dir := range []string{"/etc/systemd", "/etc/shop", "/opt/shop", "/var/lib/shop"} {
		names = append(names, dir, m.file(dir))
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash")
	cmd.Stdin, cmd.Dir = strings.NewReader(strings.NewReplacer(names...).Replace(script)), root
	cmd.Env = append(unconfigured(), "PATH="+m.file("bin")+":"+os.Getenv("PATH"), knows+"="+m.file("machine.json"))
	said, err := cmd.CombinedOutput()
	blocks := strings.Split(string(said), mark)
	if err != nil {
		t.Fatalf("block %d of %d in %v: %v\n%s", len(blocks), n, pages, err, blocks[len(blocks)-1])
	}
	return blocks
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

var noHead = regexp.MustCompile(`Note: no head of the audit records.*`)

// TestTheOperatorsPages installs a shop on an empty server and changes its secrets, as the pages say.
func TestTheOperatorsPages(t *testing.T) {
	s, m := open(t, 0)
	db, err := sql.Open("mysql", "root@unix("+m.Socket+")/")
	must(t, err)
	defer db.Close()
	for _, statement := range []string{
		"DROP DATABASE shop", "DROP USER shop@'%', shop_storefront@'%', shop_admin@'%'", // what a new server has not
	} {
		_, err = db.ExecContext(t.Context(), statement)
		must(t, err)
	}
	t.Cleanup(func() {
		for _, name := range []string{"storefront", "admin"} {
			if err := m.end(context.Background(), name); err != nil {
				t.Error(err)
			}
		}
		// The stack stops its servers with these.
		_, _ = db.ExecContext(context.Background(), "CREATE DATABASE IF NOT EXISTS shop")
	})
	said := m.follow(t.Context(), t, "docs/operate/install.md")
	if !strings.Contains(said[2], "password: ") {
		t.Errorf("setup prints no password:\n%s", said[2])
	}
	// verify may come before the job that writes the first head of the audit records, and then notes that there is none.
	answers := strings.TrimSpace(noHead.ReplaceAllString(said[3], ""))
	if n := strings.Count(answers, `{"ready":true}`); n != 2 || !strings.HasSuffix(answers, "}") {
		t.Errorf("the services are not ready, the home page does not answer, or the books disagree:\n%s", said[3])
	}
	m.secrets(t, s, db)
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
		`set -a; . %s; %s verify`, m.file("etc/shop/admin.env"), m.file("opt/shop/bin/shopctl")))
	verify.Env = unconfigured()
	out, err := verify.CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("shopctl verify: %v\n%s", err, out)
	}
}
