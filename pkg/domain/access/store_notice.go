package access

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
)

type noticeRow struct {
	ID             int64
	Title, Content *string
	AdminID        int64
	AddTime        time.Time
	UpdateTime     time.Time
}

func (r noticeRow) notice() Notice {
	return Notice{
		ID: r.ID, Title: textOf(r.Title), Content: textOf(r.Content), Author: r.AdminID,
		AddTime: r.AddTime, UpdateTime: r.UpdateTime,
	}
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func listNotices(ctx context.Context, q db.Querier, f NoticeFilter, w page.Query) (page.List[Notice], error) {
	l := listing.Of("notice", "r.id, r.title, r.content, r.admin_id, r.add_time, r.update_time").
		Timed("ix_notice_list").Contains("title", f.Title).Contains("content", f.Content)
	rows, err := listing.Fetch[noticeRow](ctx, q, l, w)
	return page.Map(rows, noticeRow.notice), err
}

// findNotice reads a live notice; lock is "", or what keeps it for the transaction.
func findNotice(ctx context.Context, q db.Querier, id int64, lock string) (Notice, bool, error) {
	var rows []noticeRow
	err := q.G(ctx).Raw("SELECT id, title, content, admin_id, add_time, update_time FROM notice "+
		"WHERE id = ? AND deleted = 0"+lock, id).Scan(&rows).Error
	if err != nil {
		return Notice{}, false, fmt.Errorf("read notice %d: %w", id, err)
	}
	if len(rows) == 0 {
		return Notice{}, false, nil
	}
	return rows[0].notice(), true, nil
}

// insertNotice writes a notice with a receipt for every live operator.
func insertNotice(ctx context.Context, tx *db.Tx, n Notice, at time.Time) (int64, error) {
	id, err := db.Insert(ctx, tx, "INSERT INTO notice (title, content, admin_id, add_time, update_time) "+
		"VALUES (?, ?, ?, ?, ?)", n.Title, n.Content, n.Author, at, at)
	if err != nil {
		return 0, fmt.Errorf("insert a notice: %w", err)
	}
	err = tx.G(ctx).Exec("INSERT INTO notice_admin (notice_id, notice_title, admin_id, add_time, update_time) "+
		"SELECT ?, ?, id, ?, ? FROM admin WHERE deleted = 0", id, n.Title, at, at).Error
	if err != nil {
		return 0, fmt.Errorf("put notice %d into the boxes: %w", id, err)
	}
	return id, nil
}

// readBySomebody reports whether an operator has read a notice, who may have thrown their receipt away since.
func readBySomebody(ctx context.Context, tx *db.Tx, notice int64) (bool, error) {
	var ids []int64
	err := tx.G(ctx).Raw("SELECT id FROM notice_admin WHERE notice_id = ? AND read_time IS NOT NULL LIMIT 1", notice).
		Scan(&ids).Error
	if err != nil {
		return false, fmt.Errorf("look who has read notice %d: %w", notice, err)
	}
	return len(ids) > 0, nil
}

// saveNotice writes a locked notice, and its title onto the receipts.
func saveNotice(ctx context.Context, tx *db.Tx, id int64, n Notice, at time.Time) error {
	err := tx.G(ctx).Exec("UPDATE notice SET title = ?, content = ?, admin_id = ?, version = version + 1, update_time "+
		"= ? "+
		"WHERE id = ? AND deleted = 0", n.Title, n.Content, n.Author, at, id).Error
	if err != nil {
		return fmt.Errorf("save notice %d: %w", id, err)
	}
	err = tx.G(ctx).Exec("UPDATE notice_admin SET notice_title = ?, update_time = ? WHERE notice_id = ? AND deleted = 0",
		n.Title, at, id).Error
	if err != nil {
		return fmt.Errorf("retitle the receipts of notice %d: %w", id, err)
	}
	return nil
}

func deleteNotice(ctx context.Context, tx *db.Tx, id int64, at time.Time) error {
	err := tx.G(ctx).Exec("UPDATE notice SET deleted = 1, version = version + 1, update_time = ? "+
		"WHERE id = ? AND deleted = 0", at, id).Error
	if err != nil {
		return fmt.Errorf("delete notice %d: %w", id, err)
	}
	err = tx.G(ctx).Exec("UPDATE notice_admin SET deleted = 1, del_mark = id, update_time = ? "+
		"WHERE notice_id = ? AND deleted = 0", at, id).Error
	if err != nil {
		return fmt.Errorf("delete the receipts of notice %d: %w", id, err)
	}
	return nil
}
