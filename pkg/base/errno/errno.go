// Package errno defines the error codes of both services as errors. An area wraps a code with what it was doing; the
// HTTP layer writes the number into the envelope and logs the wrapping.
package errno

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"shop.internal/pkg/base/text"
)

// Code is a row of the contract's error tables. Codes are compared by identity, since one number (602) has two names.
type Code struct {
	// Num is the errno of the envelope.
	Num int
	// Name is the contract's name of the code.
	Name string
	text *text.Text
}

// Error returns the name of the code, for logs.
func (c *Code) Error() string { return c.Name }

// Text returns the text of the code for people, in a language of the catalogue.
func (c *Code) Text(language string) string {
	return c.text.In(language)
}

// Because returns the code with a sentence about what is wrong, from an entry of the catalogue and its arguments.
// People read it instead of the code's own text.
func (c *Code) Because(why *text.Text, args ...any) error { return &refusal{c, why, args} }

// About returns the code for a field that is missing or invalid. People read the field's label.
func (c *Code) About(field *text.Field) error {
	if c == Missing {
		return c.Because(text.ValidationRequired, field)
	}
	return c.Because(text.ValidationInvalid, field)
}

// NoSuch returns Invalid for an unknown id; named is the record that it should name, such as text.FieldBrand.
func NoSuch(named *text.Field) error { return Invalid.Because(text.Unknown, named) }

// refusal is a code with the sentence for people.
type refusal struct {
	code *Code
	why  *text.Text
	args []any
}

// Error is for logs, which are always English.
func (r *refusal) Error() string { return r.code.Name + ": " + r.why.In(text.English, r.args...) }
func (r *refusal) Unwrap() error { return r.code }

// ErrBusy refuses work for which a process has no place now. It is Internal for clients that look at the number, and
// says to try again; the HTTP status says so too.
var ErrBusy = Internal.Because(text.Busy)

// Of returns the code of err: OK for nil, Internal for an error without one.
func Of(err error) *Code {
	if err == nil {
		return OK
	}
	if c, ok := errors.AsType[*Code](err); ok {
		return c
	}
	return Internal
}

// Text returns what a person may read of err in a language: the sentence of the code, else the code's own text.
func Text(err error, language string) string {
	code := Of(err)
	if r, ok := errors.AsType[*refusal](err); ok && r.code == code {
		return r.why.In(language, r.args...)
	}
	return code.Text(language)
}

// FieldOf returns the field that err refuses: the first argument of its sentence, if that is a field. It returns nil
// for every other error.
func FieldOf(err error) *text.Field {
	if r, ok := errors.AsType[*refusal](err); ok && len(r.args) > 0 && r.code == Of(err) {
		f, _ := r.args[0].(*text.Field)
		return f
	}
	return nil
}

// All returns every code of the contract, ascending by number, in the order of the tables.
func All() []*Code {
	return slices.SortedStableFunc(slices.Values(all), func(a, b *Code) int { return a.Num - b.Num })
}

// Later is the refusal of what was asked for too often.
type Later struct {
	// Code is what the caller is answered.
	Code error
	// After is when it may be asked for again, 0 where that is not known.
	After time.Duration
}

// Error names the code and the time.
func (l *Later) Error() string { return fmt.Sprintf("%v (again after %s)", l.Code, l.After) }

// Unwrap returns the code.
func (l *Later) Unwrap() error { return l.Code }
