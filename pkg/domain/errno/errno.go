// Package errno holds the numbers by which both services answer, as errors. An area returns one of them wrapped in what
// it was doing; the edge of a service turns the number into the envelope and keeps the wrapping for the log.
package errno

import (
	"errors"
	"slices"
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
	if language == "en" {
		return c.EN
	}
	return c.ZH
}

// About returns the code as an error that also tells people what it is about: the name of a request parameter, never
// anything internal.
func (c *Code) About(subject string) error { return &about{c, subject} }

type about struct {
	code    *Code
	subject string
}

func (a *about) Error() string { return a.code.Name + ": " + a.subject }
func (a *about) Unwrap() error { return a.code }

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

// Text returns what a person may read of err in a language: the text of its code and, where one was named, its subject.
func Text(err error, language string) string {
	text := Of(err).Text(language)
	if a, ok := errors.AsType[*about](err); ok {
		text += ": " + a.subject
	}
	return text
}

// All returns every code of the contract, ascending by number, in the order of the tables.
func All() []*Code { return slices.Clone(all) }
