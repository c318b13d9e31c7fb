package crash_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"shop.internal/deploy/prove/shop"
)

// fault is a disturbance of a server that goes on for a while, and what is asked meanwhile.
type fault struct {
	name      string
	begin     func(r *rand.Rand)
	meanwhile func(ctx context.Context)
	end       func()
	lasting   time.Duration
}

// faults are all disturbances, in a random order but for the last one. It may leave the answer of a refund to the outbox,
// which comes back to it half a minute later: calls are waited for as long then, and so is the outbox at the end.
func (w *world) faults(r *rand.Rand) []fault {
	mysql, cache := w.Stack.MariaDB.Proxy, w.Stack.Redis.Proxy
	nothing := func(context.Context) {}
	list := []fault{
		{"Redis emptied", func(*rand.Rand) { w.EmptyRedis() }, w.mustLogInAgain, func() { w.MayLogOut.Store(false) }, time.Second},
		{"Redis gone", func(*rand.Rand) { cache.Refuse() }, w.letsNobodyIn, cache.Pass, 2 * time.Second},
		{"Redis hanging", func(*rand.Rand) { cache.Blackhole() }, w.letsNobodyIn, cache.Pass, time.Second},
		{
			"MySQL slow", func(r *rand.Rand) { mysql.Delay(milliseconds(r, 20), milliseconds(r, 20)) }, w.readsGoOn,
			mysql.Pass, 3 * time.Second,
		},
		{
			"MySQL cut off before COMMIT", func(*rand.Rand) { mysql.ResetAt("COMMIT", 15, false) }, nothing, mysql.Pass,
			2 * time.Second,
		},
		{
			"MySQL cut off after COMMIT", func(*rand.Rand) { mysql.ResetAt("COMMIT", 15, true) }, nothing, mysql.Pass,
			2 * time.Second,
		},
		{"MySQL hanging", func(*rand.Rand) { mysql.Blackhole() }, w.answersInTime, mysql.Pass, time.Second},
	}
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return append(list, fault{
		"MySQL cut off at random bytes", func(r *rand.Rand) {
			moments := rand.New(rand.NewPCG(r.Uint64(), 2))
			mysql.ResetAfter(func() int64 { return 500 + moments.Int64N(40_000) })
		}, nothing, mysql.Pass, 3 * time.Second,
	})
}

func milliseconds(r *rand.Rand, most int) time.Duration {
	return time.Duration(1+r.IntN(most)) * time.Millisecond
}

// disturb makes a fault under load and ends it.
func (w *world) disturb(ctx context.Context, r *rand.Rand, f fault) {
	w.t.Helper()
	time.Sleep(time.Duration(r.IntN(500)) * time.Millisecond) // lasts: until a random moment of the load
	calls, resets := w.Calls.Load(), w.Stack.MariaDB.Proxy.Resets()
	w.Disturbed.Add(1)
	f.begin(r)
	f.meanwhile(ctx)
	time.Sleep(f.lasting) // lasts: the fault
	f.end()
	resets = w.Stack.MariaDB.Proxy.Resets() - resets
	w.Disturbed.Add(int64(resets))
	if strings.HasPrefix(f.name, "MySQL cut off") && resets == 0 {
		w.Complain(fmt.Errorf("%s: no connection was reset", f.name))
	}
	fmt.Printf("      %-30s %5d calls meanwhile, %d resets\n", f.name, w.Calls.Load()-calls, resets)
	time.Sleep(500 * time.Millisecond) // lasts: shoppers after the fault
}

// protected are calls that need a token; a page of the public is beside them.
const (
	protected      = "/wx/order/list"
	protectedStaff = "/admin/order/list"
)

// expect makes a call without changing anything, and requires one of the codes in time.
func (w *world) expect(ctx context.Context, c shop.Caller, path string, errnos ...int64) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second) // the services' own limit is shorter
	defer cancel()
	a, err := c.Send(ctx, shop.Request{Method: http.MethodGet, Path: path})
	if err != nil || !slices.Contains(errnos, a.Errno) {
		w.Complain(fmt.Errorf("%s answers %s %d %.200s (%w), expected %v", c.Name, path, a.Status, a.Body, err, errnos))
	}
}

// strangersAreRefused makes calls without a right: of guests, and with tokens that were never given.
func (w *world) strangersAreRefused(ctx context.Context, errnos ...int64) {
	token := strings.Repeat("A", 43)
	together(
		func() { w.expect(ctx, w.Shop.Storefront.Guest(), protected, errnos...) },
		func() { w.expect(ctx, w.Shop.Storefront.With("a stranger", token), protected, errnos...) },
		func() { w.expect(ctx, w.Shop.Admin.Guest(), protectedStaff, errnos...) },
		func() { w.expect(ctx, w.Shop.Admin.With("a stranger", token), protectedStaff, errnos...) },
	)
}

// together makes calls beside each other, since each may take until the deadline of its operation.
func together(calls ...func()) {
	var all sync.WaitGroup
	for _, call := range calls {
		all.Go(call)
	}
	all.Wait()
}

// mustLogInAgain finds every token withdrawn and public pages unchanged.
func (w *world) mustLogInAgain(ctx context.Context) {
	w.strangersAreRefused(ctx, 501)
	w.readsGoOn(ctx)
}

// letsNobodyIn finds that protected calls fail without Redis, for everybody, while public pages are answered.
func (w *world) letsNobodyIn(ctx context.Context) {
	together(
		func() { w.strangersAreRefused(ctx, 501, 502) },
		func() { w.refusesAWrongPassword(ctx) },
		func() { w.forgets(ctx, w.Shoppers[0].Now(), protected) },
		func() { w.forgets(ctx, w.Staff[0].Now(), protectedStaff) },
		func() { w.readsGoOn(ctx) },
	)
}

func (w *world) refusesAWrongPassword(ctx context.Context) {
	body := shop.Fields{"username": w.Shoppers[0].Name, "password": "not the password"}
	if _, err := w.Shop.Storefront.Guest().Post(ctx, "/wx/auth/login", body); err == nil {
		w.Complain(fmt.Errorf("a login with a wrong password succeeds"))
	}
}

// forgets requires that a session is refused once it has been remembered long enough without being found in Redis.
func (w *world) forgets(ctx context.Context, c shop.Caller, path string) {
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		a, err := c.Send(ctx, shop.Request{Method: http.MethodGet, Path: path})
		switch {
		case err == nil && a.Errno == 502:
			return
		case err != nil || a.Errno != 0:
			w.Complain(fmt.Errorf("%s answers %s %d %.200s (%w), expected 502", c.Name, path, a.Status, a.Body, err))
			return
		}
	}
	w.Complain(fmt.Errorf("%s is still answered without a session: %s", c.Name, path))
}

// readsGoOn requires pages of the public.
func (w *world) readsGoOn(ctx context.Context) {
	guest := w.Shop.Storefront.Guest()
	w.expect(ctx, guest, "/wx/home/index", 0)
	w.expect(ctx, guest, fmt.Sprintf("/wx/goods/detail?id=%d", w.Goods[1].ID), 0)
}

// answersInTime requires answers of the contract while the database says nothing, and lets nobody in.
func (w *world) answersInTime(ctx context.Context) {
	together(
		func() { w.strangersAreRefused(ctx, 501, 502) },
		func() { w.expect(ctx, w.Shoppers[0].Now(), protected, 502) },
		func() { w.expect(ctx, w.Staff[0].Now(), protectedStaff, 502) },
	)
}
