package content

import (
	"context"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/patch"
	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/kit/wire"
)

// ListIssues is the query of /admin/issue/list.
type ListIssues struct {
	wire.Paging
	Question string `json:"question" doc:"Words of the question, in any order, taken literally." show:"long"`
}

// Issue is a common question with its answer.
type Issue contract.Question

// NewIssue is the request of /admin/issue/create.
type NewIssue struct {
	Question string `json:"question" check:"required,maxLength=255" show:"long"`
	Answer   string `json:"answer" check:"required,maxLength=2000" show:"long"`
}

// IssueChange is the request of /admin/issue/update; absent members stay unchanged.
type IssueChange struct {
	wire.Ref
	wire.Expected
	Question *string `json:"question" check:"notBlank,maxLength=255" show:"long"`
	Answer   *string `json:"answer" check:"notBlank,maxLength=2000" show:"long"`
}

func (h pageHandlers) issue(q content.Question) Issue { return Issue(contract.QuestionOf(h.Zone, q)) }

func (h pageHandlers) listIssues(ctx context.Context, r ListIssues, q page.Query) (page.List[content.Question], error) {
	return h.Content.FindQuestions(ctx, r.Question, q)
}

func (h pageHandlers) createIssue(ctx context.Context, r NewIssue) (content.Question, error) {
	return h.Content.CreateQuestion(ctx, content.Question{Question: r.Question, Answer: r.Answer})
}

func (h pageHandlers) updateIssue(ctx context.Context, r IssueChange) (content.Question, error) {
	return h.Content.ChangeQuestion(ctx, r.ID, func(q *content.Question) { patch.Apply(q, r) })
}
