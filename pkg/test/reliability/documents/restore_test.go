package documents

import (
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheRestore loses the database of a shop and restores it on an empty server, by the commands of the page alone.
func TestTheRestore(t *testing.T) {
	s, m := open(t, 0, "--log-bin=binlog", "--server-id=1", "--binlog-format=ROW")
	clients := t.TempDir()
	must(t, s.MariaDB.Clients(t.Context(), clients, ""))
	for _, name := range []string{"mariadb", "mariadb-dump", "mariadb-binlog"} {
		if _, err := os.Stat(filepath.Join(clients, name)); err != nil && os.Getenv("SHOP_STATE") == "" {
			t.Skipf("there is no %s, which make reliability fetches: CLIENT=1 deploy/local/programs.sh .local/programs", name)
		}
		_ = os.Remove(m.file("bin", name)) // the tool of that name, if there is one
		must(t, os.Symlink(filepath.Join(clients, name), m.file("bin", name)))
	}
	db := m.install(t)
	page := "docs/operate/backup.md"
	commands := blocks(t, page)
	m.run(t.Context(), t, page, commands[0])
	m.shopctl(t, "admin", "create", "afterwards")
	has := func() (operators, tables int) {
		must(t, db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM shop.admin").Scan(&operators))
		must(t, db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'shop'").Scan(&tables))
		return operators, tables
	}
	operators, tables := has()
	m.lose(t, db, filepath.Join(s.MariaDB.Folder(), "data"))
	said := m.run(t.Context(), t, page, commands[1:]...)
	if verified := agree(said[len(commands)-2]); strings.TrimSpace(verified) != "" {
		t.Errorf("verify says:\n%s", verified)
	}
	if o, n := has(); o != operators || n != tables {
		t.Errorf("the restored shop has %d operators and %d tables, not %d and %d", o, n, operators, tables)
	}
	answer := exec.CommandContext(t.Context(), m.file("bin/curl"), "--fail", "--silent", "http://"+m.Addresses["127.0.0.1:9080"]+"/readyz")
	answer.Env = append(os.Environ(), knows+"="+m.file("machine.json"))
	if out, err := answer.CombinedOutput(); err != nil || !strings.Contains(string(out), `"ready":true`) {
		t.Errorf("the restored shop is not ready: %v\n%s", err, out)
	}
}

// lose copies the binary log beside the dump, as a copy that is made all the time would be, and empties the server.
func (m machine) lose(t *testing.T, db *sql.DB, data string) {
	t.Helper()
	for _, name := range []string{"storefront", "admin"} {
		must(t, m.end(t.Context(), name))
	}
	_, err := db.ExecContext(t.Context(), "FLUSH BINARY LOGS")
	must(t, err)
	logs, err := filepath.Glob(filepath.Join(data, "binlog.0*"))
	must(t, err)
	for _, file := range logs[:len(logs)-1] {
		text, err := os.ReadFile(file)
		must(t, err)
		must(t, os.WriteFile(m.file("var/backups/shop", filepath.Base(file)), text, 0o600))
	}
	empty(t, db)
}

// shopctl runs a command with the configuration that the installation has made.
func (m machine) shopctl(t *testing.T, args ...string) {
	t.Helper()
	line := `set -a; . "$0"; . "$1"; set +a; shift; exec "$@"`
	cmd := exec.CommandContext(t.Context(), "bash", append([]string{
		"-c", line, m.file("etc/shop/admin.env"), m.file("etc/shop/root.env"), m.file("opt/shop/bin/shopctl"),
	}, args...)...)
	cmd.Env = unconfigured()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("shopctl %v: %v\n%s", args, err, out)
	}
}
