package op

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/money"
	wording "shop.internal/pkg/base/text"
)

// labels returns the label of a member by its JSON name; nil for a service without labels.
type labels func(member string) *wording.Field

// of returns the label of a member, its bare name where it has none.
func (l labels) of(name string) *wording.Text {
	if l != nil {
		if f := l(name); f != nil {
			return &f.Text
		}
	}
	return wording.Literal(name)
}

// call sets the labels of the members of a request, and of the objects in it.
func (p *plan) call(l labels) {
	if p == nil {
		return
	}
	p.labels = l
	for i := range p.fields {
		p.fields[i].call(l)
	}
}

func (f *field) call(l labels) {
	f.label = l.of(cmp.Or(f.called, f.name))
	if f.elem != nil {
		f.elem.call(l)
	}
	f.members.call(l)
}

// FieldHeader is the header of a failure that names the member of the request that is wrong, by its declared name.
// The envelope has no place for it, since a failure is errno and errmsg only.
const FieldHeader = "X-Shop-Field"

// memberError is the refusal of one member of the request.
type memberError struct {
	error
	name string
}

func (e *memberError) Unwrap() error { return e.error }

// wrongMember returns the name of the member that err is about, "" if it is about none: of the member that was refused
// while reading the request, or of the one with the label that an area names. Only a declared name may become a header:
// one that the request invents has any characters and is as long as a body.
func (s *Spec) wrongMember(err error) string {
	if m, ok := errors.AsType[*memberError](err); ok {
		if s.upload != nil && m.name == s.upload.name || s.plan.declares(m.name) {
			return m.name
		}
		return ""
	}
	about := errno.FieldOf(err)
	if about == nil || s.plan == nil {
		return ""
	}
	for i := range s.plan.fields {
		if f := &s.plan.fields[i]; f.label == &about.Text {
			return f.name
		}
	}
	return ""
}

// declares reports whether a request, or an object in it, has a member of this name.
func (p *plan) declares(name string) bool {
	return p != nil && (slices.Contains(p.known, name) || slices.ContainsFunc(p.fields, func(f field) bool {
		return f.name == name || f.members.declares(name) || f.elem != nil && f.elem.members.declares(name)
	}))
}

// missing refuses a request without a required member.
func (f *field) missing() error {
	return &memberError{errno.Missing.Because(wording.ValidationRequired, f.label), f.name}
}

// invalid refuses a value of the wrong kind.
func (f *field) invalid() error {
	switch f.kind {
	case whole, id:
		return f.refuse(wording.ValidationInteger)
	case flag:
		return f.refuse(wording.ValidationBoolean)
	case amount:
		return f.refuse(wording.ValidationAmount)
	case list:
		return f.refuse(wording.ValidationList)
	case text, object:
	}
	return f.refuse(wording.ValidationFormat)
}

func (f *field) refuse(why *wording.Text, args ...any) error {
	return &memberError{errno.Invalid.Because(why, append([]any{f.label}, args...)...), f.name}
}

// outside refuses a number outside of the bounds or the allowed values.
func (f *field) outside() error {
	if f.enum != nil {
		return f.refuse(wording.ValidationEnum, strings.Join(f.enum, ", "))
	}
	show := func(n int64) any { return n }
	if f.kind == amount {
		show = func(n int64) any { return money.Amount(n) }
	}
	least, most := f.span()
	switch {
	case f.min == nil && f.max != nil:
		return f.refuse(wording.ValidationMax, show(most))
	case f.min != nil && f.max == nil:
		return f.refuse(wording.ValidationMin, show(least))
	}
	return f.refuse(wording.ValidationRange, show(least), show(most))
}

// span is the smallest and the largest allowed number.
func (f *field) span() (least, most int64) {
	switch least, most = math.MinInt32, math.MaxInt32; f.kind {
	case id:
		least, most = -MaxID, MaxID
	case amount:
		least, most = -int64(money.Max), int64(money.Max)
	case whole, flag, text, list, object:
	}
	if f.min != nil {
		least = max(least, *f.min)
	}
	if f.max != nil {
		most = min(most, *f.max)
	}
	return least, most
}

// unfit refuses a text by the first rule that it violates.
func (f *field) unfit(t string) error {
	n := int64(utf8.RuneCountInString(t))
	switch {
	case f.min != nil && f.max != nil && *f.min > 1 && !f.within(n):
		return f.refuse(wording.ValidationLength, *f.min, *f.max)
	case f.min != nil && n < *f.min:
		return f.refuse(wording.ValidationMinLength, *f.min)
	case f.max != nil && n > *f.max:
		return f.refuse(wording.ValidationMaxLength, *f.max)
	case f.maxBytes != nil && int64(len(t)) > *f.maxBytes:
		return f.refuse(wording.ValidationMaxBytes, *f.maxBytes)
	case !f.allowed(t):
		return f.refuse(wording.ValidationEnum, strings.Join(f.enum, ", "))
	case f.form != nil && !f.form.Fits(t):
		return f.refuse(f.form.Refusal)
	case f.url && !form.Web(t):
		return f.refuse(wording.ValidationURL)
	case f.link && !form.Link(t):
		return f.refuse(wording.ValidationURLOrPath)
	case f.visible:
		return f.refuse(wording.ValidationPrintable)
	}
	return f.invalid()
}

// uncounted refuses a list with too few members or too many.
func (f *field) uncounted(n int) error {
	if f.max != nil && int64(n) > *f.max {
		return f.refuse(wording.ValidationMaxItems, *f.max)
	}
	if f.min != nil {
		return f.refuse(wording.ValidationMinItems, *f.min)
	}
	return f.invalid()
}

// tooLong refuses a body above the limit.
func tooLong() error {
	return fmt.Errorf("%w: %w", errTooLarge, errno.Invalid.Because(wording.BodyTooLong))
}
