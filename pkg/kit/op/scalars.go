package op

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/form"
	wording "shop.internal/pkg/base/text"
)

// Scalars is the request of a Write whose members are not declared: texts of one line by name. A number or a boolean
// becomes its text, a number without exponent and without a fraction of zeros; of repeated members the last one counts.
// An object without members is missing, and so is an empty body; a null, a list, an object and too many members are
// malformed.
type Scalars map[string]string

// maxName bounds the characters of a member's name in a sentence.
const maxName = 64

var scalarsType = reflect.TypeFor[Scalars]()

// scalars is the plan of Scalars.
func scalars() *plan { return &plan{names: map[string]int{}, free: true, required: true} }

// Free reports whether the operation binds Scalars, which Fields does not describe.
func (s Spec) Free() bool { return s.plan != nil && s.plan.free }

// reads reports whether the request has any members.
func (p *plan) reads() bool { return p != nil && (p.free || len(p.fields) > 0) }

// bindFree binds an object with any members. It fails with errno.Missing and errno.Invalid.
func (p *plan) bindFree(into reflect.Value, in *input) error {
	last := map[string][]byte{}
	for _, g := range in.received {
		last[g.text] = g.json
	}
	switch {
	case len(last) == 0:
		return errno.Missing.Because(wording.BodyEmpty)
	case len(last) > maxItems:
		return errno.Invalid.Because(wording.ValidationMaxItems, wording.FieldSettings, maxItems)
	}
	found := Scalars{}
	for _, name := range slices.Sorted(maps.Keys(last)) {
		f := &field{name: name, label: p.labels.of(form.Truncate(name, maxName)), kind: text, rules: rules{visible: true}}
		t, quoted, err := f.scalar(value{json: last[name]}, &input{boolAsText: true})
		if err != nil {
			return err
		}
		if whole, fraction, has := strings.Cut(t, "."); !quoted && has && strings.Trim(fraction, "0") == "" {
			t = whole
		}
		found[name] = f.cleaned(t)
	}
	into.Set(reflect.ValueOf(found))
	return nil
}

// each splits a valid JSON object; the text of each is its name.
func each(body []byte) ([]received, error) {
	var out []received
	for i := next(body, 1); body[i] != '}'; {
		end := skip(body, i)
		name, ok := unquote(body[i:end])
		if !ok {
			return nil, errno.Invalid.Because(wording.BodyNotJSON)
		}
		i = next(body, next(body, end)+1) // past the colon
		end = skip(body, i)
		out = append(out, received{present: true, text: name, json: body[i:end]})
		if i = next(body, end); body[i] == ',' {
			i = next(body, i+1)
		}
	}
	return out, nil
}
