package access

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/edit"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
	"shop.internal/pkg/domain/richtext"
	"shop.internal/pkg/domain/text"
)

// Notice is a text to all operators.
type Notice struct {
	ID             int64
	Title, Content string
	// Author is 0 for the system.
	Author              int64
	AddTime, UpdateTime time.Time
}

// NoticeChange is what is to become of a notice; nil members stay as they are.
type NoticeChange struct{ Title, Content *string }

// NoticeFilter picks notices by texts that they contain; an empty text is in all.
type NoticeFilter struct{ Title, Content string }

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

// Notices lists the notices. Sort is add_time or id.
func (s *Service) Notices(ctx context.Context, f NoticeFilter, q page.Query) (page.List[Notice], error) {
	return listNotices(ctx, s.db, f, q)
}

// Notice returns a notice with its receipts, whoever has got them. It fails with errno.Invalid for an unknown one.
func (s *Service) Notice(ctx context.Context, id int64) (Notice, []Receipt, error) {
	n, found, err := findNotice(ctx, s.db, id, "")
	if err != nil {
		return n, nil, err
	}
	if !found {
		return n, nil, fmt.Errorf("notice %d: %w", id, errno.NoSuch("noticeId"))
	}
	receipts, err := receiptsOf(ctx, s.db, id)
	return n, receipts, err
}

// CreateNotice puts a notice of an operator into the box of every live operator, its author's included.
func (s *Service) CreateNotice(ctx context.Context, by int64, title, content string) (Notice, error) {
	return s.notices().Create(ctx, Notice{Title: title, Content: richtext.Clean(content), Author: by}, asItIs)
}

func asItIs(*db.Tx, *Notice) error { return nil }

// UpdateNotice changes a notice that nobody has read yet, which is its new author's from then on. It fails with
// errno.UpdateFailed for an unknown one, and with errno.Invalid for one that somebody has read.
func (s *Service) UpdateNotice(ctx context.Context, by, id int64, change NoticeChange) (Notice, error) {
	return s.notices().Update(ctx, id, func(tx *db.Tx, n *Notice) error {
		read, err := readBySomebody(ctx, tx, id)
		if err != nil {
			return err
		}
		if read {
			return fmt.Errorf("notice %d: %w", id, errno.Invalid.Because(text.NoticeRead))
		}
		if change.Title != nil {
			n.Title = *change.Title
		}
		if change.Content != nil {
			n.Content = richtext.Clean(*change.Content)
		}
		n.Author = by
		return nil
	})
}

// DeleteNotices deletes notices together with their receipts; ids without a live notice are left alone.
func (s *Service) DeleteNotices(ctx context.Context, ids ...int64) error {
	return s.notices().Delete(ctx, edit.Always[Notice], ids...)
}

// notices edits notices. Whoever changes or reads one holds its row, so that nobody reads what changes at that moment.
func (s *Service) notices() edit.CRUD[Notice] {
	return edit.CRUD[Notice]{
		Table: "notice", Once: s.once,
		Lock: func(ctx context.Context, tx *db.Tx, id int64) (Notice, bool, error) {
			return findNotice(ctx, tx, id, " FOR UPDATE")
		},
		Insert: func(ctx context.Context, tx *db.Tx, n Notice) (int64, error) {
			return insertNotice(ctx, tx, n, s.now())
		},
		Save: func(ctx context.Context, tx *db.Tx, id int64, n Notice) error {
			return saveNotice(ctx, tx, id, n, s.now())
		},
		Remove:  func(ctx context.Context, tx *db.Tx, id int64) error { return deleteNotice(ctx, tx, id, s.now()) },
		Name:    func(n Notice) string { return n.Title },
		Changed: nil,
	}
}

// Notify puts a notice of the system into the box of every live operator.
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

// purgedNotices is the most notices that one batch removes, with their receipts.
const purgedNotices = 500

// PurgeNotices removes notices to operators that were written before a moment, with their receipts, at most one batch,
// and reports how many notices.
func (s *Service) PurgeNotices(ctx context.Context, before time.Time) (n int, err error) {
	var ids []int64
	err = s.db.G(ctx).Raw("SELECT id FROM notice WHERE add_time <= ? ORDER BY add_time, id LIMIT ?",
		before, purgedNotices).Scan(&ids).Error
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.G(ctx).Exec("DELETE FROM notice_admin WHERE notice_id IN ?", ids).Error; err != nil {
			return err
		}
		res := tx.G(ctx).Exec("DELETE FROM notice WHERE id IN ?", ids)
		n = int(res.RowsAffected)
		return res.Error
	})
	if err != nil {
		return 0, fmt.Errorf("purge notices: %w", err)
	}
	return n, nil
}
