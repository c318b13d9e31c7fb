package content

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
)

// one reads the live row of an id; ending is FOR UPDATE or nothing.
func one[R any](ctx context.Context, q db.Querier, table, columns string, id int64, ending string) (R, bool, error) {
	var rows []R
	err := q.G(ctx).Raw("SELECT "+columns+" FROM "+table+" r WHERE r.id = ? AND r.deleted = 0 "+ending, id).
		Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		var none R
		if err != nil {
			err = fmt.Errorf("read %s %d: %w", table, id, err)
		}
		return none, false, err
	}
	return rows[0], true, nil
}

const forUpdate = "FOR UPDATE"

// needed turns a row that is not there into errno.Invalid.
func needed(found bool, err error, table string, id int64) error {
	if err == nil && !found {
		return fmt.Errorf("%s %d: %w", table, id, errno.NoSuch(table))
	}
	return err
}

func lockBanner(ctx context.Context, tx *db.Tx, id int64) (Banner, bool, error) {
	r, found, err := one[bannerRow](ctx, tx, "ad", bannerColumns, id, forUpdate)
	return r.banner(), found, err
}

func findBanner(ctx context.Context, q db.Querier, id int64) (Banner, error) {
	r, found, err := one[bannerRow](ctx, q, "ad", bannerColumns, id, "")
	return r.banner(), needed(found, err, "ad", id)
}

func lockKeyword(ctx context.Context, tx *db.Tx, id int64) (Keyword, bool, error) {
	r, found, err := one[keywordRow](ctx, tx, "keyword", keywordColumns, id, forUpdate)
	return r.word(), found, err
}

func findKeyword(ctx context.Context, q db.Querier, id int64) (Keyword, error) {
	r, found, err := one[keywordRow](ctx, q, "keyword", keywordColumns, id, "")
	return r.word(), needed(found, err, "keyword", id)
}

func lockQuestion(ctx context.Context, tx *db.Tx, id int64) (Question, bool, error) {
	r, found, err := one[questionRow](ctx, tx, "issue", questionColumns, id, forUpdate)
	return Question(r), found, err
}

func findQuestion(ctx context.Context, q db.Querier, id int64) (Question, error) {
	r, found, err := one[questionRow](ctx, q, "issue", questionColumns, id, "")
	return Question(r), needed(found, err, "issue", id)
}

func lockTopic(ctx context.Context, tx *db.Tx, id int64) (Topic, bool, error) {
	found, err := readTopics(ctx, tx, "FROM topic r WHERE r.id = ? AND r.deleted = 0 FOR UPDATE", id)
	if err != nil || len(found) == 0 {
		return Topic{}, false, err
	}
	return found[0], true, nil
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

func saveBanner(ctx context.Context, tx *db.Tx, id int64, b Banner, at time.Time) error {
	return save(ctx, tx, "UPDATE ad SET name = ?, link = ?, url = ?, position = ?, content = ?, start_time = ?, "+
		"end_time = ?, enabled = ?, update_time = ?, version = version + 1 WHERE id = ?", b.Name, b.Link, b.URL, b.Position,
		b.Content, orNull(b.StartTime), orNull(b.EndTime), b.Enabled, at, id)
}

func insertQuestion(ctx context.Context, tx *db.Tx, q Question, at time.Time) (int64, error) {
	id, err := db.Insert(ctx, tx, "INSERT INTO issue (question, answer, add_time, update_time) VALUES (?, ?, ?, ?)",
		q.Question, q.Answer, at, at)
	if err != nil {
		return 0, fmt.Errorf("create a help question: %w", err)
	}
	return id, nil
}

func saveQuestion(ctx context.Context, tx *db.Tx, id int64, q Question, at time.Time) error {
	return save(ctx, tx, "UPDATE issue SET question = ?, answer = ?, update_time = ?, version = version + 1 WHERE id = ?",
		q.Question, q.Answer, at, id)
}

func insertKeyword(ctx context.Context, tx *db.Tx, k Keyword, at time.Time) (int64, error) {
	id, err := db.Insert(ctx, tx, "INSERT INTO keyword (keyword, url, is_hot, is_default, sort_order, add_time, "+
		"update_time) VALUES (?, ?, ?, ?, ?, ?, ?)", k.Word, k.URL, k.Hot, k.Default, k.SortOrder, at, at)
	if err != nil {
		return 0, fmt.Errorf("create keyword %q: %w", k.Word, err)
	}
	return id, nil
}

func saveKeyword(ctx context.Context, tx *db.Tx, id int64, k Keyword, at time.Time) error {
	return save(ctx, tx, "UPDATE keyword SET keyword = ?, url = ?, is_hot = ?, is_default = ?, sort_order = ?, "+
		"update_time = ?, version = version + 1 WHERE id = ?", k.Word, k.URL, k.Hot, k.Default, k.SortOrder, at, id)
}

// clearDefaults takes the default from all keywords but one. Two at once lock the rows in the order of their ids.
func clearDefaults(ctx context.Context, tx *db.Tx, except int64, at time.Time) error {
	return save(ctx, tx, "UPDATE keyword SET is_default = 0, update_time = ?, version = version + 1 "+
		"WHERE is_default = 1 AND deleted = 0 AND id <> ? ORDER BY id", at, except)
}

func insertTopic(ctx context.Context, tx *db.Tx, t Topic, at time.Time) (int64, error) {
	goods, err := goodsColumn(t.Goods)
	if err != nil {
		return 0, err
	}
	id, err := db.Insert(ctx, tx, "INSERT INTO topic (title, subtitle, content, price, read_count, pic_url, sort_order, "+
		"goods, add_time, update_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		t.Title, t.Subtitle, t.Content, t.Price, t.ReadCount, t.PicURL, t.SortOrder, goods, at, at)
	if err != nil {
		return 0, fmt.Errorf("create topic %q: %w", t.Title, err)
	}
	return id, nil
}

func saveTopic(ctx context.Context, tx *db.Tx, id int64, t Topic) error {
	goods, err := goodsColumn(t.Goods)
	if err != nil {
		return err
	}
	return save(ctx, tx, "UPDATE topic SET title = ?, subtitle = ?, content = ?, price = ?, read_count = ?, pic_url = ?, "+
		"sort_order = ?, goods = ?, update_time = ?, version = version + 1 WHERE id = ?", t.Title, t.Subtitle, t.Content,
		t.Price, t.ReadCount, t.PicURL, t.SortOrder, goods, t.UpdateTime, id)
}

func goodsColumn(ids []int64) (string, error) {
	if ids == nil {
		ids = []int64{}
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return "", fmt.Errorf("write the goods of a topic: %w", err)
	}
	return string(list), nil
}

func save(ctx context.Context, tx *db.Tx, statement string, args ...any) error {
	if err := tx.G(ctx).Exec(statement, args...).Error; err != nil {
		return fmt.Errorf("save what editors changed: %w", err)
	}
	return nil
}

func remove(ctx context.Context, tx *db.Tx, table string, id int64, at time.Time) error {
	return save(ctx, tx, "UPDATE "+table+" SET deleted = 1, update_time = ?, version = version + 1 WHERE id = ?", at, id)
}
