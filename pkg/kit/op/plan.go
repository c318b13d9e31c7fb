package op

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"shop.internal/pkg/domain/money"
)

// plan is what binding a request type needs, worked out once at start.
type plan struct {
	fields   []field
	required bool
}

type kind int

const (
	whole kind = iota // int: 32 bits
	id                // int64: up to 2^53-1
	flag
	text
	amount
	list
)

// field is one member of a request. Its tags are: json, the name; check, the rules below; doc, a sentence for the API
// document.
type field struct {
	name    string
	aliases []string
	doc     string
	index   []int
	typ     reflect.Type
	kind    kind
	elem    *field // the rules of a list's members
	pointer bool
	rules
}

// rules are the words of a check tag:
//
//	required    absent is 401; so is blank text, an empty list only with nonempty
//	nonempty    an empty list counts as absent
//	nullzero    null counts as the zero value rather than as absent
//	default=v   the value of an absent member
//	alias=a|b   further names, used in this order where the name itself is absent
//	min=, max=  bounds of a number, of the characters of a text, of the members of a list
//	itemmax=    most characters of each member of a list
//	bytes=      most bytes of a text
//	oneof=a|b   the values allowed
//	trim        blanks around a text are dropped
//	mobile, url forms of the contract
//	blank       blank text counts as absent (texts that are kept when blank)
type rules struct {
	required, nonempty, nullZero, trim, mobile, url, blank bool
	min, max, bytes, itemMax                               *int64
	oneof                                                  []string
	fallback                                               string
}

var amountType = reflect.TypeFor[money.Amount]()

// planOf reads a request type. A mistake in it is a mistake of a declaration and stops the start.
func planOf(t reflect.Type) *plan {
	p := &plan{}
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("request %s is not a struct", t))
	}
	p.add(t, nil)
	for _, f := range p.fields {
		p.required = p.required || f.required
	}
	return p
}

func (p *plan) add(t reflect.Type, prefix []int) {
	for i := range t.NumField() {
		sf := t.Field(i)
		index := append(append([]int(nil), prefix...), i)
		name, tagged := sf.Tag.Lookup("json")
		if sf.Anonymous && !tagged {
			p.add(sf.Type, index)
			continue
		}
		if !tagged || !sf.IsExported() {
			panic(fmt.Sprintf("field %s.%s has no json name", t, sf.Name))
		}
		f := field{name: name, doc: sf.Tag.Get("doc"), index: index, typ: sf.Type}
		if f.pointer = sf.Type.Kind() == reflect.Pointer; f.pointer {
			f.typ = sf.Type.Elem()
		}
		if err := f.kindOf(); err != nil {
			panic(fmt.Sprintf("field %s.%s: %v", t, sf.Name, err))
		}
		if err := f.read(sf.Tag.Get("check")); err != nil {
			panic(fmt.Sprintf("field %s.%s: %v", t, sf.Name, err))
		}
		p.fields = append(p.fields, f)
	}
}

func (f *field) kindOf() error {
	switch {
	case f.typ == amountType:
		f.kind = amount
	case f.typ.Kind() == reflect.Int:
		f.kind = whole
	case f.typ.Kind() == reflect.Int64:
		f.kind = id
	case f.typ.Kind() == reflect.Bool:
		f.kind = flag
	case f.typ.Kind() == reflect.String:
		f.kind = text
	case f.typ.Kind() == reflect.Slice:
		f.kind, f.elem = list, &field{name: f.name, typ: f.typ.Elem()}
		return f.elem.kindOf()
	default:
		return fmt.Errorf("no reading for %s", f.typ)
	}
	return nil
}

func (f *field) read(tag string) error {
	if tag == "" {
		return nil
	}
	for word := range strings.SplitSeq(tag, ",") {
		name, value, _ := strings.Cut(word, "=")
		var err error
		switch name {
		case "required":
			f.required = true
		case "nonempty":
			f.nonempty = true
		case "nullzero":
			f.nullZero = true
		case "trim":
			f.trim = true
		case "blank":
			f.blank = true
		case "mobile":
			f.mobile = true
		case "url":
			f.target().url = true
		case "default":
			f.fallback = value
		case "alias":
			f.aliases = strings.Split(value, "|")
		case "oneof":
			f.oneof = strings.Split(value, "|")
		case "min":
			f.min, err = bound(value)
		case "max":
			f.max, err = bound(value)
		case "bytes":
			f.bytes, err = bound(value)
		case "itemmax":
			f.elem.max, err = bound(value)
		default:
			return fmt.Errorf("unknown rule %q", word)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// target is where a rule about one value goes: to the members of a list, or to the field itself.
func (f *field) target() *field {
	if f.kind == list {
		return f.elem
	}
	return f
}

func bound(value string) (*int64, error) {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("bound: %w", err)
	}
	return &n, nil
}
