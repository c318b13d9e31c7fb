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
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/money"
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

// row is a row of the cart without what it once copied from the catalogue.
type row struct {
	ID, UserID, GoodsID, ProductID int64
	Number                         int
	Checked                        bool
	AddTime, UpdateTime            time.Time
}

// storedRow is a row of the cart as it is stored. The catalogue's words in it are those of its last change; nothing
// reads them.
type storedRow struct {
	Row            row    `gorm:"embedded"`
	GoodsSN        string `gorm:"column:goods_sn"`
	GoodsName      string
	Price          money.Amount
	Specifications []string `gorm:"serializer:list"`
	PicURL         string
}

var (
	carts = table.Of[storedRow]("cart")
	rows  = table.Part[row](carts)
)

func (r row) line(o catalog.Offer) Line {
	return Line{
		ID: r.ID, UserID: r.UserID, Number: r.Number, Checked: r.Checked, AddTime: r.AddTime, UpdateTime: r.UpdateTime,
		Offer: o,
	}
}

// most is how many rows one cart can have. Older releases let it have more: then the newest count, for showing and for
// buying alike.
const most = 500

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

// newest is the one condition on the rows of a cart: what is shown is what is bought.
const newest = "r.user_id = ? AND r.deleted = 0 ORDER BY r.id DESC LIMIT ?"

// Lines returns the shopper's live lines, the newest row first.
func (s *Service) Lines(ctx context.Context, shopper int64) ([]Line, error) {
	live, _, err := s.lines(ctx, s.db, shopper)
	return live, err
}

// lines returns the live lines and the ids of checked ones that are not live.
func (s *Service) lines(ctx context.Context, q db.Querier, shopper int64) (live []Line, dead []int64, err error) {
	found, err := rows.Find(ctx, q, newest, shopper, most)
	if err != nil {
		return nil, nil, fmt.Errorf("read the cart of shopper %d: %w", shopper, err)
	}
	all, err := withOffers(ctx, q, found)
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

func withOffers(ctx context.Context, q db.Querier, found []row) ([]Line, error) {
	wanted := make([]catalog.Wanted, len(found))
	for i, r := range found {
		wanted[i] = catalog.Wanted{ProductID: r.ProductID, GoodsID: r.GoodsID}
	}
	offers, err := catalog.Offers(ctx, q, wanted)
	if err != nil {
		return nil, err
	}
	lines := make([]Line, len(found))
	for i, r := range found {
		lines[i] = r.line(offers[wanted[i]])
	}
	return lines, nil
}
