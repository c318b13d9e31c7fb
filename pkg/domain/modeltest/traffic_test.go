package modeltest_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Random traffic of shoppers, operators, jobs and the platform, one action after the other, gives the answers and the
// books of the model. A failure prints SHOP_SEED, with which the same run is repeated and shortened again.
func TestTrafficAsTheModel(t *testing.T) {
	s := open(t)
	runs, orders, returns, answered, goOn := 0, 0, 0, map[int]int{}, inTime(t, 0.5)
	for _, seed := range seeds(t, map[form]int{quick: 8, short: 60, long: 1000}) {
		t.Run(fmt.Sprintf("SHOP_SEED=%d", seed), func(t *testing.T) {
			with(t, "rapid.seed", fmt.Sprint(seed))
			with(t, "rapid.checks", "1")
			with(t, "rapid.steps", "60")
			with(t, "rapid.nofailfile", "true")
			rapid.Check(t, func(t *rapid.T) {
				m := newTraffic(t, s)
				t.Repeat(map[string]func(*rapid.T){
					"buy": m.Buy, "buy more": m.Buy, "edit": m.Edit, "receive": m.Receive, "happen": m.Happen, "happen too": m.Happen,
					"happen again": m.Happen, "wrong": m.Wrong, "comment": m.Comment, "wait": m.Wait,
					"hurry": m.Hurry, "return": m.Return, "return more": m.Return, "": m.Check,
				})
				runs, orders, returns = runs+1, orders+len(m.orders), returns+m.returns
				for answer, n := range m.answers {
					answered[answer] += n
				}
			})
		})
		if t.Failed() || !goOn() {
			break
		}
	}
	s.Agree()
	t.Logf("%d runs with %d orders and %d returns; answers by number: %v", runs, orders, returns, answered)
}

// with sets a flag of rapid until the end of the test.
func with(t *testing.T, name, value string) {
	t.Helper()
	f := flag.Lookup(name)
	before := f.Value.String()
	require.NoError(t, f.Value.Set(value))
	t.Cleanup(func() { require.NoError(t, f.Value.Set(before)) })
}

// seeds are those of this run: as many as its form has, beginning with SHOP_SEED or 1. Without a form SHOP_SEED runs alone.
func seeds(t *testing.T, of map[form]int) (all []uint64) {
	t.Helper()
	f, first := formOf(t), uint64(1)
	n := of[f]
	if one := os.Getenv("SHOP_SEED"); one != "" {
		var err error
		first, err = strconv.ParseUint(one, 10, 64)
		require.NoError(t, err)
		if f == quick {
			n = 1
		}
	}
	for i := range n {
		all = append(all, first+uint64(i))
	}
	return slices.Clip(all)
}
