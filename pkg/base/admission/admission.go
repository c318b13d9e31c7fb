// Package admission bounds how much work a process does at once, so that more requests than it can serve make it refuse
// some instead of serving none in time. Work has classes, each with places and a queue of its own: a class that is full
// takes nothing from the others. What finds neither a place nor room in the queue, or waits too long, is refused with
// errno.ErrBusy. What the queue has no room for is refused as late as what has waited in vain: most clients ask again
// at once, and refusing some thousands of them a second would take the processors from those that are served.
//
// A request begins in the class Memory, which has many places. With its first use of the database it moves to the class
// of its operation and keeps that place until it ends; so what is answered from memory never waits for what is not. The
// database package takes the place (Use), which makes it impossible to forget.
package admission

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"shop.internal/pkg/base/errno"
)

// Class is a kind of work.
type Class int

// The classes of work.
const (
	// Memory is every request before its first use of the database.
	Memory Class = iota
	// Load renews a value in memory that no request waits for.
	Load
	// Read and Write are operations that read, and that change something.
	Read
	Write
	// Login checks or hashes passwords, which takes as much processor time as hundreds of reads.
	Login
	// Export writes long files.
	Export
	classes
)

// Classes returns all classes.
func Classes() []Class { return []Class{Memory, Load, Read, Write, Login, Export} }

// String is the label of the class in metrics.
func (c Class) String() string {
	return [...]string{"memory", "load", "read", "write", "login", "export"}[c]
}

// Limits bound one class. The zero Limits admit everything.
type Limits struct {
	// Places is the number of requests at once, 0 for any number.
	Places int
	// Queue is how many more may wait, each for at most Wait.
	Queue int
	Wait  time.Duration
	// Hold says that a client waits for the answer: what does not fit into the queue is held for Wait before it is
	// refused, as long as no more than MaxHeld are.
	Hold bool
}

// MaxHeld is the number of requests of all classes that are held before they are refused. Further ones are refused at
// once. Each has its connection and some 16 KiB.
const MaxHeld = 4096

// Controller has the places of a process.
type Controller struct {
	gates        [classes]*gate
	refusalDelay refusalDelay
}

// refusalDelay holds requests that will be refused.
type refusalDelay struct {
	held    atomic.Int64
	once    sync.Once
	stopped chan struct{}
}

// hold waits for a time, until the caller leaves, or until the process stops, and not at all if enough are held.
func (b *refusalDelay) hold(ctx context.Context, wait time.Duration) {
	defer b.held.Add(-1)
	if b.held.Add(1) > MaxHeld {
		return
	}
	enough := time.NewTimer(wait)
	defer enough.Stop()
	select {
	case <-enough.C:
	case <-b.stopped:
	case <-ctx.Done():
	}
}

// Stop refuses what is held, and from now on at once what would be. Requests that wait for a place still get one.
func (c *Controller) Stop() { c.refusalDelay.once.Do(func() { close(c.refusalDelay.stopped) }) }

// Delayed is the number of requests that are held before they are refused.
func (c *Controller) Delayed() int { return int(c.refusalDelay.held.Load()) }

// New returns a controller; a class without limits admits everything.
func New(limits map[Class]Limits) *Controller {
	c := &Controller{refusalDelay: refusalDelay{stopped: make(chan struct{})}}
	for _, class := range Classes() {
		l := limits[class]
		c.gates[class] = &gate{limits: l, places: make(chan struct{}, l.Places), refusalDelay: &c.refusalDelay}
	}
	return c
}

// State is what a class does now.
type State struct {
	// Places is the number of its places, 0 for any number; Held and Queued are the requests now.
	Places, Held, Queued int
	// Refused counts the requests that were refused since the start.
	Refused int64
}

// State returns what a class does now.
func (c *Controller) State(class Class) State {
	g := c.gates[class]
	return State{
		Places: g.limits.Places, Held: int(g.held.Load()), Queued: int(g.queued.Load()), Refused: g.refused.Load(),
	}
}

// gate has the places of one class.
type gate struct {
	limits       Limits
	refusalDelay *refusalDelay
	// places has an element for each place that is taken. Those who wait are served in their order.
	places       chan struct{}
	held, queued atomic.Int64
	refused      atomic.Int64
}

// take takes a place. It fails with errno.ErrBusy, or with the error of ctx if the caller has left.
func (g *gate) take(ctx context.Context) error {
	if g.limits.Places > 0 {
		select {
		case g.places <- struct{}{}:
		default:
			if err := g.queue(ctx); err != nil {
				return err
			}
		}
	}
	g.held.Add(1)
	return nil
}

