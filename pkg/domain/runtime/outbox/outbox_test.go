package outbox_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/runtime/outbox"
)

// world is an outbox with a clock and one handler that stores its events.
type world struct {
	t    *testing.T
	db   *db.DB
	now  time.Time
	box  *outbox.Service
	mu   sync.Mutex
	seen []string
	fail error
	gone []string
}

func open(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, db: dbtest.Open(t), now: time.Date(2030, 1, 2, 4, 0, 0, 0, time.UTC)}
	w.box = outbox.New(w.db, func() time.Time { return w.now })
	w.box.Handle("sms", w.handle)
	w.box.OnGiveUp(func(_ context.Context, _ *db.Tx, e outbox.Event, cause error) error {
		w.gone = append(w.gone, fmt.Sprintf("%s after %d: %v", e.Key, e.Attempts, cause))
		return nil
	})
	return w
}

func (w *world) handle(_ context.Context, e outbox.Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen, fmt.Sprintf("%s %d %s", e.Key, e.Aggregate, e.Payload))
	return w.fail
}

func (w *world) put(topic, key string, payload any, wait time.Duration) {
	w.t.Helper()
	require.NoError(w.t, w.db.InTx(w.t.Context(), func(tx *db.Tx) error {
		return w.box.AddAfter(w.t.Context(), tx, topic, key, 7, payload, wait)
	}))
}

// deliver delivers due events and returns how many are done.
func (w *world) deliver() int {
	w.t.Helper()
	n, err := w.box.Deliver(w.t.Context())
	require.NoError(w.t, err)
	return n
}

func (w *world) pending(dead bool) []outbox.Event {
	w.t.Helper()
	all, err := w.box.Pending(w.t.Context(), dead, 10)
	require.NoError(w.t, err)
	return all
}

func TestDeliver(t *testing.T) {
	t.Parallel()
	w := open(t)
	require.Zero(t, w.deliver())
	w.put("sms", "a", map[string]int{"n": 1}, 0)
	w.put("sms", "a", map[string]int{"n": 2}, 0) // the same effect again
	w.put("sms", "b", nil, 0)
	require.Equal(t, 2, w.deliver())
	require.Equal(t, []string{`a 7 {"n":1}`, "b 7 null"}, w.seen)
	require.Zero(t, w.deliver(), "done is done")
	w.put("sms", "a", nil, 0)
	require.Zero(t, w.deliver(), "also when it is queued once more")
}

func TestWhatIsRolledBackIsNotSent(t *testing.T) {
	t.Parallel()
	w := open(t)
	boom := errors.New("boom")
	require.ErrorIs(t, w.db.InTx(t.Context(), func(tx *db.Tx) error {
		require.NoError(t, w.box.Add(t.Context(), tx, "sms", "a", 0, nil))
		return boom
	}), boom)
	require.Zero(t, w.deliver())
	require.Empty(t, w.pending(false))
}

func TestWait(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.put("sms", "a", nil, 30*time.Second)
	w.now = w.now.Add(30*time.Second - time.Millisecond)
	require.Zero(t, w.deliver())
	w.now = w.now.Add(time.Millisecond)
	require.Equal(t, 1, w.deliver())
}

// A failing effect is retried with growing pauses, blocks no other, and is given up after twelve attempts.
func TestFailing(t *testing.T) {
	t.Parallel()
	w := open(t)
	down := errors.New("down")
	w.box.Handle("mail", func(context.Context, outbox.Event) error { return down })
	w.put("mail", "a", nil, 0)
	w.put("sms", "b", nil, 0)
	require.Equal(t, 1, w.deliver())
	var pauses []time.Duration
	for tries := 1; len(w.gone) == 0; tries++ {
		require.Less(t, tries, 20)
		before := w.now
		for w.pending(false)[0].Attempts == tries {
			w.now = w.now.Add(500 * time.Millisecond)
			w.deliver()
			if len(w.gone) > 0 {
				break
			}
		}
		pauses = append(pauses, w.now.Sub(before))
	}
	require.Equal(t, []time.Duration{
		1 * time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second, 64 * time.Second,
		128 * time.Second, 256 * time.Second, 512 * time.Second, 600 * time.Second,
	}, pauses)
	require.Equal(t, []string{"a after 12: down"}, w.gone)
	require.Len(t, w.pending(true), 1)
	require.Empty(t, w.pending(false))
	// An operator retries it.
	down = nil
	ok, err := w.box.Retry(t.Context(), w.pending(true)[0].ID)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, 1, w.deliver())
	ok, err = w.box.Retry(t.Context(), 1)
	require.NoError(t, err)
	require.False(t, ok, "there is nothing to retry")
}

func TestWhatNeverSucceeds(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.fail = fmt.Errorf("no such number: %w", outbox.ErrNever)
	w.put("sms", "a", nil, 0)
	w.put("unknown", "b", nil, 0)
	require.Zero(t, w.deliver())
	require.Len(t, w.gone, 2, "at once")
	require.Len(t, w.pending(true), 2)
}

