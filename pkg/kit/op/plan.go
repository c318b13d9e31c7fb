package op

import (
	"fmt"
	"reflect"
	"slices"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/money"
	wording "shop.internal/pkg/base/text"
)

// plan is what binding a request type needs, computed once at start.
type plan struct {
	fields   []field
	required bool
	// free is the plan of Scalars, known are its Members.
	free  bool
	known []string
	// labels are the service's words for members.
	labels labels
	// names maps each accepted name to its slot: fields, their aliases, and name[] for lists.
	names map[string]int
}

type kind int

const (
	whole kind = iota // int: 32 bits
	id                // int64: up to 2^53-1
	flag
	text
	amount
	list
	object
)

// field is one member of a request. Its tags are: json, the name; check, the rules below; doc, a sentence for the API
// document; label, the name of another member whose label suits this one better; show, what the member is (Show).
type field struct {
	name   string
	called string // the label tag, "" for none
	// label is the member's label for people; it is set when the operation is mounted.
	label   *wording.Text
	aliases []string
	doc     string
	show    Show
	index   []int
	typ     reflect.Type
	kind    kind
	elem    *field // the rules of a list's items
	members *plan  // of an object
	pointer bool
	// slots are where the name and its aliases are found, brackets where name[] and alias[] are.
	slots, brackets []int
	rules
}

// rules are the words of a check tag:
//
//	required            absent is 401; so is blank text, an empty list only with notEmpty
//	requiredUnless=name required as long as the boolean member of this name is not true
//	notBlank            blank text is 401, absent text stays absent
//	notEmpty            an empty list counts as absent
//	blank               blank text counts as absent also where it is not required
//	nullAsZero          null counts as the zero value rather than as absent
//	blankAsZero         blank text counts as the zero value of a number rather than as absent
//	boolAsInteger       a whole number is also read from true and false
//	default=v           the value of an absent member
//	alias=a|b           further names, used in this order where the name itself is absent
//	enum=a|b            the values allowed
//	min=, max=          bounds of a number, of an amount in cents
//	range=name          both bounds of a number, by their name in the table of package bound
//	minLength=, maxLength=, maxBytes=  bounds of the characters of a text, most bytes of it
//	minItems=, maxItems=, itemMax=  bounds of the members of a list, and of the characters of each
//	clean=name          how a text is cleaned before anything is checked: number, code, or none for what is no
//	                    text of people or has a cleaning of its own (country.Cleaning)
//	form=name           a text has a form, by its name in the table of package form, and is cleaned as that form is
//	url, link           a text is an address: one of the web, or also one relative to the shop (form.Web, form.Link)
//	visible             a text has no invisible characters (form.Visible)
//	round               an amount with further fraction digits is rounded to cents rather than refused
//	ratio               a number with two decimals that is no money, such as per cent
//
// An embedded struct may have a check tag too: its words are member:rule, and add rules to members of that struct. So
// requests that differ in what is required, or absent by default, share the rest.
//
// Every text is cleaned by form.Clean, a visible one by form.Name, unless it is a form, an address or has the rule
// clean. Text of which nothing is left is blank.
//
// In a list url, link, visible, form, clean, maxBytes and enum are about its members. A list without maxItems takes at
// most maxItems.
type rules struct {
	required, notBlank, notEmpty, blank, nullAsZero, blankAsZero, boolAsInteger bool

	url, link, visible, round, ratio bool
	// formName and cleanName are the names of form and clean, which are those of a country.
	formName, cleanName string
	form                *form.Form
	clean               func(t string) string

	min, max, maxBytes *int64
	enum               []string
	fallback, unless   string
}

// maxItems bounds lists without a bound of their own: no page of a shop sends more, and each item may become a
// parameter of a statement.
const maxItems = 1000

var amountType = reflect.TypeFor[money.Amount]()

// planOf computes the plan of a request type. A mistake in it stops the program at start.
func planOf(t reflect.Type) *plan {
	if t == scalarsType {
		return scalars()
	}
	p := &plan{names: map[string]int{}}
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("request %s is not a struct", t))
	}
	p.add(t, nil)
	for i := range p.fields {
		f := &p.fields[i]
		sub := f.nested()
		p.required = p.required || f.required || f.notBlank || sub != nil && sub.required
		if f.unless != "" && !p.hasFlag(f.unless) {
			panic(fmt.Sprintf("request %s: no boolean member %q", t, f.unless))
		}
		for _, name := range append([]string{f.name}, f.aliases...) {
			f.slots = append(f.slots, p.slot(t, name))
			if f.kind == list {
				f.brackets = append(f.brackets, p.slot(t, name+"[]"))
			}
		}
	}
	return p
}

func (p *plan) hasFlag(name string) bool {
	return slices.ContainsFunc(p.fields, func(f field) bool { return f.name == name && f.kind == flag })
}

func (p *plan) slot(t reflect.Type, name string) int {
	if _, taken := p.names[name]; taken || name == "" || name == "[]" {
		panic(fmt.Sprintf("request %s: the name %q is empty or taken", t, name))
	}
	p.names[name] = len(p.names)
	return len(p.names) - 1
}

func (p *plan) add(t reflect.Type, prefix []int) {
	for i := range t.NumField() {
		sf := t.Field(i)
		index := append(append([]int(nil), prefix...), i)
		name, tagged := sf.Tag.Lookup("json")
		if sf.Anonymous && !tagged {
			first := len(p.fields)
			p.add(sf.Type, index)
			if err := tighten(p.fields[first:], sf.Tag.Get("check")); err != nil {
				panic(fmt.Sprintf("field %s.%s: %v", t, sf.Name, err))
			}
			continue
		}
		if !tagged || !sf.IsExported() {
			panic(fmt.Sprintf("field %s.%s has no json name", t, sf.Name))
		}
		f := field{name: name, called: sf.Tag.Get("label"), doc: sf.Tag.Get("doc"), index: index, typ: sf.Type}
		if f.pointer = sf.Type.Kind() == reflect.Pointer; f.pointer {
			f.typ = sf.Type.Elem()
		}
		var err error
		if f.show, err = ShowOf(sf); err != nil {
			panic(fmt.Sprintf("field %s.%s: %v", t, sf.Name, err))
		}
		if err := f.kindOf(); err != nil {
			panic(fmt.Sprintf("field %s.%s: %v", t, sf.Name, err))
		}
		if err := f.read(sf.Tag.Get("check")); err != nil {
			panic(fmt.Sprintf("field %s.%s: %v", t, sf.Name, err))
		}
		if err := f.valid(); err != nil {
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
		f.kind, f.elem = list, &field{name: f.name, called: f.called, typ: f.typ.Elem()}
		return f.elem.kindOf()
	case f.typ.Kind() == reflect.Struct:
		f.sub()
	default:
		return fmt.Errorf("no reading for %s", f.typ)
	}
	return nil
}
