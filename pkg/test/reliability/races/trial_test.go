package races

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"

	"shop.internal/pkg/test/reliability/client"
)

// form is how a pair is tried.
type form struct {
	same bool // one subject of one shopper, or subjects of different shoppers that share goods, coupon and group
	at   int  // how many requests at once
}

func (f form) String() string {
	if f.same {
		return fmt.Sprintf("%d at once, same shopper", f.at)
	}
	return fmt.Sprintf("%d at once, different shoppers", f.at)
}

// trial is one attempt of a pair.
type trial struct {
	a, b entry
	form form
	seed uint64

	log    []string // of requests and answers
	faults []string
	said   map[string]bool // numbers that verify would name
	done   map[string]int  // how often each entry succeeded
}

func (t *trial) String() string { return fmt.Sprintf("%s %s (%s)", t.a, t.b, t.form) }

// worker runs trials one after the other with shoppers of its own.
type worker struct {
	l        *lab
	shoppers []*client.Shopper
}

// people is how many shoppers a worker has; the last one opens groups.
const people = 5

// tries is how often a pair may differ from what it does one after the other: jobs and the platform act meanwhile. If more
// is refused, which loses nothing, it is sent together again; if more succeeds, one after the other.
const tries = 3

// run tries the pair, and again where it only was refused more than it should be.
func (w *worker) run(t *trial) {
	t.log, t.faults, t.said, t.done = nil, nil, map[string]bool{}, map[string]int{}
	for n := 1; ; n++ {
		fault, refused := w.compare(t)
		if fault != "" && (!refused || n == tries) {
			t.faults = append(t.faults, fault)
		}
		if fault == "" || !refused || n == tries {
			return
		}
	}
}

// compare sends the pair together and, where both touch the books, one after the other in both orders, on fresh subjects:
// those that succeed together must be those that succeed in one of the orders. Nothing is compared if a request may be
// sent again, as 504 and a busy service's 503 say.
// It returns how they differ, and whether fewer succeed together.
func (w *worker) compare(t *trial) (fault string, refused bool) {
	begun := len(t.log)
	got := w.attempt(t, nil)
	if t.form.at != 2 || !t.a.money || !t.b.money || len(t.faults) > 0 || strings.Contains(got, "again") {
		return "", false
	}
	race := len(t.log)
	var one [2]string // what both orders give at the last try
	most := 0
	for range tries {
		for i, order := range [][]int{{0, 1}, {1, 0}} {
			one[i] = w.attempt(t, order)
			if one[i] == got || len(t.faults) > 0 || strings.Contains(one[i], "again") {
				return "", false
			}
			most = max(most, strings.Count(one[i], "succeeds"))
		}
		if most > strings.Count(got, "succeeds") {
			break
		}
	}
	fault = fmt.Sprintf("together %s, but one after the other %s, or in the other order %s\n    %s",
		got, one[0], one[1], strings.Join(t.log[begun:race], "\n    "))
	return fault, strings.Count(got, "succeeds") < most
}

// attempt makes the subjects and sends all requests at once, or in an order, and returns the answers in short.
func (w *worker) attempt(t *trial, order []int) (outcome string) {
	defer func() {
		switch u := recover().(type) {
		case nil:
		case unprepared:
			t.faults = append(t.faults, "the subject cannot be made: "+u.err.Error())
		default:
			panic(u)
		}
	}()
	var subjects []*subject
	defer func() {
		for _, s := range subjects {
			s.end()
			for id := range s.said {
				t.said[id] = true
			}
		}
	}()
	calls := w.calls(t, &subjects)
	answers, errs := make([]client.Answer, len(calls)), make([]error, len(calls))
	send := func(i int) { answers[i], errs[i] = calls[i].who.Send(ctx, calls[i].what) }
	if order == nil {
		together(t.seed, len(calls), send)
	}
	for _, i := range order {
		send(i)
	}
	short := make([]string, len(calls))
	for i, c := range calls {
		short[i] = c.of + " " + outcomeOf(answers[i])
		t.judge(w.l, c, answers[i], errs[i])
	}
	if slices.ContainsFunc(answers, func(a client.Answer) bool { return a.Errno == wrongCode }) {
		must(w.l.forgive())
	}
	slices.Sort(short)
	return strings.Join(short, ", ")
}

// outcomeOf says whether a request succeeded, or may be sent again. Which of two reasons a refusal names is not compared:
// a coupon whose code was found and which is deleted a moment later is withdrawn, not unknown.
func outcomeOf(a client.Answer) string {
	switch {
	case succeededWith(a):
		return "succeeds"
	case a.Errno == 504, a.Status == http.StatusServiceUnavailable:
		return "again"
	}
	return "is refused"
}

func succeededWith(a client.Answer) bool {
	return a.Errno == 0 || a.Errno < 0 && a.Status < http.StatusBadRequest
}

// together starts all in a random order at the same time and waits for all.
func together(seed uint64, n int, send func(int)) {
	var ready, all sync.WaitGroup
	begin := make(chan struct{})
	for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(n) {
		ready.Add(1)
		all.Go(func() {
			ready.Done()
			<-begin
			send(i)
		})
	}
	ready.Wait()
	close(begin)
	all.Wait()
}

// calls prepares the subjects for both operations and returns the requests.
func (w *worker) calls(t *trial, subjects *[]*subject) []call {
	n := 1
	if !t.form.same {
		n = min(t.form.at, people-1)
	}
	opener := w.shoppers[people-1]
	for i := range n {
		var base *subject
		if i > 0 {
			base = (*subjects)[0]
		}
		s := w.l.subject(w.shoppers[i], opener, base)
		*subjects = append(*subjects, s)
		for j, e := range []entry{t.a, t.b} {
			if e.prepare != nil && (n != 2 || i == j) {
				e.prepare(s)
			}
		}
	}
	var calls []call
	for i := range t.form.at {
		e, s := t.a, (*subjects)[i/2%n]
		if i%2 == 1 {
			e = t.b
		}
		if n == 2 {
			s = (*subjects)[i%2]
		}
		calls = append(calls, e.call(s))
	}
	return calls
}

// judge compares an answer with what the document of its service declares.
func (t *trial) judge(l *lab, c call, a client.Answer, err error) {
	body := string(c.what.Body)
	if strings.HasPrefix(c.what.ContentType, "multipart") {
		body = fmt.Sprintf("(%d bytes)", len(body))
	}
	said := fmt.Sprintf("%s: %s %.400s -> %d %.300s", c.who.Name, c.what.Path, body, a.Status, a.Body)
	t.log = append(t.log, said)
	fault := func(why string) { t.faults = append(t.faults, why+": "+said) }
	declared, _, _ := strings.Cut(c.of, "#") // its path, with the names of parameters
	o := l.operations[declared]
	if succeededWith(a) {
		t.done[c.of]++
	}
	switch {
	case err != nil:
		fault("no answer, " + err.Error())
	case a.Status == http.StatusServiceUnavailable:
		// The other workers may be at 64 requests each.
		if a.Header.Get("Retry-After") == "" || a.Errno != 502 {
			fault("busy, without its header and envelope")
		}
	case a.Status >= http.StatusInternalServerError || !slices.Contains(o.Statuses, a.Status):
		fault("this status is not declared or an internal error")
	case !o.Envelope:
	case a.Errno < 0:
		fault("no envelope")
	case a.Errno == 502 || a.Errno != 0 && !slices.Contains(o.Errnos, a.Errno):
		fault("this errno is not declared or an internal error")
	}
}
