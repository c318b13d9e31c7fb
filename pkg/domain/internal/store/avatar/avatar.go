// Package avatar provides the default pictures of people.
package avatar

import (
	"cmp"

	"shop.internal/pkg/base/form"
)

// Default is the address of the default picture; empty for none. It is inserted into answers and never stored, so that
// a new default applies to everybody at once.
type Default string

// Shown returns the picture to show for a stored one. A stored address that clients do not get counts as none.
func (d Default) Shown(stored string) string { return cmp.Or(form.Shown(stored), string(d)) }

// Stored returns the picture to store for one that was sent: clients send back the default that they were shown.
func (d Default) Stored(sent string) string {
	if sent == string(d) {
		return ""
	}
	return sent
}
