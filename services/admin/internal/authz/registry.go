package authz

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/admin/internal/menu"
)

// Entry is one operation with a permission.
type Entry struct {
	Value string
	// Operation is the method and path, as in "GET /admin/goods/list".
	Operation string
	Menu      menu.Menu
	Button    menu.Label
	// Alias is another name under which the permission can be granted, "" for none.
	Alias string
}

// Description describes the place of the operation in English.
func (e Entry) Description() string {
	return e.Menu.String() + " / " + e.Button.String()
}

// Registry is the list of all permissions, by the pages of the console and for each page in the order of the
// declarations from which it is built.
type Registry struct {
	entries []Entry
	// index finds an entry by value, named also by alias.
	index, named map[string]int
	// recorded are the operations that leave audit records, by method and path.
	recorded map[string]op.Spec
}

// NewRegistry reads the declarations. It fails for every mistake in them: those of op.Specs, an operation without
// access, a change without an audit target or without a name in every language, and menus with equal ids.
func NewRegistry(ops ...op.Op) (*Registry, error) {
	specs, err := op.Specs(ops...)
	if err != nil {
		return nil, fmt.Errorf("build the permission registry: %w", err)
	}
	r := &Registry{index: map[string]int{}, named: map[string]int{}, entries: nil, recorded: map[string]op.Spec{}}
	places := menus{}
	for _, s := range specs {
		p := s.Access.Permission
		if s.Audit.Target != "" {
			r.recorded[s.Key()] = s
			if s.Audit.Action == nil && p.Button == nil {
				return nil, fmt.Errorf("%s: neither an action nor a button names what its record is about", s.Key())
			}
		}
		if s.Access == op.Optional {
			return nil, fmt.Errorf("%s: it neither requires a token nor is it open to everybody", s.Key())
		}
		if p.Value == "" || s.Access.Shared() {
			continue
		}
		if s.Method == http.MethodPost && s.Audit.Target == "" {
			return nil, fmt.Errorf("%s: it does not say what its record is about", s.Key())
		}
		page, button, err := placeOf(p)
		if err == nil {
			err = places.add(page)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Key(), err)
		}
		r.entries = append(r.entries, Entry{
			Value: p.Value, Operation: s.Key(), Menu: page, Button: button, Alias: p.Alias,
		})
	}
	slices.SortStableFunc(r.entries, func(a, b Entry) int { return menu.Compare(a.Menu, b.Menu) })
	for i, e := range r.entries {
		r.index[e.Value], r.named[e.Value] = i, i
		if e.Alias != "" {
			r.named[e.Alias] = i
		}
	}
	return r, nil
}

// Entries returns all entries.
func (r *Registry) Entries() []Entry { return slices.Clone(r.entries) }

// Values returns all values.
func (r *Registry) Values() []string {
	out := make([]string, len(r.entries))
	for i, e := range r.entries {
		out[i] = e.Value
	}
	return out
}

// Action says in a language what an operation does, by its method and path: as the business log does, or as its button
// or title. An operation that there is no more is its own name.
func (r *Registry) Action(operation, language string) string {
	s, known := r.recorded[operation]
	button, named := s.Access.Permission.Button.(menu.Label)
	switch {
	case !known:
		return operation
	case s.Audit.Action != nil:
		return s.Audit.Action.In(language)
	case named && language != text.English:
		return button.In(language)
	}
	return s.Title
}

// Targets returns the tables that audit records are about, with the area whose operations change them: the one that has
// the table's own name or, otherwise, that of the first operation.
func (r *Registry) Targets() map[string]string {
	areas := map[string]string{}
	for _, operation := range slices.Sorted(maps.Keys(r.recorded)) {
		s := r.recorded[operation]
		area, _, _ := strings.Cut(strings.TrimPrefix(s.Path, "/admin/"), "/")
		if areas[s.Audit.Target] == "" || strings.HasSuffix(s.Path, "/update") {
			areas[s.Audit.Target] = area
		}
	}
	return areas
}

// Value returns the permission value for a name, which may be an alias. It reports false for an unknown name.
func (r *Registry) Value(name string) (string, bool) {
	i, known := r.named[name]
	if !known {
		return "", false
	}
	return r.entries[i].Value, true
}

// display are operations that buttons of the console look up but that do not exist. They grant nothing.
var display = []struct{ value, shown string }{
	{"admin:aftersale:batch-recept", "GET /admin/aftersale/batch-recept"},
	{"admin:aftersale:batch-reject", "GET /admin/aftersale/batch-reject"},
	{"admin:notice:batch-delete", "GET /admin/notice/batch-delete"},
	{"admin:aftersale:list", "POST /admin/aftersale/detail"},
}

// everybodys is an operation without a permission. The console takes an empty list for a failed login.
const everybodys = "GET /admin/dashboard"

// Shown converts permission values to what the console expects: operations, or "*" for everything. Undeclared values
// are left out.
func (r *Registry) Shown(values []string) []string {
	if slices.Contains(values, access.Super) {
		return []string{access.Super}
	}
	held := make([]bool, len(r.entries))
	for _, v := range values {
		if i, known := r.index[v]; known {
			held[i] = true
		}
	}
	var shown []string
	for i, e := range r.entries {
		if held[i] {
			shown = append(shown, e.Operation)
		}
	}
	for _, d := range display {
		if i, known := r.index[d.value]; known && held[i] {
			shown = append(shown, d.shown)
		}
	}
	if len(shown) == 0 {
		return []string{everybodys}
	}
	return shown
}
