package authz

import (
	"fmt"
	"net/http"
	"slices"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/kit/op"
)

// Entry is one operation that asks for a permission.
type Entry struct {
	Value string
	// Operation is the method and path, as in "GET /admin/goods/list".
	Operation string
	Menu      op.Menu
	Button    op.Label
}

// Description names the place of the operation in English.
func (e Entry) Description() string {
	return e.Menu.Group.EN + " / " + e.Menu.Page.EN + " / " + e.Button.EN
}

// Registry is every permission there is, in the order of the declarations. It is built from them and from nothing else.
type Registry struct {
	entries []Entry
	index   map[string]int
}

// NewRegistry reads the declarations. It fails for every mistake in them.
func NewRegistry(ops ...op.Op) (*Registry, error) {
	specs, err := op.Specs(ops...)
	if err != nil {
		return nil, fmt.Errorf("build the permission registry: %w", err)
	}
	r := &Registry{index: map[string]int{}, entries: nil}
	for _, s := range specs {
		p := s.Access.Permission
		if p.Value == "" || s.Access.Shared() {
			continue
		}
		if s.Method == http.MethodPost && s.Audit.Target == "" {
			return nil, fmt.Errorf("%s: it does not say what its record is about", s.Key())
		}
		r.index[p.Value] = len(r.entries)
		r.entries = append(r.entries, Entry{Value: p.Value, Operation: s.Key(), Menu: p.Menu, Button: p.Button})
	}
	return r, nil
}

// Entries returns all entries in the order of the declarations.
func (r *Registry) Entries() []Entry { return slices.Clone(r.entries) }

// display are operations that the console asks for where none exists: a few of its buttons look for them. They grant
// nothing.
var display = []struct{ value, shown string }{ //nolint:gochecknoglobals // a table
	{"admin:aftersale:batch-recept", "GET /admin/aftersale/batch-recept"},
	{"admin:aftersale:batch-reject", "GET /admin/aftersale/batch-reject"},
	{"admin:notice:batch-delete", "GET /admin/notice/batch-delete"},
	{"admin:aftersale:list", "POST /admin/aftersale/detail"},
}

// everybodys is an operation that needs no permission. The console takes an empty list for a failed login.
const everybodys = "GET /admin/dashboard"

// Shown turns the permission values that somebody holds into what the console shows: operations, or "*" for somebody
// who may do everything. Values that nobody declares are left out.
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
