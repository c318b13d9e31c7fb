package crash_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// watch verifies the books again and again while everybody goes on and processes are killed, and complains about each
// alarm. The function that it returns ends that and tells how many looks came to their end. A look that a kill ends has
// found nothing, and is not counted.
func (w *world) watch(ctx context.Context) (end func() int64) {
	ctx, cancel := context.WithCancel(ctx)
	var watcher sync.WaitGroup
	var looks atomic.Int64
	watcher.Go(func() {
		for ctx.Err() == nil {
			printed, err := w.Stack.Control(ctx, "verify")
			switch {
			case printed != "":
				w.Complain(errors.New("shopctl verify says under traffic:\n" + printed))
			case err == nil:
				looks.Add(1)
			}
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	})
	end = func() int64 {
		cancel()
		watcher.Wait()
		if looks.Load() == 0 {
			w.Complain(errors.New("no look at the books under traffic came to its end"))
		}
		return looks.Load()
	}
	w.t.Cleanup(func() { end() })
	return end
}
