package memory

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// look is the interval at which Release looks at the program.
	look = 5 * time.Second
	// quiet is how many bytes a quiet program allocates between two looks at most.
	quiet = 16 << 20
	// worthwhile is how many bytes, or how many goroutines more or less, make it worthwhile to collect.
	worthwhile, crowd = 64 << 20, 1000
)

// Release gives memory back to the system until ctx ends, whenever the program has become quiet after it used much.
// Go's collector runs when a program allocates, so without this a program that does nothing keeps what it needed at its
// busiest moment.
func Release(ctx context.Context) error {
	tick := time.NewTicker(look)
	defer tick.Stop()
	w := watch{}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if w.due(usage()) {
			runtime.GC() // sync.Pool gives up after the second collection only, and stacks shrink by half in each
			debug.FreeOSMemory()
		}
	}
}

// use is what the program has used so far: bytes since its start, and goroutines now.
type use struct{ allocated, goroutines uint64 }

func usage() use {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/sched/goroutines:goroutines"}}
	metrics.Read(s)
	return use{s[0].Value.Uint64(), s[1].Value.Uint64()}
}

// watch decides when to give memory back.
type watch struct{ last, released use }

// due reports whether the program is quiet and has used much since memory was given back.
func (w *watch) due(now use) bool {
	calm := now.allocated-w.last.allocated < quiet
	w.last = now
	more, fewer := now.goroutines, w.released.goroutines
	if more < fewer {
		more, fewer = fewer, more
	}
	if !calm || now.allocated-w.released.allocated < worthwhile && more-fewer < crowd {
		return false
	}
	w.released = now
	return true
}
