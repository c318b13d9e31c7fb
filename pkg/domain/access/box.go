package access

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/page"
)

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
