package drill

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"shop.internal/pkg/test/reliability/client"
	"shop.internal/pkg/test/reliability/stack"
)

// The simulation gives each process a machine of its own, small enough that several fit on one processor: a storefront
// works for a tenth of the time, the database for half of it.
const (
	storefrontShare = 0.10
	databaseShare   = 0.50
	replicasAtMost  = 4
	clientsEach     = 12 // of a replica
	measured        = 10 * time.Second
)

// TestScale measures what more replicas bring, for reading and for buying, and with a database that is twice as fast.
func TestScale(t *testing.T) {
	began := time.Now()
	t.Setenv("GOMAXPROCS", "1") // of the services
	s, err := stack.Start(t.Context(), stack.Options{
		Name: "scale", Storefronts: replicasAtMost, Admins: 1, Quick: true, Set: []string{"MYSQL_MAX_OPEN=32"},
		Storefront: []string{"ORDER_MAX_UNPAID=0", "ORDER_MAX_UNPAID_PIECES=0"},
	})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	z := &sizes{t: t, stack: s}
	z.prepare()
	for _, r := range s.Storefronts {
		z.slow(r, storefrontShare)
	}
	say(began, "each storefront has %.2f of a processor, the database %.2f", storefrontShare, databaseShare)
	database := z.slow(s.MariaDB, databaseShare)
	pages, orders := map[int]float64{}, map[int]float64{}
	for n := 1; n <= replicasAtMost; n *= 2 {
		pages[n] = z.rate(n, z.page)
		orders[n] = z.rate(n, z.buy)
		say(began, "%d storefronts: %.0f pages a second (%.2f of one replica's), %.1f orders a second (%.2f)", n,
			pages[n], pages[n]/pages[1], orders[n], orders[n]/orders[1])
	}
	database()
	z.slow(s.MariaDB, 2*databaseShare)
	faster := z.rate(replicasAtMost, z.buy)
	say(began, "%d storefronts, and a database of %.2f: %.1f orders a second, %.2f of those before", replicasAtMost,
		2*databaseShare, faster, faster/orders[replicasAtMost])
	z.free()
	must(t, s.Verify(t.Context()))
	say(began, "ok: shopctl verify prints nothing; %d orders, %d calls", z.orders.Load(), z.calls.Load())
}

// sizes is the shop under measurement.
type sizes struct {
	t     *testing.T
	stack *stack.Stack
	goods []client.Goods
	// By the number of replicas in use, people who buy; each buys goods of its own.
	people        map[int][]*client.Shopper
	shops         map[int]*client.Shop
	limits        []func()
	orders, calls atomic.Int64
}

// prepare signs people in with each number of replicas that is measured.
func (z *sizes) prepare() {
	z.people, z.shops = map[int][]*client.Shopper{}, map[int]*client.Shop{}
	var urls, admins []string
	for _, r := range z.stack.Storefronts {
		urls = append(urls, r.URL)
	}
	for _, r := range z.stack.Admins {
		admins = append(admins, r.URL)
	}
	for n := 1; n <= replicasAtMost; n *= 2 {
		one := client.New(urls[:n], admins)
		one.Patient()
		z.shops[n] = one
		for i := range n * clientsEach {
			me, err := one.Shopper(z.t.Context(), fmt.Sprintf("demo%d", i+1), client.Password)
			must(z.t, err)
			z.people[n] = append(z.people[n], me)
		}
	}
	var err error
	z.goods, err = z.shops[1].GoodsOnSale(z.t.Context(), 60)
	must(z.t, err)
}

// limited is a process that can be stopped without ending it.
type limited interface {
	Hang() error
	Resume() error
}

// slow lets a process work for a share of the time only, until the function that it returns is called.
func (z *sizes) slow(p limited, share float64) (end func()) {
	const period = 50 * time.Millisecond
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			_ = p.Resume()
			select {
			case <-done:
				return
			case <-time.After(time.Duration(share * float64(period))):
			}
			_ = p.Hang()
			select {
			case <-done:
				_ = p.Resume()
				return
			case <-time.After(time.Duration((1 - share) * float64(period))):
			}
		}
	}()
	end = sync.OnceFunc(func() {
		close(done)
		<-ended
	})
	z.limits = append(z.limits, end)
	z.t.Cleanup(end)
	return end
}

// free lifts all limits.
func (z *sizes) free() {
	for _, end := range z.limits {
		end()
	}
}

// rate lets all clients of n replicas do something for a while, and returns how often a second it was done.
func (z *sizes) rate(n int, do func(ctx context.Context, n, client, turn int) error) float64 {
	z.t.Helper()
	ctx := z.t.Context()
	var all sync.WaitGroup
	var done atomic.Int64
	begin := time.Now().Add(time.Second) // the first second is not counted
	end := begin.Add(measured)
	var mu sync.Mutex
	var wrong []error
	for client := range z.people[n] {
		all.Go(func() {
			for turn := 0; time.Now().Before(end); turn++ {
				err := do(ctx, n, client, turn)
				if err != nil {
					mu.Lock()
					wrong = append(wrong, err)
					mu.Unlock()
					return
				}
				if now := time.Now(); now.After(begin) && now.Before(end) {
					done.Add(1)
				}
			}
		})
	}
	all.Wait()
	if len(wrong) > 0 {
		z.t.Fatalf("%d clients of %d were refused, the first: %v", len(wrong), len(z.people[n]), wrong[0])
	}
	return float64(done.Load()) / measured.Seconds()
}

// page reads a page of goods that others read too, so that it comes from memory.
func (z *sizes) page(ctx context.Context, n, client, turn int) error {
	g := z.goods[(client+turn)%4]
	z.calls.Add(1)
	_, err := z.shops[n].Storefront.Guest().Get(ctx, "/wx/goods/detail", "id", g.ID)
	return err
}

// buy orders a piece of goods and cancels the order, so that the stock lasts.
func (z *sizes) buy(ctx context.Context, n, client, turn int) error {
	z.calls.Add(3)
	me := z.people[n][client]
	item, err := me.Put(ctx, z.goods[(client+turn*7)%len(z.goods)], 1)
	if err != nil {
		return err
	}
	order, err := me.Submit(ctx, item, nil)
	if err != nil {
		return err
	}
	z.orders.Add(1)
	return me.Does(ctx, "cancel", order)
}
