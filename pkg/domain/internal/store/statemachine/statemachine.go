// Package statemachine provides state machines: the transitions of a record by state and event. Use cases, the
// statements that move a record, and the documentation use the same machine.
package statemachine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Machine is a table of transitions from states S by events E. Any other transition is impossible.
type Machine[S ~int, E cmp.Ordered] struct{ transitions map[S]map[E]S }

// New returns a machine. The table must name every state, including final ones; New panics for an event that leads to
// another state.
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

// Next returns the state after an event, and whether the event is allowed.
func (m Machine[S, E]) Next(from S, event E) (S, bool) {
	to, ok := m.transitions[from][event]
	return to, ok
}

// From returns the states in which an event is allowed, ascending, for the condition of a statement that moves a
// record.
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

// To returns the state after an event. It panics if that depends on the state before, or there is none.
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

// Events returns the events that are allowed in a state, ascending.
func (m Machine[S, E]) Events(in S) []E { return slices.Sorted(maps.Keys(m.transitions[in])) }

// Step is a transition without its event.
type Step[S ~int] struct{ From, To S }

// Steps returns the transitions between states, each once, ascending.
func (m Machine[S, E]) Steps() []Step[S] {
	var all []Step[S]
	for _, from := range m.States() {
		for _, e := range m.Events(from) {
			if s := (Step[S]{from, m.transitions[from][e]}); !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// Final reports whether a state has no transitions.
func (m Machine[S, E]) Final(s S) bool { return len(m.transitions[s]) == 0 }
