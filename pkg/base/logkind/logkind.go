// Package logkind has the kinds of entries of the business log, which declarations of operations name and the log
// stores.
package logkind

// Kind is what an entry of the business log is about.
type Kind int

// The kinds of entries.
const (
	General Kind = iota
	Security
	Ordering
	Other
)
