package pairs

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"shop.internal/deploy/prove/shop"
)

// How much the forms try.
const (
	workers   = 6
	few       = 240  // trials after which the operators that they made are removed
	batch     = 600  // trials between two looks at the books
	longBatch = 4000 // likewise: a look takes as long as there are rows
	sampled   = 200  // trials of the short form beside those of money
)

func TestPairsOneReplica(t *testing.T)    { prove(t, 1) }
func TestPairsThreeReplicas(t *testing.T) { prove(t, 3) }

// prove tries the pairs against a shop of so many replicas.
func prove(t *testing.T, replicas int) {
	long, seed := os.Getenv("SHOP_PROVE") == "long", seedOf(t)
	start := time.Now()
	l := open(t, replicas)
	entries := table()
	covered(t, l, entries)
	trials, first := choose(entries, seed, replicas)
	if only := strings.Fields(os.Getenv("SHOP_PAIR")); len(only) == 2 {
		trials, first = single(t, entries, only[0], only[1], seed), 0
	}
	all := len(trials)
	if !long {
		trials = trials[:min(all, first+sampled)]
	}
	team := l.team(t)
	fmt.Printf("%d replicas, seed %d: %d operations in %d entries, ready after %.0f s\n",
		replicas, seed, len(l.operations), len(entries), time.Since(start).Seconds())
	known, err := l.books()
	if err != nil {
		t.Fatalf("the books of the new shop: %v", err)
	}
	start, took, done, limit := time.Now(), time.Duration(0), 0, limitOf(t, replicas)
	size := batch
	if long {
		size = longBatch
	}
	for part := range slices.Chunk(trials, size) {
		if long && done > 0 && time.Now().After(limit) {
			break
		}
		for some := range slices.Chunk(part, few) {
			team.run(some)
			if err := l.dismiss(); err != nil {
				t.Fatalf("remove the operators of the trials: %v", err)
			}
		}
		done += len(part)
		for _, trial := range part {
			report(t, trial)
		}
		looked := time.Now()
		known = team.look(t, part, known)
		took += time.Since(looked)
		if long {
			fmt.Printf("      %d of %d trials after %.0f s, %.0f s of them for the books\n", done, len(trials),
				time.Since(start).Seconds(), took.Seconds())
		}
	}
	lasted := time.Since(start)
	fmt.Printf("ok    %d replicas, seed %d: %d of %d trials in %.0f s, %.1f a second, %.0f s of them for the books\n",
		replicas, seed, done, all, lasted.Seconds(), float64(done)/lasted.Seconds(), took.Seconds())
	succeeded(t, trials[:done])
}

func seedOf(t *testing.T) uint64 {
	t.Helper()
	text := os.Getenv("SHOP_SEED")
	if text == "" {
		return rand.Uint64N(1e9)
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("SHOP_SEED: %v", err)
	}
	return seed
}

// limitOf is when the long form stops: at SHOP_UNTIL, seconds since 1970, or after half of the time to it for the first of
// the two tests. Without it the long form tries everything.
func limitOf(t *testing.T, replicas int) time.Time {
	t.Helper()
	text := os.Getenv("SHOP_UNTIL")
	if text == "" {
		return time.Now().Add(24 * time.Hour)
	}
	until, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatalf("SHOP_UNTIL: %v", err)
	}
	left := time.Until(time.Unix(until, 0))
	if replicas == 1 {
		left /= 2
	}
	return time.Now().Add(left)
}

// covered compares the table with the documents, in both directions.
func covered(t *testing.T, l *lab, entries []entry) {
	t.Helper()
	have := map[string]bool{}
	for _, e := range entries {
		have[e.path] = true
		if _, ok := l.operations[e.path]; !ok {
			t.Errorf("%s has an entry and is in no document", e.path)
		}
	}
	for path := range l.operations {
		if !have[path] {
			t.Errorf("%s is in the document and has no entry", path)
		}
	}
	if t.Failed() {
		t.FailNow()
	}
}

