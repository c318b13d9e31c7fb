package people

import (
	"context"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/named"
	"shop.internal/services/admin/internal/paging"
)

type commentHandlers struct{ Deps }

// commentOps declares the operations on comments.
func commentOps(d Deps) []op.Op {
	h := commentHandlers{d}
	return []op.Op{
		op.Read[ListComments, wire.List[Comment]]{
			Path: "/admin/comment/list", Title: "List comments on goods and topics",
			Access: op.Permit("admin:comment:list", menu.Comments(), menu.Query()), Budget: 6, AllowStale: true,
			Columns: op.Columns{
				Names: []string{"content", "picUrls", "star", "goodsName", "username", "adminContent", "hidden", "addTime"},
				Opens: "content",
			},
			Do: h.list,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/comment/delete", Title: "Delete a comment",
			Access: op.Permit("admin:comment:delete", menu.Comments(), menu.Delete()),
			Fails:  []*errno.Code{errno.Stale},
			Audit:  op.Audit{Target: "comment", Action: text.ForAction("comment-delete")}, Budget: 5, Do: h.delete,
		},
		op.Write[Visibility, op.None]{
			Path: "/admin/moderation/hide", Title: "Hide a comment from the shop's pages, or show it again",
			Access: op.Permit("admin:moderation:hide", menu.Comments(), menu.Button("hide-or-show")),
			Fails:  []*errno.Code{errno.Stale}, IdempotencyScope: "admin.moderation-hide",
			Audit: op.Audit{Target: "comment", Action: text.ForAction("comment-hide")}, Budget: 7, Do: h.hide,
		},
	}
}

// ListComments is the query of /admin/comment/list.
type ListComments struct {
	wire.Paging
	UserID  *int64 `json:"userId" doc:"Only comments of this shopper." show:"of=user"`
	ValueID *int64 `json:"valueId" doc:"Only comments on this goods."`
}

func (h commentHandlers) list(ctx context.Context, r ListComments) (wire.List[Comment], error) {
	l, err := paging.Page(r.Paging, func(q page.Query) (page.List[review.Comment], error) {
		return h.Reviews.All(ctx, review.Filter{Shopper: r.UserID, Goods: r.ValueID}, q)
	}, h.comment)
	if err != nil {
		return l, err
	}
	if err := named.Beside(ctx, l.List, (*Comment).goods, h.Goods.GoodsNames); err != nil {
		return l, err
	}
	return l, named.Beside(ctx, l.List, (*Comment).shopper, h.Accounts.Usernames)
}

func (h commentHandlers) delete(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Reviews.Remove(ctx, r.ID)
}

// Visibility is the body of /admin/moderation/hide.
type Visibility struct {
	wire.Ref
	Hidden bool `json:"hidden" check:"required" doc:"Whether the shop's pages leave the comment out, and do not count it."`
}

func (h commentHandlers) hide(ctx context.Context, r Visibility) (op.None, error) {
	return op.None{}, h.Lines.Hide(ctx, r.ID, r.Hidden)
}

// Comment is a comment with the shop's reply.
type Comment struct {
	ID           int64      `json:"id"`
	ValueID      int64      `json:"valueId"`
	GoodsName    string     `json:"goodsName" doc:"Empty for a comment on a topic."`
	Type         int        `json:"type" show:"one=commented"`
	Content      string     `json:"content" show:"long"`
	AdminContent string     `json:"adminContent" doc:"The reply, empty where there is none yet." show:"long"`
	UserID       int64      `json:"userId" show:"of=user"`
	Username     string     `json:"username"`
	HasPicture   bool       `json:"hasPicture"`
	PicURLs      wire.Links `json:"picUrls" show:"picture"`
	Star         int        `json:"star"`
	Hidden       bool       `json:"hidden"`
	wire.Stamps
}

func (h commentHandlers) comment(c review.Comment) Comment {
	return Comment{
		ID: c.ID, ValueID: c.ValueID, Type: int(c.Kind), Content: c.Content, AdminContent: c.Reply, UserID: c.UserID,
		Username: "", GoodsName: "",
		HasPicture: len(c.Pictures) > 0, PicURLs: wire.Links(c.Pictures), Star: c.Star, Hidden: c.Hidden,
		Stamps: h.Zone.Stamps(c.AddTime, c.UpdateTime),
	}
}

func (c *Comment) shopper() (id int64, name *string) { return c.UserID, &c.Username }

func (c *Comment) goods() (id int64, name *string) {
	if c.Type != int(review.Goods) {
		return 0, nil
	}
	return c.ValueID, &c.GoodsName
}
