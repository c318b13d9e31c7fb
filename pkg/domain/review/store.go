package review

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/upload"
	"shop.internal/pkg/domain/page"
)

type countRow struct{ N, Pictures int64 }

func countComments(ctx context.Context, q db.Querier, kind Kind, id int64) (Counts, error) {
	var r countRow
	err := q.G(ctx).Raw("SELECT COUNT(*) AS n, COALESCE(SUM(has_picture), 0) AS pictures FROM comment "+
		"WHERE type = ? AND value_id = ? AND deleted = 0", int(kind), id).Scan(&r).Error
	if err != nil {
		return Counts{}, fmt.Errorf("count comments: %w", err)
	}
	return Counts{All: r.N, WithPictures: r.Pictures}, nil
}

type commentRow struct {
	ID, ValueID, UserID   int64
	Type                  int
	Content, AdminContent string
	Star                  int
	PicUrls               string
	AddTime, UpdateTime   time.Time
}

func (r commentRow) comment() (Comment, error) {
	c := Comment{
		ID: r.ID, ValueID: r.ValueID, UserID: r.UserID, Kind: Kind(r.Type), Content: r.Content, Reply: r.AdminContent,
		Star: r.Star, AddTime: r.AddTime, UpdateTime: r.UpdateTime,
	}
	if r.PicUrls == "" {
		return c, nil
	}
	if err := json.Unmarshal([]byte(r.PicUrls), &c.Pictures); err != nil {
		return c, fmt.Errorf("pictures of comment %d: %w", r.ID, err)
	}
	return c, nil
}

// sortedBy maps the words one may sort by to the order of a table's rows, ties by id in the same direction.
func sortedBy(alias string, q page.Query) string {
	direction := q.Direction()
	if q.Sort == "id" {
		return alias + ".id " + direction
	}
	return alias + ".add_time " + direction + ", " + alias + ".id " + direction
}

func listComments(ctx context.Context, d db.Querier, about Subject, q page.Query) ([]Comment, error) {
	pictures := ""
	if about.WithPictures {
		pictures = " AND i.has_picture = 1"
	}
	var rows []commentRow
	err := d.G(ctx).Raw("SELECT c.id, c.value_id, c.user_id, c.type, c.content, c.admin_content, c.star, "+
		"COALESCE(c.pic_urls, '') AS pic_urls, c.add_time, c.update_time FROM (SELECT i.id FROM comment i "+
		"WHERE i.type = ? AND i.value_id = ? AND i.deleted = 0"+pictures+" ORDER BY "+sortedBy("i", q)+
		" LIMIT ? OFFSET ?) p JOIN comment c ON c.id = p.id ORDER BY "+sortedBy("c", q),
		int(about.Kind), about.ID, q.Limit, q.Offset()).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("list comments: %w", err)
	}
	out := make([]Comment, len(rows))
	for i, r := range rows {
		if out[i], err = r.comment(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func insertComment(ctx context.Context, tx *db.Tx, c Comment, at time.Time) (int64, error) {
	return insertLineComment(ctx, tx, c, 0, at)
}

// insertLineComment stores a comment on an order line, 0 for none.
func insertLineComment(ctx context.Context, tx *db.Tx, c Comment, line int64, at time.Time) (int64, error) {
	pictures := c.Pictures
	if pictures == nil {
		pictures = []string{}
	}
	list, err := json.Marshal(pictures)
	if err != nil {
		return 0, fmt.Errorf("write the pictures of a comment: %w", err)
	}
	id, err := db.Insert(ctx, tx, "INSERT INTO comment (value_id, type, content, admin_content, user_id, has_picture, "+
		"pic_urls, star, order_goods_id, add_time, update_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULLIF(?, 0), ?, ?)",
		c.ValueID, int(c.Kind), c.Content, c.Reply, c.UserID, len(pictures) > 0, string(list), c.Star, line, at, at)
	if err != nil {
		return 0, fmt.Errorf("create a comment: %w", err)
	}
	return id, upload.Use(ctx, tx, pictures)
}

// postedSince reports whether a shopper has commented on goods, other than on an order line, after a moment.
func postedSince(ctx context.Context, q db.Querier, shopper, goods int64, after time.Time) (posted bool, err error) {
	err = q.G(ctx).Raw("SELECT EXISTS (SELECT 1 FROM comment WHERE user_id = ? AND add_time > ? AND type = ? "+
		"AND value_id = ? AND order_goods_id IS NULL)", shopper, after, int(Goods), goods).Scan(&posted).Error
	if err != nil {
		return false, fmt.Errorf("look for a comment of shopper %d: %w", shopper, err)
	}
	return posted, nil
}

// PictureLists returns the lists of pictures of the comments that shoppers have written since a moment, as they are
// stored.
func PictureLists(ctx context.Context, q db.Querier, shoppers []int64, since time.Time) (lists []string, err error) {
	err = q.G(ctx).Raw("SELECT pic_urls FROM comment WHERE user_id IN ? AND add_time >= ? AND has_picture = 1",
		shoppers, since).Scan(&lists).Error
	if err != nil {
		return nil, fmt.Errorf("read pictures of comments: %w", err)
	}
	return lists, nil
}
