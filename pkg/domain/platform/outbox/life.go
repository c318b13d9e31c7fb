package outbox

import (
	"io"

	"shop.internal/pkg/domain/internal/life"
)

// State is the state of an event.
type State int

// The states.
const (
	Pending    State = 0
	Delivered  State = 1
	DeadLetter State = 2
)

// Step is what can happen to an event.
type Step string

// The steps.
const (
	// Claim is a worker taking the event for a while, Postpone a failed attempt that another one follows.
	Claim    Step = "claim"
	Postpone Step = "postpone"
	// Deliver is the effect being done, by a worker or by who queued it.
	Deliver Step = "deliver"
	// GiveUp is the last attempt having failed; Retry is an operator having the event tried again.
	GiveUp Step = "give up"
	Retry  Step = "retry"
)

// transitions is the whole life of an event.
var transitions = life.New(map[State]map[Step]State{
	Pending:    {Claim: Pending, Postpone: Pending, Deliver: Delivered, GiveUp: DeadLetter},
	DeadLetter: {Retry: Pending},
	Delivered:  {},
})

// WriteLife draws the life of an event as a section of the documentation.
func WriteLife(w io.Writer) error {
	names := map[State]string{Pending: "Pending", Delivered: "Delivered", DeadLetter: "Dead letter"}
	return life.Chart[State, Step]{
		Title: "## The life of an outbox event",
		Intro: "A side effect that follows a commit, such as a message, is an event. A failed attempt postpones it; the\n" +
			"twelfth, or one that can never succeed, makes it a dead letter until an operator retries it.",
		Starts:  []life.Start[State]{{To: Pending, What: "queued with the change that causes it"}},
		Machine: transitions, Languages: []string{"English"},
		Names: func(s State) []string { return []string{names[s]} },
	}.Write(w)
}
