// Package console describes to the staff console what follows from the declarations of the operations: its menu, the
// permissions, and the lists, forms and buttons of every area. The description is generated into the console's sources.
package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/openapi"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/menu"
)

// label is a text in the languages of the catalogue.
type label = map[string]string

// Console is the description. Its JSON names are those of console/shape.ts.
type Console struct {
	Menus []group         `json:"menus"`
	Areas map[string]area `json:"areas"`
	// Operations are the permissions by method and path, those that several operations share included.
	Operations map[string]string `json:"operations"`
}

type group struct {
	ID    string `json:"id"`
	Label label  `json:"label"`
	Pages []page `json:"pages"`
}

type page struct {
	ID          string   `json:"id"`
	Label       label    `json:"label"`
	Permissions []string `json:"permissions"`
}

// area is the operations whose paths begin alike.
type area struct {
	ID     string `json:"id"`
	Page   string `json:"page"`
	List   *list  `json:"list,omitempty"`
	Create *act   `json:"create,omitempty"`
	Read   *act   `json:"read,omitempty"`
	Update *act   `json:"update,omitempty"`
	Delete *act   `json:"delete,omitempty"`
	Acts   []act  `json:"acts"`
}

// act is an operation with a button.
type act struct {
	Path       string  `json:"path"`
	Method     string  `json:"method"`
	Permission string  `json:"permission"`
	Button     label   `json:"button"`
	Fields     []field `json:"fields"`
	// Record is the member of the request that has the fields, where others stand beside it.
	Record string `json:"record,omitempty"`
	// Limit is the maximum size in bytes of the file that an upload sends.
	Limit int64 `json:"limit,omitempty"`
}

// list is the operation that lists an area.
type list struct {
	act

	Columns []column `json:"columns"`
	Row     []member `json:"row"`
	Sorts   []string `json:"sorts"`
	Paged   bool     `json:"paged"`
	// Tree says that a row has the rows below it as its member children.
	Tree bool `json:"tree,omitempty"`
	// ByID says that the list can be asked for one record.
	ByID bool `json:"byId,omitempty"`
}

// Of describes the operations. It fails for every column that is no member of its row or cannot do what it should, for
// every id of an area that has no list, for every table of names that does not exist, and for every list of records
// that cannot be read alone: no link could open them.
func Of(specs []op.Spec) (Console, error) {
	b := builder{
		console: Console{Menus: nil, Areas: map[string]area{}, Operations: map[string]string{}},
		lists:   map[string]bool{}, reads: map[string]bool{},
	}
	for _, s := range specs {
		switch id, verb := placeOf(s.Path); verb {
		case "list":
			b.lists[id] = true
		case "read", "detail":
			b.reads[id] = true
		}
	}
	for i := range specs {
		b.add(&specs[i])
	}
	b.sort()
	return b.console, errors.Join(b.mistakes...)
}

const root = "/admin/"

// Write writes the description as a module of the console's sources.
func Write(w io.Writer, specs []op.Spec) error {
	c, err := Of(specs)
	if err != nil {
		return err
	}
	values := slices.Collect(func(yield func(string) bool) {
		for _, g := range c.Menus {
			for _, p := range g.Pages {
				for _, v := range p.Permissions {
					if !yield(v) {
						return
					}
				}
			}
		}
	})
	if _, err := io.WriteString(w, "// Generated from the declarations of the operations: make docs.\n"+
		"import type { Area, MenuGroup } from '../console/shape'\n"); err != nil {
		return fmt.Errorf("write the console: %w", err)
	}
	for _, part := range []struct {
		head  string
		value any
		tail  string
	}{
		{"export const permissions = ", values, " as const"},
		{"export type Permission = (typeof permissions)[number]\n\nexport const menus: readonly MenuGroup[] = ", c.Menus, ""},
		{"export const operations: Readonly<Record<string, Permission>> = ", c.Operations, ""},
		{"export const areas: Readonly<Record<string, Area>> = ", c.Areas, ""},
	} {
		data, err := json.MarshalIndent(part.value, "", "  ")
		if err == nil {
			_, err = fmt.Fprintf(w, "\n%s%s%s\n", part.head, data, part.tail)
		}
		if err != nil {
			return fmt.Errorf("write the console: %w", err)
		}
	}
	return nil
}

// About returns what the API document says of an operation's place in the console.
func About(s *op.Spec) map[string]any {
	at, isMenu := s.Access.Permission.Page.(menu.Menu)
	button, isLabel := s.Access.Permission.Button.(menu.Label)
	if !isMenu || !isLabel {
		return nil
	}
	return map[string]any{
		"x-menu": map[string]any{
			"id": pageID(at), "group": labelOf(at.Group), "page": labelOf(at.Page),
		},
		"x-button": labelOf(button),
	}
}

type builder struct {
	console Console
	// lists and reads are the areas that have such an operation.
	lists, reads map[string]bool

	mistakes []error
}

func (b *builder) fail(s *op.Spec, format string, args ...any) {
	b.mistakes = append(b.mistakes, fmt.Errorf("%s: "+format, append([]any{s.Key()}, args...)...))
}

