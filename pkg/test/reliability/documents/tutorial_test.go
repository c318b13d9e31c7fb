package documents

import (
	"os"
	"strings"
	"testing"
)

// tutorial is the page that installs a shop under systemd.
const tutorial = "docs/tutorial/real-shop.md"

// TestARealShopInAnHour follows the tutorial from an empty server to the first paid order.
func TestARealShopInAnHour(t *testing.T) {
	_, m := open(t, 0)
	store := openBucket(t)
	m.Addresses["https://s3.example.com"] = store.address
	db := m.bare(t)
	said := m.follow(t.Context(), t, tutorial)
	m.installed(t, said)
	buying := strings.Join(said[len(said)-4:], "")
	if n := strings.Count(buying, `"errno":0`); n < 5 || strings.Count(buying, `"errno":`) != n {
		t.Errorf("%d calls succeeded:\n%s", n, buying)
	}
	end := agree(said[len(said)-2])
	if !strings.Contains(end, `"orderStatusText":"已付款"`) || !strings.HasSuffix(strings.TrimSpace(end), "}") {
		t.Errorf("the order is not paid, or the books disagree:\n%s", end)
	}
	var paid string
	must(t, db.QueryRowContext(t.Context(), "SELECT CONCAT(channel, ' ', paid_amount) FROM shop.payment WHERE status = 2").Scan(&paid))
	if paid != "offline 99.50" {
		t.Errorf("the payment is %s", paid)
	}
	if n := store.pictures("/mountain-tea/"); n != 1 {
		t.Errorf("the bucket has %d pictures", n)
	}
}

// upgrade follows the page on upgrades to a release that differs in its version; make upgrade-drill has one with migrations.
func (m *machine) upgrade(t *testing.T) {
	t.Helper()
	m.Programs = t.TempDir()
	build(t, m.Programs, "VERSION=v9.9.9")
	m.write(t)
	said := agree(m.follow(t.Context(), t, "docs/operate/upgrade.md")[0])
	_, verified, _ := strings.Cut(said, "the staff console is what admin serves")
	if !strings.Contains(said, "`shopctl admin create NAME` makes another") || strings.Count(verified, "\n") != 1 {
		t.Errorf("the operator is lost, or the books disagree:\n%s", said)
	}
	for _, name := range []string{"storefront", "admin"} {
		log, err := os.ReadFile(m.file(name + ".log"))
		must(t, err)
		if !strings.Contains(string(log), `"version":"v9.9.9"`) {
			t.Errorf("%s is not the new release:\n%s", name, log)
		}
	}
}
