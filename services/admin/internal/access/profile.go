package access

import (
	"context"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/logkind"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/paging"
)

type profileHandlers struct{ Deps }

// profileOps declares the operations of operators on their own account.
func profileOps(d Deps) []op.Op {
	h := profileHandlers{d}
	return []op.Op{
		op.Write[Password, op.None]{
			Path: "/admin/profile/password", Title: "Change one's password", Access: op.SignedIn,
			Fails: []*errno.Code{errno.AdminInvalidAccount, errno.AdminInvalidPassword, errno.Stale},
			Audit: op.Audit{Target: "admin", Kind: logkind.Security, Action: text.LogPassword}, Passwords: true, Budget: 5,
			Do: h.password,
		},
		op.Read[op.None, int64]{
			Path: "/admin/profile/nnotice", Title: "Count one's unread notices", Access: op.SignedIn,
			Budget: 2, Do: h.unread,
		},
		op.Read[Inbox, wire.List[Receipt]]{
			Path: "/admin/profile/lsnotice", Title: "List one's notices", Access: op.SignedIn, Budget: 3, Do: h.box,
		},
		op.Write[OpenNotice, InboxNotice]{
			Path: "/admin/profile/catnotice", Title: "Read one of one's notices", Access: op.SignedIn,
			Budget: 5, Do: h.open,
		},
		op.Write[wire.Refs, op.None]{
			Path: "/admin/profile/bcatnotice", Title: "Mark some of one's notices as read", Access: op.SignedIn,
			Budget: 4,
			Do:     h.markRead,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/profile/rmnotice", Title: "Drop one of one's notices", Access: op.SignedIn,
			Budget: 2, Do: h.drop,
		},
		op.Write[wire.Refs, op.None]{
			Path: "/admin/profile/brmnotice", Title: "Drop some of one's notices", Access: op.SignedIn,
			Budget: 2, Do: h.dropMany,
		},
		op.Read[op.None, []SavedView]{
			Path: "/admin/profile/views", Title: "List one's saved views", Access: op.SignedIn, Budget: 2, Do: h.views,
		},
		op.Write[SaveView, op.None]{
			Path: "/admin/profile/view/save", Title: "Save a view, in place of one of the same page and name",
			Access: op.SignedIn, Budget: 3, Do: h.saveView,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/profile/view/drop", Title: "Drop one of one's saved views", Access: op.SignedIn,
			Budget: 2, Do: h.dropView,
		},
	}
}

// Password is the body of /admin/profile/password.
type Password struct {
	Old string `json:"oldPassword" check:"required,clean=none" show:"secret"`
	New string `json:"newPassword" check:"required,clean=none" doc:"6 to 64 characters, at most 72 bytes." show:"secret"`
}

func (h profileHandlers) password(ctx context.Context, r Password) (op.None, error) {
	return op.None{}, h.Sessions.ChangePassword(ctx, auth.Operator(ctx).ID, access.PasswordChange{
		Old: r.Old, New: r.New, Token: auth.Token(ctx), Address: op.CallOf(ctx).Address,
	})
}

func (h profileHandlers) unread(ctx context.Context, _ op.None) (int64, error) {
	return h.Access.UnreadNotices(ctx, auth.Operator(ctx).ID)
}

// Inbox is the query of /admin/profile/lsnotice.
type Inbox struct {
	wire.Paging
	Title string `json:"title" doc:"Words of the title, in any order."`
	Type  string `json:"type" check:"enum=read|unread|all,default=all"`
}

func (h profileHandlers) box(ctx context.Context, r Inbox) (wire.List[Receipt], error) {
	part := access.ReadOrNot
	switch r.Type {
	case "read":
		part = access.Read
	case "unread":
		part = access.Unread
	}
	return paging.Page(r.Paging, func(q page.Query) (page.List[access.Receipt], error) {
		return h.Access.Inbox(ctx, auth.Operator(ctx).ID, r.Title, part, q)
	}, receiptOf(h.Zone))
}

// OpenNotice is the body of /admin/profile/catnotice. The console sends the whole receipt.
type OpenNotice struct {
	Notice int64 `json:"noticeId" check:"required"`
}

// InboxNotice is a notice as shown to its reader.
type InboxNotice struct {
	Title   string    `json:"title"`
	Content string    `json:"content"`
	Time    wire.Time `json:"time"`
	Admin   string    `json:"admin"`
	Avatar  wire.Link `json:"avatar" show:"picture"`
}

func (h profileHandlers) open(ctx context.Context, r OpenNotice) (InboxNotice, error) {
	l, err := h.Access.ReadNotice(ctx, auth.Operator(ctx).ID, r.Notice)
	if err != nil {
		return InboxNotice{}, err
	}
	if l.Sender == "" { // the author is the system or was deleted
		l.Sender = text.NoticeFromSystem.In(op.LanguageOf(ctx, h.Language))
	}
	return InboxNotice{
		Title: l.Title, Content: l.Content, Time: h.Zone.At(l.UpdateTime), Admin: l.Sender, Avatar: wire.Link(l.Avatar),
	}, nil
}

func (h profileHandlers) markRead(ctx context.Context, r wire.Refs) (op.None, error) {
	return op.None{}, h.Access.ReadNotices(ctx, auth.Operator(ctx).ID, r.IDs)
}

func (h profileHandlers) drop(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Access.DropReceipts(ctx, auth.Operator(ctx).ID, r.ID)
}

func (h profileHandlers) dropMany(ctx context.Context, r wire.Refs) (op.None, error) {
	return op.None{}, h.Access.DropReceipts(ctx, auth.Operator(ctx).ID, r.IDs...)
}
