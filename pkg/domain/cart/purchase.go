package cart

import (
	"context"
	"fmt"
	"slices"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
)

// Everything stands for all checked lines in place of an item's id.
const Everything int64 = 0

// Chosen returns the lines of a purchase without changing anything: all checked live lines, or the one named. It fails
// with errno.Invalid for an item that is not the shopper's, and with GoodsUnshelved or GoodsInvalid for a named item
// that is not live.
func (s *Service) Chosen(ctx context.Context, shopper, id int64) ([]Line, error) {
	if id == Everything {
		live, err := s.Lines(ctx, shopper)
		return slices.DeleteFunc(live, func(l Line) bool { return !l.Checked }), err
	}
	named, err := rows.Find(ctx, s.db, own, id, shopper)
	if err != nil {
		return nil, err
	}
	if len(named) == 0 {
		return nil, errno.NoSuch(text.FieldCartItem)
	}
	lines, err := withSnapshots(ctx, s.db, named)
	if err != nil {
		return nil, err
	}
	return lines, lines[0].Buyable()
}

// Consume locks the lines of a purchase in the buyer's transaction, which has locked the shopper, and removes them from
// the cart, so that a second purchase of the same lines finds none. It returns them by ascending id, including lines
// that are not live, which the caller must check. It fails with errno.Invalid if there is none.
func (s *Service) Consume(ctx context.Context, tx *db.Tx, shopper, id int64) ([]Line, error) {
	chosen, err := lockChosen(ctx, tx, shopper, id)
	if err != nil {
		return nil, fmt.Errorf("lock the cart of shopper %d: %w", shopper, err)
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("shopper %d has nothing to buy: %w", shopper, errno.Invalid.Because(text.CartEmpty))
	}
	lines, err := withSnapshots(ctx, tx, chosen)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(chosen))
	for i, r := range chosen {
		ids[i] = r.ID
	}
	if _, err := carts.Remove(ctx, tx, table.Set{"update_time": s.now()}, "id IN ?", ids); err != nil {
		return nil, fmt.Errorf("empty the cart of shopper %d: %w", shopper, err)
	}
	return lines, nil
}

// Tidy unchecks the shopper's items that are not live, so that a purchase refused because of them can be retried after
// a new preview.
func (s *Service) Tidy(ctx context.Context, shopper int64) error {
	_, err := s.change(ctx, shopper, func(*db.Tx) error { return nil })
	return err
}

// own is the condition on an item that a shopper names.
const own = "r.id = ? AND r.user_id = ? AND r.deleted = 0"

func lockRow(ctx context.Context, tx *db.Tx, shopper, id int64) (row, bool, error) {
	return rows.One(ctx, tx, own+" FOR UPDATE", id, shopper)
}

// lockChosen locks the items of a purchase and returns them by ascending id. The shopper must be locked, because the
// items are not locked in that order.
func lockChosen(ctx context.Context, tx *db.Tx, shopper, id int64) ([]row, error) {
	if id == Everything {
		all, err := rows.Find(ctx, tx, newest+" FOR UPDATE", shopper, most)
		all = slices.DeleteFunc(all, func(r row) bool { return !r.Checked })
		slices.Reverse(all)
		return all, err
	}
	r, ok, err := lockRow(ctx, tx, shopper, id)
	if err != nil || !ok {
		return nil, err
	}
	return []row{r}, nil
}