// choose returns every pair in every form in a random order, those first that the short form has too: what touches money
// with 2 requests, by one shopper on three replicas and by two on one. Then those that hash no passwords. first is how
// many the short form tries at least.
func choose(entries []entry, seed uint64, replicas int) (list []*trial, first int) {
	var kinds [3][]*trial
	for i, a := range entries {
		for _, b := range entries[i:] {
			for _, f := range []form{{true, 2}, {false, 2}, {true, 64}, {false, 64}} {
				kind := 1
				switch {
				case a.money && b.money && f.at == 2 && (replicas == 3) == f.same:
					kind = 0
				case a.slow || b.slow:
					kind = 2
				}
				one := &trial{a: a, b: b, form: f, seed: seed ^ hash(a.String()+b.String()+f.String())}
				kinds[kind] = append(kinds[kind], one)
			}
		}
	}
	random := rand.New(rand.NewPCG(seed, 2))
	for _, list := range kinds {
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return mixed(kinds), len(kinds[0]) + len(kinds[0])/slowEvery
}

// slowEvery is how many other trials one of the slow ones follows, so that each part of a run has some.
const slowEvery = 40

// mixed puts the slow trials among the others.
func mixed(kinds [3][]*trial) []*trial {
	slow := kinds[2]
	var list []*trial
	for i, one := range slices.Concat(kinds[0], kinds[1]) {
		if list = append(list, one); i%slowEvery == slowEvery-1 && len(slow) > 0 {
			list, slow = append(list, slow[0]), slow[1:]
		}
	}
	return append(list, slow...)
}

func hash(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return h.Sum64()
}

// single returns one pair in every form, ten times.
func single(t *testing.T, entries []entry, a, b string, seed uint64) []*trial {
	t.Helper()
	var list []*trial
	for _, x := range entries {
		for _, y := range entries {
			if x.String() != a || y.String() != b {
				continue
			}
			for i := range uint64(10) {
				for _, f := range []form{{true, 2}, {false, 2}, {true, 64}, {false, 64}} {
					list = append(list, &trial{a: x, b: y, form: f, seed: seed + i})
				}
			}
		}
	}
	if len(list) == 0 {
		t.Fatalf("SHOP_PAIR names no entries: %s, %s", a, b)
	}
	return list
}

// team is the workers.
type team struct {
	l       *lab
	workers []*worker
}

func (l *lab) team(t *testing.T) *team {
	t.Helper()
	all := make([]*shop.Shopper, workers*people)
	errs := make([]error, len(all))
	var wg sync.WaitGroup
	for part := range workers {
		wg.Go(func() {
			for i := part * people; i < (part+1)*people; i++ {
				all[i], errs[i] = l.shopper(i + 1)
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	m := &team{l: l}
	for part := range slices.Chunk(all, people) {
		m.workers = append(m.workers, &worker{l: l, shoppers: part})
	}
	return m
}

// run runs trials concurrently.
func (m *team) run(trials []*trial) {
	queue := make(chan *trial)
	var wg sync.WaitGroup
	for _, w := range m.workers {
		wg.Go(func() {
			for one := range queue {
				w.run(one)
			}
		})
	}
	for _, one := range trials {
		queue <- one
	}
	close(queue)
	wg.Wait()
}

// look verifies the books after a batch, and looks for the pair that spoilt them.
func (m *team) look(t *testing.T, part []*trial, known map[string]bool) map[string]bool {
	t.Helper()
	lines, err := m.l.books()
	if err == nil {
		return lines
	}
	added := difference(lines, known)
	if len(added) == 0 {
		return lines
	}
	t.Errorf("the books after %d trials:\n%s", len(part), strings.Join(added, "\n"))
	for _, one := range part {
		if one.names(added) {
			t.Logf("verify names a record of %s\n    %s", one, strings.Join(one.log, "\n    "))
		}
	}
	return m.hunt(t, part, lines)
}

// hunt repeats the halves of a batch until it has the pair after which the books do not agree.
func (m *team) hunt(t *testing.T, part []*trial, known map[string]bool) map[string]bool {
	t.Helper()
	if len(part) == 1 {
		t.Errorf("this pair alone spoils the books: SHOP_PAIR=\"%s %s\", %s\n    %s",
			part[0].a, part[0].b, part[0].form, strings.Join(part[0].log, "\n    "))
		return known
	}
	for _, half := range [][]*trial{part[:len(part)/2], part[len(part)/2:]} {
		m.run(half)
		lines, err := m.l.books()
		if err != nil && len(difference(lines, known)) > 0 {
			return m.hunt(t, half, lines)
		}
		known = lines
	}
	t.Logf("no part of the batch spoils the books again")
	return known
}

func difference(lines, known map[string]bool) []string {
	var added []string
	for line := range lines {
		if !known[line] {
			added = append(added, line)
		}
	}
	slices.Sort(added)
	return added
}

// names reports whether a line has a number of a record of the trial.
func (t *trial) names(lines []string) bool {
	for _, line := range lines {
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r < '0' || r > '9' }) {
			if t.said[word] {
				return true
			}
		}
	}
	return false
}

// report fails the test for answers that are not declared, and tells a single pair whole.
func report(t *testing.T, one *trial) {
	t.Helper()
	if len(one.faults) > 0 {
		t.Errorf("%s\n    %s", one, strings.Join(one.faults, "\n    "))
	}
	if os.Getenv("SHOP_PAIR") != "" {
		t.Logf("%s\n    %s", one, strings.Join(one.log, "\n    "))
	}
}

// never are the entries that cannot succeed: without the app platform, or since nobody can cause their open case from
// outside within a test.
var never = []string{
	"/wx/auth/bindPhone", "/wx/auth/login_by_weixin",
	"/admin/order/case/settle", "/admin/order/case/repay", "/admin/order/case/retry", "/admin/order/case/dismiss",
}

// succeeded fails the test if an entry never succeeded against itself: its subject is wrong then.
func succeeded(t *testing.T, trials []*trial) {
	t.Helper()
	tried, done := map[string]int{}, map[string]int{}
	for _, one := range trials {
		for _, e := range []entry{one.a, one.b} {
			tried[e.String()]++
			done[e.String()] += one.done[e.String()]
		}
	}
	for name, n := range tried {
		if n > 20 && done[name] == 0 && !slices.Contains(never, name) {
			t.Errorf("%s never succeeded in %d trials", name, n)
		}
	}
}
