package access

import (
	"context"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/cleaned"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/named"
	"shop.internal/services/admin/internal/paging"
)

type noticeHandlers struct{ Deps }

// noticeOps declares the operations on notices.
func noticeOps(d Deps) []op.Op {
	h := noticeHandlers{d}
	return []op.Op{
		op.Read[ListNotices, wire.List[ListedNotice]]{
			Path: "/admin/notice/list", Title: "List notices",
			Access: op.Permit("admin:notice:list", menu.Notices(), menu.Query()), Budget: 5,
			Columns: op.Columns{
				Names: []string{"title", "username", "addTime", "updateTime"}, Opens: "title",
			},
			Do: h.list,
		},
		op.Write[NewNotice, WrittenNotice]{
			Path: "/admin/notice/create", Title: "Send a notice to all operators",
			Access:           op.Permit("admin:notice:create", menu.Notices(), menu.Add()),
			IdempotencyScope: "admin.notice-create", Audit: noticeAudit("notice-create"), Budget: 8, Do: h.create,
		},
		op.Read[wire.Ref, NoticeDetail]{
			Path: "/admin/notice/read", Title: "Show a notice and who has got it",
			Access: op.Permit("admin:notice:read", menu.Notices(), menu.Detail()), Budget: 3, Do: h.read,
		},
		op.Write[NoticeChange, WrittenNotice]{
			Path: "/admin/notice/update", Title: "Change a notice that nobody has read",
			Access:           op.Permit("admin:notice:update", menu.Notices(), menu.Edit()),
			Fails:            []*errno.Code{errno.UpdateFailed},
			IdempotencyScope: "admin.notice-update", Audit: noticeAudit("notice-update"), Budget: 8,
			Do: wire.Expecting(h.Zone, h.update),
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/notice/delete", Title: "Delete a notice",
			Access:           op.Permit("admin:notice:delete", menu.Notices(), menu.Delete()),
			IdempotencyScope: "admin.notice-delete", Audit: noticeAudit("notice-delete"), Budget: 6, Do: h.delete,
		},
		op.Write[wire.Refs, op.None]{
			Path: "/admin/notice/batch-delete", Title: "Delete several notices",
			Access:           op.Permit("admin:notice:batch-delete", menu.Notices(), menu.DeleteMany()),
			IdempotencyScope: "admin.notice-batch-delete", Audit: noticeAudit("notice-delete"),
			Budget: op.PerItem, Do: h.deleteMany,
		},
	}
}

func noticeAudit(action string) op.Audit {
	return op.Audit{Target: "notice", Action: text.ForAction(action)}
}

// ListNotices is the query of /admin/notice/list.
type ListNotices struct {
	wire.Paging
	Title   string `json:"title" doc:"Words of the title, in any order."`
	Content string `json:"content" doc:"Words of the content, in any order." show:"rich"`
}

func (h noticeHandlers) list(ctx context.Context, r ListNotices) (wire.List[ListedNotice], error) {
	l, err := paging.Page(r.Paging, func(q page.Query) (page.List[access.Notice], error) {
		return h.Access.Notices(ctx, access.NoticeFilter{Title: r.Title, Content: r.Content}, q)
	}, func(n access.Notice) ListedNotice { return ListedNotice{NoticeRow: h.row(n), Username: ""} })
	if err != nil {
		return l, err
	}
	return l, named.Beside(ctx, l.List, (*ListedNotice).author, h.Access.Usernames)
}

// NewNotice is the body of /admin/notice/create.
type NewNotice struct {
	Title   string `json:"title" check:"required,maxLength=63,visible"`
	Content string `json:"content" check:"maxLength=20000,clean=none" show:"rich"`
}

func (h noticeHandlers) create(ctx context.Context, r NewNotice) (WrittenNotice, error) {
	n, err := h.Access.CreateNotice(ctx, auth.Actor(ctx), r.Title, r.Content)
	return WrittenNotice{h.row(n), cleaned.Of(r.Content)}, err
}

// NoticeDetail is a notice with its receipts.
type NoticeDetail struct {
	Notice   NoticeRow `json:"notice"`
	Receipts []Receipt `json:"noticeAdminList"`
}

func (h noticeHandlers) read(ctx context.Context, r wire.Ref) (NoticeDetail, error) {
	n, receipts, err := h.Access.Notice(ctx, r.ID)
	if err != nil {
		return NoticeDetail{}, err
	}
	return NoticeDetail{Notice: h.row(n), Receipts: wire.Each(receipts, receiptOf(h.Zone))}, nil
}

// NoticeChange is the body of /admin/notice/update; absent members stay unchanged.
type NoticeChange struct {
	wire.Ref
	wire.Expected
	Title   *string `json:"title" check:"notBlank,maxLength=63,visible"`
	Content *string `json:"content" check:"maxLength=20000,clean=none" show:"rich"`
}

func (h noticeHandlers) update(ctx context.Context, r NoticeChange) (WrittenNotice, error) {
	n, err := h.Access.UpdateNotice(ctx, auth.Actor(ctx), r.ID,
		access.NoticeChange{Title: r.Title, Content: r.Content})
	return WrittenNotice{h.row(n), cleaned.OfAny(r.Content)}, err
}

func (h noticeHandlers) delete(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Access.DeleteNotices(ctx, r.ID)
}

func (h noticeHandlers) deleteMany(ctx context.Context, r wire.Refs) (op.None, error) {
	return op.None{}, h.Access.DeleteNotices(ctx, r.IDs...)
}

// NoticeRow is a notice.
type NoticeRow struct {
	ID      int64  `json:"id"`
	Title   string `json:"title"`
	Content string `json:"content" show:"rich"`
	AdminID int64  `json:"adminId" show:"of=admin"`
	wire.Stamps
}

// ListedNotice is a notice of the list, with the name of its author; it is empty for the system.
type ListedNotice struct {
	NoticeRow
	Username string `json:"username"`
}

func (l *ListedNotice) author() (id int64, name *string) { return l.AdminID, &l.Username }

// WrittenNotice is a notice as it was stored.
type WrittenNotice struct {
	NoticeRow
	cleaned.HTML
}

func (h noticeHandlers) row(n access.Notice) NoticeRow {
	return NoticeRow{
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

// receiptOf renders receipts in a time zone.
func receiptOf(zone wire.Zone) func(access.Receipt) Receipt {
	return func(r access.Receipt) Receipt {
		return Receipt{
			ID: r.ID, NoticeID: r.Notice, NoticeTitle: r.Title, AdminID: r.Operator, ReadTime: zone.At(r.Read),
			Stamps: zone.Stamps(r.AddTime, r.UpdateTime),
		}
	}
}
