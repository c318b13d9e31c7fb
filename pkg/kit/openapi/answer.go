package openapi

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
)

var (
	noneType  = reflect.TypeFor[op.None]()
	mayBeNone = reflect.TypeFor[op.MayBeNone]()
	rawType   = reflect.TypeFor[json.RawMessage]()
	marshaler = reflect.TypeFor[json.Marshaler]()
	encoded   = reflect.TypeFor[encodedFrom]()
	timeType  = reflect.TypeFor[wire.Time]()
)

// encodedFrom is an answer of pre-encoded JSON, such as wire.Raw; it is described by the type it was encoded from.
type encodedFrom interface{ Of() reflect.Type }

// scalars are the types with their own encoding.
var scalars = map[reflect.Type]func() object{
	reflect.TypeFor[wire.Money](): func() object {
		return object{"type": "number", "multipleOf": json.Number("0.01"), "examples": []json.Number{"36.00"}}
	},
	reflect.TypeFor[wire.MoneyText](): func() object {
		return object{"type": "string", "pattern": `^-?[0-9]+\.[0-9]{2}$`}
	},
	reflect.TypeFor[wire.Links](): func() object { return object{"type": "array", "items": object{"type": "string"}} },
	reflect.TypeFor[wire.Time](): func() object {
		return object{
			"type": "string", "pattern": `^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$`,
			"description": "In the shop's time zone.",
		}
	},
}

// schema returns the schema of a Go type; nil for an answer without data. It panics for a type without one, since that
// is a mistake of the declaration.
func (d *document) schema(t reflect.Type) object {
	switch {
	case t == noneType:
		return nil
	case t == rawType, t.Kind() == reflect.Interface:
		return object{}
	case scalars[t] != nil:
		return scalars[t]()
	case t.Kind() == reflect.Pointer: // before types that marshal themselves: a pointer has the methods of its element
		return nullable(d.schema(t.Elem()))
	case t.Implements(encoded):
		of, _ := reflect.Zero(t).Interface().(encodedFrom)
		return d.schema(of.Of())
	case t.Implements(marshaler) || reflect.PointerTo(t).Implements(marshaler):
		panic(fmt.Sprintf("no schema is known for %s, which writes itself", t))
	}
	switch t.Kind() {
	case reflect.Struct:
		return d.structure(t)
	case reflect.Slice, reflect.Array:
		return object{"type": "array", "items": d.schema(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": d.schema(t.Elem())}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.Int64, reflect.Uint64:
		return object{"type": "integer", "format": "int64"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return object{"type": "integer"}
	default:
		panic(fmt.Sprintf("no schema for %s", t))
	}
}

// nullable also allows null.
func nullable(s object) object {
	if kind, ok := s["type"].(string); ok {
		s["type"] = []string{kind, "null"}
		return s
	}
	if len(s) == 0 {
		return s
	}
	return object{"oneOf": []object{s, {"type": "null"}}}
}

// structure refers to a named type, so that it is described once and may contain itself; anonymous and generic types
// are described in place.
func (d *document) structure(t reflect.Type) object {
	if t.Name() == "" || strings.Contains(t.Name(), "[") {
		return d.members(t)
	}
	name := d.name(t)
	if _, known := d.schemas[name]; !known {
		d.schemas[name] = object{} // before its members, which may refer to it
		d.schemas[name] = d.members(t)
	}
	return object{"$ref": "#/components/schemas/" + name}
}

// name is the package and the type; equal names of different packages are numbered in order.
func (d *document) name(t reflect.Type) string {
	pkg := t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+1:]
	base := pkg + "." + t.Name()
	key := t.PkgPath() + "." + t.Name()
	for n := 1; ; n++ {
		name := base
		if n > 1 {
			name = fmt.Sprintf("%s%d", base, n)
		}
		if owner, taken := d.names[name]; !taken || owner == key {
			d.names[name] = key
			return name
		}
	}
}

func (d *document) members(t reflect.Type) object {
	properties := object{}
	var required []string
	for _, m := range op.Members(t, isScalar) {
		if _, named := properties[m.Name]; named && m.Optional {
			continue // that of a nil pointer, which the struct around it has by itself
		}
		s := d.schema(m.Type)
		if !m.Omitted && m.Type == timeType {
			s = nullable(s)
		}
		if !m.Optional {
			required = append(required, m.Name)
		}
		// Validators read nothing that stands beside a reference; the record describes itself.
		if text := strings.TrimSpace(m.Doc + " " + d.shown(m.Show)); text != "" && s["$ref"] == nil {
			s["description"] = text
		}
		d.explain(s, m.Label, m.Show)
		properties[m.Name] = s
	}
	s := object{"type": "object", "properties": properties}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

func isScalar(t reflect.Type) bool { return scalars[t] != nil }
