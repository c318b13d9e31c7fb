package access

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/patch"
	"shop.internal/pkg/base/richtext"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/edit"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
)

// Notice is an announcement to all operators.
type Notice struct {
	ID      int64
	Title   string
	Content string `holds:"html"`
	// Author is 0 for the system.
	Author              int64 `gorm:"column:admin_id"`
	AddTime, UpdateTime time.Time
}

var notices = table.Of[Notice]("notice", table.Versioned,
	table.MayRefer("admin_id", "admin"),
)

// NoticeChange is a partial update of a notice; nil fields stay unchanged.
type NoticeChange struct{ Title, Content *string }

// NoticeFilter filters notices by substrings; an empty text matches all.
type NoticeFilter struct{ Title, Content string }

// Notices lists the notices. Sort is add_time or id.
func (s *Service) Notices(ctx context.Context, f NoticeFilter, q page.Query) (page.List[Notice], error) {
	return lists.Fetch[Notice](ctx, s.lists, lists.Of(notices).
		TimeIndex("ix_notice_list").Contains("title", f.Title).Contains("content", f.Content), q)
}

// Notice returns a notice with all its receipts. It fails with errno.Invalid for an unknown one.
func (s *Service) Notice(ctx context.Context, id int64) (Notice, []Receipt, error) {
	n, err := edit.Find(ctx, s.db, notices, text.FieldNotice, id)
	if err != nil {
		return n, nil, err
	}
	all, err := receipts.Find(ctx, s.db, "r.notice_id = ? AND r.deleted = 0 ORDER BY r.id", id)
	return n, all, err
}

// CreateNotice delivers a notice of an operator to every live operator, its author included.
func (s *Service) CreateNotice(ctx context.Context, by actor.Actor, title, content string) (Notice, error) {
	content = s.db.Files().ShownIn(richtext.Clean(content))
	return s.notices().Create(ctx, Notice{Title: title, Content: content, Author: by.ID}, asItIs)
}

func asItIs(*db.Tx, *Notice) error { return nil }

// UpdateNotice changes a notice that nobody has read, and makes the operator its author. It fails with
// errno.UpdateFailed for an unknown notice, and with errno.Invalid for one that was read.
func (s *Service) UpdateNotice(ctx context.Context, by actor.Actor, id int64, change NoticeChange) (Notice, error) {
	if change.Content != nil {
		change.Content = new(s.db.Files().ShownIn(richtext.Clean(*change.Content)))
	}
	return s.notices().Update(ctx, id, func(tx *db.Tx, n *Notice) error {
		// Receipts that were read and then dropped count too.
		read, err := receipts.Exists(ctx, tx, "r.notice_id = ? AND r.read_time IS NOT NULL", id)
		if err != nil {
			return err
		}
		if read {
			return fmt.Errorf("notice %d: %w", id, errno.Invalid.Because(text.NoticeRead))
		}
		patch.Apply(n, change)
		n.Author = by.ID
		return nil
	})
}

// DeleteNotices deletes notices with their receipts; unknown ids are skipped.
func (s *Service) DeleteNotices(ctx context.Context, ids ...int64) error {
	return s.notices().Delete(ctx, edit.Always[Notice], ids...)
}

// notices edits notices. Changing and reading both lock the row, so that nobody reads a notice while it changes.
func (s *Service) notices() edit.CRUD[Notice] {
	crud := edit.Of(notices, s.once, s.now)
	crud.Name = func(n Notice) string { return n.Title }
	crud.Insert = func(ctx context.Context, tx *db.Tx, n Notice) (int64, error) {
		return insertNotice(ctx, tx, n, s.now())
	}
	crud.Save = func(ctx context.Context, tx *db.Tx, id int64, n Notice, at time.Time) error {
		if err := notices.SaveAt(ctx, tx, n, at); err != nil {
			return err
		}
		_, err := receipts.Update(ctx, tx, table.Set{"notice_title": n.Title, "update_time": at},
			"notice_id = ? AND deleted = 0", id)
		return err
	}
	crud.Remove = func(ctx context.Context, tx *db.Tx, id int64) error {
		now := table.Set{"update_time": s.now()}
		if _, err := notices.Remove(ctx, tx, now, "id = ?", id); err != nil {
			return err
		}
		_, err := receipts.Remove(ctx, tx, now, "notice_id = ?", id)
		return err
	}
	return crud
}

// insertNotice writes a notice with a receipt for every live operator.
func insertNotice(ctx context.Context, tx *db.Tx, n Notice, at time.Time) (int64, error) {
	id, err := notices.InsertAt(ctx, tx, n, at)
	if err != nil {
		return 0, err
	}
	_, err = db.Exec(ctx, tx, `INSERT INTO notice_admin (notice_id, notice_title, admin_id, add_time, update_time)
		SELECT ?, ?, id, ?, ?
		FROM admin
		WHERE deleted = 0`, id, n.Title, at, at)
	if err != nil {
		return 0, fmt.Errorf("deliver notice %d: %w", id, err)
	}
	return id, nil
}

// Notify delivers a notice of the system to every live operator.
func (s *Service) Notify(ctx context.Context, title, content string) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := insertNotice(ctx, tx, Notice{Title: title, Content: content}, s.now())
		return err
	})
	if err != nil {
		return fmt.Errorf("notify the operators: %w", err)
	}
	return nil
}

// purgedNotices bounds the notices that one batch removes, with their receipts.
const purgedNotices = 500

// PurgeNotices deletes a batch of notices written before a time, with their receipts. It returns how many notices.
func (s *Service) PurgeNotices(ctx context.Context, before time.Time) (n int, err error) {
	ids, err := notices.IDs(ctx, s.db, "r.add_time <= ? ORDER BY r.add_time, r.id LIMIT ?", before, purgedNotices)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := receipts.Delete(ctx, tx, "notice_id IN ?", ids); err != nil {
			return err
		}
		gone, err := notices.Delete(ctx, tx, "id IN ?", ids)
		n = int(gone)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("purge notices: %w", err)
	}
	return n, nil
}
