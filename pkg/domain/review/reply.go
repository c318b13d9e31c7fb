package review

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
)

// Reply gives a comment the shop's answer, which it gets once. It fails with errno.Invalid for an unknown comment and
// with errno.OrderReplyExists for one that has its answer.
func (l *Lines) Reply(ctx context.Context, id int64, text string) error {
	return idempotency.Do(ctx, l.once, func(tx *db.Tx) error {
		now := l.comments.now().UTC().Truncate(time.Millisecond)
		replied, err := reply(ctx, tx, id, text, now)
		if err != nil {
			return fmt.Errorf("reply to comment %d: %w", id, err)
		}
		c, ok, err := byID(ctx, tx, id)
		switch {
		case err != nil:
			return fmt.Errorf("read comment %d: %w", id, err)
		case !ok:
			return fmt.Errorf("reply to comment %d: %w", id, errno.NoSuch("commentId"))
		case !replied:
			return fmt.Errorf("reply to comment %d: %w", id, errno.OrderReplyExists)
		}
		if c.Kind == Goods {
			tx.OnCommit(func() { l.comments.changed(c.ValueID) })
		}
		return audit.Record(ctx, tx, audit.Change{
			ID: id, Before: replies{""}, After: replies{c.Reply}, Result: strconv.FormatInt(id, 10), Comment: "",
		})
	})
}

// replies is what a reply changes of a comment.
type replies struct{ AdminContent string }

// reply writes the answer of a comment that has none.
func reply(ctx context.Context, tx *db.Tx, id int64, text string, now time.Time) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE comment SET admin_content = ?, version = version + 1, update_time = ? WHERE id = ? "+
		"AND type IN (?, ?) AND admin_content = '' AND deleted = 0", text, now, id, Goods, Topic)
	return res.RowsAffected == 1, res.Error
}

func byID(ctx context.Context, q db.Querier, id int64) (Comment, bool, error) {
	var rows []commentRow
	err := q.G(ctx).Raw("SELECT id, value_id, user_id, type, content, admin_content, star, "+
		"COALESCE(pic_urls, '') AS pic_urls, add_time, update_time FROM comment WHERE id = ? AND type IN (?, ?) "+
		"AND deleted = 0", id, Goods, Topic).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return Comment{}, false, err
	}
	c, err := rows[0].comment()
	return c, true, err
}
