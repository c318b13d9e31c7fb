package drill

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"

	"shop.internal/pkg/test/reliability/stack"
	"shop.internal/pkg/test/reliability/workload"
)

// faults is a shop in which everything fails, one after the other.
type faults struct {
	*workload.World

	t       *testing.T
	began   time.Time
	watch   *watch
	uploads *uploader
}

// fault is one thing that fails for a while.
type fault struct {
	name    string
	begin   func(ctx context.Context) error
	lasting time.Duration
	end     func(ctx context.Context) error
	// bare says that calls may end without an answer or with a proxy's own: somebody who had one was killed or cut off, or
	// no replica is ready, as those of admin without MySQL, which may end itself on a full disk.
	bare bool
	// guests says that guests, whose pages are in memory, notice nothing.
	guests bool
	// harmless says that no call fails.
	harmless bool
	// note adds to the report, after the end.
	note func(ctx context.Context) string
}

// How long an operation of each kind of callers may take at most: the services' own limits.
var limits = map[string]time.Duration{
	"guests": 15 * time.Second, "shoppers": 15 * time.Second, "operators": 20 * time.Second,
}

// TestFaults makes each fault once under load, reports what callers saw, and compares the books with what everybody was
// told.
func TestFaults(t *testing.T) {
	f := &faults{t: t, began: time.Now(), watch: &watch{}}
	f.World = workload.Open(t, rand.Uint64N(1_000_000), stack.Options{
		Name: "faults", Storefronts: 3, Admins: 2, Balanced: true, Wired: true,
		// One tablespace for all, with a limit, is a disk that can be full.
		Database: tablespace("224M"),
	})
	f.uploads = newUploader(f)
	f.Watch, f.Guests = f.watch.add, 6
	say(f.began, "3 storefronts and 2 admins are open behind balancers; 8 shoppers, 2 operators and 6 guests use them")
	f.Begin(t.Context())
	t.Cleanup(f.Leave)
	time.Sleep(3 * time.Second) // lasts: the shop without a fault
	f.row("nothing", seen(nil), f.watch.since(time.Time{}), time.Time{}, "")
	for _, one := range f.list() {
		f.do(t.Context(), one)
	}
	f.Settle(t.Context())
	orders, coupons := f.Acknowledged()
	if !t.Failed() {
		say(f.began, "ok: %d calls; all %d acknowledged orders and %d coupons exist, in states that their shoppers were told; "+
			"shopctl verify printed nothing after each fault", len(f.watch.since(time.Time{})), orders, coupons)
	}
}

// do makes a fault, waits until nobody notices it any more, and compares the books.
func (f *faults) do(ctx context.Context, one fault) {
	f.t.Helper()
	f.Disturbed.Add(1)
	begin := time.Now()
	if err := one.begin(ctx); err != nil {
		f.t.Errorf("%s: %v", one.name, err)
		return
	}
	time.Sleep(one.lasting) // lasts: the fault
	if err := one.end(ctx); err != nil {
		f.t.Fatalf("%s: %v", one.name, err)
	}
	ended := time.Now()
	calm := f.calm(ended)
	note := ""
	if one.note != nil {
		note = one.note(ctx)
	}
	all := f.watch.since(begin)
	f.judge(one, all)
	f.MayLogOut.Store(false)
	f.Check(ctx)
	f.row(one.name, all.failed(), all, ended, note)
	if !calm {
		f.t.Errorf("%s: calls still fail 30 s after its end", one.name)
	}
}

// calm waits until no call of the last second has failed.
func (f *faults) calm(ended time.Time) bool {
	for time.Since(ended) < 30*time.Second {
		time.Sleep(time.Second)
		if recent := f.watch.since(time.Now().Add(-time.Second)); len(recent) > 0 && len(recent.failed()) == 0 {
			return true
		}
	}
	return false
}

