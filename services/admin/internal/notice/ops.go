// Package notice serves operators the notices to all of them.
package notice

import (
	"context"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/cleaned"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/named"
	"shop.internal/services/admin/internal/paging"
)

// Deps are what the operations need.
type Deps struct {
	Access *access.Service
	Zone   wire.Zone
}

type handlers struct{ Deps }

// Ops declares the operations on notices.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return []op.Op{
		op.Read[List, wire.List[Listed]]{
			Path: "/admin/notice/list", Title: "List notices",
			Access: op.Permit("admin:notice:list", menu.Notices(), menu.Query()), Budget: 5,
			Columns: op.Columns{
				Names: []string{"title", "username", "addTime", "updateTime"}, Opens: "title",
			},
			Do: h.list,
		},
		op.Write[New, Written]{
			Path: "/admin/notice/create", Title: "Send a notice to all operators",
			Access:           op.Permit("admin:notice:create", menu.Notices(), menu.Add()),
			IdempotencyScope: "admin.notice-create", Audit: audit("添加通知"), Budget: 8, Do: h.create,
		},
		op.Read[wire.Ref, Detail]{
			Path: "/admin/notice/read", Title: "Show a notice and who has got it",
			Access: op.Permit("admin:notice:read", menu.Notices(), menu.Detail()), Budget: 3, Do: h.read,
		},
		op.Write[Change, Written]{
			Path: "/admin/notice/update", Title: "Change a notice that nobody has read",
			Access:           op.Permit("admin:notice:update", menu.Notices(), menu.Edit()),
			Fails:            []*errno.Code{errno.UpdateFailed},
			IdempotencyScope: "admin.notice-update", Audit: audit("编辑通知"), Budget: 8,
			Do: wire.Expecting(h.Zone, h.update),
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/notice/delete", Title: "Delete a notice",
			Access:           op.Permit("admin:notice:delete", menu.Notices(), menu.Delete()),
			IdempotencyScope: "admin.notice-delete", Audit: audit("删除通知"), Budget: 6, Do: h.delete,
		},
		op.Write[wire.Refs, op.None]{
			Path: "/admin/notice/batch-delete", Title: "Delete several notices",
			Access:           op.Permit("admin:notice:batch-delete", menu.Notices(), menu.DeleteMany()),
			IdempotencyScope: "admin.notice-batch-delete", Audit: audit("删除通知"), Budget: op.PerItem, Do: h.deleteMany,
		},
	}
}

func audit(action string) op.Audit { return op.Audit{Target: "notice", Kind: 0, Action: action} }

// List is the query of /admin/notice/list.
type List struct {
	wire.Paging
	Title   string `json:"title" doc:"Words of the title, in any order."`
	Content string `json:"content" doc:"Words of the content, in any order." show:"rich"`
}

func (h handlers) list(ctx context.Context, r List) (wire.List[Listed], error) {
	l, err := paging.Page(r.Paging, func(q page.Query) (page.List[access.Notice], error) {
		return h.Access.Notices(ctx, access.NoticeFilter{Title: r.Title, Content: r.Content}, q)
	}, func(n access.Notice) Listed { return Listed{Row: h.row(n), Username: ""} })
	if err != nil {
		return l, err
	}
	return l, named.Beside(ctx, l.List, (*Listed).author, h.Access.Usernames)
}

// New is the body of /admin/notice/create.
type New struct {
	Title   string `json:"title" check:"required,maxLength=63,visible"`
	Content string `json:"content" check:"maxLength=20000,clean=none" show:"rich"`
}

func (h handlers) create(ctx context.Context, r New) (Written, error) {
	n, err := h.Access.CreateNotice(ctx, auth.Actor(ctx), r.Title, r.Content)
	return Written{h.row(n), cleaned.Of(r.Content)}, err
}

// Detail is a notice with its receipts.
type Detail struct {
	Notice   Row       `json:"notice"`
	Receipts []Receipt `json:"noticeAdminList"`
}

func (h handlers) read(ctx context.Context, r wire.Ref) (Detail, error) {
	n, receipts, err := h.Access.Notice(ctx, r.ID)
	if err != nil {
		return Detail{}, err
	}
	return Detail{Notice: h.row(n), Receipts: wire.Each(receipts, ReceiptOf(h.Zone))}, nil
}

// Change is the body of /admin/notice/update; absent members stay unchanged.
type Change struct {
	wire.Ref
	wire.Expected
	Title   *string `json:"title" check:"notBlank,maxLength=63,visible"`
	Content *string `json:"content" check:"maxLength=20000,clean=none" show:"rich"`
}

func (h handlers) update(ctx context.Context, r Change) (Written, error) {
	n, err := h.Access.UpdateNotice(ctx, auth.Actor(ctx), r.ID,
		access.NoticeChange{Title: r.Title, Content: r.Content})
	return Written{h.row(n), cleaned.OfAny(r.Content)}, err
}

func (h handlers) delete(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Access.DeleteNotices(ctx, r.ID)
}

func (h handlers) deleteMany(ctx context.Context, r wire.Refs) (op.None, error) {
	return op.None{}, h.Access.DeleteNotices(ctx, r.IDs...)
}

// Row is a notice.
type Row struct {
	ID      int64  `json:"id"`
	Title   string `json:"title"`
	Content string `json:"content" show:"rich"`
	AdminID int64  `json:"adminId" show:"of=admin"`
	wire.Stamps
}

// Listed is a notice of the list, with the name of its author; it is empty for the system.
type Listed struct {
	Row
	Username string `json:"username"`
}

func (l *Listed) author() (id int64, name *string) { return l.AdminID, &l.Username }

// Written is a notice as it was stored.
type Written struct {
	Row
	cleaned.HTML
}

func (h handlers) row(n access.Notice) Row {
	return Row{
		ID: n.ID, Title: n.Title, Content: n.Content, AdminID: n.Author, Stamps: h.Zone.Stamps(n.AddTime, n.UpdateTime),
	}
}

// Receipt is a notice in an operator's inbox.
type Receipt struct {
	ID          int64     `json:"id"`
	NoticeID    int64     `json:"noticeId"`
	NoticeTitle string    `json:"noticeTitle"`
	AdminID     int64     `json:"adminId" show:"of=admin"`
	ReadTime    wire.Time `json:"readTime"`
	wire.Stamps
}

// ReceiptOf renders receipts in a time zone.
func ReceiptOf(zone wire.Zone) func(access.Receipt) Receipt {
	return func(r access.Receipt) Receipt {
		return Receipt{
			ID: r.ID, NoticeID: r.Notice, NoticeTitle: r.Title, AdminID: r.Operator, ReadTime: zone.At(r.Read),
			Stamps: zone.Stamps(r.AddTime, r.UpdateTime),
		}
	}
}
