package drill

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shop.internal/deploy/prove/crowd"
	"shop.internal/deploy/prove/shop"
	"shop.internal/deploy/prove/stack"
)

// restore is a shop that is backed up, lost and restored.
type restore struct {
	*crowd.World
	dialect

	t        *testing.T
	began    time.Time
	watch    *watch
	platform *relay
	position struct{ file, from, until string } // of the binary log: at the dump, and before the mistake
	late     *shop.Shopper
	waiting  []int64 // orders placed before the dump, whose payment begins after it
	lost     *stack.Server
}

// dialect is what differs between MariaDB and MySQL.
type dialect struct {
	server, dump, client, binlog, status string
	rights                               string // that the dump needs on everything
	place                                *regexp.Regexp
}

var (
	mariaDB = dialect{
		server: "MariaDB", dump: "mariadb-dump", client: "mariadb", binlog: "mariadb-binlog", status: "SHOW MASTER STATUS",
		rights: "RELOAD, BINLOG MONITOR",
		place:  regexp.MustCompile(`MASTER_LOG_FILE='([^']+)', MASTER_LOG_POS=(\d+)`),
	}
	mySQL = dialect{
		server: "MySQL", dump: "mysqldump", client: "mysql", binlog: "mysqlbinlog", status: "SHOW BINARY LOG STATUS",
		rights: "RELOAD, REPLICATION CLIENT",
		place:  regexp.MustCompile(`SOURCE_LOG_FILE='([^']+)', SOURCE_LOG_POS=(\d+)`),
	}
)

// shell runs a line of shell at a server, in the folder of the dump.
func (r *restore) shell(server *stack.Server, account, line string) string {
	r.t.Helper()
	said, err := server.Shell(r.t.Context(), r.Stack.Folder, account, line)
	must(r.t, err)
	return said
}

// line is the command of docs/operate/backup.md that begins so, with the programs of the database.
func (r *restore) line(begin string) string {
	r.t.Helper()
	root, err := stack.ProjectRoot()
	must(r.t, err)
	page, err := os.ReadFile(filepath.Join(root, "docs/operate/backup.md"))
	must(r.t, err)
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, begin) {
			command, _, _ := strings.Cut(line, "  #")
			return strings.NewReplacer("mariadb-binlog ", r.binlog+" ", "| mariadb ", "| "+r.client+" ").Replace(strings.TrimSpace(command))
		}
	}
	r.t.Fatalf("backup.md has no command %s", begin)
	return ""
}

// TestRestore dumps the database while orders come in, loses it, and restores it twice: to the moment before a mistake,
// by the binary log, and to the moment of the dump alone, with the payments since then found at the platform.
func TestRestore(t *testing.T) {
	r := &restore{t: t, began: time.Now(), watch: &watch{}, platform: newRelay(t), dialect: mariaDB}
	if os.Getenv("SHOP_DATABASE") == "mysql" {
		r.dialect = mySQL
	}
	r.open()
	r.backUp()
	r.lose()
	r.toTheMistake()
	r.toTheDump()
}

func (r *restore) open() {
	r.World = crowd.Open(r.t, 1, stack.Options{
		Name: "restore", Storefronts: 2, Admins: 1,
		Database: []string{"--log-bin=binlog", "--server-id=1", "--binlog-format=ROW", "--sync-binlog=1"},
		Storefront: []string{
			"PAYMENT_SANDBOX_DELAY=3s", "PAYMENT_NOTIFY_URL=" + r.platform.server.URL + "/wx/order/pay-notify", "STOP_DELAY=0s",
		},
		Admin: []string{"STOP_DELAY=0s"},
	})
	r.platform.passTo(r.Stack.Storefronts[0].URL)
	r.Watch, r.Guests = r.watch.add, 2
	r.orderEarly()
	say(r.began, "%s, 2 storefronts and an admin are open; the platform's notifications come 3 s after a payment begins", r.server)
	r.Begin(r.t.Context())
	r.t.Cleanup(r.Leave)
	time.Sleep(5 * time.Second) // lasts: orders before the backup
}

