package access

import (
	"context"
	"slices"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/authz"
	"shop.internal/services/admin/internal/menu"
)

// grants declares the operations on the permissions of a role.
func (h roleHandlers) grants() []op.Op {
	return []op.Op{
		op.Read[OfRole, Permissions]{
			Path: "/admin/role/permissions", Title: "What there is to grant, and what a role grants",
			Access: op.Permit("admin:role:permission-get", menu.Roles(), menu.Button("permission-detail")).
				WithAlias("admin:role:permission:get"),
			Budget: 4,
			Do:     h.permissions,
		},
		op.Write[Grant, op.None]{
			Path: "/admin/role/permissions", Title: "Change what a role grants",
			Access: op.Permit("admin:role:permission-update", menu.Roles(), menu.Button("change-permissions")).
				WithAlias("admin:role:permission:update"),
			Fails: []*errno.Code{errno.RoleSuperProtected, errno.Stale},
			Audit: roleAudit("role-permissions"), Budget: 12, Do: h.grant,
		},
	}
}

// OfRole is the query of GET /admin/role/permissions.
type OfRole struct {
	RoleID *int64 `json:"roleId" doc:"The role whose permissions are assignedPermissions; none without it." show:"of=role"`
}

// Permissions is the answer of GET /admin/role/permissions.
type Permissions struct {
	System   []GrantGroup `json:"systemPermissions"`
	Assigned []string     `json:"assignedPermissions"`
	// Cur is null for an operator who may do everything.
	Cur *[]string `json:"curPermissions"`
}

// GrantGroup is a menu of the console.
type GrantGroup struct {
	ID       string      `json:"id"`
	Label    string      `json:"label"`
	Children []GrantPage `json:"children"`
}

// GrantPage is a page of a menu.
type GrantPage struct {
	ID       string      `json:"id"`
	Label    string      `json:"label"`
	Children []GrantLeaf `json:"children"`
}

// GrantLeaf is a permission; its id is the value.
type GrantLeaf struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	API         string `json:"api"`
	Description string `json:"description"`
}

func grantGroup(g authz.Group) GrantGroup {
	return GrantGroup{ID: g.ID, Label: g.Label, Children: wire.Each(g.Pages, grantPage)}
}

func grantPage(p authz.Page) GrantPage {
	return GrantPage{ID: p.ID, Label: p.Label, Children: wire.Each(p.Entries, grantLeaf)}
}

func grantLeaf(e authz.Entry) GrantLeaf {
	return GrantLeaf{ID: e.Value, Label: e.Button.Stored(), API: e.Operation, Description: e.Description()}
}

func (h roleHandlers) permissions(ctx context.Context, r OfRole) (Permissions, error) {
	out := Permissions{System: wire.Each(h.Registry().Tree(), grantGroup), Assigned: []string{}, Cur: nil}
	if r.RoleID != nil {
		granted, err := h.Access.Granted(ctx, *r.RoleID)
		if err != nil {
			return Permissions{}, err
		}
		out.Assigned = h.assigned(granted)
	}
	held, err := auth.Held(ctx, h.Access)
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

func (h roleHandlers) grant(ctx context.Context, r Grant) (op.None, error) {
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
