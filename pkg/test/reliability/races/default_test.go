package races

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"shop.internal/pkg/test/reliability/client"
)

// byDefault returns entries of the operations that no entry is about: calls by the schema of the body, with the ids of the
// subject's records where their names are known. They need not succeed. A body that is no JSON needs an entry.
func (l *lab) byDefault(entries []entry) []entry {
	known := map[string]bool{}
	for _, e := range entries {
		known[e.path] = true
	}
	var list []entry
	for path, o := range l.operations {
		if known[path] || cmp.Or(o.ContentType, "application/json") != "application/json" {
			continue
		}
		body := func(s *subject) any { return s.filled(path, o.Body) }
		list = append(list, entry{
			path: path, money: true, mayFail: true, prepare: func(s *subject) { body(s) }, body: body,
		})
	}
	return list
}

// filled is an object with the required members of a schema.
func (s *subject) filled(path string, schema gjson.Result) client.Fields {
	body := client.Fields{}
	for _, name := range schema.Get("required").Array() {
		body[name.String()] = s.valueOf(path, name.String(), schema.Get("properties."+name.String()))
	}
	return body
}

// valueOf is a value that a member may have: the id of a record, or the least that its schema allows.
func (s *subject) valueOf(path, name string, schema gjson.Result) any {
	if id := s.idOf(path, name); id != 0 {
		return id
	}
	if one := schema.Get("enum.0"); one.Exists() {
		return one.Value()
	}
	switch schema.Get("type").String() {
	case "integer", "number":
		return max(1, schema.Get("minimum").Int())
	case "boolean":
		return true
	case "array":
		return []any{s.valueOf(path, strings.TrimSuffix(name, "s"), schema.Get("items"))}
	case "object":
		return s.filled(path, schema)
	}
	return "x"
}

// idOf is the id of the subject's record that a member names, 0 for none that is known. Plain ids are those of the area in
// the path.
func (s *subject) idOf(path, name string) int64 {
	if area := strings.Split(path, "/")[2]; name == "id" {
		name = area + "Id"
	}
	switch area := strings.TrimSuffix(name, "Id"); area {
	case name: // no id
	case "order":
		return s.order(client.Paid).ID
	case "goods":
		return s.product().ID
	case "product":
		return s.product().Product
	case "aftersale":
		return s.aftersaleCase()
	case "address":
		return s.me.Address
	default:
		if newRecords[area] != nil {
			return s.id(area)
		}
	}
	return 0
}
