package form

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"shop.internal/pkg/domain/platform/text"
)

// Mobile reports whether a text has the form of a mobile number: 1 and ten more digits.
func Mobile(t string) bool { return len(t) == 11 && t[0] == '1' && strings.Trim(t, "0123456789") == "" }

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

// Number returns a mobile number that people type or paste: its digits alone, without the prefix of China. What is no
// mobile number stays what it is.
func Number(t string) string {
	digits := Code(t)
	for _, prefix := range []string{"", "+86", "0086", "86"} {
		if n, ok := strings.CutPrefix(digits, prefix); ok && Mobile(n) {
			return n
		}
	}
	return Clean(t)
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

var mobile = &Form{
	Clean: Number, Fits: Mobile, Refusal: text.ValidationMobile, Pattern: "^1[0-9]{10}$",
	Example: func(n int) string { return fmt.Sprintf("138000000%02d", n%100) },
}

// Named returns the form of a name, nil where there is none.
func Named(name string) *Form { return map[string]*Form{"mobile": mobile}[name] }

// Cleaning returns the cleaning of a name, nil where there is none: "text" is Clean, "number" Number, "code" Code, and
// "none" leaves a text as it came.
func Cleaning(name string) func(t string) string {
	return map[string]func(string) string{
		"text": Clean, "number": Number, "code": Code, "none": func(t string) string { return t },
	}[name]
}
