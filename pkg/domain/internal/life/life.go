// Package life holds state machines: which events may happen to a record in which state, and where they lead. The use
// cases, the statements that move a record, and the documentation ask the same table.
package life

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Machine is the table of a record's states S and events E. What is not in it cannot happen.
type Machine[S ~int, E cmp.Ordered] struct{ transitions map[S]map[E]S }

// New returns the machine of a table that names every state, also those that nothing follows. It panics where an event
// leads to a state that the table does not name: tables are written in the code.
func New[S ~int, E cmp.Ordered](transitions map[S]map[E]S) Machine[S, E] {
	for from, events := range transitions {
		for event, to := range events {
			if _, ok := transitions[to]; !ok {
				panic(fmt.Sprintf("state machine: %v in %d leads to %d, which is no state", event, from, to))
			}
		}
	}
	return Machine[S, E]{transitions}
}

// Next returns the state that an event leads to, and whether it may happen.
func (m Machine[S, E]) Next(from S, event E) (S, bool) {
	to, ok := m.transitions[from][event]
	return to, ok
}

// From returns the states in which an event may happen, ascending: what a statement names that moves a record.
func (m Machine[S, E]) From(event E) []S {
	var states []S
	for from, events := range m.transitions {
		if _, ok := events[event]; ok {
			states = append(states, from)
		}
	}
	slices.Sort(states)
	return states
}

// To returns the state that an event leads to. It panics where that depends on the state before, or there is none.
func (m Machine[S, E]) To(event E) S {
	from := m.From(event)
	if len(from) == 0 {
		panic(fmt.Sprintf("state machine: there is no event %v", event))
	}
	to := m.transitions[from[0]][event]
	for _, s := range from {
		if m.transitions[s][event] != to {
			panic(fmt.Sprintf("state machine: %v leads to several states", event))
		}
	}
	return to
}

// States returns all states, ascending.
func (m Machine[S, E]) States() []S { return slices.Sorted(maps.Keys(m.transitions)) }

// Events returns the events that may happen in a state, ascending.
func (m Machine[S, E]) Events(in S) []E { return slices.Sorted(maps.Keys(m.transitions[in])) }

// Final reports whether nothing follows a state.
func (m Machine[S, E]) Final(s S) bool { return len(m.transitions[s]) == 0 }