// judge compares what callers saw with what a fault may show them.
func (f *faults) judge(one fault, all seen) {
	f.t.Helper()
	const grace = time.Second // for a machine that does everything else as well
	for _, s := range all {
		switch {
		case s.Took > limits[s.Kind()]+grace:
			f.t.Errorf("%s: %s was answered %s after %v", one.name, s.Path, s.Outcome(), round(s.Took))
		case s.Err != nil && !one.bare, s.Err == nil && s.Answer.Errno == -1 && !one.bare:
			f.t.Errorf("%s: %s was answered %s (%v) after %v", one.name, s.Path, s.Outcome(), s.Err, round(s.Took))
		case s.Failed() && (one.harmless || one.guests && s.Kind() == "guests"):
			f.t.Errorf("%s: %s was answered %s", one.name, s.Path, s.Outcome())
		}
	}
}

// row prints a line of the table.
func (f *faults) row(name string, failed, all seen, ended time.Time, note string) {
	if name == "nothing" {
		fmt.Printf("%-36s %6s %6s %8s %8s  %s\n", "fault", "calls", "failed", "slowest", "over*", "what the failed calls saw")
	}
	over := "-"
	if len(failed) > 0 {
		last := slices.MaxFunc(failed, func(a, b workload.Sample) int { return a.Began.Add(a.Took).Compare(b.Began.Add(b.Took)) })
		over = fmt.Sprint(round(max(0, last.Began.Add(last.Took).Sub(ended))))
	}
	text := ""
	for _, kind := range []string{"guests", "shoppers", "operators"} {
		if part := failed.of(kind); len(part) > 0 {
			text += fmt.Sprintf("%s %s; ", kind, part.outcomes())
		}
	}
	fmt.Printf("%-36s %6d %6d %8v %8s  %s%s\n", name, len(all), len(failed), round(all.slowest(1)), over, text, note)
}

// list is every fault.
func (f *faults) list() []fault {
	storefront, admin := f.Stack.Storefronts[0], f.Stack.Admins[0]
	lonely, lonelyAdmin := f.Stack.Storefronts[2], f.Stack.Admins[1]
	mysql, redis := f.Stack.MariaDB, f.Stack.Redis
	plain := func(do func()) func(context.Context) error { return func(context.Context) error { do(); return nil } }
	failing := func(do func() error) func(context.Context) error { return func(context.Context) error { return do() } }
	takeover := func(r *stack.Replica) func(context.Context) string {
		return func(ctx context.Context) string { return f.takeover(ctx, r) }
	}
	return []fault{
		{name: "a storefront is killed", begin: failing(storefront.Kill), lasting: 3 * time.Second, end: storefront.Start, bare: true},
		{name: "an admin is killed", begin: failing(admin.Kill), lasting: 5 * time.Second, end: admin.Start, bare: true, note: takeover(admin)},
		{name: "a storefront hangs", begin: failing(storefront.Hang), lasting: 6 * time.Second, end: failing(storefront.Resume), bare: true},
		{name: "MySQL is killed, back after 2 s", begin: failing(mysql.Kill), lasting: 2 * time.Second, end: mysql.Start, bare: true, guests: true},
		{name: "MySQL hangs for 8 s", begin: failing(mysql.Hang), lasting: 8 * time.Second, end: failing(mysql.Resume), bare: true, guests: true},
		{name: "MySQL is gone for 6 s", begin: plain(mysql.Proxy.Refuse), lasting: 6 * time.Second, end: plain(mysql.Proxy.Pass), bare: true, guests: true},
		{name: "Redis is killed, back after 2 s", begin: failing(redis.Kill), lasting: 2 * time.Second, end: redis.Start},
		{name: "Redis hangs for 8 s", begin: failing(redis.Hang), lasting: 8 * time.Second, end: failing(redis.Resume)},
		{name: "Redis is gone for 6 s", begin: plain(redis.Proxy.Refuse), lasting: 6 * time.Second, end: plain(redis.Proxy.Pass)},
		{name: "Redis is emptied", begin: plain(f.EmptyRedis), lasting: 2 * time.Second, end: plain(func() {}), harmless: true},
		{name: "the disk for uploads is full", begin: f.uploads.fill, lasting: 5 * time.Second, end: f.uploads.free, harmless: true, note: f.uploads.report},
		{name: "the disk of MySQL is full", begin: f.fillDatabase, lasting: 8 * time.Second, end: f.freeDatabase, bare: true, guests: true},
		{name: "the platform takes 8 s to answer", begin: f.platform("slow=8s&delay=150ms"), lasting: 12 * time.Second, end: f.platform("delay=150ms"), harmless: true, note: f.prepays},
		{name: "a storefront loses the network", begin: plain(lonely.Unplug), lasting: 10 * time.Second, end: plain(lonely.Plug), bare: true},
		{name: "an admin loses the network", begin: plain(lonelyAdmin.Unplug), lasting: 10 * time.Second, end: plain(lonelyAdmin.Plug), bare: true, note: takeover(lonelyAdmin)},
	}
}

