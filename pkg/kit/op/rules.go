package op

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"shop.internal/pkg/domain/platform/bound"
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
	case "filled":
		f.filled = true
	case "unless":
		f.unless = value
	case "nonempty":
		f.nonempty = true
	case "nullzero":
		f.nullZero = true
	case "blankzero":
		f.blankZero = true
	case "onoff":
		f.onOff = true
	case "blank":
		f.blank = true
	case "round":
		f.round = true
	case "trim":
		f.target().trim = true
	case "mobile":
		f.target().mobile = true
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
	case "oneof":
		f.target().oneof = strings.Split(value, "|")
	case "range":
		return f.ranged(value)
	case "min":
		return limit(&f.min, value)
	case "max":
		return limit(&f.max, value)
	case "bytes":
		return limit(&f.target().bytes, value)
	case "itemmax":
		if f.elem == nil {
			return errWrongKind
		}
		return limit(&f.elem.max, value)
	default:
		return errors.New("unknown")
	}
	return nil
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
	case f.unless != "" && !f.required:
		return errors.New("unless goes with required")
	case f.nonempty && f.kind != list:
		return fmt.Errorf("nonempty: %w", errWrongKind)
	case f.filled && f.kind != text,
		(t.trim || t.mobile || t.url || t.link || t.visible || t.bytes != nil || f.blank) && t.kind != text:
		return fmt.Errorf("a rule about text: %w", errWrongKind)
	case len(t.oneof) > 0 && t.kind != text && t.kind != whole && t.kind != id:
		return fmt.Errorf("oneof: %w", errWrongKind)
	case f.blankZero && f.kind != whole && f.kind != id && f.kind != amount:
		return fmt.Errorf("blankzero: %w", errWrongKind)
	case f.round && f.kind != amount:
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
