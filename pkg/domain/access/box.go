package access

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/listing"
	"shop.internal/pkg/domain/page"
)

// Receipt is a notice in an operator's box.
type Receipt struct {
	ID, Notice int64
	Title      string
	Operator   int64
	// Read is zero for a notice that the operator has not read yet.
	Read                time.Time
	AddTime, UpdateTime time.Time
}

// Reading says which notices of a box are meant.
type Reading int

// The parts of a box.
const (
	ReadOrNot Reading = iota
	Read
	Unread
)

// Letter is a notice as its reader sees it.
type Letter struct {
	Notice
	// Sender and Avatar are the author's as they are now, empty where the system or nobody who is still there wrote it.
	Sender, Avatar string
}

// UnreadNotices counts the notices that an operator has not read.
func (s *Service) UnreadNotices(ctx context.Context, operator int64) (int64, error) {
	return countUnread(ctx, s.db, operator)
}

// Box lists an operator's notices whose title contains a text. Sort is add_time or id.
func (s *Service) Box(
	ctx context.Context, operator int64, title string, r Reading, q page.Query,
) (page.List[Receipt], error) {
	return listReceipts(ctx, s.db, operator, title, r, q)
}

// ReadNotice opens a notice of an operator's box, which counts as read from the first time on. It fails with
// errno.Invalid for a notice that is gone or was never put into this box.
func (s *Service) ReadNotice(ctx context.Context, operator, notice int64) (Letter, error) {
	var l Letter
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		// The notice is held while it is marked: one that is being changed is read before, which ends the change, or after.
		n, found, err := findNotice(ctx, tx, notice, " FOR UPDATE")
		if err != nil {
			return err
		}
		receipt, has, err := receiptFor(ctx, tx, operator, notice)
		if err != nil {
			return err
		}
		if !found || !has {
			return fmt.Errorf("notice %d is not in the box of operator %d: %w", notice, operator, errno.NoSuch("noticeId"))
		}
		l = Letter{Notice: n}
		return markRead(ctx, tx, operator, []int64{receipt}, s.now())
	})
	if err != nil || l.Author == 0 {
		return l, err
	}
	author, found, err := findOperator(ctx, s.db, "id = ?", l.Author)
	if err == nil && found {
		l.Sender, l.Avatar = author.Username, s.avatars.Shown(textOf(author.Avatar))
	}
	return l, err
}

// ReadNotices marks receipts of an operator's box as read; those that are read, gone or somebody else's stay as they
// are.
func (s *Service) ReadNotices(ctx context.Context, operator int64, receipts []int64) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := holdNotices(ctx, tx, operator, receipts); err != nil {
			return err
		}
		return markRead(ctx, tx, operator, receipts, s.now())
	})
}

// DropReceipts takes receipts out of an operator's box; those that are gone or somebody else's stay as they are.
func (s *Service) DropReceipts(ctx context.Context, operator int64, receipts ...int64) error {
	return dropReceipts(ctx, s.db, operator, receipts, s.now())
}

type receiptRow struct {
	ID          int64
	NoticeID    int64
	NoticeTitle *string
	AdminID     int64
	ReadTime    *time.Time
	AddTime     time.Time
	UpdateTime  time.Time
}

func (r receiptRow) receipt() Receipt {
	out := Receipt{
		ID: r.ID, Notice: r.NoticeID, Title: textOf(r.NoticeTitle), Operator: r.AdminID,
		AddTime: r.AddTime, UpdateTime: r.UpdateTime,
	}
	if r.ReadTime != nil {
		out.Read = *r.ReadTime
	}
	return out
}

func receiptsOf(ctx context.Context, q db.Querier, notice int64) ([]Receipt, error) {
	var rows []receiptRow
	err := q.G(ctx).Raw("SELECT id, notice_id, notice_title, admin_id, read_time, add_time, update_time FROM "+
		"notice_admin "+
		"WHERE notice_id = ? AND deleted = 0 ORDER BY id", notice).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the receipts of notice %d: %w", notice, err)
	}
	receipts := make([]Receipt, len(rows))
	for i, r := range rows {
		receipts[i] = r.receipt()
	}
	return receipts, nil
}

func countUnread(ctx context.Context, q db.Querier, operator int64) (int64, error) {
	var n int64
	err := q.G(ctx).Raw("SELECT COUNT(*) FROM notice_admin WHERE admin_id = ? AND read_time IS NULL AND deleted = 0",
		operator).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("count the notices of operator %d: %w", operator, err)
	}
	return n, nil
}

func listReceipts(
	ctx context.Context, q db.Querier, operator int64, title string, r Reading, w page.Query,
) (page.List[Receipt], error) {
	l := listing.Of("notice_admin", "r.id, r.notice_id, r.notice_title, r.admin_id, r.read_time, r.add_time, "+
		"r.update_time").
		ID("admin_id", &operator).Contains("notice_title", title)
	switch r {
	case Read:
		l.Where("i.read_time IS NOT NULL")
	case Unread:
		l.Where("i.read_time IS NULL")
	case ReadOrNot:
	}
	rows, err := listing.Fetch[receiptRow](ctx, q, l, w)
	return page.Map(rows, receiptRow.receipt), err
}

// receiptFor finds the live receipt of a notice in an operator's box.
func receiptFor(ctx context.Context, tx *db.Tx, operator, notice int64) (id int64, found bool, err error) {
	var ids []int64
	err = tx.G(ctx).Raw("SELECT id FROM notice_admin WHERE notice_id = ? AND admin_id = ? AND deleted = 0",
		notice, operator).Scan(&ids).Error
	if err != nil {
		return 0, false, fmt.Errorf("look for notice %d of operator %d: %w", notice, operator, err)
	}
	if len(ids) == 0 {
		return 0, false, nil
	}
	return ids[0], true, nil
}

// holdNotices keeps the notices of receipts from being changed, in the order of their ids. They are looked up without a
// lock before: a join would lock them in the order in which it finds them.
func holdNotices(ctx context.Context, tx *db.Tx, operator int64, receipts []int64) error {
	var ids []int64
	err := tx.G(ctx).Raw("SELECT notice_id FROM notice_admin WHERE id IN ? AND admin_id = ? AND deleted = 0 AND "+
		"read_time IS NULL", receipts, operator).Scan(&ids).Error
	if err == nil && len(ids) > 0 {
		err = tx.G(ctx).Raw("SELECT id FROM notice WHERE id IN ? ORDER BY id FOR UPDATE", ids).Scan(&ids).Error
	}
	if err != nil {
		return fmt.Errorf("hold the notices that operator %d reads: %w", operator, err)
	}
	return nil
}

func markRead(ctx context.Context, tx *db.Tx, operator int64, receipts []int64, at time.Time) error {
	err := tx.G(ctx).Exec("UPDATE notice_admin SET read_time = ?, update_time = ? "+
		"WHERE id IN ? AND admin_id = ? AND deleted = 0 AND read_time IS NULL", at, at, receipts, operator).Error
	if err != nil {
		return fmt.Errorf("mark notices of operator %d as read: %w", operator, err)
	}
	return nil
}

func dropReceipts(ctx context.Context, q db.Querier, operator int64, receipts []int64, at time.Time) error {
	err := q.G(ctx).Exec("UPDATE notice_admin SET deleted = 1, del_mark = id, update_time = ? "+
		"WHERE id IN ? AND admin_id = ? AND deleted = 0", at, receipts, operator).Error
	if err != nil {
		return fmt.Errorf("drop notices of operator %d: %w", operator, err)
	}
	return nil
}
