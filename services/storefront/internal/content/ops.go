package content

import (
	"context"

	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/pagecache"
	"shop.internal/services/storefront/internal/paging"
)

// Deps are what the operations need.
type Deps struct {
	Content *content.Service
	Zone    wire.Zone
	// Answers are the cached answers.
	Answers *pagecache.Answers
}

type handlers struct{ Deps }

// Ops declares the operations on help questions. Banners are part of the home page, and topics have a package of their
// own, since their pages show goods.
func Ops(d Deps) []op.Op {
	h := handlers{d}
	return []op.Op{
		op.Read[QuestionsRequest, wire.Raw[wire.List[Question]]]{
			Path: "/wx/issue/list", Title: "List help questions", Access: op.Public, Budget: 2,
			AllowStale: true, Do: pagecache.Same(d.Answers, h.questions),
		},
	}
}

// QuestionsRequest is the query of /wx/issue/list.
type QuestionsRequest struct {
	Question string `json:"question" doc:"Words that the question contains, in any order and case."`
	wire.Paging
	Size *int `json:"size" doc:"Another name of limit, used where limit is absent."`
}

func (h handlers) questions(ctx context.Context, r QuestionsRequest) (wire.List[Question], error) {
	if r.Limit == nil {
		r.Limit = r.Size
	}
	q, err := paging.Of(r.Paging)
	if err != nil {
		return wire.List[Question]{}, err
	}
	l, err := h.Content.FindQuestions(ctx, r.Question, q)
	return wire.ListOf(l, func(q content.Question) Question { return QuestionView(h.Zone, q) }), err
}
