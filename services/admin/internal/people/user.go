package people

import (
	"context"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/logkind"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/export"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/paging"
)

type userHandlers struct{ Deps }

// userOps declares the operations on shoppers' accounts.
func userOps(d Deps) []op.Op {
	h := userHandlers{d}
	return []op.Op{
		op.Read[ListUsers, wire.List[User]]{
			Path: "/admin/user/list", Title: "List shoppers",
			Access: op.Permit("admin:user:list", menu.Users(), menu.Query()), Budget: 5, AllowStale: true,
			Columns: op.Columns{
				Names: []string{"avatar", "nickname", "username", "mobile", "gender", "userLevel", "status", "addTime"},
				Opens: "nickname",
			},
			Do: h.list,
		},
		op.Stream[ExportUsers]{
			Path: "/admin/user/export", Title: "Export shoppers as CSV", Limit: export.Limit,
			Access:     op.Permit("admin:user:export", menu.Users(), menu.Export()),
			Audit:      op.Audit{Target: "user", Kind: logkind.Security, Action: text.ForAction("user-export")},
			AllowStale: true, Do: h.export,
		},
		op.Read[wire.Ref, User]{
			Path: "/admin/user/detail", Title: "Show a shopper",
			Access: op.Permit("admin:user:read", menu.Users(), menu.Detail()), Budget: 2, Do: h.detail,
		},
		op.Write[UpdateUser, int]{
			Path: "/admin/user/update", Title: "Change a shopper",
			Access:           op.Permit("admin:user:update", menu.Users(), menu.Edit()),
			Fails:            []*errno.Code{errno.UpdateFailed, errno.UserInvalidMobile, errno.UserMobileExists, errno.Stale},
			IdempotencyScope: "admin.user-update",
			Audit:            op.Audit{Target: "user", Action: text.ForAction("user-update")}, Budget: 5,
			Do: wire.Expecting(h.Zone, h.update),
		},
	}
}

// ListUsers is the query of /admin/user/list.
type ListUsers struct {
	wire.Paging
	UserFilter
}

// UserFilter filters shoppers.
type UserFilter struct {
	Username string `json:"username" doc:"Only shoppers whose name contains these words, in any order."`
	Mobile   string `json:"mobile" check:"clean=number" doc:"Only the shopper with exactly this number."`
}

func (f UserFilter) filter() account.MemberFilter {
	return account.MemberFilter{Username: f.Username, Mobile: f.Mobile}
}

func (h userHandlers) list(ctx context.Context, r ListUsers) (wire.List[User], error) {
	return paging.Page(r.Paging, func(q page.Query) (page.List[account.Member], error) {
		return h.Accounts.Members(ctx, r.filter(), q)
	}, h.user)
}

func (h userHandlers) detail(ctx context.Context, r wire.Ref) (User, error) {
	m, err := h.Accounts.Member(ctx, r.ID)
	return h.user(m), err
}

// UpdateUser is a partial update of a shopper; absent members stay unchanged.
type UpdateUser struct {
	wire.Ref
	wire.Expected
	Nickname  *string `json:"nickname" check:"maxLength=63,visible"`
	Mobile    *string `json:"mobile" check:"clean=number" doc:"Empty for none."`
	Gender    *int    `json:"gender" check:"min=0,max=2" show:"one=gender"`
	UserLevel *int    `json:"userLevel" check:"min=0,max=2" show:"one=user-level"`
	Status    *int    `json:"status" check:"min=0,max=2" show:"one=user-state"`
}

// userChanged is the answer that the console expects of a successful update.
const userChanged = 1

func (h userHandlers) update(ctx context.Context, r UpdateUser) (int, error) {
	c := account.MemberChange{
		Nickname: r.Nickname, Mobile: r.Mobile, Gender: r.Gender, Level: r.UserLevel, Status: nil,
	}
	if r.Status != nil {
		s := account.Status(*r.Status)
		c.Status = &s
	}
	return userChanged, h.Accounts.ChangeMember(ctx, r.ID, c)
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

func (h userHandlers) user(m account.Member) User {
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
