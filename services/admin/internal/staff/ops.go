// Package staff serves operators the accounts of operators.
package staff

import (
	"context"

	"shop.internal/pkg/domain/access"
	auditing "shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

// Deps are what the operations need.
type Deps struct {
	Access   *access.Service
	Sessions *access.Sessions
	Zone     wire.Zone
}

type handlers struct{ Deps }

// Ops declares the operations on operators.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return []op.Op{
		op.Read[List, wire.List[Row]]{
			Path: "/admin/admin/list", Title: "List operators",
			Access: op.Permit("admin:admin:list", menu.Administrators(), menu.Query()), Budget: 4,
			Columns: op.Columns{
				Names: []string{"avatar", "username", "roleIds", "lastLoginTime", "lastLoginIp", "addTime"}, Opens: "username",
			},
			Do: h.list,
		},
		op.Write[New, Row]{
			Path: "/admin/admin/create", Title: "Make an operator",
			Access: op.Permit("admin:admin:create", menu.Administrators(), menu.Add()),
			Fails: []*errno.Code{
				errno.AdminInvalidName, errno.AdminInvalidPassword, errno.AdminNameExists, errno.AdminAlterNotAllowed, errno.Stale,
			},
			IdempotencyScope: "admin.admin-create", Audit: audit("添加管理员"), Passwords: true, Budget: 11, Do: h.create,
		},
		op.Read[wire.Ref, Row]{
			Path: "/admin/admin/read", Title: "Show an operator",
			Access: op.Permit("admin:admin:read", menu.Administrators(), menu.Detail()), Budget: 3, Do: h.read,
		},
		op.Write[Change, Row]{
			Path: "/admin/admin/update", Title: "Change an operator",
			Access: op.Permit("admin:admin:update", menu.Administrators(), menu.Edit()),
			Fails: []*errno.Code{
				errno.UpdateFailed, errno.AdminInvalidName, errno.AdminInvalidPassword, errno.AdminNameExists,
				errno.AdminAlterNotAllowed, errno.Stale,
			},
			IdempotencyScope: "admin.admin-update", Audit: audit("编辑管理员"), Budget: 15,
			Do: wire.Expecting(h.Zone, h.update),
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/admin/delete", Title: "Delete an operator",
			Access: op.Permit("admin:admin:delete", menu.Administrators(), menu.Delete()),
			Fails:  []*errno.Code{errno.AdminDeleteNotAllowed, errno.Stale},
			Audit:  audit("删除管理员"), Budget: 14, Do: h.delete,
		},
	}
}

func audit(action string) op.Audit {
	return op.Audit{Target: "admin", Kind: int(auditing.Security), Action: action}
}

// Row is an operator.
type Row struct {
	ID       int64     `json:"id"`
	Username string    `json:"username"`
	Avatar   wire.Link `json:"avatar" show:"picture"`
	// RoleID and RoleIDs are the same, for clients of two generations.
	RoleID        []int64   `json:"roleId" show:"none"`
	RoleIDs       []int64   `json:"roleIds" show:"of=role"`
	LastLoginIP   string    `json:"lastLoginIp"`
	LastLoginTime wire.Time `json:"lastLoginTime"`
	wire.Stamps
}

func (h handlers) row(o access.Operator) Row {
	roles := wire.OrEmpty(o.Roles)
	return Row{
		ID: o.ID, Username: o.Username, Avatar: wire.Link(o.Avatar), RoleID: roles, RoleIDs: roles,
		LastLoginIP: o.LastLoginAddress, LastLoginTime: h.Zone.At(o.LastLogin),
		Stamps: h.Zone.Stamps(o.AddTime, o.UpdateTime),
	}
}

// List is the query of /admin/admin/list.
type List struct {
	wire.Paging
	Username string `json:"username" doc:"Words of the login name, in any order."`
}

func (h handlers) list(ctx context.Context, r List) (wire.List[Row], error) {
	return paging.Page(r.Paging, func(q page.Query) (page.List[access.Operator], error) {
		return h.Access.Operators(ctx, r.Username, q)
	}, h.row)
}

// Roles are the roles of an operator in a body. If both members are sent, the one that differs from what is stored
// counts.
type Roles struct {
	RoleID  *[]int64 `json:"roleId" doc:"The roles; the same as roleIds." show:"none"`
	RoleIDs *[]int64 `json:"roleIds" doc:"The roles." show:"of=role"`
}

func (r Roles) choice() access.RoleChoice {
	return access.RoleChoice{First: r.RoleIDs, Second: r.RoleID}
}

// New is the body of /admin/admin/create.
type New struct {
	Username string `json:"username" check:"required"`
	// An absent Password answers 602, like one that is too short.
	Password string `json:"password" check:"clean=none" doc:"6 to 64 characters, at most 72 bytes." show:"secret"`
	Avatar   string `json:"avatar" check:"maxLength=255,link" show:"picture"`
	Roles
}

func (h handlers) create(ctx context.Context, r New) (Row, error) {
	made, err := h.Access.CreateOperator(ctx, auth.Actor(ctx), access.NewOperator{
		Username: r.Username, Password: r.Password, Avatar: r.Avatar, Roles: r.choice(),
	})
	return h.row(made), err
}

func (h handlers) read(ctx context.Context, r wire.Ref) (Row, error) {
	found, err := h.Access.Find(ctx, r.ID)
	return h.row(found), err
}

// Change is the body of /admin/admin/update; absent members stay unchanged.
type Change struct {
	wire.Ref
	wire.Expected
	Username *string `json:"username" check:"notBlank"`
	Avatar   *string `json:"avatar" check:"maxLength=255,link" show:"picture"`
	Password string  `json:"password" check:"clean=none" doc:"Not changed; too short a one is refused." show:"none"`
	Roles
}

func (h handlers) update(ctx context.Context, r Change) (Row, error) {
	changed, err := h.Access.UpdateOperator(ctx, auth.Actor(ctx), r.ID, access.OperatorChange{
		Username: r.Username, Avatar: r.Avatar, Roles: r.choice(), Password: r.Password,
	})
	return h.row(changed), err
}

func (h handlers) delete(ctx context.Context, r wire.Ref) (op.None, error) {
	if err := h.Access.DeleteOperator(ctx, auth.Actor(ctx), r.ID); err != nil {
		return op.None{}, err
	}
	// The change has invalidated the sessions already. This only frees them; what Redis misses expires by itself.
	_ = h.Sessions.End(ctx, r.ID)
	return op.None{}, nil
}
