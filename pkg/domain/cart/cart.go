// Package cart owns what a shopper means to buy: at most one row for each product, with a wanted number. Names,
// prices and pictures are read from the catalogue whenever a row is shown or bought; the row itself only remembers
// the wish.
package cart

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/idempotency"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
	"shop.internal/pkg/domain/text"
)

// Line is a row of the cart with what the catalogue says of it now.
type Line struct {
	ID, UserID          int64
	Number              int
	Checked             bool
	AddTime, UpdateTime time.Time
	catalog.Offer
}

// Sum is what the line costs before any reduction.
func (l Line) Sum() money.Amount { return l.Price.Times(l.Number) }

// Live reports whether the line can be bought; lines that are not live are shown nowhere and count in no sum.
func (l Line) Live() bool { return l.Buyable() == nil }

// Totals are the sums over live lines.
type Totals struct {
	Count, CheckedCount   int
	Amount, CheckedAmount money.Amount
}

// TotalsOf adds up lines.
func TotalsOf(lines []Line) Totals {
	var t Totals
	for _, l := range lines {
		t.Count += l.Number
		t.Amount = t.Amount.Plus(l.Sum())
		if l.Checked {
			t.CheckedCount += l.Number
			t.CheckedAmount = t.CheckedAmount.Plus(l.Sum())
		}
	}
	return t
}

// AddRequest is what a shopper puts into the cart.
type AddRequest struct {
	GoodsID, ProductID int64
	// Number is 1 or more.
	Number int
}

// Service keeps the carts.
type Service struct {
	db       *db.DB
	once     *idempotency.Store
	accounts *account.Service
	now      func() time.Time
}

// New returns the carts of a database.
func New(d *db.DB, once *idempotency.Store, accounts *account.Service, now func() time.Time) *Service {
	return &Service{d, once, accounts, now}
}

// queue lets the changes of one cart happen one after the other: they take rows in the order of different indexes, and
// would stop each other. The shopper's row is what the lock order names before the rows of the cart.
func (s *Service) queue(ctx context.Context, tx *db.Tx, shopper int64) error {
	return s.accounts.Lock(ctx, tx, shopper)
}

// Lines returns the shopper's live lines, the newest row first.
func (s *Service) Lines(ctx context.Context, shopper int64) ([]Line, error) {
	live, _, err := s.lines(ctx, s.db, shopper)
	return live, err
}

// lines returns the live lines and the ids of checked ones that are not live.
func (s *Service) lines(ctx context.Context, q db.Querier, shopper int64) (live []Line, dead []int64, err error) {
	rows, err := rowsOf(ctx, q, shopper)
	if err != nil {
		return nil, nil, fmt.Errorf("read the cart of shopper %d: %w", shopper, err)
	}
	all, err := withOffers(ctx, q, rows)
	if err != nil {
		return nil, nil, err
	}
	for _, l := range all {
		switch {
		case l.Live():
			live = append(live, l)
		case l.Checked:
			dead = append(dead, l.ID)
		}
	}
	return live, dead, nil
}

func withOffers(ctx context.Context, q db.Querier, rows []row) ([]Line, error) {
	wanted := make([]catalog.Wanted, len(rows))
	for i, r := range rows {
		wanted[i] = catalog.Wanted{ProductID: r.ProductID, GoodsID: r.GoodsID}
	}
	offers, err := catalog.Offers(ctx, q, wanted)
	if err != nil {
		return nil, err
	}
	lines := make([]Line, len(rows))
	for i, r := range rows {
		lines[i] = r.line(offers[wanted[i]])
	}
	return lines, nil
}

// tidied returns the shopper's live lines after unchecking the others: what every change of a cart ends with.
func (s *Service) tidied(ctx context.Context, tx *db.Tx, shopper int64) ([]Line, error) {
	live, dead, err := s.lines(ctx, tx, shopper)
	if err != nil || len(dead) == 0 {
		return live, err
	}
	if err := uncheck(ctx, tx, shopper, dead, s.now()); err != nil {
		return nil, fmt.Errorf("uncheck rows of shopper %d: %w", shopper, err)
	}
	return live, nil
}

// offer finds what is wanted and refuses what cannot be bought, or not so often.
func (s *Service) offer(ctx context.Context, q db.Querier, w AddRequest) (catalog.Offer, error) {
	key := catalog.Wanted{ProductID: w.ProductID, GoodsID: w.GoodsID}
	offers, err := catalog.Offers(ctx, q, []catalog.Wanted{key})
	if err != nil {
		return catalog.Offer{}, err
	}
	o := offers[key]
	if err := o.Buyable(); err != nil {
		return o, err
	}
	return o, enough(o, w.Number)
}

