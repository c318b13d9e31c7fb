package cart

import (
	"context"
	"fmt"
	"math"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// AddRequest is a product and a quantity to add to the cart.
type AddRequest struct {
	GoodsID, ProductID int64
	// Number is 1 or more.
	Number int
}

// Add adds a quantity of a product and returns the new total quantity in the cart. It fails with errno.GoodsUnshelved,
// GoodsInvalid, GoodsNoStock if the cart would exceed the stock, or Invalid if it would cost more than an order can, or
// exceed the maximum number of items.
func (s *Service) Add(ctx context.Context, shopper int64, w AddRequest) (int, error) {
	return change(ctx, s, shopper, w, addNumber, func(_ int64, live []Line) int { return TotalsOf(live).Count })
}

// Set sets the quantity of a product and returns the id of its item, for buying it at once. It fails as Add does.
func (s *Service) Set(ctx context.Context, shopper int64, w AddRequest) (int64, error) {
	return change(ctx, s, shopper, w, setNumber, func(id int64, _ []Line) int64 { return id })
}

// change puts a product into the cart, with its quantity added or set. answer makes the result of the item's id and of
// the whole cart.
func change[T any](
	ctx context.Context, s *Service, shopper int64, w AddRequest, how string, answer func(id int64, live []Line) T,
) (T, error) {
	return idempotency.InTxAfter(ctx, s.once, func() (func(*db.Tx) (T, error), error) {
		o, err := s.buyable(ctx, s.db, w)
		if err != nil {
			return nil, err
		}
		return func(tx *db.Tx) (none T, err error) {
			item, live, err := s.put(ctx, tx, shopper, w.Number, o, how)
			if err != nil {
				return none, err
			}
			return answer(item.ID, live), payable(live)
		}, nil
	})
}

// buyable finds the requested product and checks that it can be bought in this quantity.
func (s *Service) buyable(ctx context.Context, q db.Querier, w AddRequest) (catalog.ProductSnapshot, error) {
	key := catalog.Wanted{ProductID: w.ProductID, GoodsID: w.GoodsID}
	snapshots, err := catalog.ProductSnapshots(ctx, q, []catalog.Wanted{key})
	if err != nil {
		return catalog.ProductSnapshot{}, err
	}
	o := snapshots[key]
	if err := o.Buyable(); err != nil {
		return o, err
	}
	return o, enough(o, w.Number)
}

func enough(o catalog.ProductSnapshot, number int) error {
	if number > o.Stock && o.Stock < 1 {
		return fmt.Errorf("product %d: %w", o.ProductID, errno.GoodsNoStock)
	}
	if number > o.Stock {
		return fmt.Errorf("product %d: %w", o.ProductID, errno.GoodsNoStock.Because(text.StockLeft, o.Stock))
	}
	return nil
}

// payable refuses a cart beyond the limit of an order.
func payable(live []Line) error {
	if t := TotalsOf(live); t.Amount > money.Max {
		return fmt.Errorf("a cart of %s: %w", t.Amount, errno.Invalid.Because(text.SumTooHigh))
	}
	return nil
}

// put writes the item in one statement, so that concurrent calls update one row, checks the total under its lock, and
// returns the item and the live lines.
func (s *Service) put(
	ctx context.Context, tx *db.Tx, shopper int64, n int, o catalog.ProductSnapshot, how string,
) (item row, live []Line, err error) {
	if err := s.queue(ctx, tx, shopper); err != nil {
		return item, nil, err
	}
	if err := upsert(ctx, tx, shopper, o, n, how, s.now()); err != nil {
		return item, nil, fmt.Errorf("put product %d into the cart: %w", o.ProductID, err)
	}
	// Older releases may have left the item beyond the newest ones, so it is read by itself.
	written, err := rows.OneLater(ctx, tx, "r.user_id = ? AND r.product_id = ?", shopper, o.ProductID)
	if err != nil {
		return item, nil, err
	}
	all, err := linesWhere(ctx, tx, newest, shopper, most+1)
	if err != nil {
		return item, nil, fmt.Errorf("put product %d into the cart: %w", o.ProductID, err)
	}
	item, _ = written()
	isNew := item.AddTime.Equal(item.UpdateTime)
	if len(all) > most && isNew {
		return item, nil, fmt.Errorf("the cart of shopper %d has %d rows: %w", shopper, most,
			errno.Invalid.Because(text.CartFull, most))
	}
	if err := enough(o, item.Number); err != nil {
		return item, nil, err
	}
	live, dead := split(all[:min(len(all), most)])
	return item, live, s.uncheck(ctx, tx, shopper, dead)
}

// How the quantity of an existing item changes; a deleted item starts at the new quantity. The column's maximum bounds
// the sum; it is far above any stock.
const (
	addNumber = "IF(deleted = 1, VALUES(number), LEAST(number + VALUES(number), 2147483647))"
	setNumber = "VALUES(number)"
)

func upsert(
	ctx context.Context, tx *db.Tx, shopper int64, o catalog.ProductSnapshot, n int, how string, now time.Time,
) error {
	r := row{
		UserID: shopper, GoodsID: o.GoodsID, ProductID: o.ProductID, Number: min(n, math.MaxInt32), Checked: true,
		AddTime: now, UpdateTime: now,
	}
	// Assignments are evaluated from left to right: deleted is cleared after all that read it.
	_, err := carts.Upsert(ctx, tx.Later(nil), storedRow{
		Row: r, GoodsSN: o.GoodsSN, GoodsName: o.GoodsName, Price: o.Price, Specifications: o.Specifications,
		PicURL: o.PicURL,
	}, "number = "+how+`,
		checked = IF(deleted = 1, 1, checked),
		add_time = IF(deleted = 1, VALUES(add_time), add_time),
		goods_id = VALUES(goods_id),
		goods_name = VALUES(goods_name),
		price = VALUES(price),
		update_time = VALUES(update_time),
		deleted = 0`)
	return err
}

// Change sets the quantity of an item. It fails with errno.Invalid for an item that is not the shopper's or not of that
// product and goods, and as Add does.
func (s *Service) Change(ctx context.Context, shopper, id int64, w AddRequest) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.queue(ctx, tx, shopper); err != nil {
			return err
		}
		r, ok, err := lockRow(ctx, tx, shopper, id)
		switch {
		case err != nil:
			return fmt.Errorf("lock cart row %d: %w", id, err)
		case !ok || r.GoodsID != w.GoodsID || r.ProductID != w.ProductID:
			return errno.NoSuch(text.FieldCartItem)
		}
		if _, err := s.buyable(ctx, tx, w); err != nil {
			return err
		}
		set := table.Set{"number": w.Number, "update_time": s.now()}
		if _, err := carts.Update(ctx, tx.Later(nil), set, "id = ?", id); err != nil {
			return fmt.Errorf("change cart row %d: %w", id, err)
		}
		live, err := s.tidied(ctx, tx, shopper)
		if err != nil {
			return err
		}
		return payable(live)
	})
}

