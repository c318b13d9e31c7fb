package order

import (
	"context"
	"fmt"
	"strings"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/listing"
)

// EachOrder hands over all orders that a filter chooses, newest first, with their lines, a batch at a time.
func (s *Service) EachOrder(ctx context.Context, f Filter, yield func([]Detail) error) error {
	where, args := f.where()
	return listing.Stretches(ctx, s.DB, "orders", func(low, high int64) error {
		found, err := orders(s.DB.G(ctx).Raw("SELECT "+columns+" FROM orders o WHERE o.id > ? AND o.id <= ? AND "+where+
			" ORDER BY o.id DESC", append([]any{low, high}, args...)...))
		if err != nil {
			return fmt.Errorf("walk the orders: %w", err)
		}
		if len(found) == 0 {
			return nil
		}
		details, err := s.withLines(ctx, found)
		if err != nil {
			return err
		}
		return yield(details)
	})
}

// where is the condition of the filter on orders with the alias o.
func (f Filter) where() (string, []any) {
	conditions, args := []string{"o.deleted = 0"}, []any{}
	add := func(condition string, arg any) {
		conditions, args = append(conditions, condition), append(args, arg)
	}
	if f.SN != "" {
		add("o.order_sn = ?", f.SN)
	}
	if f.Consignee != "" {
		add("o.consignee LIKE ?", db.Contains(f.Consignee))
	}
	if f.Nickname != "" {
		add("(SELECT u.nickname FROM user u WHERE u.id = o.user_id) LIKE ?", db.Contains(f.Nickname))
	}
	if !f.Start.IsZero() {
		add("o.add_time >= ?", f.Start)
	}
	if !f.End.IsZero() {
		add("o.add_time < ?", f.End)
	}
	if len(f.Statuses) > 0 {
		add("o.order_status IN ?", f.Statuses)
	}
	return strings.Join(conditions, " AND "), args
}