// orderEarly places orders whose payment begins after the dump.
func (r *restore) orderEarly() {
	ctx := r.t.Context()
	late, err := r.Shop.Shopper(ctx, "demo50", shop.Password)
	must(r.t, err)
	r.late = late
	for range 3 {
		item, err := r.late.Put(ctx, r.Goods[1], 1)
		must(r.t, err)
		order, err := r.late.Submit(ctx, item, nil)
		must(r.t, err)
		r.waiting = append(r.waiting, order)
	}
	r.Note(ctx) // they are not those of the crowd
}

// backUp dumps the database under load.
func (r *restore) backUp() {
	ctx := r.t.Context()
	for _, statement := range []string{
		"CREATE USER dump@localhost IDENTIFIED BY 'dump'", "GRANT " + r.rights + " ON *.* TO dump@localhost",
		"GRANT SELECT, SHOW VIEW, TRIGGER, LOCK TABLES ON shop.* TO dump@localhost",
	} {
		r.shell(r.Stack.MariaDB, "", fmt.Sprintf("%s -e %q", r.client, statement))
	}
	command := r.line(r.dump + " ")
	begin := time.Now()
	before, _ := r.Acknowledged()
	r.shell(r.Stack.MariaDB, "dump:dump", command)
	took := time.Since(begin)
	after, _ := r.Acknowledged()
	text := r.shell(r.Stack.MariaDB, "", "gunzip < shop.sql.gz | head -c 10000 || true") // head ends before gunzip
	size, err := os.Stat(filepath.Join(r.Stack.Folder, "shop.sql.gz"))
	must(r.t, err)
	place := r.place.FindStringSubmatch(text)
	if place == nil {
		r.t.Fatal("the dump names no position of the binary log")
	}
	r.position.file, r.position.from = place[1], place[2]
	all := r.watch.since(begin)
	say(r.began, "%s: %d kB in %v, while %d orders were placed: %d calls, %d failed, the slowest %v", command, size.Size()>>10, round(took), after-before, len(all), len(all.failed()), round(all.slowest(1)))
	for _, s := range all.failed() {
		r.t.Errorf("during the dump %s was answered %s", s.Path, s.Outcome())
	}
	for _, order := range r.waiting {
		must(r.t, r.late.Prepay(ctx, order))
	}
	time.Sleep(8 * time.Second) // lasts: orders after the backup
}

// lose makes a mistake and kills everything.
func (r *restore) lose() {
	ctx := r.t.Context()
	r.platform.refuse()
	time.Sleep(2 * time.Second) // lasts: orders whose notifications do not come
	r.Leave()
	time.Sleep(5 * time.Second) // lasts: what has begun is paid at the platform

	// An operator changes something, and the job of the night stores the head of the audit records.
	for _, command := range []string{"admin create late_one", "jobs run auditSeal", "jobs run verify"} {
		_, err := r.Stack.Control(ctx, strings.Fields(command)...)
		must(r.t, err)
	}
	status := r.shell(r.Stack.MariaDB, "", fmt.Sprintf("%s --batch --skip-column-names -e %q", r.client, r.status))
	fields := strings.Fields(status)
	if len(fields) < 2 || fields[0] != r.position.file {
		r.t.Fatalf("the binary log is at %q, the dump at %s", status, r.position.file)
	}
	r.position.until = fields[1]
	_, err := r.DB.ExecContext(ctx, "UPDATE goods_product SET number = 0")
	must(r.t, err)
	for _, replica := range slices.Concat(r.Stack.Storefronts, r.Stack.Admins) {
		must(r.t, replica.Kill())
	}
	must(r.t, r.Stack.MariaDB.Kill())
	r.lost = r.Stack.MariaDB
	orders, _ := r.Acknowledged()
	say(r.began, "a mistake sets the stock of all products to 0, then everything is killed; %d orders were acknowledged", orders)
}

