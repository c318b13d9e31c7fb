package wire

import (
	"encoding/json"

	"shop.internal/pkg/base/form"
)

// Link is an address in an answer. A harmful one, stored by an earlier release that accepted any text, is written as
// the empty text.
type Link string

// MarshalText writes the address, or the empty text.
func (l Link) MarshalText() ([]byte, error) { return []byte(form.Shown(string(l))), nil }

// Links is a list of addresses in an answer, without harmful ones. It is never null.
type Links []string

// MarshalJSON writes the list.
func (l Links) MarshalJSON() ([]byte, error) {
	shown := make([]string, 0, len(l))
	for _, address := range l {
		if address == "" || form.Harmless(address) {
			shown = append(shown, address)
		}
	}
	return json.Marshal(shown)
}
