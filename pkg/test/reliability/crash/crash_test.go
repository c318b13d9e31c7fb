// Package crash_test kills and disturbs every process of the shop while shoppers and operators use it, and compares what
// they were told with the books afterwards. SHOP_FORM=long goes on for an hour, SHOP_SEED repeats a run.
package crash_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"shop.internal/pkg/test/reliability/stack"
	"shop.internal/pkg/test/reliability/workload"
)

// seed is that of SHOP_SEED, or a new one, which is printed.
func seed(t *testing.T) uint64 {
	t.Helper()
	n := rand.Uint64N(1_000_000)
	if text := os.Getenv("SHOP_SEED"); text != "" {
		var err error
		n, err = strconv.ParseUint(text, 10, 64)
		must(t, err)
	}
	fmt.Printf("seed %d; repeat it with SHOP_SEED=%d GOWORK=off go -C pkg/test/reliability test -count=1 ./crash\n", n, n)
	return n
}

func TestCrashes(t *testing.T) {
	n := seed(t)
	r := rand.New(rand.NewPCG(n, 1))
	lasting := time.Duration(0)
	if os.Getenv("SHOP_FORM") == "long" {
		lasting = time.Hour
	}
	w := &world{t: t, World: workload.Open(t, n, stack.Options{
		Name: "crash", Storefronts: 2, Admins: 2, Stripe: true,
	})}
	began := time.Now()
	w.Begin(t.Context())
	t.Cleanup(w.Leave)
	looks := w.watch(t.Context())
	time.Sleep(time.Second) // lasts: shoppers without a fault
	kills, disturbances := 0, 0
	for round := 0; round == 0 || time.Since(began) < lasting; round++ {
		for _, victim := range w.victims(r) {
			w.kill(r, victim)
			kills++
			w.Check(t.Context())
		}
		if round%4 > 0 {
			continue
		}
		for _, f := range w.faults(r) {
			w.disturb(t.Context(), r, f)
			disturbances++
			w.Check(t.Context())
		}
	}
	looked := looks()
	w.Settle(t.Context())
	orders, coupons := w.Acknowledged()
	fmt.Printf("ok    %d kills, %d other faults in %.0f s, %d calls, %d orders, %d coupons, %d looks under traffic\n", kills,
		disturbances, time.Since(began).Seconds(), w.Calls.Load(), orders, coupons, looked)
}

// world is the shop with its people, under this test.
type world struct {
	*workload.World

	t *testing.T
}

// victim is a process to kill.
type victim struct {
	name string
	kill func() error
	back func() error
}

// victims are a storefront, an admin, MariaDB and Redis, in a random order.
func (w *world) victims(r *rand.Rand) []victim {
	ctx := w.t.Context()
	var list []victim
	for _, replicas := range [][]*stack.Replica{w.Stack.Storefronts, w.Stack.Admins} {
		p := replicas[r.IntN(len(replicas))]
		list = append(list, victim{p.Name, p.Kill, func() error { return p.Start(ctx) }})
	}
	for _, s := range []*stack.Server{w.Stack.MariaDB, w.Stack.Redis} {
		list = append(list, victim{s.Name, s.Kill, func() error { return s.Start(ctx) }})
	}
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// kill kills a process under load at a random moment and starts it again.
func (w *world) kill(r *rand.Rand, v victim) {
	w.t.Helper()
	time.Sleep(time.Duration(500+r.IntN(1000)) * time.Millisecond) // lasts: until a random moment of the load
	w.Disturbed.Add(1)
	must(w.t, v.kill())
	fmt.Printf("      %-13s killed after %d calls\n", v.name, w.Calls.Load())
	time.Sleep(time.Duration(r.IntN(500)) * time.Millisecond) // lasts: the process is gone
	must(w.t, v.back())
	time.Sleep(700 * time.Millisecond) // lasts: shoppers after the fault
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