// load starts an empty server and reads the dump.
func (r *restore) load(folder string) (*stack.Server, time.Duration) {
	ctx := r.t.Context()
	spare, err := r.Stack.Spare(ctx, folder)
	must(r.t, err)
	begin := time.Now()
	r.shell(spare, "", r.line("gunzip "))
	return spare, time.Since(begin)
}

// toTheMistake restores the dump and what the binary log has up to the mistake.
func (r *restore) toTheMistake() {
	ctx := r.t.Context()
	spare, loaded := r.load("mariadb-log")
	begin := time.Now()
	log := filepath.Join(r.lost.Folder(), "data", r.position.file)
	size, err := os.Stat(log)
	must(r.t, err)
	r.shell(spare, "", strings.NewReplacer("POSITION", r.position.from+" --stop-position="+r.position.until,
		"binlog.000007 binlog.000008", log).Replace(r.line("mariadb-binlog --start-position=POSITION ")))
	replayed := time.Since(begin)
	r.Stack.MoveTo(spare)
	r.Reopen()
	r.CheckBooks(ctx) // every acknowledged order is there, in a state that its shopper was told
	orders, _ := r.Acknowledged()
	say(r.began, "restored to the moment before the mistake: the dump in %v, %d MB of the binary log in %v; all %d acknowledged "+
		"orders, the stock and the payments are there; verify prints nothing", round(loaded), size.Size()>>20, round(replayed), orders)
}

// paid is what the platform knows: our numbers of its payments.
func (r *restore) paid(ctx context.Context) []string {
	keys, err := r.Redis.Keys(ctx, "sandbox:paid:*").Result()
	must(r.t, err)
	var numbers []string
	for _, key := range keys {
		text, err := r.Redis.Get(ctx, key).Result()
		must(r.t, err)
		numbers = append(numbers, gjson.Get(text, "OutTradeNo").String())
	}
	return numbers
}

// known counts the platform's payments by what the database has of them.
func (r *restore) known(ctx context.Context) map[string][]string {
	found := map[string][]string{}
	for _, number := range r.paid(ctx) {
		what := "order unknown"
		switch {
		case r.Number(ctx, "SELECT COUNT(*) FROM payment WHERE out_trade_no = ? AND status IN (2, 5)", number) > 0:
			what = "settled"
		case r.Number(ctx, "SELECT COUNT(*) FROM payment WHERE out_trade_no = ? AND status IN (0, 1)", number) > 0:
			what = "open"
		case r.Number(ctx, "SELECT COUNT(*) FROM payment WHERE out_trade_no = ?", number) > 0:
			what = "closed"
		case r.Number(ctx, "SELECT COUNT(*) FROM orders WHERE order_sn = ?", number) > 0:
			what = "order only"
		}
		found[what] = append(found[what], number)
	}
	return found
}

// toTheDump restores the dump alone and finds the payments since then.
func (r *restore) toTheDump() {
	ctx := r.t.Context()
	spare, loaded := r.load("mariadb-dump")
	r.Stack.MoveTo(spare)
	r.Reopen()
	r.acceptLoss(ctx)
	orders, _ := r.Acknowledged()
	say(r.began, "restored to the moment of the dump: in %v; verify prints nothing; %d orders of %d are there", round(loaded),
		r.there(ctx), orders+len(r.waiting))
	before := r.known(ctx)
	say(r.began, "the platform has %d payments: %d are settled in the restored database, %d are open there, %d closed, of %d "+
		"it has the order but no payment, of %d not even the order", len(r.paid(ctx)), len(before["settled"]),
		len(before["open"]), len(before["closed"]), len(before["order only"]), len(before["order unknown"]))
	begin := time.Now()
	printed, err := r.Stack.Control(ctx, "payment", "ask")
	must(r.t, err)
	lines := strings.Split(printed, "\n")
	say(r.began, "shopctl payment ask: %s, in %v", lines[len(lines)-1], round(time.Since(begin)))
	after := r.known(ctx)
	if len(before["order only"]) < len(r.waiting) || len(after["open"])+len(after["order only"]) > 0 {
		r.t.Errorf("payments without a record after asking: %v, %v", after["open"], after["order only"])
	}
	r.reopenShop(ctx, after["order unknown"])
}

