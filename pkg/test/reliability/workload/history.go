package workload

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"shop.internal/pkg/test/reliability/client"
)

// states are the states that an order may be in.
type states map[int64]bool

func (s states) String() string { return fmt.Sprint(slices.Sorted(maps.Keys(s))) }

// moves are where calls lead an order from a state. The payment and the failure of a group come by themselves.
var moves = map[string]map[int64]int64{
	"cancel":  {client.Unpaid: client.Cancelled},
	"refund":  {client.Paid: client.RefundRequested},
	"confirm": {client.Shipped: client.Received},
	"ship":    {client.Paid: client.Shipped},
	"reject":  {client.RefundRequested: client.Paid},
	"pay out": {client.RefundRequested: client.Refunded},
}

// order is what its shopper and the operators have learned about it. One at a time does something with an order, so
// that its history has an order too.
type order struct {
	mu      sync.Mutex
	id      int64
	owner   *Shopper
	goods   client.Goods
	actual  int64 // the price to pay in cents
	prepaid bool  // the payment was begun
	grouped bool
	due     time.Time // the shop ends it then if it is not paid; zero for never
	states  states
	left    bool // a call was never answered: nobody touches the order any more
	history []string
}

// follow adds what may happen to the order by itself.
func (o *order) follow() {
	if o.prepaid && o.states[client.Unpaid] {
		o.states[client.Paid] = true
	}
	if late := !o.due.IsZero() && time.Now().After(o.due); o.states[client.Unpaid] && (late || o.grouped) {
		o.states[client.Expired] = true
	}
	if o.grouped && o.states[client.Paid] {
		o.states[client.RefundRequested] = true
	}
}

// succeeded notes that a call was acknowledged. It fails if no history of the order allows that.
func (o *order) succeeded(call string) error {
	o.history = append(o.history, call+": done")
	o.follow()
	before, after := o.states, states{}
	for from := range before {
		if to, ok := moves[call][from]; ok {
			after[to] = true
		}
	}
	o.states = after
	o.follow()
	if len(after) == 0 {
		return fmt.Errorf("order %d: %q succeeds, but the order can only be in %v; %q", o.id, call, before, o.history)
	}
	return nil
}

// refused notes that a call was refused because of the order's state. It fails if every possible state allows the call.
func (o *order) refused(call string, errno int64) error {
	o.history = append(o.history, fmt.Sprintf("%s: %d", call, errno))
	o.follow()
	for from := range o.states {
		if _, allowed := moves[call][from]; !allowed || o.grouped {
			return nil
		}
	}
	return fmt.Errorf("order %d: %q is refused with %d, but the order can only be in %v; %q",
		o.id, call, errno, o.states, o.history)
}

// unanswered notes that nobody knows whether a call was done.
func (o *order) unanswered(call string) {
	o.history = append(o.history, call+": no answer")
	o.left = true
	o.follow()
	for from := range maps.Clone(o.states) {
		if to, ok := moves[call][from]; ok {
			o.states[to] = true
		}
	}
	o.follow()
}

// found notes the state that the database has. It fails if no history leads to it.
func (o *order) found(state int64) error {
	o.follow()
	if !o.states[state] {
		return fmt.Errorf("order %d is in %d, but can only be in %v; %q", o.id, state, o.states, o.history)
	}
	if !o.left {
		o.states = states{state: true}
	}
	return nil
}
