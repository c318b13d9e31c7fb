package op

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strings"

	"shop.internal/pkg/domain/errno"
)

// input is a request before it is bound: the query of a GET or the members of a POST's body.
type input struct {
	query url.Values
	body  map[string]json.RawMessage
	get   bool
	// boolAsText lets true and false be read where text is declared.
	boolAsText bool
}

// maxDepth is the deepest nesting of a body that is read at all; no operation declares more than a few levels.
const maxDepth = 32

// members reads a body into its members. An empty body counts as {}.
func members(body []byte) (map[string]json.RawMessage, error) {
	trimmed := bytes.TrimLeft(body, " \t\r\n")
	if len(trimmed) == 0 {
		return nil, nil
	}
	if trimmed[0] != '{' || tooDeep(trimmed) {
		return nil, fmt.Errorf("the body is not a JSON object: %w", errno.Invalid)
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(trimmed, &m); err != nil {
		return nil, fmt.Errorf("%w: %w", errno.Invalid, err)
	}
	return m, nil
}

func tooDeep(body []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case c == '}', c == ']':
			depth--
		}
	}
	return false
}

// bind fills a request in two passes, since every missing member is reported before any malformed one.
func (p *plan) bind(into reflect.Value, in *input) error {
	raw := make([]value, len(p.fields))
	for i := range p.fields {
		f := &p.fields[i]
		raw[i] = f.find(in)
		if raw[i].absent && f.required {
			return errno.Missing.About(f.name)
		}
	}
	for i := range p.fields {
		f := &p.fields[i]
		if err := f.set(into.FieldByIndex(f.index), raw[i], in); err != nil {
			return err
		}
	}
	return nil
}

// value is a member as it came: texts of a query, or one JSON value.
type value struct {
	absent bool
	zero   bool // null that counts as zero
	texts  []string
	json   json.RawMessage
}

func (f *field) find(in *input) value {
	v := f.lookup(f.name, in)
	for _, alias := range f.aliases {
		if !v.absent {
			break
		}
		v = f.lookup(alias, in)
	}
	return v
}

func (f *field) lookup(name string, in *input) value {
	if in.get {
		return f.fromQuery(name, in.query)
	}
	raw, ok := in.body[name]
	switch {
	case !ok:
		return value{absent: true}
	case string(raw) == "null":
		return value{absent: !f.nullZero, zero: f.nullZero}
	case f.nonempty && f.kind == list && isEmptyList(raw):
		return value{absent: true}
	case raw[0] == '"' && (f.kind != text && f.kind != list || f.kind == text && (f.required || f.blank)) && isBlank(raw):
		return value{absent: true}
	}
	return value{json: raw}
}

func (f *field) fromQuery(name string, q url.Values) value {
	texts := q[name]
	if f.kind == list {
		texts = append(append([]string(nil), texts...), q[name+"[]"]...)
		var split []string
		for _, t := range texts {
			for part := range strings.SplitSeq(t, ",") {
				if part = strings.TrimSpace(part); part != "" {
					split = append(split, part)
				}
			}
		}
		return value{absent: len(split) == 0, texts: split}
	}
	if len(texts) == 0 || texts[0] == "" {
		return value{absent: true}
	}
	t := texts[0]
	if f.required || f.kind != text {
		if strings.TrimSpace(t) == "" {
			return value{absent: true}
		}
	}
	if !f.required && (f.kind == whole || f.kind == id || f.kind == flag) && (t == "undefined" || t == "null" || t == "NaN") {
		return value{absent: true}
	}
	return value{texts: texts[:1]}
}

func isBlank(raw json.RawMessage) bool {
	var s string
	return json.Unmarshal(raw, &s) == nil && strings.TrimSpace(s) == ""
}

func isEmptyList(raw json.RawMessage) bool {
	return raw[0] == '[' && len(bytes.TrimSpace(raw[1:len(raw)-1])) == 0
}

// set reads a value as the field declares it and puts it there. It fails with errno.Invalid.
func (f *field) set(into reflect.Value, v value, in *input) error {
	switch {
	case v.zero:
		return nil
	case v.absent && f.fallback == "":
		return nil
	case v.absent:
		v = value{texts: []string{f.fallback}}
	}
	if f.pointer {
		p := reflect.New(f.typ)
		into.Set(p)
		into = p.Elem()
	}
	if f.kind == list {
		return f.setList(into, v, in)
	}
	t, quoted, err := f.scalar(v, in)
	if err != nil {
		return err
	}
	return f.put(into, t, quoted)
}

// scalar returns the text of a value, and whether it came as text rather than as a JSON number or boolean.
func (f *field) scalar(v value, in *input) (t string, quoted bool, err error) {
	if v.json == nil {
		return v.texts[0], true, nil
	}
	switch c := v.json[0]; {
	case c == '"':
		if err := json.Unmarshal(v.json, &t); err != nil {
			return "", false, f.invalid()
		}
		return t, true, nil
	case c == '{', c == '[', c == 'n':
		return "", false, f.invalid()
	case (c == 't' || c == 'f') && f.kind == text && !in.boolAsText:
		return "", false, f.invalid()
	}
	return string(v.json), false, nil
}

func (f *field) setList(into reflect.Value, v value, in *input) error {
	items := make([]value, 0, len(v.texts))
	if v.json != nil {
		if v.json[0] != '[' {
			return f.invalid()
		}
		var raws []json.RawMessage
		if err := json.Unmarshal(v.json, &raws); err != nil {
			return f.invalid()
		}
		for _, raw := range raws {
			items = append(items, value{json: raw})
		}
	} else {
		for _, t := range v.texts {
			items = append(items, value{texts: []string{t}})
		}
	}
	if !f.within(int64(len(items))) {
		return f.invalid()
	}
	s := reflect.MakeSlice(f.typ, len(items), len(items))
	for i, item := range items {
		t, quoted, err := f.elem.scalar(item, in)
		if err != nil {
			return err
		}
		if err := f.elem.put(s.Index(i), t, quoted); err != nil {
			return err
		}
	}
	into.Set(s)
	return nil
}

func (f *field) invalid() error { return errno.Invalid.About(f.name) }
