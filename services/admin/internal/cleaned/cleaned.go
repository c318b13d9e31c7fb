// Package cleaned is how answers say what was removed from HTML that operators have sent.
package cleaned

import "shop.internal/pkg/base/richtext"

// HTML is what was removed from a text.
type HTML struct {
	Removed []string `json:"removed,omitempty" doc:"The elements removed from the HTML, such as video; absent for none."`
}

// Of says what is removed from a text before it is stored.
func Of(html string) HTML { return HTML{richtext.Removed(html)} }

// OfAny is Of for a text that may be absent.
func OfAny(html *string) HTML {
	if html == nil {
		return Of("")
	}
	return Of(*html)
}

// Alone is HTML as the whole answer, which has no data if nothing was removed.
type Alone struct{ HTML }

// None implements op.MayBeNone.
func (a Alone) None() bool { return a.Removed == nil }
