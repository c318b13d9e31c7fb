// Package review serves /wx/comment: comments on goods and topics.
package review

import (
	"context"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/auth"
	"shop.internal/services/storefront/internal/paging"
	"shop.internal/services/storefront/internal/rate"
)

// Deps are the dependencies of the operations.
type Deps struct {
	Comments *review.Service
	Posts    *review.Lines
	// OnlyBuyers restricts comments on goods to shoppers who have received them.
	OnlyBuyers bool
	Zone       wire.Zone
}

type handlers struct{ Deps }

// Ops declares the operations on comments.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return []op.Op{
		op.Read[Subject, Counts]{
			Path: "/wx/comment/count", Title: "Count the comments on goods or a topic", Access: op.Public,
			Budget: 1, Do: h.count,
		},
		op.Read[ListRequest, wire.List[Entry]]{
			Path: "/wx/comment/list", Title: "List the comments on goods or a topic", Access: op.Public,
			Budget: 3, Do: h.list,
		},
		op.Write[Post, Stored]{
			Path: "/wx/comment/post", Title: "Comment on goods or a topic", Access: op.SignedIn,
			Fails: []*errno.Code{errno.OrderInvalidOperation}, IdempotencyScope: "comment.post",
			Rate: rate.Comment, Budget: 5, Do: h.post,
		},
	}
}

// Subject is what comments are about.
type Subject struct {
	Type    int   `json:"type" check:"required,enum=0|1" doc:"0 goods, 1 topic."`
	ValueID int64 `json:"valueId" check:"required" doc:"Id of the goods or the topic."`
}

// Counts are the numbers of comments.
type Counts struct {
	HasPicCount int64 `json:"hasPicCount"`
	AllCount    int64 `json:"allCount"`
}

func (h handlers) count(ctx context.Context, r Subject) (Counts, error) {
	n, err := h.Comments.Count(ctx, review.Kind(r.Type), r.ValueID)
	return Counts{HasPicCount: n.WithPictures, AllCount: n.All}, err
}

// ListRequest is the query of /wx/comment/list.
type ListRequest struct {
	Subject
	ShowType int `json:"showType" check:"default=0,enum=0|1" doc:"0 all, 1 only with pictures."`
	wire.Paging
}

func (h handlers) list(ctx context.Context, r ListRequest) (wire.List[Entry], error) {
	q, err := paging.Of(r.Paging)
	if err != nil {
		return wire.List[Entry]{}, err
	}
	about := review.Subject{Kind: review.Kind(r.Type), ID: r.ValueID, WithPictures: r.ShowType == 1}
	l, err := h.Comments.List(ctx, about, q)
	return wire.ListOf(l, func(c review.Comment) Entry { return EntryView(h.Zone, c) }), err
}

// Author is the author of a comment, with empty texts for a deleted account.
type Author struct {
	NickName string `json:"nickName"`
	// Nickname repeats NickName for mini programs, which read this member.
	Nickname  string    `json:"nickname" doc:"The same as nickName."`
	AvatarURL wire.Link `json:"avatarUrl"`
}

// Entry is a comment as shown in lists.
type Entry struct {
	ID           int64      `json:"id"`
	UserInfo     Author     `json:"userInfo"`
	AddTime      wire.Time  `json:"addTime"`
	PicList      wire.Links `json:"picList"`
	Content      string     `json:"content"`
	AdminContent string     `json:"adminContent"`
	Star         int        `json:"star"`
}

// EntryView renders a comment.
func EntryView(zone wire.Zone, c review.Comment) Entry {
	name := c.Author.Nickname
	return Entry{
		ID: c.ID, UserInfo: Author{NickName: name, Nickname: name, AvatarURL: wire.Link(c.Author.Avatar)},
		AddTime: zone.At(c.AddTime),
		PicList: wire.Links(c.Pictures), Content: c.Content, AdminContent: c.Reply, Star: c.Star,
	}
}

// Post is the body of /wx/comment/post. The author, the time and the reply are never read from it.
type Post struct {
	Subject
	Content    string   `json:"content" check:"required,maxLength=1023"`
	Star       int      `json:"star" check:"required,min=1,max=5"`
	HasPicture bool     `json:"hasPicture"`
	PicURLs    []string `json:"picUrls" check:"maxItems=9,url"`
}

func (h handlers) post(ctx context.Context, r Post) (Stored, error) {
	c := review.Comment{
		Kind: review.Kind(r.Type), ValueID: r.ValueID, UserID: auth.ID(ctx), Content: r.Content, Star: r.Star,
	}
	if r.HasPicture {
		c.Pictures = r.PicURLs
	}
	stored, err := h.Posts.Post(ctx, c, h.OnlyBuyers)
	return h.stored(stored), err
}

// Stored is a comment as stored.
type Stored struct {
	ID           int64      `json:"id"`
	ValueID      int64      `json:"valueId"`
	Type         int        `json:"type"`
	UserID       int64      `json:"userId"`
	Star         int        `json:"star"`
	Content      string     `json:"content"`
	AdminContent string     `json:"adminContent"`
	HasPicture   bool       `json:"hasPicture"`
	PicURLs      wire.Links `json:"picUrls"`
	wire.Stamps
}

func (h handlers) stored(c review.Comment) Stored {
	return Stored{
		ID: c.ID, ValueID: c.ValueID, Type: int(c.Kind), UserID: c.UserID, Star: c.Star, Content: c.Content,
		AdminContent: c.Reply, HasPicture: len(c.Pictures) > 0, PicURLs: wire.Links(c.Pictures),
		Stamps: h.Zone.Stamps(c.AddTime, c.UpdateTime),
	}
}
