// Package review serves /wx/comment: what shoppers say about goods and topics.
package review

import (
	"context"

	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/window"
)

type handlers struct {
	comments *review.Service
	zone     wire.Zone
}

// Ops declares the operations on comments.
func Ops(comments *review.Service, zone wire.Zone) []op.Op {
	h := handlers{comments, zone}
	return []op.Op{
		op.Read[Subject, Counts]{
			Path: "/wx/comment/count", Title: "Count the comments on goods or a topic", Access: op.Public, Do: h.count,
		},
		op.Read[ListRequest, wire.List[Entry]]{
			Path: "/wx/comment/list", Title: "List the comments on goods or a topic", Access: op.Public, Do: h.list,
		},
	}
}

// Subject is what comments are asked for.
type Subject struct {
	Type    int   `json:"type" check:"required,oneof=0|1" doc:"0 goods, 1 topic."`
	ValueID int64 `json:"valueId" check:"required" doc:"Id of the goods or the topic."`
}

// Counts are the numbers of comments.
type Counts struct {
	HasPicCount int64 `json:"hasPicCount"`
	AllCount    int64 `json:"allCount"`
}

func (h handlers) count(ctx context.Context, r Subject) (Counts, error) {
	n, err := h.comments.Count(ctx, review.Kind(r.Type), r.ValueID)
	return Counts{HasPicCount: n.WithPictures, AllCount: n.All}, err
}

// ListRequest is the query of /wx/comment/list.
type ListRequest struct {
	Subject
	ShowType int `json:"showType" check:"default=0,oneof=0|1" doc:"0 all, 1 only with pictures."`
	wire.Paging
}

func (h handlers) list(ctx context.Context, r ListRequest) (wire.List[Entry], error) {
	q, err := window.Of(r.Paging, "add_time", "id")
	if err != nil {
		return wire.List[Entry]{}, err
	}
	about := review.Subject{Kind: review.Kind(r.Type), ID: r.ValueID, WithPictures: r.ShowType == 1}
	l, err := h.comments.List(ctx, about, q)
	return wire.ListOf(l, func(c review.Comment) Entry { return EntryView(h.zone, c) }), err
}

// Author is who wrote a comment, with empty texts where nobody remains.
type Author struct {
	NickName  string `json:"nickName"`
	AvatarURL string `json:"avatarUrl"`
}

// Entry is a comment as lists show it.
type Entry struct {
	ID           int64     `json:"id"`
	UserInfo     Author    `json:"userInfo"`
	AddTime      wire.Time `json:"addTime"`
	PicList      []string  `json:"picList"`
	Content      string    `json:"content"`
	AdminContent string    `json:"adminContent"`
	Star         int       `json:"star"`
}

// EntryView shows a comment.
func EntryView(zone wire.Zone, c review.Comment) Entry {
	return Entry{
		ID: c.ID, UserInfo: Author{NickName: c.Author.Nickname, AvatarURL: c.Author.Avatar}, AddTime: zone.At(c.AddTime),
		PicList: wire.OrEmpty(c.Pictures), Content: c.Content, AdminContent: c.Reply, Star: c.Star,
	}
}