// takeover says who has the leases of the jobs.
func (f *faults) takeover(ctx context.Context, r *stack.Replica) string {
	var held, by int64
	must(f.t, f.DB.QueryRowContext(ctx, "SELECT COUNT(*), COALESCE(SUM(holder LIKE ?), 0) FROM job_lease "+
		"WHERE lease_until > UTC_TIMESTAMP(3)", fmt.Sprintf("%%/%d/%%", r.PID())).Scan(&held, &by))
	late := f.Number(ctx, `SELECT COALESCE(MAX(TIMESTAMPDIFF(SECOND, GREATEST(last_start, COALESCE(last_end, last_start)),
		UTC_TIMESTAMP(3))), 0) FROM job_lease WHERE name IN ('outbox', 'checkOrderUnpaid')`)
	return fmt.Sprintf("of %d leases it holds %d now; the jobs outbox and checkOrderUnpaid last ran %d s ago", held, by, late)
}

// platform changes how the sandbox treats the payments of every storefront.
func (f *faults) platform(how string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		for _, r := range f.Stack.Storefronts {
			q, err := http.NewRequestWithContext(ctx, http.MethodPost, r.Ops+"/sandbox?"+how, http.NoBody)
			if err != nil {
				return err
			}
			answer, err := http.DefaultTransport.RoundTrip(q)
			if err != nil {
				return err
			}
			_ = answer.Body.Close()
			if answer.StatusCode != http.StatusNoContent {
				return fmt.Errorf("the sandbox answers %s", answer.Status)
			}
		}
		return nil
	}
}

// prepays says what shoppers saw who wanted to pay while the platform was slow.
func (f *faults) prepays(context.Context) string {
	late := f.watch.since(time.Now().Add(-20 * time.Second))
	late = slices.DeleteFunc(late, func(s workload.Sample) bool { return s.Path != "/wx/order/prepay" || s.Took < 2*time.Second })
	if len(late) == 0 {
		f.t.Error("nobody noticed that the platform is slow")
	}
	return fmt.Sprintf("prepay: %s after %v at most; nothing else is slower", late.outcomes(), round(late.slowest(1)))
}

// fillDatabase fills the tablespace until not even a small row fits.
func (f *faults) fillDatabase(ctx context.Context) error {
	if _, err := f.DB.ExecContext(ctx, "CREATE TABLE drill_filler (id INT AUTO_INCREMENT PRIMARY KEY, filler LONGBLOB)"); err != nil {
		return err
	}
	for _, size := range []int{1 << 20, 64 << 10, 4 << 10} {
		for full := false; !full; {
			if _, err := f.DB.ExecContext(ctx, "INSERT INTO drill_filler (filler) VALUES (REPEAT('x', ?))", size); err != nil {
				full = true
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// freeDatabase makes room. MariaDB ends itself if it cannot even roll back; then it is started with more room, as an
// operator does who has been called.
func (f *faults) freeDatabase(ctx context.Context) error {
	const free = "DROP TABLE drill_filler"
	if _, err := f.DB.ExecContext(ctx, free); err == nil {
		return nil
	}
	f.Stack.MariaDB.Use(tablespace("512M")...)
	if err := f.Stack.MariaDB.Start(ctx); err != nil {
		return err
	}
	_, err := f.DB.ExecContext(ctx, free)
	return err
}

// tablespace are the options of a database that keeps everything in one file of a bounded size.
func tablespace(most string) []string {
	return []string{"--innodb-file-per-table=0", "--innodb-data-file-path=ibdata1:12M:autoextend:max:" + most}
}