// acceptLoss accepts that the audit records since the dump are lost, which the head of the last night proves.
func (r *restore) acceptLoss(ctx context.Context) {
	said, err := r.Stack.Control(ctx, "verify")
	lost := regexp.MustCompile(`^audit_log seal (\d+): the head that was kept is missing, should be \S+\n$`).FindStringSubmatch(said)
	if err == nil || lost == nil {
		r.t.Fatalf("verify does not report the lost head alone: %v\n%s", err, said)
	}
	_, command, _ := strings.Cut(r.line("ADMIN_MYSQL_DSN=... shopctl audit "), "shopctl ")
	_, err = r.Stack.Answer(ctx, lost[1]+"\n", strings.Fields(command)...)
	must(r.t, err)
	must(r.t, r.Stack.Verify(ctx))
	say(r.began, "shopctl %s: the audit records since the dump, up to %s, are lost", command, lost[1])
}

// there is how many of the orders of this drill exist.
func (r *restore) there(ctx context.Context) int64 {
	return r.Number(ctx, "SELECT COUNT(*) FROM orders WHERE id > ?", r.First())
}

// reopenShop starts the services on the restored database. The platform repeats the notifications that were not taken.
func (r *restore) reopenShop(ctx context.Context, unknown []string) {
	for _, replica := range slices.Concat(r.Stack.Storefronts, r.Stack.Admins) {
		must(r.t, replica.Start(ctx))
	}
	r.platform.passTo(r.Stack.Storefronts[0].URL)
	taken, refused, err := r.platform.again(ctx)
	must(r.t, err)
	super, err := r.Shop.Operator(ctx, "super", shop.Password)
	must(r.t, err)
	cases, err := super.Get(ctx, "/admin/order/cases", "limit", 100, "kind", "refused-notice")
	must(r.t, err)
	say(r.began, "the platform repeats the notifications that the lost shop had not taken: %d are taken, %d refused; open cases "+
		"of kind refused-notice: %d", taken, refused, cases.Get("total").Int())
	if refused == 0 || cases.Get("total").Int() < int64(refused) {
		r.t.Errorf("%d notifications were refused, operators see %d", refused, cases.Get("total").Int())
	}
	say(r.began, "the other %d payments of unknown orders had been taken by the lost shop: only the platform's statement shows "+
		"them, by numbers that no row of payment has", len(unknown)-refused)
	r.Drain(ctx)
	if left := r.known(ctx)["closed"]; len(left) > 0 {
		say(r.began, "%d payments were made after the platform had closed them, which only this sandbox does", len(left))
	}
	must(r.t, r.Stack.Verify(ctx))
	buyer, err := r.Shop.Shopper(ctx, "demo60", shop.Password)
	must(r.t, err)
	if _, err := buyer.Buy(ctx, r.inStock(ctx), 1); err != nil {
		r.t.Error(fmt.Errorf("nobody can buy in the restored shop: %w", err))
		return
	}
	say(r.began, "ok: the restored shop sells, verify prints nothing")
}

// inStock is what the crowd has not bought out.
func (r *restore) inStock(ctx context.Context) shop.Goods {
	for _, g := range r.Goods {
		if r.Number(ctx, "SELECT number FROM goods_product WHERE id = ?", g.Product) > 0 {
			return g
		}
	}
	r.t.Fatal("everything is sold out")
	return shop.Goods{}
}
