package op

import (
	"reflect"
	"strings"

	"shop.internal/pkg/base/money"
)

// input is a request before binding: what was received under each declared name, and how the service reads text.
type input struct {
	received []received
	get      bool
	// boolAsText accepts true and false where text is declared.
	boolAsText bool
	// address returns the address for what was received where one is declared, which may be the key of a file; it may be
	// nil.
	address func(string) string
	// unit returns what amounts are whole multiples of; it may be nil.
	unit func() (money.Amount, error)
	// file is the file of an Upload.
	file File
}

// addressed returns the text of a field, which is an address in a field for one.
func (in *input) addressed(f *field, t string) string {
	if in.address == nil || !f.url && !f.link {
		return t
	}
	return in.address(t)
}

// received is what arrived under one name: the texts of a query in order, or the last JSON value of a body.
type received struct {
	present bool
	text    string
	more    []string
	json    []byte
}

// bind binds a request in two passes, since every missing member, at any depth, is reported before any malformed one.
func (p *plan) bind(into reflect.Value, in *input) error {
	if p.free {
		return p.bindFree(into, in)
	}
	if len(p.fields) == 0 {
		return nil
	}
	var few [8]value // enough for most requests without an allocation
	found, err := p.collect(few[:0], in)
	if err != nil {
		return err
	}
	return p.fill(into, found, in)
}

// collect finds the value of each field. It fails with errno.Missing.
func (p *plan) collect(found []value, in *input) ([]value, error) {
	for i := range p.fields {
		f := &p.fields[i]
		v := f.find(in)
		if v.absent && f.needed(p, v, in) {
			return nil, f.missing()
		}
		if err := f.bindObject(&v, in); err != nil {
			return nil, err
		}
		found = append(found, v)
	}
	return found, nil
}

// needed reports whether an absent member is required.
func (f *field) needed(p *plan, v value, in *input) bool {
	if f.notBlank && v.blank {
		return true
	}
	return f.required && (f.unless == "" || !p.flagged(f.unless, in))
}

// flagged reports whether a boolean member is true.
func (p *plan) flagged(name string, in *input) bool {
	for i := range p.fields {
		f := &p.fields[i]
		if f.name != name {
			continue
		}
		v := f.find(in)
		if v.absent {
			return false
		}
		t, _, err := f.scalar(v, in)
		yes, ok := boolean(t)
		return err == nil && ok && yes
	}
	return false
}

// fill parses the values that collect has found. It fails with errno.Invalid.
func (p *plan) fill(into reflect.Value, found []value, in *input) error {
	for i := range p.fields {
		f := &p.fields[i]
		if found[i].absent && f.fallback == "" {
			continue
		}
		if err := f.set(into.FieldByIndex(f.index), found[i], in); err != nil {
			return err
		}
	}
	return nil
}

// value is the value of a member after the rules for absence: one text, the texts of a list, or one JSON value.
type value struct {
	absent bool
	blank  bool // absent, because the text that came is blank
	zero   bool // null that counts as zero
	text   string
	texts  []string
	json   []byte
	// objects are the members of an object, or of each object of a list.
	objects [][]value
}

// find returns the value of the first of the field's names that was received.
func (f *field) find(in *input) value {
	none := value{absent: true}
	for i, slot := range f.slots {
		var v value
		switch {
		case !in.get:
			v = f.fromBody(in.received[slot])
		case f.kind == list:
			v = fromQueryList(in.received[slot], in.received[f.brackets[i]])
		default:
			v = f.fromQuery(in.received[slot])
		}
		if !v.absent {
			return v
		}
		none.blank = none.blank || v.blank
	}
	return none
}

func (f *field) fromBody(g received) value {
	switch {
	case !g.present:
		return value{absent: true}
	case g.json == nil: // of the query
		return f.fromQuery(g)
	case g.json[0] == 'n':
		return value{absent: !f.nullAsZero, zero: f.nullAsZero}
	case f.kind == list:
		return value{absent: f.notEmpty && isEmptyList(g.json), json: g.json}
	case g.json[0] == '"' && f.blankAsZero && f.isBlank(g.json):
		return value{zero: true}
	case g.json[0] == '"' && (f.kind != text || f.required || f.blank || f.notBlank) && f.isBlank(g.json):
		return value{absent: true, blank: true}
	}
	return value{json: g.json}
}

