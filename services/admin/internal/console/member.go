package console

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"shop.internal/pkg/contract"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/openapi"
	"shop.internal/pkg/kit/wire"
)

// show is what the console has to know of a member beside its kind.
type show struct {
	As  string   `json:"as"`
	Of  string   `json:"of,omitempty"`
	One []choice `json:"one,omitempty"`
}

type choice struct {
	Value any   `json:"value"`
	Label label `json:"label"`
}

// field is a member of a request.
type field struct {
	Name     string   `json:"name"`
	Label    label    `json:"label"`
	Kind     op.Kind  `json:"kind"`
	Item     *field   `json:"item,omitempty"`
	Members  []field  `json:"members,omitempty"`
	Required bool     `json:"required,omitempty"`
	NotBlank bool     `json:"notBlank,omitempty"`
	Min      any      `json:"min,omitempty"`
	Max      any      `json:"max,omitempty"`
	Enum     []string `json:"enum,omitempty"`
	Default  string   `json:"default,omitempty"`
	Show     *show    `json:"show,omitempty"`
}

// member is a member of an answer.
type member struct {
	Name  string `json:"name"`
	Label label  `json:"label"`
	Kind  string `json:"kind"`
	Show  *show  `json:"show,omitempty"`
}

// column is a member that the table of a list shows.
type column struct {
	member

	Opens    bool   `json:"opens,omitempty"`
	Switches bool   `json:"switches,omitempty"`
	Sort     string `json:"sort,omitempty"`
}

func (b *builder) fields(s *op.Spec) []field {
	out := make([]field, 0, len(s.Fields()))
	for _, f := range s.Fields() {
		if f.Show.As != op.ShowNone {
			out = append(out, b.field(s, f))
		}
	}
	return out
}

func (b *builder) field(s *op.Spec, f op.Field) field {
	out := field{
		Name: f.Name, Label: b.titled(s, f.Label), Kind: f.Kind, Item: nil, Members: nil,
		Required: f.Required && f.Unless == "", NotBlank: f.NotBlank, Min: bound(f.Kind, f.Min), Max: bound(f.Kind, f.Max),
		Enum: f.Enum, Default: f.Default,
		Show: b.show(s, f.Name, f.Kind != op.Text, f.Show),
	}
	for _, m := range f.Members {
		out.Members = append(out.Members, b.field(s, m))
	}
	if f.Item != nil {
		item := b.field(s, *f.Item)
		out.Item = &item
	}
	return out
}

// bound is a bound as the console reads it: an amount in whole units, as decimal text.
func bound(k op.Kind, n *int64) any {
	switch {
	case n == nil:
		return nil
	case k == op.Decimal:
		return wire.Money(*n)
	default:
		return *n
	}
}

// show describes what a member is, and reports an area without a list and a table without names. plain says that its
// values are written in JSON as they are, without quotes.
func (b *builder) show(s *op.Spec, name string, plain bool, given op.Show) *show {
	if given.As == "" {
		return nil
	}
	out := &show{As: string(given.As), Of: given.Of, One: nil}
	if given.Of != "" && !b.lists[given.Of] {
		b.fail(s, "%s: nothing lists %q", name, given.Of)
	}
	if given.One == "" {
		return out
	}
	for _, c := range contract.Choices(given.One) {
		var value any = c.Value
		if plain {
			value = json.RawMessage(c.Value)
		}
		out.One = append(out.One, choice{Value: value, Label: openapi.Words(func(l string) string { return c.Name.In(l) })})
	}
	if out.One == nil {
		b.fail(s, "%s: no table has the names %q", name, given.One)
	}
	return out
}

func (b *builder) member(s *op.Spec, m op.Member) member {
	kind := kindOf(m.Type)
	out := member{
		Name: m.Name, Label: b.titled(s, m.Label), Kind: kind, Show: b.show(s, m.Name, kind != "text", m.Show),
	}
	if out.Show == nil && m.Type == reflect.TypeFor[wire.Link]() {
		out.Show = &show{As: string(op.ShowLink), Of: "", One: nil}
	}
	return out
}

// scalars are the kinds of the types of package wire.
var scalars = map[reflect.Type]string{
	reflect.TypeFor[wire.Money]():     "money",
	reflect.TypeFor[wire.MoneyText](): "money",
	reflect.TypeFor[wire.Time]():      "time",
	reflect.TypeFor[wire.Links]():     "list",
}

func scalar(t reflect.Type) bool { return scalars[t] != "" }

func kindOf(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if kind, known := scalars[t]; known {
		return kind
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "text"
	case reflect.Slice:
		return "list"
	default:
		return "object"
	}
}

// rowOf returns the type of a list's rows, nil where they are no records.
func rowOf(t reflect.Type) reflect.Type {
	if t.Kind() != reflect.Struct {
		return nil
	}
	f, found := t.FieldByName("List")
	for found && f.Anonymous { // a list under two names embeds the envelope
		f, found = f.Type.FieldByName("List")
	}
	if !found || f.Type.Kind() != reflect.Slice || f.Type.Elem().Kind() != reflect.Struct {
		return nil
	}
	return f.Type.Elem()
}

// columns describes the columns of a list.
func (b *builder) columns(s *op.Spec, l *list) {
	for _, name := range s.Columns.Names {
		i := slices.IndexFunc(l.Row, func(m member) bool { return m.Name == name })
		if i < 0 {
			b.fail(s, "the column %q is no member of its rows", name)
			continue
		}
		c := column{
			member: l.Row[i], Opens: name == s.Columns.Opens, Switches: slices.Contains(s.Columns.Switches, name), Sort: "",
		}
		if c.Switches && c.Kind != "boolean" {
			b.fail(s, "the column %q cannot be switched", name)
		}
		if word := snake(name); slices.Contains(l.Sorts, word) {
			c.Sort = word
		}
		l.Columns = append(l.Columns, c)
	}
}

// snake is a member's name as a sort word: addTime is add_time.
func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