// Check checks or unchecks products and returns the live lines. Unknown products are ignored, and a line that is not
// live is never checked.
func (s *Service) Check(ctx context.Context, shopper int64, products []int64, checked bool) ([]Line, error) {
	return s.change(ctx, shopper, func(tx *db.Tx) error {
		if len(products) == 0 {
			return nil
		}
		_, err := carts.Update(ctx, tx.Later(nil), table.Set{"checked": checked, "update_time": s.now()},
			"user_id = ? AND product_id IN ? AND deleted = 0", shopper, products)
		return err
	})
}

// Remove removes products from the cart and returns the remaining live lines.
func (s *Service) Remove(ctx context.Context, shopper int64, products []int64) ([]Line, error) {
	return s.change(ctx, shopper, func(tx *db.Tx) error {
		_, err := carts.Remove(ctx, tx.Later(nil), table.Set{"update_time": s.now()}, "user_id = ? AND product_id IN ?",
			shopper, products)
		return err
	})
}

func (s *Service) change(ctx context.Context, shopper int64, write func(tx *db.Tx) error) (live []Line, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.queue(ctx, tx, shopper); err != nil {
			return err
		}
		if err := write(tx); err != nil {
			return fmt.Errorf("change the cart of shopper %d: %w", shopper, err)
		}
		live, err = s.tidied(ctx, tx, shopper)
		return err
	})
	return live, err
}

// tidied unchecks the items that are not live and returns the others; every change of a cart ends with it.
func (s *Service) tidied(ctx context.Context, tx *db.Tx, shopper int64) ([]Line, error) {
	live, dead, err := s.lines(ctx, tx, shopper)
	if err != nil {
		return live, err
	}
	return live, s.uncheck(ctx, tx, shopper, dead)
}

// uncheck unchecks the items that are not live.
func (s *Service) uncheck(ctx context.Context, tx *db.Tx, shopper int64, dead []Line) error {
	if len(dead) == 0 {
		return nil
	}
	ids := make([]int64, len(dead))
	for i, l := range dead {
		ids[i] = l.ID
	}
	_, err := carts.Update(ctx, tx.Later(nil), table.Set{"checked": false, "update_time": s.now()},
		"id IN ? AND user_id = ?", ids, shopper)
	return err
}
