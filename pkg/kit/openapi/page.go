package openapi

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/op"
)

// WriteErrors writes the page on all error codes.
func WriteErrors(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString("# Error numbers\n\n")
	b.WriteString("Every answer carries one as `errno`, with its text as `errmsg` in the language of the deployment. ")
	b.WriteString("602 stands\nfor two rows; their texts differ.\n\n")
	b.WriteString("| errno | name | English | Chinese |\n|---|---|---|---|\n")
	for _, c := range errno.All() {
		fmt.Fprintf(&b, "| %d | `%s` | %s | %s |\n", c.Num, c.Name, c.EN, c.ZH)
	}
	return flush(w, &b)
}

// WritePermissions writes the page on all permissions: their places in the console, and their operations.
func WritePermissions(w io.Writer, specs []op.Spec) error {
	type row struct {
		permission op.Permission
		operations []string
	}
	rows := map[string]*row{}
	for _, s := range specs {
		value := s.Access.Permission.Value
		if value == "" {
			continue
		}
		r := rows[value]
		if r == nil {
			r = &row{}
			rows[value] = r
		}
		if !s.Access.Shared() {
			r.permission = s.Access.Permission
		}
		r.operations = append(r.operations, s.Key())
	}
	sorted := make([]*row, 0, len(rows))
	for _, r := range rows {
		slices.Sort(r.operations)
		sorted = append(sorted, r)
	}
	place := func(p op.Permission) string { return p.Menu.Group.EN + " / " + p.Menu.Page.EN }
	slices.SortFunc(sorted, func(a, b *row) int {
		return cmp.Or(
			cmp.Compare(place(a.permission), place(b.permission)), cmp.Compare(a.permission.Value, b.permission.Value))
	})
	var b bytes.Buffer
	b.WriteString("# Permissions\n\n")
	b.WriteString("A role holds any of these values, or `*` for all. ")
	b.WriteString("An operation without the caller's permission answers 506.\n")
	b.WriteString("Where two values stand, the second is what an older program has stored for the first.\n")
	last := ""
	for _, r := range sorted {
		if p := place(r.permission); p != last {
			last = p
			fmt.Fprintf(&b, "\n## %s (%s / %s)\n\n", p, r.permission.Menu.Group.ZH, r.permission.Menu.Page.ZH)
			b.WriteString("| permission | button | opens |\n|---|---|---|\n")
		}
		value, button := "`"+r.permission.Value+"`", r.permission.Button
		if r.permission.Alias != "" {
			value += "<br>`" + r.permission.Alias + "`"
		}
		fmt.Fprintf(&b, "| %s | %s (%s) |", value, button.EN, button.ZH)
		for i, o := range r.operations {
			if i > 0 {
				b.WriteString("<br>")
			} else {
				b.WriteString(" ")
			}
			b.WriteString("`" + o + "`")
		}
		b.WriteString(" |\n")
	}
	return flush(w, &b)
}

func flush(w io.Writer, b *bytes.Buffer) error {
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}
