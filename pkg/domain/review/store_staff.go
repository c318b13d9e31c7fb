package review

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

// columnsOfAll are those of commentRow, with the alias r.
const columnsOfAll = "r.id, r.value_id, r.user_id, r.type, r.content, r.admin_content, r.star, " +
	"COALESCE(r.pic_urls, '') AS pic_urls, r.add_time, r.update_time"

func findForUpdate(ctx context.Context, tx *db.Tx, id int64) (Comment, bool, error) {
	var rows []commentRow
	err := tx.G(ctx).Raw("SELECT "+columnsOfAll+" FROM comment r WHERE r.id = ? AND r.deleted = 0 FOR UPDATE", id).
		Scan(&rows).Error
	if err != nil {
		return Comment{}, false, fmt.Errorf("read the comment: %w", err)
	}
	if len(rows) == 0 {
		return Comment{}, false, nil
	}
	c, err := rows[0].comment()
	return c, true, err
}

func remove(ctx context.Context, tx *db.Tx, id int64, at time.Time) error {
	return tx.G(ctx).Exec("UPDATE comment SET deleted = 1, update_time = ?, version = version + 1 "+
		"WHERE id = ? AND deleted = 0", at, id).Error
}