// Concurrent deliverers, in one process or several, never repeat an effect.
func TestManyDeliverers(t *testing.T) {
	t.Parallel()
	w := open(t)
	const events = 60
	var done atomic.Int64
	var twice sync.Map
	for i := range events {
		w.put("count", fmt.Sprint(i), nil, 0)
	}
	boxes := make([]*outbox.Service, 10)
	for i := range boxes {
		boxes[i] = outbox.New(w.db, func() time.Time { return w.now })
		boxes[i].Handle("count", func(_ context.Context, e outbox.Event) error {
			if _, again := twice.LoadOrStore(e.Key, true); again {
				t.Errorf("%s is done twice", e.Key)
			}
			return nil
		})
	}
	var wg sync.WaitGroup
	for _, box := range boxes {
		wg.Go(func() {
			n, err := box.Deliver(t.Context())
			if err != nil {
				t.Error(err)
			}
			done.Add(int64(n))
		})
	}
	wg.Wait()
	require.EqualValues(t, events, done.Load())
}

// Events claimed by a process that died are taken over by another after a while.
func TestAfterADeath(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.put("dying", "a", nil, 0)
	require.NoError(t, dbtest.Exec(t.Context(), w.db, "UPDATE outbox_event SET locked_until = ?",
		w.now.Add(30*time.Second)))
	revived := 0
	w.box.Handle("dying", func(context.Context, outbox.Event) error { revived++; return nil })
	require.Zero(t, w.deliver(), "it may still be at work")
	w.now = w.now.Add(30 * time.Second)
	require.Equal(t, 1, w.deliver())
	require.Equal(t, 1, revived)
}

// A process that is stopped records what it has done, so that nothing is repeated.
func TestStopping(t *testing.T) {
	t.Parallel()
	w := open(t)
	ctx, stop := context.WithCancel(t.Context())
	w.box.Handle("last", func(context.Context, outbox.Event) error { stop(); return nil })
	w.put("last", "a", nil, 0)
	w.put("last", "b", nil, 0)
	n, err := w.box.Deliver(ctx)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, "b", w.pending(false)[0].Key)
}

// A panic of a handler is a failure like any other.
func TestPanic(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.box.HandleAside("wild", func(context.Context, outbox.Event) error { panic("boom") })
	w.put("wild", "a", nil, 0)
	n, err := w.box.DeliverAside(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	require.Equal(t, 1, w.pending(false)[0].Attempts)
}

// Separate topics do not wait for each other: one with a hanging service does not delay the others.
func TestAsideTopicsHinderNoOther(t *testing.T) {
	t.Parallel()
	w := open(t)
	sent := make(chan struct{})
	w.box.HandleAside("mail", func(ctx context.Context, _ outbox.Event) error {
		select {
		case <-sent: // the text message is sent while the mail still hangs
			return errors.New("down")
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	w.box.HandleAside("text", func(context.Context, outbox.Event) error { close(sent); return nil })
	for i := range 12 {
		w.put("mail", fmt.Sprint("m", i), nil, 0)
	}
	w.put("text", "t", nil, 0)
	n, err := w.box.DeliverAside(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
}

// Giving up and reporting it are one transaction: without the report the event is not given up.
func TestGivingUpIsTold(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.fail = outbox.ErrNever
	w.put("sms", "a", nil, 0)
	w.box.OnGiveUp(func(context.Context, *db.Tx, outbox.Event, error) error { return errors.New("full") })
	_, err := w.box.Deliver(t.Context())
	require.ErrorContains(t, err, "full")
	require.Empty(t, w.pending(true))
	require.Len(t, w.pending(false), 1)
}

// Slow topics are delivered separately, so that they delay nothing else.
func TestAside(t *testing.T) {
	t.Parallel()
	w := open(t)
	n, err := w.box.DeliverAside(t.Context())
	require.NoError(t, err)
	require.Zero(t, n, "there may be no such topic")
	w.box.HandleAside("draw", w.handle)
	for i := range 12 {
		w.put("draw", fmt.Sprint("draw", i), nil, 0)
	}
	w.put("sms", "a", nil, 0)
	require.Equal(t, 1, w.deliver())
	require.Equal(t, []string{"a 7 null"}, w.seen)
	total := 0
	for range 3 {
		n, err := w.box.DeliverAside(t.Context())
		require.NoError(t, err)
		require.LessOrEqual(t, n, 10, "one batch")
		total += n
	}
	require.Equal(t, 12, total)
	require.Zero(t, w.deliver())
	w.fail = errors.New("down")
	w.put("draw", "b", nil, 0)
	_, err = w.box.DeliverAside(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, w.pending(false)[0].Attempts, "tried again like any other")
}
