package op

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"shop.internal/pkg/base/bound"
	"shop.internal/pkg/base/country"
)

// read parses a check tag.
func (f *field) read(tag string) error {
	if f.kind == list {
		most := int64(maxItems)
		f.max = &most
	}
	if tag == "" {
		return nil
	}
	for word := range strings.SplitSeq(tag, ",") {
		name, value, _ := strings.Cut(word, "=")
		if err := f.rule(name, value); err != nil {
			return fmt.Errorf("rule %q: %w", word, err)
		}
	}
	return nil
}

// tighten adds the rules of an embedded struct's tag to its members.
func tighten(fields []field, tag string) error {
	if tag == "" {
		return nil
	}
	for word := range strings.SplitSeq(tag, ",") {
		member, rule, _ := strings.Cut(word, ":")
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == member })
		if i < 0 {
			return fmt.Errorf("rule %q: no such member", word)
		}
		name, value, _ := strings.Cut(rule, "=")
		if err := fields[i].rule(name, value); err != nil {
			return fmt.Errorf("rule %q: %w", word, err)
		}
		if err := fields[i].valid(); err != nil {
			return fmt.Errorf("rule %q: %w", word, err)
		}
	}
	return nil
}

func (f *field) rule(name, value string) error {
	switch name {
	case "required":
		f.required = true
	case "requiredUnless":
		if value == "" {
			return errors.New("names no member")
		}
		f.required, f.unless = true, value
	case "notBlank":
		f.notBlank = true
	case "notEmpty":
		f.notEmpty = true
	case "nullAsZero":
		f.nullAsZero = true
	case "blankAsZero":
		f.blankAsZero = true
	case "blank":
		f.blank = true
	case "boolAsInteger":
		f.boolAsInteger = true
	case "round":
		f.round = true
	case "ratio":
		f.ratio = true
	case "clean":
		f.target().cleanName = value
		if f.target().settle(country.Country{}); f.target().clean == nil {
			return errors.New("no such cleaning")
		}
	case "form":
		f.target().formName = value
		if f.target().settle(country.Country{}); f.target().form == nil {
			return errors.New("no such form")
		}
	case "url":
		f.target().url = true
	case "link":
		f.target().link = true
	case "visible":
		f.target().visible = true
	case "default":
		f.fallback = value
	case "alias":
		f.aliases = strings.Split(value, "|")
	case "enum":
		f.target().enum = strings.Split(value, "|")
	case "range":
		return f.ranged(value)
	default:
		return f.bounded(name, value)
	}
	return nil
}

// bounded reads the rules that are a number.
func (f *field) bounded(name, value string) error {
	kinds := map[string][]kind{
		"min": {whole, id, amount}, "max": {whole, id, amount},
		"minLength": {text}, "maxLength": {text}, "minItems": {list}, "maxItems": {list},
		"maxBytes": {text, list}, "itemMax": {list},
	}
	of, known := kinds[name]
	switch {
	case !known:
		return errors.New("unknown")
	case !slices.Contains(of, f.kind):
		return errWrongKind
	case name == "maxBytes":
		return limit(&f.target().maxBytes, value)
	case name == "itemMax":
		return limit(&f.elem.max, value)
	case strings.HasPrefix(name, "min"):
		return limit(&f.min, value)
	}
	return limit(&f.max, value)
}

// ranged sets both bounds of a number from the table.
func (f *field) ranged(name string) error {
	r, ok := bound.Named(name)
	if !ok {
		return errors.New("no such range")
	}
	f.min, f.max = &r.Min, &r.Max
	return nil
}

var errWrongKind = errors.New("does not go with this type")

// target is the field that a rule about one value applies to: the items of a list, or the field itself.
func (f *field) target() *field {
	if f.kind == list {
		return f.elem
	}
	return f
}

func limit(into **int64, value string) error {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return fmt.Errorf("bound: %w", err)
	}
	*into = &n
	return nil
}

// valid finds rules that contradict the type or each other.
func (f *field) valid() error {
	t := f.target()
	switch {
	case t.kind == object && f.validObject() != nil:
		return fmt.Errorf("an object: %w", f.validObject())
	case f.notEmpty && f.kind != list:
		return fmt.Errorf("notEmpty: %w", errWrongKind)
	case f.notBlank && f.kind != text,
		(t.clean != nil || t.form != nil || t.url || t.link || t.visible || t.maxBytes != nil || f.blank) && t.kind != text:
		return fmt.Errorf("a rule about text: %w", errWrongKind)
	case len(t.enum) > 0 && t.kind != text && t.kind != whole && t.kind != id:
		return fmt.Errorf("enum: %w", errWrongKind)
	case f.blankAsZero && f.kind != whole && f.kind != id && f.kind != amount:
		return fmt.Errorf("blankAsZero: %w", errWrongKind)
	case (f.round || f.ratio) && f.kind != amount:
		return fmt.Errorf("round: %w", errWrongKind)
	case (f.min != nil || f.max != nil) && f.kind == flag:
		return fmt.Errorf("bounds: %w", errWrongKind)
	case f.min != nil && f.max != nil && *f.min > *f.max:
		return errors.New("min is above max")
	case f.required && f.fallback != "":
		return errors.New("what is required has no default")
	case slices.Contains(f.aliases, ""):
		return errors.New("an alias is empty")
	case f.fallback == "":
		return nil
	}
	if err := f.set(reflect.New(f.declared()).Elem(), value{absent: true}, &input{}); err != nil {
		return fmt.Errorf("the default breaks the rules: %w", err)
	}
	return nil
}

// declared is the type of the struct's field.
func (f *field) declared() reflect.Type {
	if f.pointer {
		return reflect.PointerTo(f.typ)
	}
	return f.typ
}
