package drill

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"shop.internal/pkg/test/reliability/stack"
	"shop.internal/pkg/test/reliability/workload"
)

// upgrade is a shop that moves from one release to another one and back while it is open.
type upgrade struct {
	*workload.World

	t        *testing.T
	began    time.Time
	watch    *watch
	old, new stack.Release
	later    map[string]stack.Release // the new release with more of the drill's migrations, for shopctl
	running  map[string][]*stack.Replica
}

// The replicas of each service.
const (
	storefronts = 3
	admins      = 2
)

// TestUpgrade replaces the replicas of both services one by one, migrates the database meanwhile and goes back, without
// a failed request. OLD names the release to begin with.
func TestUpgrade(t *testing.T) {
	u := &upgrade{t: t, began: time.Now(), watch: &watch{}}
	u.build()
	u.World = workload.Open(t, 1, stack.Options{
		Name: "upgrade", Storefronts: storefronts, Admins: admins, Balanced: true, Release: u.old,
	})
	u.running = map[string][]*stack.Replica{"storefront": u.Stack.Storefronts, "admin": u.Stack.Admins}
	t.Cleanup(func() {
		for _, r := range slices.Concat(u.running["storefront"], u.running["admin"]) {
			_ = r.Stop()
		}
	})
	u.Guests, u.Watch = 4, u.watch.add
	say(u.began, "%d storefronts and %d admins of the old release are open; schema %d", storefronts, admins, u.schema())
	u.Begin(t.Context())
	t.Cleanup(u.Leave)
	u.phase("the old release alone", func(context.Context) string {
		time.Sleep(3 * time.Second) // lasts: the phase
		return ""
	})
	u.phase("shopctl setup of the new release: its steps, and the drill's new column and table", u.setUp)
	u.phase("the new release replaces the old one, replica by replica", func(ctx context.Context) string {
		return u.replace(ctx, u.new)
	})
	u.phase("the column is filled in batches", u.fill)
	u.phase("the switch: a key over the column", func(ctx context.Context) string { return u.migrate(ctx, "switch") })
	u.phase("back to the old release, replica by replica", func(ctx context.Context) string {
		return u.replace(ctx, u.old)
	})
	u.phase("the drop: column and table", func(ctx context.Context) string { return u.migrate(ctx, "drop") })
	u.phase("the old release alone, on the new schema", func(context.Context) string {
		time.Sleep(3 * time.Second) // lasts: the phase
		return ""
	})
	u.conclude()
}

// build builds both releases.
func (u *upgrade) build() {
	ctx, t := u.t.Context(), u.t
	root, err := stack.ProjectRoot()
	must(t, err)
	dir := filepath.Join(root, ".local/reliability/releases")
	version, why := u.oldVersion(ctx, root)
	say(u.began, "building %s, %s", version, why)
	u.old, err = stack.Checkout(ctx, version, filepath.Join(dir, "old"))
	must(t, err)
	steps, err := filepath.Glob(filepath.Join(root, "pkg/test/reliability/drill/testdata/migrations/*.sql"))
	must(t, err)
	u.later = map[string]stack.Release{}
	for name, n := range map[string]int{"new": 2, "switch": 3, "drop": len(steps)} {
		r := stack.Release{Name: name, Root: root, Programs: filepath.Join(dir, name), Only: []string{"shopctl"}}
		if name == "new" {
			r.Only = nil
		}
		must(t, r.BuildWith(ctx, steps[:n]...))
		u.later[name] = r
	}
	u.new = u.later["new"]
	say(u.began, "old release: %s", u.old.Name)
	say(u.began, "new release: this checkout, and %d migrations of pkg/test/reliability/drill/testdata", len(steps))
}

// oldVersion is OLD, or the newest tag, or a commit some way back.
func (u *upgrade) oldVersion(ctx context.Context, root string) (version, why string) {
	if version = os.Getenv("OLD"); version != "" {
		return version, "OLD=" + version
	}
	if tag, err := stack.Git(ctx, root, "describe", "--tags", "--abbrev=0", "HEAD^"); err == nil {
		return tag, "the newest tag, " + tag
	}
	for _, back := range []string{"HEAD~20", "HEAD~5", "HEAD^"} {
		if _, err := stack.Git(ctx, root, "rev-parse", "--verify", "--quiet", back+"^{commit}"); err == nil {
			return back, back + ", as there is no tag; OLD=... names another one"
		}
	}
	u.t.Fatal("this clone has no earlier commit to begin with: fetch the history, or set OLD to a version")
	return "", ""
}

// phase does something while the shop is open and reports what callers saw meanwhile.
func (u *upgrade) phase(what string, do func(ctx context.Context) string) {
	u.t.Helper()
	begin := time.Now()
	result := do(u.t.Context())
	all := u.watch.since(begin)
	say(u.began, "%s: %d calls, %d failed, 99 in 100 within %v, the slowest %v%s", what, len(all), len(all.failed()),
		round(all.slowest(0.99)), round(all.slowest(1)), result)
	for i, s := range all.failed() {
		if i == 10 {
			u.t.Errorf("and %d more failures", len(all.failed())-i)
			break
		}
		u.t.Errorf("%s: %s was answered %q after %v (%v %s)", what, s.Path, s.Outcome(), round(s.Took), s.Err, s.Answer.Errmsg)
	}
}

func (u *upgrade) schema() int64 {
	return u.Number(u.t.Context(), "SELECT MAX(version) FROM schema_migration")
}

func (u *upgrade) setUp(ctx context.Context) string {
	before := u.schema()
	_, err := u.Stack.ControlOf(ctx, u.new, "setup", "--operator", "drill")
	must(u.t, err)
	return fmt.Sprintf("; schema %d to %d", before, u.schema())
}

