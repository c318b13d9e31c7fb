// Package role serves operators the roles and their permissions.
package role

import (
	"context"
	"slices"

	"shop.internal/pkg/domain/access"
	auditing "shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/authz"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

// Deps are what the operations need.
type Deps struct {
	Access *access.Service
	// Registry returns all permissions; it is called only while serving.
	Registry func() *authz.Registry
	Zone     wire.Zone
}

type handlers struct{ Deps }

// Ops declares the operations on roles.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return append([]op.Op{
		op.Read[List, wire.List[Row]]{
			Path: "/admin/role/list", Title: "List roles",
			Access: op.Permit("admin:role:list", menu.Roles(), menu.Button("Query", "角色查询")), Budget: 3,
			Columns: op.Columns{
				Names: []string{"name", "desc", "enabled", "updateTime"}, Opens: "name", Switches: []string{"enabled"},
			},
			Do: h.list,
		},
		op.Read[paging.Slice, wire.List[Option]]{
			Path: "/admin/role/options", Title: "Roles to choose from", Access: op.SignedIn, Budget: 2, Do: h.options,
		},
		op.Write[New, Row]{
			Path: "/admin/role/create", Title: "Make a role",
			Access:           op.Permit("admin:role:create", menu.Roles(), menu.Button("Add", "角色添加")),
			Fails:            []*errno.Code{errno.RoleNameExists, errno.Stale},
			IdempotencyScope: "admin.role-create", Audit: audit("添加角色"), Budget: 9, Do: h.create,
		},
		op.Read[wire.Ref, Row]{
			Path: "/admin/role/read", Title: "Show a role",
			Access: op.Permit("admin:role:read", menu.Roles(), menu.Button("Detail", "角色详情")), Budget: 2, Do: h.read,
		},
		op.Write[Change, Row]{
			Path: "/admin/role/update", Title: "Change a role",
			Access:           op.Permit("admin:role:update", menu.Roles(), menu.Button("Edit", "角色编辑")),
			Fails:            []*errno.Code{errno.UpdateFailed, errno.RoleNameExists, errno.RoleSuperProtected, errno.Stale},
			IdempotencyScope: "admin.role-update", Audit: audit("编辑角色"), Budget: 11,
			Do: wire.Expecting(h.Zone, h.update),
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/role/delete", Title: "Delete a role",
			Access: op.Permit("admin:role:delete", menu.Roles(), menu.Button("Delete", "角色删除")),
			Fails:  []*errno.Code{errno.RoleSuperProtected, errno.RoleInUse, errno.Stale},
			Audit:  audit("删除角色"), Budget: 13, Do: h.delete,
		},
	}, h.grants()...)
}

func audit(action string) op.Audit {
	return op.Audit{Target: "role", Kind: int(auditing.Security), Action: action}
}

// Row is a role.
type Row struct {
	ID      int64  `json:"id"`
	Name    string `json:"name"`
	Desc    string `json:"desc" show:"long"`
	Enabled bool   `json:"enabled"`
	wire.Stamps
}

func (h handlers) row(r access.Role) Row {
	return Row{
		ID: r.ID, Name: r.Name, Desc: r.Description, Enabled: r.Enabled, Stamps: h.Zone.Stamps(r.AddTime, r.UpdateTime),
	}
}

// List is the query of /admin/role/list.
type List struct {
	wire.Paging
	Name string `json:"name" doc:"Words of the name, in any order."`
}

func (h handlers) list(ctx context.Context, r List) (wire.List[Row], error) {
	return paging.Page(r.Paging, func(q page.Query) (page.List[access.Role], error) {
		return h.Access.Roles(ctx, r.Name, q)
	}, h.row)
}

// Option is a role to choose.
type Option struct {
	Value int64  `json:"value"`
	Label string `json:"label"`
}

func (h handlers) options(ctx context.Context, r paging.Slice) (wire.List[Option], error) {
	all, err := h.Access.AllRoles(ctx)
	if err != nil {
		return wire.List[Option]{}, err
	}
	return paging.OfSlice(r, all, func(r access.Role) Option { return Option{Value: r.ID, Label: r.Name} })
}

// New is the body of /admin/role/create.
type New struct {
	Name    string `json:"name" check:"required,maxLength=63,visible"`
	Desc    string `json:"desc" check:"maxLength=1023" show:"long"`
	Enabled bool   `json:"enabled" check:"default=true" doc:"A disabled role grants nothing."`
}

func (h handlers) create(ctx context.Context, r New) (Row, error) {
	made, err := h.Access.CreateRole(ctx, auth.Actor(ctx), access.Role{
		Name: r.Name, Description: r.Desc, Enabled: r.Enabled,
	})
	return h.row(made), err
}

func (h handlers) read(ctx context.Context, r wire.Ref) (Row, error) {
	found, err := h.Access.Role(ctx, r.ID)
	return h.row(found), err
}

// Change is the body of /admin/role/update; absent members stay unchanged.
type Change struct {
	wire.Ref
	wire.Expected
	Name    *string `json:"name" check:"notBlank,maxLength=63,visible"`
	Desc    *string `json:"desc" check:"maxLength=1023" show:"long"`
	Enabled *bool   `json:"enabled"`
}

func (h handlers) update(ctx context.Context, r Change) (Row, error) {
	changed, err := h.Access.UpdateRole(ctx, auth.Actor(ctx), r.ID, access.RoleChange{
		Name: r.Name, Description: r.Desc, Enabled: r.Enabled,
	})
	return h.row(changed), err
}

func (h handlers) delete(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Access.DeleteRole(ctx, auth.Actor(ctx), r.ID)
}

// assigned returns the permissions of a role for the console: all values for a super role, since the tree has no value
// for that.
func (h handlers) assigned(granted []string) []string {
	if slices.Contains(granted, access.Super) {
		return h.Registry().Values()
	}
	return granted
}
