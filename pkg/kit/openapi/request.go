package openapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
)

var inPath = regexp.MustCompile(`\{([^}]+)\}`)

func pathParameters(path string) []object {
	var out []object
	for _, m := range inPath.FindAllStringSubmatch(path, -1) {
		out = append(out, object{"name": m[1], "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	return out
}

// fields returns the members of an operation's request. Those of a page request get the rules of the service and of the
// list.
func (d *document) fields(s *op.Spec) []op.Field {
	fields := s.Fields()
	list, ok := reflect.Zero(reflectable(s.Req)).Interface().(wire.Listed)
	if !ok {
		return fields
	}
	about := list.Listing()
	for i := range fields {
		switch f := &fields[i]; f.Name {
		case "page":
			f.Min, f.Default = new(int64(1)), "1"
		case "limit":
			f.Min, f.Default = new(int64(0)), strconv.Itoa(cmp.Or(about.Default, d.Rows.Default))
			if d.Rows.Clamp {
				f.Doc += fmt.Sprintf(" More than %d means %d.", d.Rows.Max, d.Rows.Max)
			} else {
				f.Max = new(int64(d.Rows.Max))
			}
		case "sort":
			f.Enum = about.Words()
			f.Default = f.Enum[0]
		case "order":
			f.Default = "desc"
		}
	}
	return fields
}

// reflectable returns a type with a zero value also without a request.
func reflectable(t reflect.Type) reflect.Type {
	if t == nil {
		return noneType
	}
	return t
}

// parameter is a member of a query.
func (d *document) parameter(f op.Field) object {
	p := object{"name": f.Name, "in": "query", "schema": d.field(f)}
	if f.Required {
		p["required"] = true
	}
	if text := d.about(f); text != "" {
		p["description"] = text
	}
	d.explain(p, f.Label, f.Show)
	return p
}

// body is the schema of a JSON body.
func (d *document) body(fields []op.Field) object {
	properties := object{}
	var required []string
	for _, f := range fields {
		schema := d.field(f)
		if text := d.about(f); text != "" {
			schema["description"] = text
		}
		d.explain(schema, f.Label, f.Show)
		properties[f.Name] = schema
		if f.Required && f.Unless == "" {
			required = append(required, f.Name)
		}
	}
	schema := object{"type": "object", "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// anyScalars is the schema of an object whose members are not declared.
func anyScalars() object {
	return object{
		"type": "object", "minProperties": 1,
		"additionalProperties": object{"type": []string{"string", "number", "boolean"}},
	}
}

// about joins the sentence of a field with rules that a schema cannot express.
func (d *document) about(f op.Field) string {
	text := f.Doc
	add := func(sentence string) { text = strings.TrimSpace(text + " " + sentence) }
	add(d.shown(f.Show))
	if len(f.Aliases) > 0 {
		add("Also read as " + strings.Join(f.Aliases, ", ") + ".")
	}
	if f.MaxBytes != nil {
		add(fmt.Sprintf("At most %d bytes.", *f.MaxBytes))
	}
	if f.Link || f.Item != nil && f.Item.Link {
		add("An http or https address, or one relative to the shop.")
	}
	if f.Visible || f.Item != nil && f.Item.Visible {
		add("Without invisible characters.")
	}
	if f.Round {
		add("Rounded to cents.")
	}
	if (f.Required || f.NotBlank) && f.Kind == op.Text {
		add("Not blank.")
	}
	if f.Unless != "" {
		add("Required unless " + f.Unless + " is true.")
	}
	return text
}

// field is the schema of a member, by its kind and rules.
func (d *document) field(f op.Field) object {
	var s object
	switch f.Kind {
	case op.Integer:
		s = object{"type": "integer", "format": "int32", "minimum": math.MinInt32, "maximum": math.MaxInt32}
		bounds(s, f, "minimum", "maximum")
	case op.ID:
		s = object{"type": "integer", "format": "int64", "minimum": -int64(op.MaxID), "maximum": int64(op.MaxID)}
		bounds(s, f, "minimum", "maximum")
	case op.Boolean:
		s = object{"type": "boolean"}
	case op.Decimal:
		s = object{"type": "number"}
		if !f.Round {
			s["multipleOf"] = json.Number("0.01")
		}
		cents(s, "minimum", f.Min)
		cents(s, "maximum", f.Max)
	case op.Text:
		s = object{"type": "string"}
		bounds(s, f, "minLength", "maxLength")
		text(s, f)
	case op.List:
		s = object{"type": "array", "items": d.field(*f.Item)}
		bounds(s, f, "minItems", "maxItems")
		if f.NotEmpty {
			s["minItems"] = 1
		}
	case op.Object:
		s = d.body(f.Members)
	}
	if len(f.Enum) > 0 {
		s["enum"] = literals(f.Kind, f.Enum)
	}
	if f.Default != "" {
		s["default"] = literals(f.Kind, []string{f.Default})[0]
	}
	return s
}

func bounds(s object, f op.Field, least, most string) {
	if f.Min != nil {
		s[least] = *f.Min
	}
	if f.Max != nil {
		s[most] = *f.Max
	}
}

// cents writes a bound of an amount in whole units.
func cents(s object, name string, bound *int64) {
	if bound != nil {
		s[name] = json.Number(strconv.FormatFloat(float64(*bound)/100, 'f', 2, 64))
	}
}

func text(s object, f op.Field) {
	switch {
	case f.Form != nil:
		s["pattern"] = f.Form.Pattern
	case f.URL:
		s["format"], s["pattern"], s["maxLength"] = "uri", "^https?://", 255
	case (f.Required || f.NotBlank) && f.Unless == "" && f.Min == nil:
		s["minLength"] = 1
	}
}

// literals turns the words of a rule into JSON values of the kind.
func literals(kind op.Kind, words []string) []any {
	out := make([]any, len(words))
	for i, w := range words {
		switch kind {
		case op.Integer, op.ID, op.Decimal:
			out[i] = json.Number(w)
		case op.Boolean:
			out[i] = w == "true" || w == "1"
		case op.List, op.Object:
			out[i] = []string{w}
		case op.Text:
			out[i] = w
		}
	}
	return out
}
