package authz

import (
	"errors"
	"fmt"
	"strings"

	"shop.internal/pkg/kit/op"
	"shop.internal/services/admin/internal/menu"
)

// Group is the first level of the permission tree: a menu of the console.
type Group struct {
	ID, Label string
	Pages     []Page
}

// Page is the second level: a page of a menu, with its permissions.
type Page struct {
	ID, Label string
	Entries   []Entry
}

// Tree returns all permissions by menu and page.
func (r *Registry) Tree() []Group {
	var tree []Group
	groups, pages := map[string]int{}, map[string]int{}
	for _, e := range r.entries {
		group, page := groupID(e.Menu), pageID(e.Menu)
		g, known := groups[group]
		if !known {
			g = len(tree)
			groups[group] = g
			tree = append(tree, Group{ID: group, Label: e.Menu.Group.Stored(), Pages: nil})
		}
		p, known := pages[page]
		if !known {
			p = len(tree[g].Pages)
			pages[page] = p
			tree[g].Pages = append(tree[g].Pages, Page{ID: page, Label: e.Menu.Page.Stored(), Entries: nil})
		}
		tree[g].Pages[p].Entries = append(tree[g].Pages[p].Entries, e)
	}
	return tree
}

// The prefix distinguishes the id of a menu from a permission value.
func groupID(m menu.Menu) string { return "menu:" + m.Group.Slug }
func pageID(m menu.Menu) string  { return groupID(m) + "/" + m.Page.Slug }

// placeOf returns the place of a permission in the console. It fails for one without a menu or a button there.
func placeOf(p op.Permission) (menu.Menu, menu.Label, error) {
	page, paged := p.Page.(menu.Menu)
	button, named := p.Button.(menu.Label)
	if !paged || !named || button.Text == nil || !strings.HasPrefix(p.Value, realm) {
		return page, button, fmt.Errorf("the permission %q has no button in the console", p.Value)
	}
	return page, button, nil
}

// realm is the prefix of all permission values of operators.
const realm = "admin:"

// menus maps each id of the tree to its label.
type menus map[string]menu.Label

var errNoSlug = errors.New("its menu has no slug")

// add fails for a menu whose id has another label already.
func (known menus) add(m menu.Menu) error {
	if m.Group.Slug == "" || m.Page.Slug == "" {
		return errNoSlug
	}
	for id, label := range map[string]menu.Label{groupID(m): m.Group, pageID(m): m.Page} {
		if other, taken := known[id]; taken && other != label {
			return fmt.Errorf("the menus %q and %q are both %s", other, label, id)
		}
		known[id] = label
	}
	return nil
}