func enough(o catalog.Offer, number int) error {
	if number > o.Stock && o.Stock < 1 {
		return fmt.Errorf("product %d: %w", o.ProductID, errno.GoodsNoStock)
	}
	if number > o.Stock {
		return fmt.Errorf("product %d: %w", o.ProductID, errno.GoodsNoStock.Because(text.StockLeft, o.Stock))
	}
	return nil
}

// payable refuses a cart that no order could ever hold.
func payable(live []Line) error {
	if t := TotalsOf(live); t.Amount > money.Max {
		return fmt.Errorf("a cart of %s: %w", t.Amount, errno.Invalid.Because(text.SumTooHigh))
	}
	return nil
}

// Add puts more pieces into the cart and returns the new number of pieces in it. It fails with errno.GoodsUnshelved,
// GoodsInvalid, GoodsNoStock where the cart would then hold more than there is, or Invalid where it would cost more
// than an order can, or have more rows than a cart can.
func (s *Service) Add(ctx context.Context, shopper int64, w AddRequest) (int, error) {
	return idempotency.InTxAfter(ctx, s.once, func() (func(*db.Tx) (int, error), error) {
		o, err := s.offer(ctx, s.db, w)
		if err != nil {
			return nil, err
		}
		return func(tx *db.Tx) (int, error) {
			if _, err := s.put(ctx, tx, shopper, w.Number, o, addNumber); err != nil {
				return 0, err
			}
			live, err := s.tidied(ctx, tx, shopper)
			if err != nil {
				return 0, err
			}
			return TotalsOf(live).Count, payable(live)
		}, nil
	})
}

// Set makes the number of pieces of a product exactly what is wished and returns the id of its row, for buying it at
// once. It fails as Add does.
func (s *Service) Set(ctx context.Context, shopper int64, w AddRequest) (int64, error) {
	return idempotency.InTxAfter(ctx, s.once, func() (func(*db.Tx) (int64, error), error) {
		o, err := s.offer(ctx, s.db, w)
		if err != nil {
			return nil, err
		}
		return func(tx *db.Tx) (int64, error) {
			id, err := s.put(ctx, tx, shopper, w.Number, o, setNumber)
			if err != nil {
				return 0, err
			}
			live, err := s.tidied(ctx, tx, shopper)
			if err != nil {
				return 0, err
			}
			return id, payable(live)
		}, nil
	})
}

// put writes the row in one statement, so two parallel calls meet in one row, and looks at the sum under its lock.
func (s *Service) put(
	ctx context.Context, tx *db.Tx, shopper int64, n int, o catalog.Offer, how string,
) (int64, error) {
	if err := s.queue(ctx, tx, shopper); err != nil {
		return 0, err
	}
	if err := upsert(ctx, tx, shopper, o, n, how, s.now()); err != nil {
		return 0, fmt.Errorf("put product %d into the cart: %w", o.ProductID, err)
	}
	r, err := storedOf(ctx, tx, shopper, o.ProductID)
	if err != nil {
		return 0, fmt.Errorf("read product %d of the cart: %w", o.ProductID, err)
	}
	if r.Overfull && r.isNew() {
		return 0, fmt.Errorf("the cart of shopper %d has %d rows: %w", shopper, most, errno.Invalid.Because(text.CartFull,
			most))
	}
	return r.ID, enough(o, r.Number)
}

// Change sets the number of pieces of a row. It fails with errno.Invalid for a row that is not the shopper's or not of
// that product and goods, and as Add does.
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
			return errno.NoSuch("cartId")
		}
		if _, err := s.offer(ctx, tx, w); err != nil {
			return err
		}
		if err := setNumberOf(ctx, tx, id, w.Number, s.now()); err != nil {
			return fmt.Errorf("change cart row %d: %w", id, err)
		}
		live, err := s.tidied(ctx, tx, shopper)
		if err != nil {
			return err
		}
		return payable(live)
	})
}

// Check ticks or unticks products and returns the live lines. Unknown products are ignored, and a line that is not live
// is never ticked.
func (s *Service) Check(ctx context.Context, shopper int64, products []int64, checked bool) ([]Line, error) {
	return s.change(ctx, shopper, func(tx *db.Tx) error {
		return checkProducts(ctx, tx, shopper, products, checked, s.now())
	})
}

// Remove takes products out of the cart and returns the live lines that are left.
func (s *Service) Remove(ctx context.Context, shopper int64, products []int64) ([]Line, error) {
	return s.change(ctx, shopper, func(tx *db.Tx) error {
		return removeProducts(ctx, tx, shopper, products, s.now())
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
