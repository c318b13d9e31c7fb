package content

import (
	"context"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/edit"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
)

func (s *Service) questions() edit.CRUD[Question] {
	return edit.CRUD[Question]{
		Table: "issue", Once: s.once, Lock: lockQuestion,
		Insert: func(ctx context.Context, tx *db.Tx, q Question) (int64, error) {
			return insertQuestion(ctx, tx, q, s.clock())
		},
		Save: func(ctx context.Context, tx *db.Tx, id int64, q Question) error {
			return saveQuestion(ctx, tx, id, q, s.clock())
		},
		Remove: s.remover("issue"),
	}
}

// CreateQuestion adds a help question.
func (s *Service) CreateQuestion(ctx context.Context, q Question) (Question, error) {
	return s.questions().Create(ctx, q, func(*db.Tx, *Question) error { return nil })
}

// ChangeQuestion changes a help question. It fails with errno.UpdateFailed where there is none.
func (s *Service) ChangeQuestion(ctx context.Context, id int64, change func(*Question)) (Question, error) {
	return s.questions().Update(ctx, id, func(_ *db.Tx, q *Question) error {
		change(q)
		return nil
	})
}

// DeleteQuestion deletes a help question, where there is one.
func (s *Service) DeleteQuestion(ctx context.Context, id int64) error {
	return s.questions().Delete(ctx, edit.Always[Question], id)
}

// Question returns a help question. It fails with errno.Invalid.
func (s *Service) Question(ctx context.Context, id int64) (Question, error) {
	return findQuestion(ctx, s.db, id)
}

// FindQuestions lists the help questions that contain a text, all of them for an empty one. Sort is add_time or id.
func (s *Service) FindQuestions(ctx context.Context, text string, w page.Query) (page.List[Question], error) {
	l, err := listing.Fetch[questionRow](ctx, s.db,
		listing.Of("issue", questionColumns).Contains("question", text), w)
	return page.Map(l, func(r questionRow) Question { return Question(r) }), err
}
