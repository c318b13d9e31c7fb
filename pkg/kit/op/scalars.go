package op

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"shop.internal/pkg/domain/platform/errno"
	wording "shop.internal/pkg/domain/platform/text"
)

// Scalars is the request of a Write whose members are known only when it runs: texts by name. A number or a boolean is
// read as its text, a number without exponent and without a fraction of zeros; of members that come twice the last one
// counts. An object without members is missing, and so is its body; a member that is null, a list or an object is
// malformed, and so are too many.
type Scalars map[string]string

var scalarsType = reflect.TypeFor[Scalars]()

// scalars is the plan of Scalars.
func scalars() *plan { return &plan{names: map[string]int{}, free: true, required: true} }

// Free reports whether the operation reads Scalars, of which Fields tells nothing.
func (s Spec) Free() bool { return s.plan != nil && s.plan.free }

// reads reports whether anything of a request is read.
func (p *plan) reads() bool { return p != nil && (p.free || len(p.fields) > 0) }

// bindFree reads an object whatever its members. It fails with errno.Missing and errno.Invalid.
func (p *plan) bindFree(into reflect.Value, in *input) error {
	last := map[string][]byte{}
	for _, g := range in.given {
		last[g.text] = g.json
	}
	switch {
	case len(last) == 0:
		return errno.Missing.Because(wording.BodyEmpty)
	case len(last) > maxItems:
		return errno.Invalid.Because(wording.MemberMany, wording.FieldSettings, maxItems)
	}
	found := Scalars{}
	for _, name := range slices.Sorted(maps.Keys(last)) {
		f := &field{name: name, label: p.labels.of(name), kind: text}
		t, quoted, err := f.scalar(value{json: last[name]}, &input{boolAsText: true})
		if err != nil {
			return err
		}
		if whole, fraction, has := strings.Cut(t, "."); !quoted && has && strings.Trim(fraction, "0") == "" {
			t = whole
		}
		found[name] = strings.ToValidUTF8(t, "\uFFFD")
	}
	into.Set(reflect.ValueOf(found))
	return nil
}

// each takes a JSON object apart, which is known to be valid; the text of what is given is its name.
func each(body []byte) ([]given, error) {
	var out []given
	for i := next(body, 1); body[i] != '}'; {
		end := skip(body, i)
		name, ok := unquote(body[i:end])
		if !ok {
			return nil, errno.Invalid.Because(wording.BodyNotJSON)
		}
		i = next(body, next(body, end)+1) // over the colon
		end = skip(body, i)
		out = append(out, given{present: true, text: name, json: body[i:end]})
		if i = next(body, end); body[i] == ',' {
			i = next(body, i+1)
		}
	}
	return out, nil
}
