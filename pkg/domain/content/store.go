package content

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/page"
)

type bannerRow struct {
	ID                       int64
	Name, Link, URL, Content string
	Position                 int
	Enabled                  bool
	StartTime, EndTime       *time.Time
	AddTime, UpdateTime      time.Time
	Version                  int
}

func bannersAt(ctx context.Context, q db.Querier, position int, at time.Time) ([]Banner, error) {
	var rows []bannerRow
	err := q.G(ctx).Raw("SELECT id, name, link, url, content, position, enabled, start_time, end_time, add_time, "+
		"update_time, version FROM ad WHERE position = ? AND enabled = 1 AND deleted = 0 "+
		"AND (start_time IS NULL OR start_time <= ?) AND (end_time IS NULL OR end_time >= ?) ORDER BY id",
		position, at, at).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read banners: %w", err)
	}
	out := make([]Banner, len(rows))
	for i, r := range rows {
		out[i] = Banner{
			ID: r.ID, Name: r.Name, Link: r.Link, URL: r.URL, Content: r.Content, Position: r.Position, Enabled: r.Enabled,
			StartTime: orZero(r.StartTime), EndTime: orZero(r.EndTime), AddTime: r.AddTime, UpdateTime: r.UpdateTime,
			Version: r.Version,
		}
	}
	return out, nil
}

func orZero(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

type questionRow struct {
	ID                  int64
	Question, Answer    string
	AddTime, UpdateTime time.Time
	Version             int
}

// readQuestions reads help questions; rest stands behind FROM issue i.
func readQuestions(ctx context.Context, q db.Querier, rest string, args ...any) ([]Question, error) {
	var rows []questionRow
	err := q.G(ctx).Raw("SELECT i.id, COALESCE(i.question, '') AS question, COALESCE(i.answer, '') AS answer, "+
		"i.add_time, i.update_time, i.version FROM issue i "+rest, args...).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read help questions: %w", err)
	}
	out := make([]Question, len(rows))
	for i, r := range rows {
		out[i] = Question(r)
	}
	return out, nil
}

func firstQuestions(ctx context.Context, q db.Querier, n int) ([]Question, error) {
	return readQuestions(ctx, q, "WHERE i.deleted = 0 ORDER BY i.id LIMIT ?", n)
}

// asking is the condition for questions that contain a text, all of them for an empty one.
func asking(text string) (string, []any) {
	if text == "" {
		return "i.deleted = 0", nil
	}
	return "i.deleted = 0 AND i.question LIKE ?", []any{db.Contains(text)}
}

func countQuestions(ctx context.Context, q db.Querier, text string) (n int64, err error) {
	cond, args := asking(text)
	if err = q.G(ctx).Raw("SELECT COUNT(*) FROM issue i WHERE "+cond, args...).Scan(&n).Error; err != nil {
		return 0, fmt.Errorf("count help questions: %w", err)
	}
	return n, nil
}

func listQuestions(ctx context.Context, q db.Querier, text string, w page.Query) ([]Question, error) {
	cond, args := asking(text)
	return readQuestions(ctx, q, "WHERE "+cond+" ORDER BY "+sortedBy("i", w)+" LIMIT ? OFFSET ?",
		append(args, w.Limit, w.Offset())...)
}

// sortedBy maps the words one may sort by to the order of a table's rows, ties by id in the same direction.
func sortedBy(alias string, q page.Query) string {
	direction := q.Direction()
	if q.Sort == "id" {
		return alias + ".id " + direction
	}
	return alias + ".add_time " + direction + ", " + alias + ".id " + direction
}

func insertBanner(ctx context.Context, tx *db.Tx, b Banner, at time.Time) (int64, error) {
	id, err := db.Insert(ctx, tx, "INSERT INTO ad (name, link, url, position, content, start_time, end_time, enabled, "+
		"add_time, update_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		b.Name, b.Link, b.URL, b.Position, b.Content, orNull(b.StartTime), orNull(b.EndTime), b.Enabled, at, at)
	if err != nil {
		return 0, fmt.Errorf("create banner %q: %w", b.Name, err)
	}
	return id, nil
}

func insertQuestion(ctx context.Context, tx *db.Tx, q Question, at time.Time) (int64, error) {
	id, err := db.Insert(ctx, tx, "INSERT INTO issue (question, answer, add_time, update_time) VALUES (?, ?, ?, ?)",
		q.Question, q.Answer, at, at)
	if err != nil {
		return 0, fmt.Errorf("create a help question: %w", err)
	}
	return id, nil
}
