package op

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"shop.internal/pkg/base/form"
)

// Field describes one member of a request, for documents and for tests over all operations.
type Field struct {
	Name    string
	Aliases []string
	// Label is the name by which its label is found, usually Name.
	Label string
	// Doc is a sentence for the API document.
	Doc  string
	Kind Kind
	// Item are the rules of a list's items, nil for other kinds.
	Item *Field
	// Members are those of an object, none for other kinds.
	Members []Field
	// Required refuses an absent member, unless the member named by Unless is true; NotBlank refuses blank text; NotEmpty
	// treats an empty list as absent, Blank treats blank text as absent, NullAsZero treats null as the zero value,
	// BlankAsZero treats blank text as 0.
	Required, NotBlank, NotEmpty, Blank, NullAsZero, BlankAsZero bool

	Unless string
	// Form is one of package form that a text must have, nil for none.
	Form *form.Form
	// URL and Link are addresses; Visible refuses invisible characters.
	URL, Link, Visible bool
	// Round rounds further fraction digits of a decimal.
	Round bool
	// Min and Max bound a number, the characters of a text or the items of a list; MaxBytes bounds a text's bytes.
	Min, Max, MaxBytes *int64
	// Enum are the allowed values; empty for any.
	Enum []string
	// Default is the value of an absent member, as text.
	Default string
	// Show is what a page has to know of it beside its kind.
	Show Show
}

// Kind is the kind of a member.
type Kind string

// The kinds.
const (
	Integer Kind = "integer" // 32 bits, signed
	ID      Kind = "id"      // up to MaxID
	Boolean Kind = "boolean"
	Text    Kind = "text"
	Decimal Kind = "decimal" // at most two fraction digits
	List    Kind = "list"
	Object  Kind = "object"
)

// Fields returns the members of the operation's request in the order of its struct; none for a Raw.
func (s Spec) Fields() []Field {
	if s.plan == nil {
		return nil
	}
	return s.plan.public()
}

func (p *plan) public() []Field {
	out := make([]Field, len(p.fields))
	for i := range p.fields {
		out[i] = p.fields[i].public()
	}
	return out
}

func (f *field) public() Field {
	p := Field{
		Name: f.name, Aliases: slices.Clone(f.aliases), Label: cmp.Or(f.called, f.name), Doc: f.doc, Kind: f.kind.public(),
		Required: f.required, NotBlank: f.notBlank, Unless: f.unless, NotEmpty: f.notEmpty,
		Blank: f.blank, NullAsZero: f.nullAsZero, BlankAsZero: f.blankAsZero,
		Form: f.form, URL: f.url, Link: f.link, Visible: f.visible, Round: f.round,
		Min: f.min, Max: f.max, MaxBytes: f.maxBytes, Enum: slices.Clone(f.enum), Default: f.fallback,
		Show: f.show,
	}
	if f.elem != nil {
		item := f.elem.public()
		p.Item = &item
	}
	if f.members != nil {
		p.Members = f.members.public()
	}
	return p
}

func (k kind) public() Kind {
	switch k {
	case whole:
		return Integer
	case id:
		return ID
	case flag:
		return Boolean
	case text:
		return Text
	case amount:
		return Decimal
	case list:
		return List
	case object:
		return Object
	}
	panic(fmt.Sprintf("kind %d", int(k)))
}

// IsRaw reports whether the operation writes its own answer.
func (s Spec) IsRaw() bool { return s.raw != nil }

// Statuses are the HTTP statuses of a Raw, with their meanings.
func (s Spec) Statuses() map[int]string {
	if s.raw == nil || s.raw.statuses == nil {
		return map[int]string{http.StatusOK: "Not an envelope; a failure is one."}
	}
	return s.raw.statuses
}
