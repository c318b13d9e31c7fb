package access

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
)

// Receipt is a notice in an operator's inbox.
type Receipt struct {
	ID       int64
	Notice   int64  `gorm:"column:notice_id"`
	Title    string `gorm:"column:notice_title"`
	Operator int64  `gorm:"column:admin_id"`
	// Read is zero for an unread notice.
	Read                time.Time `gorm:"column:read_time" table:"null"`
	AddTime, UpdateTime time.Time
}

var receipts = table.Of[Receipt]("notice_admin", table.Marked,
	table.Refers("notice_id", "notice"),
	table.Refers("admin_id", "admin"),
)

// ReadFilter chooses notices of an inbox by whether they were read.
type ReadFilter int

// The filters of an inbox.
const (
	ReadOrNot ReadFilter = iota
	Read
	Unread
)

// InboxNotice is a notice as shown to its reader.
type InboxNotice struct {
	Notice
	// Sender and Avatar are the author's current ones, empty for the system and for a deleted author.
	Sender, Avatar string
}

// UnreadNotices counts the notices that an operator has not read.
func (s *Service) UnreadNotices(ctx context.Context, operator int64) (int64, error) {
	return receipts.Count(ctx, s.db, "r.admin_id = ? AND r.read_time IS NULL AND r.deleted = 0", operator)
}

// Inbox lists an operator's notices whose title contains a text. Sort is add_time or id.
func (s *Service) Inbox(
	ctx context.Context, operator int64, title string, r ReadFilter, q page.Query,
) (page.List[Receipt], error) {
	l := lists.Of(receipts).ID("admin_id", &operator).Contains("notice_title", title)
	switch r {
	case Read:
		l.Where("i.read_time IS NOT NULL")
	case Unread:
		l.Where("i.read_time IS NULL")
	case ReadOrNot:
	}
	return lists.Fetch[Receipt](ctx, s.lists, l, q)
}

// ReadNotice returns a notice of an operator's inbox and marks it as read. It fails with errno.Invalid for a notice
// that is deleted or not in this inbox.
func (s *Service) ReadNotice(ctx context.Context, operator, notice int64) (InboxNotice, error) {
	var l InboxNotice
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		// The lock serializes reading with a change of the notice, which is only allowed while it is unread.
		n, found, err := notices.LockLive(ctx, tx, notice)
		if err != nil {
			return err
		}
		receipt, has, err := receipts.One(ctx, tx, "r.notice_id = ? AND r.admin_id = ? AND r.deleted = 0", notice, operator)
		if err != nil {
			return err
		}
		if !found || !has {
			return fmt.Errorf("notice %d is not in the inbox of operator %d: %w", notice, operator,
				errno.NoSuch(text.FieldNotice))
		}
		l = InboxNotice{Notice: n}
		return markRead(ctx, tx, operator, []int64{receipt.ID}, s.now())
	})
	if err != nil || l.Author == 0 {
		return l, err
	}
	author, found, err := operators.Live(ctx, s.db, l.Author)
	if err == nil && found {
		l.Sender, l.Avatar = author.Username, s.avatars.Shown(author.Avatar)
	}
	return l, err
}

// ReadNotices marks receipts of an operator as read, by their ids; those that are read, deleted or another operator's
// are skipped.
func (s *Service) ReadNotices(ctx context.Context, operator int64, ids []int64) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := lockNotices(ctx, tx, operator, ids); err != nil {
			return err
		}
		return markRead(ctx, tx, operator, ids, s.now())
	})
}

// unread is the condition on an operator's unread receipts, by their ids.
const unread = "id IN ? AND admin_id = ? AND deleted = 0 AND read_time IS NULL"

// lockNotices locks the notices of unread receipts in the order of their ids. A join would lock them in the order in
// which it finds them, so their ids are read first, without a lock.
func lockNotices(ctx context.Context, tx *db.Tx, operator int64, ids []int64) error {
	found, err := receipts.Find(ctx, tx, unread, ids, operator)
	if err != nil || len(found) == 0 {
		return err
	}
	of := make([]int64, len(found))
	for i, r := range found {
		of[i] = r.Notice
	}
	_, err = notices.IDs(ctx, tx, "r.id IN ? ORDER BY r.id FOR UPDATE", of)
	return err
}

func markRead(ctx context.Context, tx *db.Tx, operator int64, ids []int64, at time.Time) error {
	_, err := receipts.Update(ctx, tx, table.Set{"read_time": at, "update_time": at}, unread, ids, operator)
	return err
}

// DropReceipts removes receipts from an operator's inbox, by their ids; those that are deleted or another operator's
// are skipped.
func (s *Service) DropReceipts(ctx context.Context, operator int64, ids ...int64) error {
	_, err := receipts.Remove(ctx, s.db, table.Set{"update_time": s.now()}, "id IN ? AND admin_id = ?", ids, operator)
	return err
}
