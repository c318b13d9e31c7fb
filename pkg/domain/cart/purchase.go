package cart

import (
	"context"
	"fmt"
	"slices"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// Everything stands for all checked lines in place of an item's id.
const Everything int64 = 0

// ChosenLater reads the lines of a purchase with what else is queued, without changing anything; the function returns
// them: all checked live lines, or the one named. leftOut are checked lines that are not live. It fails with
// errno.Invalid for an item that is not the shopper's, and with GoodsUnshelved or GoodsInvalid for a named item that is
// not live.
func (*Service) ChosenLater(
	ctx context.Context, q db.Queue, shopper, id int64,
) (func() (chosen, leftOut []Line, err error), error) {
	where, args := own, []any{id, shopper}
	if id == Everything {
		where, args = newest, []any{shopper, most}
	}
	lines, err := table.SelectLater[Line](ctx, q, selectLines+where, args...)
	return func() (chosen, leftOut []Line, err error) {
		found := lines()
		switch {
		case id == Everything:
			live, dead := split(found)
			return slices.DeleteFunc(live, func(l Line) bool { return !l.Checked }), dead, nil
		case len(found) == 0:
			return nil, nil, errno.NoSuch(text.FieldCartItem)
		}
		return found, nil, found[0].Buyable()
	}, err
}

// Choice is what a shopper buys: the item of an id, or Everything.
type Choice struct{ Shopper, ID int64 }

// Buying returns the lines of purchases by different shoppers in a transaction that has locked the shoppers, and so
// their carts. They are sorted by id and include lines that are not live, which the caller must check. Everything can
// be chosen only alone. The function returns the lines of a choice, and fails with errno.Invalid if there is none.
func (s *Service) Buying(ctx context.Context, tx *db.Tx, all []Choice) (func(Choice) ([]Line, error), error) {
	lines, err := buying(ctx, tx, all)
	if err != nil {
		return nil, fmt.Errorf("read the carts of %v: %w", all, err)
	}
	return func(c Choice) ([]Line, error) {
		var own []Line
		for _, l := range lines {
			if l.UserID == c.Shopper && (c.ID == Everything || l.ID == c.ID) {
				own = append(own, l)
			}
		}
		if len(own) == 0 {
			return nil, fmt.Errorf("shopper %d has nothing to buy: %w", c.Shopper, errno.Invalid.Because(text.CartEmpty))
		}
		return own, nil
	}, nil
}

func buying(ctx context.Context, tx *db.Tx, all []Choice) ([]Line, error) {
	if len(all) == 1 && all[0].ID == Everything {
		lines, err := linesWhere(ctx, tx, newest, all[0].Shopper, most)
		lines = slices.DeleteFunc(lines, func(l Line) bool { return !l.Checked })
		slices.Reverse(lines)
		return lines, err
	}
	shoppers, ids := make([]int64, len(all)), make([]int64, len(all))
	for i, c := range all {
		shoppers[i], ids[i] = c.Shopper, c.ID
	}
	return linesWhere(ctx, tx, "r.id IN ? AND r.user_id IN ? AND r.deleted = 0", ids, shoppers)
}

// Item is an item of a cart by itself.
type Item struct {
	ID, GoodsID, ProductID int64
	Number                 int
}

// Single returns the item of a choice, without a lock, or the zero Item if there is none or more than one.
func (s *Service) Single(ctx context.Context, c Choice) (Item, error) {
	where, args := own, []any{c.ID, c.Shopper}
	if c.ID == Everything {
		where, args = newest, []any{c.Shopper, most}
	}
	found, err := rows.Find(ctx, s.db, where, args...)
	if err != nil {
		return Item{}, fmt.Errorf("read the cart of shopper %d: %w", c.Shopper, err)
	}
	if c.ID == Everything {
		found = slices.DeleteFunc(found, func(r row) bool { return !r.Checked })
	}
	if len(found) != 1 {
		return Item{}, nil
	}
	return Item{ID: found[0].ID, GoodsID: found[0].GoodsID, ProductID: found[0].ProductID, Number: found[0].Number}, nil
}

// Consume removes the lines of a purchase from the cart, with the next statement of the buyer's transaction, so that a
// second purchase of the same lines finds none. The transaction fails with errno.Stale unless all were still there.
func (s *Service) Consume(ctx context.Context, tx *db.Tx, lines []Line) error {
	ids := make([]int64, len(lines))
	for i, l := range lines {
		ids[i] = l.ID
	}
	all := tx.Later(func(n int64) error {
		if n != int64(len(ids)) {
			return fmt.Errorf("of cart rows %v, %d were there: %w", ids, n, errno.Stale)
		}
		return nil
	})
	_, err := carts.Remove(ctx, all, table.Set{"update_time": s.now()}, "id IN ?", ids)
	return err
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
