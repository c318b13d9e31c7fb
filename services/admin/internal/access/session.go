package access

import (
	"context"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
)

type sessionHandlers struct{ Deps }

// sessionOps declares the operations on sessions and the others without a token.
func sessionOps(d Deps) []op.Op {
	h := sessionHandlers{d}
	return []op.Op{
		op.Write[Login, Session]{
			Path: "/admin/auth/login", Title: "Log in", Access: op.Public,
			Fails: []*errno.Code{errno.AdminInvalidAccount}, Passwords: true, Budget: 3, Do: h.login,
		},
		op.Write[op.None, op.None]{
			Path: "/admin/auth/logout", Title: "Log out", Access: op.SignedIn, Budget: 2, Do: h.logout,
		},
		op.Read[op.None, Info]{
			Path: "/admin/auth/info", Title: "Who is logged in", Access: op.SignedIn,
			Fails: []*errno.Code{errno.NoPermission, errno.Invalid}, Budget: 3, Do: h.info,
		},
		op.Read[op.None, string]{
			Path: "/admin/auth/rights", Title: "A text that changes when somebody's rights have changed", Access: op.SignedIn,
			Budget: 1, Do: h.rights,
		},
		op.Read[op.None, string]{
			Path: "/admin/auth/kaptcha", Title: "Picture of the login page", Access: op.Public, Private: true,
			Do: kaptcha,
		},
		op.Read[op.None, op.None]{
			Path: "/admin/auth/index", Title: "Where a login may lead", Access: op.Public, Private: true, Do: nothing,
		},
		op.Read[op.None, string]{
			Path: "/admin/index/index", Title: "Sign of life", Access: op.Public, Private: true, Do: alive,
		},
		op.Refused{Path: "/admin/auth/401", Title: "The refusal without a token", Private: true, Code: errno.LoginRequired},
		op.Refused{
			Path: "/admin/auth/403", Title: "The refusal without a permission", Private: true, Code: errno.NoPermission,
		},
	}
}

// Login is the body of /admin/auth/login.
type Login struct {
	Username string `json:"username" check:"required" doc:"Login name, in any case."`
	Password string `json:"password" check:"required,clean=none"`
}

// Session is the answer to a login.
type Session struct {
	AdminInfo AdminInfo `json:"adminInfo"`
	Token     string    `json:"token"`
}

// AdminInfo is how the console shows its user.
type AdminInfo struct {
	NickName string    `json:"nickName"`
	Avatar   wire.Link `json:"avatar"`
}

func (h sessionHandlers) login(ctx context.Context, r Login) (Session, error) {
	o, token, err := h.Sessions.LogIn(ctx, access.Credentials{
		Username: r.Username, Password: r.Password, Address: op.CallOf(ctx).Address,
	})
	if err != nil {
		return Session{}, err
	}
	return Session{AdminInfo: AdminInfo{NickName: o.Username, Avatar: wire.Link(o.Avatar)}, Token: token}, nil
}

func (h sessionHandlers) logout(ctx context.Context, _ op.None) (op.None, error) {
	return op.None{}, h.Sessions.LogOut(ctx, auth.Operator(ctx), auth.Token(ctx), op.CallOf(ctx).Address)
}

// Info is the answer of /admin/auth/info.
type Info struct {
	Name   string    `json:"name"`
	Avatar wire.Link `json:"avatar"`
	Roles  []string  `json:"roles"`
	Perms  []string  `json:"perms"`
	// Permissions are the values that the roles grant, or * for all. Perms names operations, as older consoles expect,
	// and leaves out those that share a permission.
	Permissions []string `json:"permissions" doc:"The values that may be called, or * for all."`
}

func (h sessionHandlers) info(ctx context.Context, _ op.None) (Info, error) {
	o := auth.Operator(ctx)
	held, err := auth.Held(ctx, h.Access)
	if err != nil {
		return Info{}, err
	}
	return Info{
		Name: o.Username, Avatar: wire.Link(o.Avatar), Roles: wire.OrEmpty(held.Roles),
		Perms: wire.OrEmpty(h.Registry().Shown(held.Values)), Permissions: wire.OrEmpty(held.Values),
	}, nil
}

// rights returns what an open console compares every second, so that it shows at once what was granted or taken away.
func (h sessionHandlers) rights(ctx context.Context, _ op.None) (string, error) {
	return h.Access.Version(ctx)
}

func nothing(context.Context, op.None) (op.None, error) { return op.None{}, nil }

func alive(context.Context, op.None) (string, error) { return "shop administration", nil }
