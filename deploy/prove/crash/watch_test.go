package crash_test

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// watch verifies the books again and again while everybody goes on and processes are killed, and complains about each
// alarm. A look that a kill ends has found nothing, and is not counted.
func (w *world) watch(ctx context.Context) {
	for ctx.Err() == nil {
		printed, err := w.stack.Control(ctx, "verify")
		switch {
		case printed != "":
			w.complain(errors.New("shopctl verify says under traffic:\n" + printed))
		case err == nil:
			w.looks.Add(1)
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// watched requires that some looks came to their end.
func (w *world) watched() {
	if w.looks.Load() == 0 {
		w.complain(fmt.Errorf("no look at the books under traffic came to its end"))
	}
}
