package authz

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"shop.internal/pkg/kit/op"
	"shop.internal/services/admin/internal/menu"
)

// shown is a permission on the page: its place in the console, and the operations that it opens.
type shown struct {
	op.Permission
	page       menu.Menu
	button     menu.Label
	operations []string
}

// permissions returns all permissions by their places.
func permissions(specs []op.Spec) ([]*shown, error) {
	var list []*shown
	found := map[string]*shown{}
	for _, s := range specs {
		p := s.Access.Permission
		if p.Value == "" {
			continue
		}
		r := found[p.Value]
		if r == nil {
			r = new(shown)
			found[p.Value], list = r, append(list, r)
		}
		if !s.Access.Shared() {
			var err error
			r.Permission = p
			if r.page, r.button, err = placeOf(p); err != nil {
				return nil, err
			}
		}
		r.operations = append(r.operations, s.Key())
	}
	slices.SortFunc(list, func(a, b *shown) int {
		return cmp.Or(cmp.Compare(a.page.String(), b.page.String()), cmp.Compare(a.Value, b.Value))
	})
	return list, nil
}

// Write writes the page on all permissions.
func Write(w io.Writer, specs []op.Spec) error {
	list, err := permissions(specs)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString("# Permissions\n\n")
	b.WriteString("A role grants any of these values, or `*` for all. ")
	b.WriteString("An operation without the caller's permission answers 506.\n")
	b.WriteString("If two values are listed, the second is an alias of the first that older programs have stored.\n")
	last := ""
	for _, r := range list {
		if p := r.page.String(); p != last {
			last = p
			fmt.Fprintf(&b, "\n## %s (%s / %s)\n\n", p, r.page.Group.Stored(), r.page.Page.Stored())
			b.WriteString("| permission | button | opens |\n|---|---|---|\n")
		}
		value := "`" + r.Value + "`"
		if r.Alias != "" {
			value += "<br>`" + r.Alias + "`"
		}
		slices.Sort(r.operations)
		fmt.Fprintf(&b, "| %s | %s (%s) | `%s` |\n", value, r.button, r.button.Stored(), strings.Join(r.operations, "`<br>`"))
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write the permissions: %w", err)
	}
	return nil
}
