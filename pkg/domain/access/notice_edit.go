package access

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/edit"
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

// Receipt is a notice in an operator's box.
type Receipt struct {
	ID, Notice int64
	Title      string
	Operator   int64
	// Read is zero for a notice that the operator has not read yet.
	Read                time.Time
	AddTime, UpdateTime time.Time
}

// NoticeChange is what is to become of a notice; nil members stay as they are.
type NoticeChange struct{ Title, Content *string }

// NoticeFilter picks notices by texts that they contain; an empty text is in all.
type NoticeFilter struct{ Title, Content string }

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
