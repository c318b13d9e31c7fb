// Package actor identifies who did something, in logs, ledgers and audit records.
package actor

// Kind distinguishes actors. Its numbers are stored in the status log of orders and in the stock ledger.
type Kind int

// The kinds of actors.
const (
	// KindSystem is the shop itself: scheduled jobs, and the consequences of somebody else's action.
	KindSystem Kind = iota
	KindShopper
	KindOperator
	// KindPlatform is the payment platform.
	KindPlatform
	// KindImport stands in the status log of orders that were imported from another system.
	KindImport
)

// Actor is who did something. The zero Actor is the system.
type Actor struct {
	Kind Kind
	// ID is the account of a person, 0 for any other actor.
	ID int64
}

// System is the shop itself.
var System = Actor{}

// Platform is the payment platform.
var Platform = Actor{Kind: KindPlatform}

// Shopper is the shopper with an id.
func Shopper(id int64) Actor { return Actor{Kind: KindShopper, ID: id} }

// Operator is the operator with an id.
func Operator(id int64) Actor { return Actor{Kind: KindOperator, ID: id} }

// Person returns the actor if it is a person, otherwise the system.
func (a Actor) Person() Actor {
	if a.Kind == KindShopper || a.Kind == KindOperator {
		return a
	}
	return System
}
