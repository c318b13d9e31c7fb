package optest

import (
	"net/http"
	"reflect"
	"regexp"
	"strings"

	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
)

var (
	addressed = regexp.MustCompile(`(?i)(url|link|pic|picture|avatar|gallery|icon|image|pic_?list)s?$`)
	named     = regexp.MustCompile(`(?i)(name|title|keyword|unit|tag|attribute|specification|value|consignee|sn)s?$`)
)

// Lost returns the places of an answer that show a file by its key alone or under an address that is not its own: each
// occurrence of the key must follow the base address.
func Lost(body, base, key string) []string {
	var lost []string
	for rest := body; ; {
		at := strings.Index(rest, key)
		if at < 0 {
			return lost
		}
		if !strings.HasSuffix(rest[:at], base) {
			lost = append(lost, rest[max(0, at-60):at+len(key)])
		}
		rest = rest[at+len(key):]
	}
}

// AddressColumns matches the names of columns that contain addresses.
const AddressColumns = "(^|_)(url|link|pic|picture|avatar|gallery|icon|image)s?$"

// Unchecked returns the text members of requests that write, as "POST /path member", that by their names contain an
// address without the rule url or link, or a name without the rule visible. Members of objects follow their name and a
// dot.
func Unchecked(specs []op.Spec) []string {
	var out []string
	for _, s := range specs {
		if s.Method == http.MethodPost {
			out = append(out, unchecked(s.Key()+" ", s.Fields())...)
		}
	}
	return out
}

func unchecked(where string, fields []op.Field) []string {
	var out []string
	for _, f := range fields {
		rules := f
		if f.Item != nil {
			rules = *f.Item
		}
		out = append(out, unchecked(where+f.Name+".", append(f.Members, rules.Members...))...)
		if rules.Kind != op.Text || len(rules.Enum) > 0 {
			continue
		}
		if addressed.MatchString(f.Name) && !rules.URL && !rules.Link || named.MatchString(f.Name) && !rules.Visible {
			out = append(out, where+f.Name)
		}
	}
	return out
}

// UntypedLinks returns the members of answers, as "GET /path member", that by their names contain an address but are
// not a wire.Link, which omits harmful addresses.
func UntypedLinks(specs []op.Spec) []string {
	var out []string
	for _, s := range specs {
		if s.Resp != nil {
			w := walker{key: s.Key(), seen: map[reflect.Type]bool{}}
			w.walk(s.Resp, "")
			out = append(out, w.found...)
		}
	}
	return out
}

type walker struct {
	key   string
	seen  map[reflect.Type]bool
	found []string
}

func (w *walker) walk(t reflect.Type, name string) {
	if of, ok := reflect.Zero(t).Interface().(interface{ Of() reflect.Type }); ok && t.Kind() == reflect.Struct {
		t = of.Of()
	}
	switch t.Kind() {
	case reflect.String:
		if addressed.MatchString(name) && t != reflect.TypeFor[wire.Link]() {
			w.found = append(w.found, w.key+" "+name)
		}
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		if t != reflect.TypeFor[wire.Links]() {
			w.walk(t.Elem(), name)
		}
	case reflect.Struct:
		if w.seen[t] {
			return
		}
		w.seen[t] = true
		for i := range t.NumField() {
			f := t.Field(i)
			member, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.IsExported() && member != "-" || f.Anonymous {
				w.walk(f.Type, member)
			}
		}
	default: // numbers and the like
	}
}
