// Package errno holds the numbers by which both services answer, as errors. An area returns one of them wrapped in what
// it was doing; the edge of a service turns the number into the envelope and keeps the wrapping for the log.
package errno

import (
	"errors"
	"slices"

	"shop.internal/pkg/domain/platform/text"
)

// Code is one row of the contract's error tables. Codes are compared by identity, since one number (602) stands for two
// names.
type Code struct {
	// Num is the errno of the envelope.
	Num int
	// Name is the contract's name of the code.
	Name string
	// ZH and EN are the texts a person sees, one for each language a shop can be deployed in.
	ZH, EN string
}

// Error returns the name of the code; it is for logs, not for people.
func (c *Code) Error() string { return c.Name }

// Text returns the text of the code in a language: "en", or Chinese for any other.
func (c *Code) Text(language string) string {
	if language == text.English {
		return c.EN
	}
	return c.ZH
}

// Because returns the code as an error that tells people what is wrong and why, by an entry of the catalogue and its
// arguments. It is what they read instead of the code's own text.
func (c *Code) Because(why *text.Text, args ...any) error { return &refusal{c, why, args} }

// About returns the code as an error about one field, where nothing more can be said than that it is missing or wrong.
func (c *Code) About(field *text.Field) error {
	if c == Missing {
		return c.Because(text.MemberMissing, field)
	}
	return c.Because(text.MemberWrong, field)
}

// NoSuch returns Invalid for an id that names nothing; named is the record that it should name, such as
// text.FieldBrand.
func NoSuch(named *text.Field) error { return Invalid.Because(text.Unknown, named) }

// refusal is a code with the sentence that people read.
type refusal struct {
	code *Code
	why  *text.Text
	args []any
}

// Error is for logs, which are English whatever the language of the shop.
func (r *refusal) Error() string { return r.code.Name + ": " + r.why.In(text.English, r.args...) }
func (r *refusal) Unwrap() error { return r.code }

// Of returns the code that err carries: OK for nil, Internal for an error that carries none.
func Of(err error) *Code {
	if err == nil {
		return OK
	}
	if c, ok := errors.AsType[*Code](err); ok {
		return c
	}
	return Internal
}

// Text returns what a person may read of err in a language: the sentence that the code was given, else the text of the
// code.
func Text(err error, language string) string {
	code := Of(err)
	if r, ok := errors.AsType[*refusal](err); ok && r.code == code {
		return r.why.In(language, r.args...)
	}
	return code.Text(language)
}

// All returns every code of the contract, ascending by number, in the order of the tables.
func All() []*Code {
	return slices.SortedStableFunc(slices.Values(all), func(a, b *Code) int { return a.Num - b.Num })
}
