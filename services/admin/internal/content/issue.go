package content

import (
	"context"

	"shop.internal/pkg/contract"

	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/admin/internal/paging"
)

// ListIssues is the query of /admin/issue/list.
type ListIssues struct {
	wire.Paging
	Question string `json:"question" doc:"Part of the question, taken literally."`
}

// Issue is a common question with its answer.
type Issue contract.Question

// NewIssue is the request of /admin/issue/create.
type NewIssue struct {
	Question string `json:"question" check:"required,blank,max=255"`
	Answer   string `json:"answer" check:"required,blank,max=2000"`
}

// IssueChange is the request of /admin/issue/update; what is absent stays.
type IssueChange struct {
	ID       int64   `json:"id" check:"required"`
	Question *string `json:"question" check:"filled,max=255"`
	Answer   *string `json:"answer" check:"filled,max=2000"`
}

func (h handlers) issue(q content.Question) Issue { return Issue(contract.QuestionOf(h.zone, q)) }

func (h handlers) listIssues(ctx context.Context, r ListIssues) (wire.List[Issue], error) {
	return paging.Page(r.Paging, func(q page.Query) (page.List[content.Question], error) {
		return h.content.FindQuestions(ctx, r.Question, q)
	}, h.issue)
}

func (h handlers) createIssue(ctx context.Context, r NewIssue) (Issue, error) {
	q, err := h.content.CreateQuestion(ctx, content.Question{Question: r.Question, Answer: r.Answer})
	return h.issue(q), err
}

func (h handlers) readIssue(ctx context.Context, r wire.Ref) (Issue, error) {
	q, err := h.content.Question(ctx, r.ID)
	return h.issue(q), err
}

func (h handlers) changeIssue(ctx context.Context, r IssueChange) (Issue, error) {
	q, err := h.content.ChangeQuestion(ctx, r.ID, func(q *content.Question) {
		wire.Set(&q.Question, r.Question)
		wire.Set(&q.Answer, r.Answer)
	})
	return h.issue(q), err
}

func (h handlers) deleteIssue(ctx context.Context, r wire.Ref) (op.None, error) {
	return op.None{}, h.content.DeleteQuestion(ctx, r.ID)
}