func (u *upgrade) migrate(ctx context.Context, name string) string {
	before, begin := u.schema(), time.Now()
	_, err := u.Stack.ControlOf(ctx, u.later[name], "migrate")
	must(u.t, err)
	took := time.Since(begin)
	if name == "switch" {
		// What is found by the new column is what was found without it.
		wrong := u.Number(ctx, "SELECT COUNT(*) FROM orders WHERE drill_tail <> RIGHT(mobile, 4)")
		byKey := u.Number(ctx, "SELECT COUNT(*) FROM orders FORCE INDEX (ix_drill_tail) WHERE drill_tail >= ''")
		if wrong > 0 || byKey == 0 {
			u.t.Errorf("%d orders have a wrong value, %d are found by the new key", wrong, byKey)
		}
	}
	return fmt.Sprintf("; schema %d to %d in %v", before, u.schema(), round(took))
}

// fill fills the new column in batches by ascending id, at most so many rows a second. No release of the drill writes
// the column, so it ends with the orders that existed when it began.
func (u *upgrade) fill(ctx context.Context) string {
	const batch, rate = 100, 500
	last := u.Number(ctx, "SELECT MAX(id) FROM orders")
	filled, batches, slowest, begin := int64(0), 0, time.Duration(0), time.Now()
	for from := u.Number(ctx, "SELECT MIN(id) FROM orders"); from <= last; from += batch {
		one := time.Now()
		result, err := u.DB.ExecContext(ctx, `UPDATE orders SET drill_tail = RIGHT(mobile, 4), update_time = update_time
			WHERE id >= ? AND id < ? AND drill_tail IS NULL`, from, from+batch)
		must(u.t, err)
		n, err := result.RowsAffected()
		must(u.t, err)
		filled, batches, slowest = filled+n, batches+1, max(slowest, time.Since(one))
		time.Sleep(time.Until(begin.Add(time.Duration(filled) * time.Second / rate)))
	}
	if left := u.Number(ctx, "SELECT COUNT(*) FROM orders WHERE id <= ? AND drill_tail IS NULL", last); left > 0 || filled == 0 {
		u.t.Errorf("%d rows were filled, %d are left", filled, left)
	}
	return fmt.Sprintf("; %d rows in %d batches at %.0f rows/s, the slowest batch %v", filled, batches,
		float64(filled)/time.Since(begin).Seconds(), round(slowest))
}

// replace replaces all replicas, those of both services at the same time and within a service one by one: the next one
// is started and used, then the one before gets SIGTERM.
func (u *upgrade) replace(ctx context.Context, release stack.Release) string {
	var both sync.WaitGroup
	var mu sync.Mutex
	var stops []time.Duration
	straddled := 0
	for service, balancer := range map[string]*stack.Balancer{"storefront": u.Stack.Front, "admin": u.Stack.Back} {
		both.Go(func() {
			for i, before := range u.running[service] {
				took, err := u.replaceOne(ctx, balancer, &u.running[service][i], before, service, release)
				mu.Lock()
				if err != nil {
					u.t.Errorf("%s is replaced: %v", before.Name, err)
				}
				stops = append(stops, took)
				straddled++
				mu.Unlock()
			}
		})
	}
	both.Wait()
	if u.t.Failed() {
		return ""
	}
	return fmt.Sprintf("; %d replicas ended %v to %v after SIGTERM, each with a request in flight that was answered; "+
		"no lease was left behind", straddled, round(slices.Min(stops)), round(slices.Max(stops)))
}

func (u *upgrade) replaceOne(
	ctx context.Context, b *stack.Balancer, place **stack.Replica, before *stack.Replica, service string,
	release stack.Release,
) (time.Duration, error) {
	next, err := u.Stack.Prepare(ctx, service, release)
	if err != nil {
		return 0, err
	}
	*place = next
	if err := next.Start(ctx); err != nil {
		return 0, err
	}
	if err := b.Use(ctx, next); err != nil {
		return 0, err
	}
	slow, began := straddle(ctx, before, service), time.Now()
	if err := before.Stop(); err != nil {
		return 0, err
	}
	took := time.Since(began)
	b.Drop(before)
	if err := <-slow; err != nil {
		return took, fmt.Errorf("the request in flight: %w", err)
	}
	return took, u.released(ctx, before)
}

// released requires that no job waits for the lease of a replica that has ended in order.
func (u *upgrade) released(ctx context.Context, r *stack.Replica) error {
	var held []string
	rows, err := u.DB.QueryContext(ctx, "SELECT name FROM job_lease WHERE holder LIKE ? AND lease_until > UTC_TIMESTAMP(3)",
		fmt.Sprintf("%%/%d/%%", r.PID()))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		held = append(held, name)
	}
	if len(held) > 0 {
		return fmt.Errorf("it still holds the leases of %s", strings.Join(held, ", "))
	}
	return rows.Err()
}

// conclude checks everything that was promised.
func (u *upgrade) conclude() {
	u.Settle(u.t.Context())
	orders, coupons := u.Acknowledged()
	all := u.watch.since(time.Time{})
	if u.t.Failed() {
		return
	}
	_, err := u.Stack.ControlOf(u.t.Context(), u.later["drop"], "verify")
	must(u.t, err)
	say(u.began, "shopctl verify of both releases prints nothing; all %d acknowledged orders and %d coupons exist, in states "+
		"that their shoppers were told", orders, coupons)
	say(u.began, "ok: %d calls of guests, %d of shoppers, %d of operators, %d failed", len(all.of("guests")),
		len(all.of("shoppers")), len(all.of("operators")), len(all.failed()))
}
