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
	lines, err := linesWhere(ctx, s.db, own, id, shopper)
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 {
		return nil, errno.NoSuch(text.FieldCartItem)
	}
	return lines, lines[0].Buyable()
}

// Buying returns the lines of a purchase in the buyer's transaction, which has locked the shopper, and so the cart.
// They are sorted by id and include lines that are not live, which the caller must check. It fails with errno.Invalid
// if there is none.
func (s *Service) Buying(ctx context.Context, tx *db.Tx, shopper, id int64) ([]Line, error) {
	lines, err := buying(ctx, tx, shopper, id)
	if err != nil {
		return nil, fmt.Errorf("read the cart of shopper %d: %w", shopper, err)
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("shopper %d has nothing to buy: %w", shopper, errno.Invalid.Because(text.CartEmpty))
	}
	return lines, nil
}

func buying(ctx context.Context, tx *db.Tx, shopper, id int64) ([]Line, error) {
	if id != Everything {
		return linesWhere(ctx, tx, own, id, shopper)
	}
	all, err := linesWhere(ctx, tx, newest, shopper, most)
	all = slices.DeleteFunc(all, func(l Line) bool { return !l.Checked })
	slices.Reverse(all)
	return all, err
}

// Consume removes the lines of a purchase from the cart, with the next statement of the buyer's transaction, so that a
// second purchase of the same lines finds none. The transaction fails with errno.Stale unless all were still there.
func (s *Service) Consume(ctx context.Context, tx *db.Tx, lines []Line) error {
	ids := make([]int64, len(lines))
	for i, l := range lines {
		ids[i] = l.ID
	}
	return carts.RemoveLater(ctx, tx, table.Set{"update_time": s.now()}, func(n int64) error {
		if n != int64(len(ids)) {
			return fmt.Errorf("of cart rows %v, %d were there: %w", ids, n, errno.Stale)
		}
		return nil
	}, "id IN ?", ids)
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
