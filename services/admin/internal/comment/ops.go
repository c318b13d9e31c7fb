// Package comment serves operators the comments of shoppers. Replies belong to the page of orders.
package comment

import (
	"context"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/menu"
	"shop.internal/services/admin/internal/named"
	"shop.internal/services/admin/internal/paging"
)

// Deps are what the operations need.
type Deps struct {
	Reviews  *review.Service
	Accounts *account.Service
	Goods    *catalog.Service
	Zone     wire.Zone
}

type handlers struct{ Deps }

// Ops declares the operations on comments.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return []op.Op{
		op.Read[List, wire.List[Comment]]{
			Path: "/admin/comment/list", Title: "List comments on goods and topics",
			Access: op.Permit("admin:comment:list", menu.Comments(), menu.Query()), Budget: 6, MayLag: true,
			Columns: op.Columns{
				Names: []string{"content", "picUrls", "star", "goodsName", "username", "adminContent", "addTime"}, Opens: "content",
			},
			Do: h.list,
		},
		op.Write[wire.Ref, op.None]{
			Path: "/admin/comment/delete", Title: "Delete a comment",
			Access: op.Permit("admin:comment:delete", menu.Comments(), menu.Delete()),
			Fails:  []*errno.Code{errno.Stale},
			Audit:  op.Audit{Target: "comment", Kind: 0, Action: "删除评论"}, Budget: 5, Do: h.delete,
		},
	}
}

// List is the query of /admin/comment/list.
type List struct {
	wire.Paging
	ID      *int64 `json:"id" doc:"Only the comment of this id." show:"none"`
	UserID  *int64 `json:"userId" doc:"Only comments of this shopper." show:"of=user"`
	ValueID *int64 `json:"valueId" doc:"Only comments on this goods."`
}

func (h handlers) list(ctx context.Context, r List) (wire.List[Comment], error) {
	l, err := paging.Page(r.Paging, func(q page.Query) (page.List[review.Comment], error) {
		return h.Reviews.All(ctx, review.Filter{ID: r.ID, Shopper: r.UserID, Goods: r.ValueID}, q)
	}, h.comment)
	if err != nil {
		return l, err
	}
	if err := named.Beside(ctx, l.List, (*Comment).goods, h.Goods.GoodsNames); err != nil {
		return l, err
	}
	return l, named.Beside(ctx, l.List, (*Comment).shopper, h.Accounts.Usernames)
}

func (h handlers) delete(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.Reviews.Remove(ctx, r.ID)
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
	wire.Stamps
}

func (h handlers) comment(c review.Comment) Comment {
	return Comment{
		ID: c.ID, ValueID: c.ValueID, Type: int(c.Kind), Content: c.Content, AdminContent: c.Reply, UserID: c.UserID,
		Username: "", GoodsName: "",
		HasPicture: len(c.Pictures) > 0, PicURLs: wire.Links(c.Pictures), Star: c.Star,
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