func (g *gate) queue(ctx context.Context) error {
	if g.queued.Add(1) > int64(g.limits.Queue) {
		g.queued.Add(-1)
		if g.limits.Hold {
			g.refusalDelay.hold(ctx, g.limits.Wait)
		}
		return g.refuse(ctx)
	}
	defer g.queued.Add(-1)
	enough := time.NewTimer(g.limits.Wait)
	defer enough.Stop()
	select {
	case g.places <- struct{}{}:
		return nil
	case <-enough.C:
	case <-ctx.Done():
	}
	return g.refuse(ctx)
}

// refuse returns errno.ErrBusy and counts it, or the error of ctx if the caller has left.
func (g *gate) refuse(ctx context.Context) error {
	if context.Cause(ctx) == context.Canceled { //nolint:errorlint // never wrapped
		return ctx.Err()
	}
	g.refused.Add(1)
	return errno.ErrBusy
}

func (g *gate) leave() {
	g.held.Add(-1)
	if g.limits.Places > 0 {
		<-g.places
	}
}

// Ticket is the admission of one request. The zero Ticket admits everything.
type Ticket struct {
	controller *Controller
	class      Class
	// moved says that the request has the place of its class, or needs none any more.
	moved atomic.Bool

	mu    sync.Mutex
	gate  *gate // of the place that it has, nil for none
	err   error // of the class, once it has refused
	ended bool
}

// Issue makes the ticket of a request whose operation has a class. It has no place yet.
func (c *Controller) Issue(t *Ticket, class Class) { t.controller, t.class = c, class }

// Begin takes a place of the class Memory, unless the request has a place already. It fails with errno.ErrBusy.
func (t *Ticket) Begin(ctx context.Context) error {
	if t.controller == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.gate != nil || t.ended {
		return nil
	}
	g := t.controller.gates[Memory]
	err := g.take(ctx)
	if err == nil {
		t.gate = g
	}
	return err
}

// Leave gives the place back for as long as the request waits for its client. It takes another one later.
func (t *Ticket) Leave() {
	if t.controller == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.release()
	t.moved.Store(t.ended)
}

// End gives the place back. What the request has left behind in the background needs none.
func (t *Ticket) End() {
	if t.controller == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.release()
	t.ended = true
	t.moved.Store(true)
}

func (t *Ticket) release() {
	if t.gate != nil {
		t.gate.leave()
		t.gate = nil
	}
}

// use moves the request to its class. A refusal stands until the request ends.
func (t *Ticket) use(ctx context.Context) error {
	if t.controller == nil || t.moved.Load() {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.moved.Load() || t.err != nil {
		return t.err
	}
	t.release()
	g := t.controller.gates[t.class]
	if t.err = g.take(ctx); t.err != nil {
		return t.err
	}
	t.gate = g
	t.moved.Store(true)
	return nil
}

// Key is the key of the *Ticket in the context of a request.
type Key struct{}

func ticketOf(ctx context.Context) *Ticket {
	t, _ := ctx.Value(Key{}).(*Ticket)
	return t
}

// Use moves the request of a context to its class before it uses the database. It fails with errno.ErrBusy if the class
// is full. A context without a ticket, such as that of a job, is admitted.
func Use(ctx context.Context) error {
	if t := ticketOf(ctx); t != nil {
		return t.use(ctx)
	}
	return nil
}

// Leave gives the place of a context's request back before it writes a long answer at the pace of its client. If it
// uses the database later, it takes another one.
func Leave(ctx context.Context) {
	if t := ticketOf(ctx); t != nil {
		t.Leave()
	}
}

// Background returns a context for work that a request has caused but does not wait for: it takes a place of the class
// Load. The caller calls end when the work is done.
func Background(ctx context.Context) (background context.Context, end func()) {
	t := ticketOf(ctx)
	if t == nil || t.controller == nil {
		return ctx, func() {}
	}
	own := &Ticket{}
	t.controller.Issue(own, Load)
	return context.WithValue(ctx, Key{}, own), own.End
}

// Within reports whether the request of a context has a class. A context without a ticket may do work of every class.
func Within(ctx context.Context, class Class) bool {
	t := ticketOf(ctx)
	return t == nil || t.controller == nil || t.class == class
}

// Beside reports whether the process does other work than logins for requests that use the database.
func Beside(ctx context.Context) bool {
	t := ticketOf(ctx)
	if t == nil || t.controller == nil {
		return false
	}
	for _, class := range []Class{Load, Read, Write, Export} {
		if t.controller.gates[class].held.Load() > 0 {
			return true
		}
	}
	return false
}