func (f *field) fromQuery(g received) value {
	t := g.text
	if !g.present || t == "" {
		return value{absent: true}
	}
	if (f.required || f.blank || f.kind != text) && f.blankIn(t) {
		return value{absent: true}
	}
	if !f.required && (f.kind == whole || f.kind == id || f.kind == flag) && isJSNull(t) {
		return value{absent: true}
	}
	if f.kind == flag {
		t = strings.ToLower(t)
	}
	return value{text: t}
}

// isJSNull reports whether a text is what scripts write for a missing value.
func isJSNull(t string) bool { return t == "undefined" || t == "null" || t == "NaN" }

// fromQueryList reads k=1&k=2, k=1,2 and k[]=1&k[]=2, and all of them together.
func fromQueryList(plain, bracketed received) value {
	var texts []string
	split := func(t string) {
		for part := range strings.SplitSeq(t, ",") {
			if part = strings.TrimSpace(part); part != "" {
				texts = append(texts, part)
			}
		}
	}
	for _, g := range []received{plain, bracketed} {
		split(g.text)
		for _, t := range g.more {
			split(t)
		}
	}
	return value{absent: len(texts) == 0, texts: texts}
}

// set parses a value as the field declares and assigns it. It fails with errno.Invalid.
func (f *field) set(into reflect.Value, v value, in *input) error {
	if v.absent {
		v = value{text: f.fallback, texts: []string{f.fallback}}
	}
	if f.pointer {
		p := reflect.New(f.typ)
		into.Set(p)
		into = p.Elem()
	}
	switch {
	case v.zero:
		return nil
	case f.kind == list && f.elem.kind == object:
		return f.setObjects(into, v, in)
	case f.kind == list:
		return f.setList(into, v, in)
	case f.kind == object:
		return f.setObject(into, v, in)
	}
	t, quoted, err := f.scalar(v, in)
	if err != nil {
		return err
	}
	return f.parseInto(into, in.addressed(f, t), quoted, in)
}

// scalar returns the text of a value, and whether it came as text rather than as a JSON number or boolean.
func (f *field) scalar(v value, in *input) (t string, quoted bool, err error) {
	if v.json == nil {
		return v.text, true, nil
	}
	switch v.json[0] {
	case '"':
		t, ok := unquote(v.json)
		if !ok {
			return "", false, f.invalid()
		}
		return t, true, nil
	case '{', '[', 'n':
		return "", false, f.invalid()
	case 't', 'f':
		if f.kind == text && !in.boolAsText || f.kind == amount || f.kind == id {
			return "", false, f.invalid()
		}
		return string(v.json), false, nil
	}
	if f.kind == flag { // 0 and 1 in exactly this form
		return string(v.json), false, nil
	}
	t, ok := plain(string(v.json))
	if !ok {
		return "", false, f.invalid()
	}
	return t, false, nil
}

func (f *field) setList(into reflect.Value, v value, in *input) error {
	count := len(v.texts)
	var raws [][]byte
	if v.json != nil {
		if v.json[0] != '[' {
			return f.invalid()
		}
		raws = items(v.json)
		count = len(raws)
	}
	if !f.within(int64(count)) {
		return f.uncounted(count)
	}
	s := reflect.MakeSlice(f.typ, count, count)
	for i := range count {
		var item value
		if v.json != nil {
			item.json = raws[i]
		} else {
			item.text = v.texts[i]
		}
		t, quoted, err := f.elem.scalar(item, in)
		if err != nil {
			return err
		}
		if err := f.elem.parseInto(s.Index(i), in.addressed(f.elem, t), quoted, in); err != nil {
			return err
		}
	}
	into.Set(s)
	return nil
}
