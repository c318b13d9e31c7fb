package domaintest

import (
	"sync"

	"shop.internal/pkg/domain/app"
)

// AtOnce runs calls at the same moment and counts how they ended, by the number of their code.
func AtOnce(calls ...func() error) map[int]int {
	codes := make([]int, len(calls))
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i, call := range calls {
		wg.Go(func() {
			<-start
			codes[i] = Code(call())
		})
	}
	close(start)
	wg.Wait()
	counts := map[int]int{}
	for _, code := range codes {
		counts[code]++
	}
	return counts
}

// Times returns the same call n times, for AtOnce.
func Times(n int, call func(i int) error) []func() error {
	calls := make([]func() error, n)
	for i := range calls {
		calls[i] = func() error { return call(i) }
	}
	return calls
}

// Together is AtOnce for the same call n times.
func Together(n int, call func(i int) error) map[int]int { return AtOnce(Times(n, call)...) }

// OnReplicas runs a job on three replicas at once, without the lease that would let only one of them work, and returns
// how many records they changed together.
func (s *Shop) OnReplicas(run func(*app.Domain) (int, error)) int {
	s.t.Helper()
	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0
	for _, d := range []*app.Domain{s.Domain, s.Replica(), s.Replica()} {
		wg.Go(func() {
			n, err := run(d)
			if err != nil {
				s.t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			total += n
		})
	}
	wg.Wait()
	return total
}
