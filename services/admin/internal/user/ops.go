// Package user serves operators the accounts of shoppers.
package user

import (
	"context"
	"time"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/export"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

// Deps are what the operations need.
type Deps struct {
	Accounts *account.Service
	Audit    *audit.Service
	Zone     wire.Zone
}

type handlers struct{ Deps }

// Ops declares the operations on shoppers' accounts.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return []op.Op{
		op.Read[List, wire.List[User]]{
			Path: "/admin/user/list", Title: "List shoppers",
			Access: op.Permit("admin:user:list", menu.Users(), menu.Query()), Budget: 5, MayLag: true,
			Columns: op.Columns{
				Names: []string{"avatar", "nickname", "username", "mobile", "gender", "userLevel", "status", "addTime"},
				Opens: "nickname",
			},
			Do: h.list,
		},
		op.Stream[Export]{
			Path: "/admin/user/export", Title: "Export shoppers as CSV", Limit: export.Limit,
			Access: op.Permit("admin:user:export", menu.Users(), menu.Export()),
			Audit:  op.Audit{Target: "user", Kind: int(audit.Security), Action: "导出用户"}, MayLag: true, Do: h.export,
		},
		op.Read[wire.Ref, User]{
			Path: "/admin/user/detail", Title: "Show a shopper",
			Access: op.Permit("admin:user:read", menu.Users(), menu.Detail()), Budget: 2, Do: h.detail,
		},
		op.Write[Update, int]{
			Path: "/admin/user/update", Title: "Change a shopper",
			Access:           op.Permit("admin:user:update", menu.Users(), menu.Edit()),
			Fails:            []*errno.Code{errno.UpdateFailed, errno.UserInvalidMobile, errno.UserMobileExists, errno.Stale},
			IdempotencyScope: "admin.user-update",
			Audit:            op.Audit{Target: "user", Kind: 0, Action: "编辑用户"}, Budget: 5,
			Do: wire.Expecting(h.Zone, h.update),
		},
	}
}

// List is the query of /admin/user/list.
type List struct {
	wire.Paging
	Filter
}

// Filter filters shoppers.
type Filter struct {
	Username string `json:"username" doc:"Only shoppers whose name contains these words, in any order."`
	Mobile   string `json:"mobile" check:"clean=number" doc:"Only the shopper with exactly this number."`
}

func (f Filter) filter() account.MemberFilter {
	return account.MemberFilter{Username: f.Username, Mobile: f.Mobile}
}

func (h handlers) list(ctx context.Context, r List) (wire.List[User], error) {
	return paging.Page(r.Paging, func(q page.Query) (page.List[account.Member], error) {
		return h.Accounts.Members(ctx, r.filter(), q)
	}, h.user)
}

func (h handlers) detail(ctx context.Context, r wire.Ref) (User, error) {
	m, err := h.Accounts.Member(ctx, r.ID)
	return h.user(m), err
}

// Update is a partial update of a shopper; absent members stay unchanged.
type Update struct {
	wire.Ref
	wire.Expected
	Nickname  *string `json:"nickname" check:"maxLength=63,visible"`
	Mobile    *string `json:"mobile" check:"clean=number" doc:"Empty for none."`
	Gender    *int    `json:"gender" check:"min=0,max=2" show:"one=gender"`
	UserLevel *int    `json:"userLevel" check:"min=0,max=2" show:"one=user-level"`
	Status    *int    `json:"status" check:"min=0,max=2" show:"one=user-state"`
}

// changed is the answer that the console expects of a successful update.
const changed = 1

func (h handlers) update(ctx context.Context, r Update) (int, error) {
	c := account.MemberChange{
		Nickname: r.Nickname, Mobile: r.Mobile, Gender: r.Gender, Level: r.UserLevel, Status: nil,
	}
	if r.Status != nil {
		s := account.Status(*r.Status)
		c.Status = &s
	}
	return changed, h.Accounts.ChangeMember(ctx, r.ID, c)
}

// User is a shopper's account.
type User struct {
	ID            int64     `json:"id"`
	Username      string    `json:"username"`
	Gender        int       `json:"gender" show:"one=gender"`
	Birthday      *string   `json:"birthday" doc:"A day as YYYY-MM-DD, or null."`
	LastLoginTime wire.Time `json:"lastLoginTime"`
	LastLoginIP   string    `json:"lastLoginIp"`
	UserLevel     int       `json:"userLevel" show:"one=user-level"`
	Nickname      string    `json:"nickname"`
	Mobile        string    `json:"mobile"`
	Avatar        wire.Link `json:"avatar" show:"picture"`
	Status        int       `json:"status" show:"one=user-state"`
	wire.Stamps
}

func (h handlers) user(m account.Member) User {
	return User{
		ID: m.ID, Username: m.Username, Gender: m.Gender, Birthday: day(m.Birthday), LastLoginTime: h.Zone.At(m.LastLogin),
		LastLoginIP: m.LastAddress, UserLevel: m.Level, Nickname: m.Nickname, Mobile: m.Mobile, Avatar: wire.Link(m.Avatar),
		Status: int(m.Status), Stamps: h.Zone.Stamps(m.AddTime, m.UpdateTime),
	}
}

// day formats a date without a time zone.
func day(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := t.Format(time.DateOnly)
	return &s
}
