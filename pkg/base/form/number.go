package form

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"shop.internal/pkg/base/text"
)

// Code returns a code that people type or paste: in plain characters, without blanks and without marks between the
// parts that it is written in.
func Code(t string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.In(r, unicode.Pd, unicode.Ps, unicode.Pe) || strings.ContainsRune("./·\u2212", r) {
			return -1
		}
		return r
	}, norm.NFKC.String(Printable(t)))
}

// Form is a form of texts that requests can ask for by its name.
type Form struct {
	// Clean returns a text of people in this form, as far as it can.
	Clean func(t string) string
	// Fits reports whether a text has the form; Refusal is what people read of one that has not.
	Fits    func(t string) bool
	Refusal *text.Text
	// Pattern is a regular expression for the same, and Example returns the n-th of some texts that fit, for tests.
	Pattern string
	Example func(n int) string
}

// Cleaning returns the cleaning of a name, nil where there is none: "text" is Clean, "code" Code, and "none" leaves a
// text as it came.
func Cleaning(name string) func(t string) string {
	return map[string]func(string) string{
		"text": Clean, "code": Code, "none": func(t string) string { return t },
	}[name]
}
