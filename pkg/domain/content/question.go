package content

import (
	"context"
	"time"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/edit"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
)

// Question is a help question with its answer.
type Question struct {
	ID                  int64
	Question, Answer    string
	AddTime, UpdateTime time.Time
	Version             int
}

var questions = table.Of[Question]("issue")

func (s *Service) questions() edit.CRUD[Question] { return edit.Of(questions, s.once, s.clock) }

// CreateQuestion adds a help question.
func (s *Service) CreateQuestion(ctx context.Context, q Question) (Question, error) {
	return s.questions().Create(ctx, q, func(*db.Tx, *Question) error { return nil })
}

// ChangeQuestion changes a help question. It fails with errno.UpdateFailed for an unknown one.
func (s *Service) ChangeQuestion(ctx context.Context, id int64, change func(*Question)) (Question, error) {
	return s.questions().Update(ctx, id, func(_ *db.Tx, q *Question) error {
		change(q)
		return nil
	})
}

// DeleteQuestion deletes a help question; an unknown one is no error.
func (s *Service) DeleteQuestion(ctx context.Context, id int64) error {
	return s.questions().Delete(ctx, edit.Always[Question], id)
}

// Question returns a help question. It fails with errno.Invalid.
func (s *Service) Question(ctx context.Context, id int64) (Question, error) {
	return edit.Find(ctx, s.db, questions, text.FieldIssue, id)
}

// Questions returns the first n help questions.
func (s *Service) Questions(ctx context.Context, n int) ([]Question, error) {
	return questions.Find(ctx, s.db, "r.deleted = 0 ORDER BY r.id LIMIT ?", n)
}

// FindQuestions lists the help questions that contain a text, all of them for an empty one. Sort is add_time or id.
func (s *Service) FindQuestions(ctx context.Context, text string, w page.Query) (page.List[Question], error) {
	return lists.Fetch[Question](ctx, s.lists,
		lists.Of(questions).Contains("question", text), w)
}
