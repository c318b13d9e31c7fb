package ratio

import (
	"math"
	"slices"
	"sync"
	"time"
)

// Latencies collects the times that answers took. It is safe for concurrent use.
type Latencies struct {
	mu  sync.Mutex
	all []time.Duration
}

// Add adds the time of one answer.
func (l *Latencies) Add(took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, took)
}

// Median is the 50th percentile.
func (l *Latencies) Median() float64 { return l.Percentile(50) }

// Percentile returns the time, in milliseconds, that p percent of the answers did not exceed; 0 without answers.
func (l *Latencies) Percentile(p float64) float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(l.all))
	return sorted[max(0, int(math.Ceil(p/100*float64(len(sorted))))-1)].Seconds() * 1000
}
