// Package profile serves operators their own password and inbox. It needs no permission.
package profile

import (
	"context"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/notice"
	"shop.internal/services/admin/internal/paging"
)

// Deps are what the operations need.
type Deps struct {
	Access   *access.Service
	Sessions *access.Sessions
	Zone     wire.Zone
	// Language is the language of texts for operators.
	Language string
}

type handlers struct{ Deps }

// Ops declares the operations of operators on their own account.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return []op.Op{
		op.Write[Password, op.None]{
			Path: "/admin/profile/password", Title: "Change one's password", Access: op.SignedIn,
			Fails: []*errno.Code{errno.AdminInvalidAccount, errno.AdminInvalidPassword, errno.Stale},
			Audit: op.Audit{Target: "admin", Kind: 0, Action: ""}, Passwords: true, Budget: 5, Do: h.password,
		},
		op.Read[op.None, int64]{
			Path: "/admin/profile/nnotice", Title: "Count one's unread notices", Access: op.SignedIn,
			Budget: 2, Do: h.unread,
		},
		op.Read[Box, wire.List[notice.Receipt]]{
			Path: "/admin/profile/lsnotice", Title: "List one's notices", Access: op.SignedIn, Budget: 3, Do: h.box,
		},
		op.Write[Open, InboxNotice]{
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
	}
}

// Password is the body of /admin/profile/password.
type Password struct {
	Old string `json:"oldPassword" check:"required,clean=none" show:"secret"`
	New string `json:"newPassword" check:"required,clean=none" doc:"6 to 64 characters, at most 72 bytes." show:"secret"`
}

func (h handlers) password(ctx context.Context, r Password) (op.None, error) {
	return op.None{}, h.Sessions.ChangePassword(ctx, auth.Operator(ctx).ID, access.PasswordChange{
		Old: r.Old, New: r.New, Token: auth.Token(ctx), Address: op.CallOf(ctx).Address,
	})
}

func (h handlers) unread(ctx context.Context, _ op.None) (int64, error) {
	return h.Access.UnreadNotices(ctx, auth.Operator(ctx).ID)
}

// Box is the query of /admin/profile/lsnotice.
type Box struct {
	wire.Paging
	Title string `json:"title" doc:"Words of the title, in any order."`
	Type  string `json:"type" check:"enum=read|unread|all,default=all"`
}

func (h handlers) box(ctx context.Context, r Box) (wire.List[notice.Receipt], error) {
	part := access.ReadOrNot
	switch r.Type {
	case "read":
		part = access.Read
	case "unread":
		part = access.Unread
	}
	return paging.Page(r.Paging, func(q page.Query) (page.List[access.Receipt], error) {
		return h.Access.Inbox(ctx, auth.Operator(ctx).ID, r.Title, part, q)
	}, notice.ReceiptOf(h.Zone))
}

// Open is the body of /admin/profile/catnotice. The console sends the whole receipt.
type Open struct {
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

func (h handlers) open(ctx context.Context, r Open) (InboxNotice, error) {
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

func (h handlers) markRead(ctx context.Context, r wire.Refs) (op.None, error) {
	return op.None{}, h.Access.ReadNotices(ctx, auth.Operator(ctx).ID, r.IDs)
}

func (h handlers) drop(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Access.DropReceipts(ctx, auth.Operator(ctx).ID, r.ID)
}

func (h handlers) dropMany(ctx context.Context, r wire.Refs) (op.None, error) {
	return op.None{}, h.Access.DropReceipts(ctx, auth.Operator(ctx).ID, r.IDs...)
}
