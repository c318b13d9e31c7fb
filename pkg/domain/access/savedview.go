package access

import (
	"context"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/table"
)

// SavedView is a list with filters and an order that an operator has saved under a name.
type SavedView struct {
	ID, AdminID int64
	// Page is the page of the console, Query what follows the question mark in its address.
	Page, Name, Query string
	AddTime           time.Time
}

var savedViews = table.Of[SavedView]("admin_view", table.Refers("admin_id", "admin"))

// MaxViews bounds the views of an operator.
const MaxViews = 100

// Views returns an operator's views, by page and name.
func (s *Service) Views(ctx context.Context, operator int64) ([]SavedView, error) {
	return savedViews.Find(ctx, s.db, "r.admin_id = ? ORDER BY r.page, r.name LIMIT ?", operator, MaxViews)
}

// SaveView saves a view of an operator; one of the same page and name is replaced. It fails with errno.Invalid if the
// operator has MaxViews already. Two that are saved at once may both be the last that fits, which harms nothing.
func (s *Service) SaveView(ctx context.Context, v SavedView) error {
	v.AddTime = s.now()
	n, err := savedViews.Count(ctx, s.db, "r.admin_id = ? AND NOT (r.page = ? AND r.name = ?)", v.AdminID, v.Page, v.Name)
	if err != nil {
		return err
	}
	if n >= MaxViews {
		return errno.Invalid.Because(text.ViewsFull, MaxViews)
	}
	_, err = savedViews.Upsert(ctx, s.db, v, "query = VALUES(query), add_time = VALUES(add_time)")
	return err
}

// DropView removes a view of an operator; another operator's is not touched.
func (s *Service) DropView(ctx context.Context, operator, id int64) error {
	_, err := savedViews.Delete(ctx, s.db, "id = ? AND admin_id = ?", id, operator)
	return err
}
