// Package avatar decides which picture people are shown by who have none of their own.
package avatar

import (
	"cmp"

	"shop.internal/pkg/domain/platform/form"
)

// Default is the address of the picture of people without one; empty for none. It is put in when an answer is made and
// never stored, so that another default holds for everybody at once.
type Default string

// Shown is the picture to show for the one that is stored. One that no client is given counts as none.
func (d Default) Shown(stored string) string { return cmp.Or(form.Shown(stored), string(d)) }

// Stored is the picture to store for the one that was sent: clients send back what they were shown.
func (d Default) Stored(sent string) string {
	if sent == string(d) {
		return ""
	}
	return sent
}
