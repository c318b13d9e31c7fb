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

func (r bannerRow) banner() Banner {
	return Banner{
		ID: r.ID, Name: r.Name, Link: r.Link, URL: r.URL, Content: r.Content, Position: r.Position, Enabled: r.Enabled,
		StartTime: orZero(r.StartTime), EndTime: orZero(r.EndTime), AddTime: r.AddTime, UpdateTime: r.UpdateTime,
		Version: r.Version,
	}
}

const bannerColumns = "r.id, r.name, r.link, r.url, r.content, r.position, r.enabled, r.start_time, r.end_time, " +
	"r.add_time, r.update_time, r.version"

func bannersAt(ctx context.Context, q db.Querier, position int, at time.Time) ([]Banner, error) {
	var rows []bannerRow
	err := q.G(ctx).Raw("SELECT "+bannerColumns+" FROM ad r WHERE position = ? AND enabled = 1 AND deleted = 0 "+
		"AND (start_time IS NULL OR start_time <= ?) AND (end_time IS NULL OR end_time >= ?) ORDER BY id",
		position, at, at).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read banners: %w", err)
	}
	out := make([]Banner, len(rows))
	for i, r := range rows {
		out[i] = r.banner()
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

const questionColumns = "r.id, COALESCE(r.question, '') AS question, COALESCE(r.answer, '') AS answer, r.add_time, " +
	"r.update_time, r.version"

// readQuestions reads help questions; rest stands behind FROM issue r.
func readQuestions(ctx context.Context, q db.Querier, rest string, args ...any) ([]Question, error) {
	var rows []questionRow
	err := q.G(ctx).Raw("SELECT "+questionColumns+" FROM issue r "+rest, args...).Scan(&rows).Error
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
	return readQuestions(ctx, q, "WHERE r.deleted = 0 ORDER BY r.id LIMIT ?", n)
}

// sortedBy maps the words one may sort by to the order of a table's rows, ties by id in the same direction.
func sortedBy(alias string, q page.Query) string {
	direction := q.Direction()
	if q.Sort == "id" {
		return alias + ".id " + direction
	}
	return alias + ".add_time " + direction + ", " + alias + ".id " + direction
}
