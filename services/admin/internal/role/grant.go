package role

import (
	"context"
	"slices"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/authz"
	"shop.internal/services/admin/internal/menu"
)

// grants declares the operations on the permissions of a role.
func (h handlers) grants() []op.Op {
	return []op.Op{
		op.Read[Of, Permissions]{
			Path: "/admin/role/permissions", Title: "What there is to grant, and what a role grants",
			Access: op.Permit("admin:role:permission-get", menu.Roles(), menu.Button("Permission detail", "权限详情")).
				WithAlias("admin:role:permission:get"),
			Budget: 4,
			Do:     h.permissions,
		},
		op.Write[Grant, op.None]{
			Path: "/admin/role/permissions", Title: "Change what a role grants",
			Access: op.Permit("admin:role:permission-update", menu.Roles(), menu.Button("Change permissions", "权限变更")).
				WithAlias("admin:role:permission:update"),
			Fails: []*errno.Code{errno.RoleSuperProtected, errno.Stale},
			Audit: audit("权限变更"), Budget: 12, Do: h.grant,
		},
	}
}

// Of is the query of GET /admin/role/permissions.
type Of struct {
	RoleID *int64 `json:"roleId" doc:"The role whose permissions are assignedPermissions; none without it." show:"of=role"`
}

// Permissions is the answer of GET /admin/role/permissions.
type Permissions struct {
	System   []Group  `json:"systemPermissions"`
	Assigned []string `json:"assignedPermissions"`
	// Cur is null for an operator who may do everything.
	Cur *[]string `json:"curPermissions"`
}

// Group is a menu of the console.
type Group struct {
	ID       string `json:"id"`
	Label    string `json:"label"`
	Children []Page `json:"children"`
}

// Page is a page of a menu.
type Page struct {
	ID       string `json:"id"`
	Label    string `json:"label"`
	Children []Leaf `json:"children"`
}

// Leaf is a permission; its id is the value.
type Leaf struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	API         string `json:"api"`
	Description string `json:"description"`
}

func group(g authz.Group) Group {
	return Group{ID: g.ID, Label: g.Label, Children: wire.Each(g.Pages, pageOf)}
}

func pageOf(p authz.Page) Page {
	return Page{ID: p.ID, Label: p.Label, Children: wire.Each(p.Entries, leaf)}
}

func leaf(e authz.Entry) Leaf {
	return Leaf{ID: e.Value, Label: e.Button.ZH, API: e.Operation, Description: e.Description()}
}

func (h handlers) permissions(ctx context.Context, r Of) (Permissions, error) {
	out := Permissions{System: wire.Each(h.Registry().Tree(), group), Assigned: []string{}, Cur: nil}
	if r.RoleID != nil {
		granted, err := h.Access.Granted(ctx, *r.RoleID)
		if err != nil {
			return Permissions{}, err
		}
		out.Assigned = h.assigned(granted)
	}
	held, err := h.Access.AuthorityOf(ctx, auth.Operator(ctx).ID)
	if err != nil {
		return Permissions{}, err
	}
	if !slices.Contains(held.Values, access.Super) {
		out.Cur = new(wire.OrEmpty(held.Values))
	}
	return out, nil
}

// Grant is the body of POST /admin/role/permissions.
type Grant struct {
	RoleID      int64    `json:"roleId" check:"required" show:"of=role"`
	Permissions []string `json:"permissions" check:"required" doc:"All that the role is to grant; empty for nothing."`
}

func (h handlers) grant(ctx context.Context, r Grant) (op.None, error) {
	values := make([]string, len(r.Permissions))
	for i, name := range r.Permissions {
		value, known := h.Registry().Value(name)
		switch {
		case name == access.Super: // refused by its own rule, and only for an existing role
			value = name
		case !known:
			return op.None{}, errno.NoSuch(text.FieldPermissions)
		}
		values[i] = value
	}
	return op.None{}, h.Access.SetGranted(ctx, auth.Actor(ctx), r.RoleID, values)
}
