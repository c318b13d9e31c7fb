package op

import "reflect"

// An object is a member of a body with members of its own, declared by a struct; a list may contain objects too. They
// follow the same rules, and missing members are reported before malformed ones. Queries contain no objects.

// sub plans the members of an object.
func (f *field) sub() { f.kind, f.members = object, planOf(f.typ) }

// nested is the plan of the objects in a field, nil for any other field.
func (f *field) nested() *plan {
	if f.kind == list {
		return f.elem.members
	}
	return f.members
}

// validObject finds rules that do not apply to an object or a list of objects.
func (f *field) validObject() error {
	t := f.target()
	switch {
	case t.fallback != "" || t.min != nil || t.max != nil || t.nullAsZero || t.boolAsInteger || t.round || t.ratio:
		return errWrongKind
	case f.fallback != "" || f.nullAsZero:
		return errWrongKind
	}
	return nil
}

// bindObject finds the values within an object, or within each object of a list. The second pass reports a value that
// is no object, and a list that is too long. It fails with errno.Missing.
func (f *field) bindObject(v *value, in *input) error {
	p := f.nested()
	if p == nil || v.json == nil {
		return nil
	}
	raws := [][]byte{v.json}
	if f.kind == list {
		if v.json[0] != '[' {
			return nil
		}
		if raws = items(v.json); !f.within(int64(len(raws))) {
			return nil
		}
	}
	for _, raw := range raws {
		var found []value
		if raw[0] == '{' {
			var err error
			if found, err = p.collect(nil, p.inside(raw, in)); err != nil {
				return err
			}
		}
		v.objects = append(v.objects, found)
	}
	return nil
}

// inside is what was received within an object.
func (p *plan) inside(raw []byte, in *input) *input {
	return &input{received: p.parts(raw), boolAsText: in.boolAsText, address: in.address, unit: in.unit}
}

func (f *field) setObject(into reflect.Value, v value, in *input) error {
	if v.json == nil || v.json[0] != '{' {
		return f.invalid()
	}
	return f.members.fill(into, v.objects[0], in)
}

func (f *field) setObjects(into reflect.Value, v value, in *input) error {
	if v.json == nil || v.json[0] != '[' {
		return f.invalid()
	}
	raws := items(v.json)
	if !f.within(int64(len(raws))) {
		return f.uncounted(len(raws))
	}
	all := reflect.MakeSlice(f.typ, len(raws), len(raws))
	for i, raw := range raws {
		if raw[0] != '{' {
			return f.invalid()
		}
		if err := f.elem.members.fill(all.Index(i), v.objects[i], in); err != nil {
			return err
		}
	}
	into.Set(all)
	return nil
}
