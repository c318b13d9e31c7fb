package access

import (
	"context"
	"slices"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/logkind"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

type roleHandlers struct{ Deps }

// roleOps declares the operations on roles.
func roleOps(d Deps) []op.Op {
	h := roleHandlers{d}
	return append([]op.Op{
		op.Read[ListRoles, wire.List[RoleRow]]{
			Path: "/admin/role/list", Title: "List roles",
			Access: op.Permit("admin:role:list", menu.Roles(), menu.Button("role-query")), Budget: 3,
			Columns: op.Columns{
				Names: []string{"name", "desc", "enabled", "updateTime"}, Opens: "name", Switches: []string{"enabled"},
			},
			Do: h.list,
		},
		op.Read[paging.Slice, wire.List[RoleOption]]{
			Path: "/admin/role/options", Title: "Roles to choose from", Access: op.SignedIn, Budget: 2, Do: h.options,
		},
		op.Write[NewRole, RoleRow]{
			Path: "/admin/role/create", Title: "Make a role",
			Access:           op.Permit("admin:role:create", menu.Roles(), menu.Button("role-add")),
			Fails:            []*errno.Code{errno.RoleNameExists, errno.Stale},
			IdempotencyScope: "admin.role-create", Audit: roleAudit("role-create"), Budget: 9, Do: h.create,
		},
		op.Read[wire.Ref, RoleRow]{
			Path: "/admin/role/read", Title: "Show a role",
			Access: op.Permit("admin:role:read", menu.Roles(), menu.Button("role-detail")), Budget: 2, Do: h.read,
		},
		op.Write[RoleChange, RoleRow]{
			Path: "/admin/role/update", Title: "Change a role",
			Access:           op.Permit("admin:role:update", menu.Roles(), menu.Button("role-edit")),
			Fails:            []*errno.Code{errno.UpdateFailed, errno.RoleNameExists, errno.RoleSuperProtected, errno.Stale},
			IdempotencyScope: "admin.role-update", Audit: roleAudit("role-update"), Budget: 11,
			Do: wire.Expecting(h.Zone, h.update),
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/role/delete", Title: "Delete a role",
			Access: op.Permit("admin:role:delete", menu.Roles(), menu.Button("role-delete")),
			Fails:  []*errno.Code{errno.RoleSuperProtected, errno.RoleInUse, errno.Stale},
			Audit:  roleAudit("role-delete"), Budget: 13, Do: h.delete,
		},
	}, h.grants()...)
}

func roleAudit(action string) op.Audit {
	return op.Audit{Target: "role", Kind: logkind.Security, Action: text.ForAction(action)}
}

// RoleRow is a role.
type RoleRow struct {
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	Desc    string `json:"desc" show:"long"`
	Enabled bool   `json:"enabled"`
	wire.Stamps
}

func (h roleHandlers) row(r access.Role) RoleRow {
	return RoleRow{
		ID: r.ID, Name: r.Name, Desc: r.Description, Enabled: r.Enabled, Stamps: h.Zone.Stamps(r.AddTime, r.UpdateTime),
	}
}

// ListRoles is the query of /admin/role/list.
type ListRoles struct {
	wire.Paging
	Name string `json:"name" doc:"Words of the name, in any order."`
}

func (h roleHandlers) list(ctx context.Context, r ListRoles) (wire.List[RoleRow], error) {
	return paging.Page(r.Paging, func(q page.Query) (page.List[access.Role], error) {
		return h.Access.Roles(ctx, r.Name, q)
	}, h.row)
}

// RoleOption is a role to choose.
type RoleOption struct {
	Value int64  `json:"value"`
	Label string `json:"label"`
}

func (h roleHandlers) options(ctx context.Context, r paging.Slice) (wire.List[RoleOption], error) {
	all, err := h.Access.AllRoles(ctx)
	if err != nil {
		return wire.List[RoleOption]{}, err
	}
	return paging.OfSlice(r, all, func(r access.Role) RoleOption { return RoleOption{Value: r.ID, Label: r.Name} })
}

// NewRole is the body of /admin/role/create.
type NewRole struct {
	Name    string `json:"name" check:"required,maxLength=63,visible"`
	Desc    string `json:"desc" check:"maxLength=1023" show:"long"`
	Enabled bool   `json:"enabled" check:"default=true" doc:"A disabled role grants nothing."`
}

func (h roleHandlers) create(ctx context.Context, r NewRole) (RoleRow, error) {
	made, err := h.Access.CreateRole(ctx, auth.Actor(ctx), access.Role{
		Name: r.Name, Description: r.Desc, Enabled: r.Enabled,
	})
	return h.row(made), err
}

func (h roleHandlers) read(ctx context.Context, r wire.Ref) (RoleRow, error) {
	found, err := h.Access.Role(ctx, r.ID)
	return h.row(found), err
}

// RoleChange is the body of /admin/role/update; absent members stay unchanged.
type RoleChange struct {
	wire.Ref
	wire.Expected
	Name    *string `json:"name" check:"notBlank,maxLength=63,visible"`
	Desc    *string `json:"desc" check:"maxLength=1023" show:"long"`
	Enabled *bool   `json:"enabled"`
}

func (h roleHandlers) update(ctx context.Context, r RoleChange) (RoleRow, error) {
	changed, err := h.Access.UpdateRole(ctx, auth.Actor(ctx), r.ID, access.RoleChange{
		Name: r.Name, Description: r.Desc, Enabled: r.Enabled,
	})
	return h.row(changed), err
}

func (h roleHandlers) delete(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Access.DeleteRole(ctx, auth.Actor(ctx), r.ID)
}

// assigned returns the permissions of a role for the console: all values for a super role, since the tree has no value
// for that.
func (h roleHandlers) assigned(granted []string) []string {
	if slices.Contains(granted, access.Super) {
		return h.Registry().Values()
	}
	return granted
}
