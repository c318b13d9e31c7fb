package access

import (
	"context"
	"slices"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/logkind"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/menu"
)

type rightsHandlers struct{ Deps }

// rightsOps declares the operations.
func rightsOps(d Deps) []op.Op {
	h := rightsHandlers{d}
	return []op.Op{
		op.Read[OfPermission, []Holder]{
			Path: "/admin/access/holders", Title: "List the operators whose roles grant a permission",
			Access: op.Permit("admin:access:list", menu.Access(), menu.Query()), Budget: 2, Do: h.holders,
		},
		op.Read[wire.Ref, Operator]{
			Path: "/admin/access/read", Title: "List what an operator may do, and through which roles",
			Access: op.SharedPermit("admin:access:list"), Budget: 4, Do: h.operator,
		},
		op.Write[ViewAs, op.None]{
			Path: "/admin/access/view", Title: "Look at the console as a role sees it",
			Access: op.Permit(auth.ViewPermission, menu.Access(), menu.Button("view-as-a-role")),
			Audit:  op.Audit{Target: "role", Kind: logkind.Security, Action: text.ForAction("role-view")}, Budget: 4, Do: h.view,
		},
	}
}

// OfPermission is the query of /admin/access/holders.
type OfPermission struct {
	Permission string `json:"permission" check:"required" doc:"A value such as admin:order:ship, or * for everything."`
}

// Holder is a way in which an operator gets the permission.
type Holder struct {
	AdminID     int64  `json:"adminId" show:"of=admin"`
	Username    string `json:"username"`
	Locked      bool   `json:"locked"`
	RoleID      int64  `json:"roleId" show:"of=role"`
	Role        string `json:"role"`
	RoleEnabled bool   `json:"roleEnabled"`
	Everything  bool   `json:"everything" doc:"Whether the role grants everything, not the permission by name."`
	Effective   bool   `json:"effective" doc:"False if the operator is locked, or the role disabled."`
}

func (h rightsHandlers) holders(ctx context.Context, r OfPermission) ([]Holder, error) {
	value := r.Permission
	if value != access.Super {
		var known bool
		if value, known = h.Registry().Value(value); !known {
			return nil, errno.NoSuch(text.FieldPermission)
		}
	}
	paths, err := h.Access.GrantPaths(ctx, value)
	return wire.Each(paths, func(p access.GrantPath) Holder {
		return Holder{
			AdminID: p.OperatorID, Username: p.Operator, Locked: p.Locked, RoleID: p.RoleID, Role: p.Role,
			RoleEnabled: !p.Disabled && !p.RoleDeleted, Everything: p.Super, Effective: p.Effective(),
		}
	}), err
}

// Operator is the answer of /admin/access/read.
type Operator struct {
	ID       int64      `json:"id"`
	Username string     `json:"username"`
	Locked   bool       `json:"locked" doc:"A locked operator may do nothing."`
	Roles    []HeldRole `json:"roles"`
}

// HeldRole is a role of an operator.
type HeldRole struct {
	RoleID      int64    `json:"roleId" show:"of=role"`
	Role        string   `json:"role"`
	Enabled     bool     `json:"enabled" doc:"A disabled role grants nothing."`
	Permissions []string `json:"permissions" doc:"The values that it grants, or * for all."`
}

func (h rightsHandlers) operator(ctx context.Context, r wire.Ref) (Operator, error) {
	o, err := h.Access.Find(ctx, r.ID)
	if err != nil {
		return Operator{}, err
	}
	held, err := h.Access.RolesHeld(ctx, o.ID)
	return Operator{ID: o.ID, Username: o.Username, Locked: o.Locked, Roles: wire.Each(held, heldRole)}, err
}

func heldRole(r access.RoleHeld) HeldRole {
	values := wire.OrEmpty(r.Values)
	if slices.Contains(values, access.Super) {
		values = []string{access.Super}
	}
	return HeldRole{RoleID: r.ID, Role: r.Name, Enabled: r.Enabled, Permissions: values}
}

// ViewAs is the body of /admin/access/view.
type ViewAs struct {
	RoleID int64 `json:"roleId" check:"required" show:"of=role" doc:"The role to name in X-Shop-View-As from now on."`
}

func (h rightsHandlers) view(ctx context.Context, r ViewAs) (op.None, error) {
	_, err := h.Access.View(ctx, r.RoleID)
	return op.None{}, err
}