// add describes an operation with a permission.
func (b *builder) add(s *op.Spec) {
	p := s.Access.Permission
	if p.Value == "" {
		return
	}
	b.console.Operations[s.Key()] = p.Value
	if s.Access.Shared() {
		return
	}
	at, isMenu := p.Page.(menu.Menu)
	button, isLabel := p.Button.(menu.Label)
	if !isMenu || !isLabel {
		return // the registry reports it
	}
	b.place(at, p.Value)
	a := act{
		Path: s.Path, Method: s.Method, Permission: p.Value, Button: labelOf(button), Fields: b.fields(s),
		Limit: s.FileLimit(),
	}
	id, verb := placeOf(s.Path)
	into := b.console.Areas[id]
	if into.ID == "" {
		into = area{ID: id, Page: pageID(at), Acts: []act{}}
	}
	switch verb {
	case "list":
		if into.List = b.list(s, a); !into.List.ByID && !b.reads[id] {
			b.fail(s, "nothing reads one of its records")
		}
	case "create":
		into.Create = &a
	case "read", "detail":
		into.Read = &a
	case "update":
		a.unwrap()
		into.Update = &a
	case "delete":
		into.Delete = &a
	default:
		into.Acts = append(into.Acts, a)
	}
	b.console.Areas[id] = into
}

// placeOf returns the area of a path, such as goods of /admin/goods/update, and the last segment.
func placeOf(path string) (id, verb string) {
	id = strings.TrimPrefix(path, root)
	if cut := strings.LastIndex(id, "/"); cut >= 0 {
		return id[:cut], id[cut+1:]
	}
	return id, ""
}

// unwrap takes the fields of an update from the record in its request, if that is a member of it. What stands beside it
// and its HTML, such as the products and the description of goods, are no fields of a form: they need an editor.
func (a *act) unwrap() {
	for _, f := range a.Fields {
		if slices.ContainsFunc(f.Members, func(m field) bool { return m.Name == "id" }) {
			a.Record = f.Name
			a.Fields = slices.DeleteFunc(f.Members, func(m field) bool {
				return m.Show != nil && m.Show.As == string(op.ShowRich)
			})
			return
		}
	}
}

// place adds a permission to its page in the menu.
func (b *builder) place(at menu.Menu, value string) {
	g := slices.IndexFunc(b.console.Menus, func(g group) bool { return g.ID == at.Group.Slug })
	if g < 0 {
		g = len(b.console.Menus)
		b.console.Menus = append(b.console.Menus, group{ID: at.Group.Slug, Label: labelOf(at.Group), Pages: nil})
	}
	pages := &b.console.Menus[g].Pages
	i := slices.IndexFunc(*pages, func(p page) bool { return p.ID == pageID(at) })
	if i < 0 {
		i = len(*pages)
		*pages = append(*pages, page{ID: pageID(at), Label: labelOf(at.Page), Permissions: nil})
	}
	(*pages)[i].Permissions = append((*pages)[i].Permissions, value)
}

// sort puts the menu in the order of the console.
func (b *builder) sort() {
	place := func(id string) int { return slices.Index(menu.Order(), id) }
	for _, g := range b.console.Menus {
		slices.SortFunc(g.Pages, func(a, b page) int { return place(a.ID) - place(b.ID) })
	}
	slices.SortFunc(b.console.Menus, func(a, b group) int { return place(a.Pages[0].ID) - place(b.Pages[0].ID) })
}

func pageID(m menu.Menu) string { return m.Group.Slug + "/" + m.Page.Slug }

func labelOf(l menu.Label) label { return label{text.Chinese: l.ZH, text.English: l.EN} }

// titled returns the label of a member.
func (b *builder) titled(s *op.Spec, name string) label {
	f := contract.Field(name)
	if f == nil {
		b.fail(s, "the member %q has no label", name)
		return nil
	}
	return openapi.Words(f.Title)
}

// list describes the rows and columns of a list.
func (b *builder) list(s *op.Spec, a act) *list {
	l := &list{act: a, Columns: []column{}, Row: []member{}, Sorts: []string{}, Paged: false}
	if asks, ok := reflect.Zero(s.Req).Interface().(wire.Listed); ok {
		l.Sorts, l.Paged = asks.Listing().Words(), true
		l.Fields = slices.DeleteFunc(l.Fields, func(f field) bool {
			return slices.Contains([]string{"page", "limit", "sort", "order"}, f.Name)
		})
	}
	l.ByID = slices.ContainsFunc(s.Fields(), func(f op.Field) bool { return f.Name == "id" })
	row := rowOf(s.Resp)
	if row == nil {
		b.fail(s, "its rows are not records")
		return l
	}
	for _, m := range op.Members(row, scalar) {
		switch {
		case m.Name == "children":
			l.Tree = true
		case m.Show.As != op.ShowNone:
			l.Row = append(l.Row, b.member(s, m))
		}
	}
	b.columns(s, l)
	return l
}
