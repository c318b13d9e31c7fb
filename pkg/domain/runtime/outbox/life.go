package outbox

import (
	"io"

	"shop.internal/pkg/domain/internal/store/statemachine"
)

// State is the state of an event.
type State int

// The states.
const (
	Pending    State = 0
	Delivered  State = 1
	DeadLetter State = 2
)

// Step is an event in the life of an outbox event.
type Step string

// The steps.
const (
	// Claim is a worker claiming the event for a while, Postpone a failed attempt with another one to follow.
	Claim    Step = "claim"
	Postpone Step = "postpone"
	// Deliver is the effect being done, by a worker or by its producer.
	Deliver Step = "deliver"
	// GiveUp is the failure of the last attempt; Retry is an operator retrying the event, Dismiss ending it undelivered.
	GiveUp  Step = "give up"
	Retry   Step = "retry"
	Dismiss Step = "dismiss"
)

// transitions are all transitions of events.
var transitions = statemachine.New(map[State]map[Step]State{
	Pending:    {Claim: Pending, Postpone: Pending, Deliver: Delivered, GiveUp: DeadLetter},
	DeadLetter: {Retry: Pending, Dismiss: Delivered},
	Delivered:  {},
})

// Life returns the state machine of events, for verifying the books.
func Life() statemachine.Machine[State, Step] { return transitions }

// WriteLife writes the life of an event as a section of the documentation.
func WriteLife(w io.Writer) error {
	names := map[State]string{Pending: "Pending", Delivered: "Delivered", DeadLetter: "Dead letter"}
	return statemachine.Chart[State, Step]{
		Title: "## The life of an outbox event",
		Intro: "A side effect that follows a commit, such as a message, is an event. A failed attempt postpones it; the\n" +
			"twelfth, or one that can never succeed, makes it a dead letter until an operator retries or dismisses it.",
		Starts:  []statemachine.Start[State]{{To: Pending, What: "queued with the change that causes it"}},
		Machine: transitions, Languages: []string{"English"},
		Names: func(s State) []string { return []string{names[s]} },
	}.Write(w)
}
