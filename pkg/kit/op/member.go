package op

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
)

// Member describes one member of an answer, for documents and for pages that are made from the declarations.
type Member struct {
	Name string
	// Label is the name by which its label is found, usually Name.
	Label string
	// Doc is a sentence for the API document.
	Doc  string
	Type reflect.Type
	Show Show
	// Omitted says that it is left out where it has no value, Optional that it or the object around it may be left out.
	Omitted, Optional bool
}

// Members returns the members of a struct that is answered, as encoding/json finds them: those of embedded structs are
// its own, unless that type is a scalar to the caller. It panics for a tag show that says nothing, since that is a
// mistake of the declaration.
func Members(t reflect.Type, scalar func(reflect.Type) bool) []Member {
	var list []Member
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		embedded := f.Type
		if embedded.Kind() == reflect.Pointer {
			embedded = embedded.Elem()
		}
		switch {
		case tag == "-":
			continue
		case f.Anonymous && name == "" && embedded.Kind() == reflect.Struct && !scalar(embedded):
			for _, m := range Members(embedded, scalar) {
				m.Optional = m.Optional || f.Type.Kind() == reflect.Pointer // those of a nil pointer are left out
				list = append(list, m)
			}
			continue
		case !f.IsExported():
			continue
		case !tagged || name == "":
			name = f.Name
		}
		show, err := ShowOf(f)
		if err != nil {
			panic(fmt.Sprintf("member %s.%s: %v", t, f.Name, err))
		}
		omitted := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
		m := Member{
			Name: name, Label: cmp.Or(f.Tag.Get("label"), name), Doc: f.Tag.Get("doc"), Type: f.Type, Show: show,
			Omitted: omitted, Optional: omitted,
		}
		if omitted && m.Type.Kind() == reflect.Pointer {
			m.Type = m.Type.Elem()
		}
		list = append(list, m)
	}
	return list
}
