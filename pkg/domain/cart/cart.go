// Package cart owns the carts of shoppers: at most one item for each product, with a quantity. Names, prices and
// pictures are read from the catalogue whenever an item is shown or bought.
package cart

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Line is a cart item with the current data of its product.
type Line struct {
	ID, UserID          int64
	Number              int
	Checked             bool
	AddTime, UpdateTime time.Time
	catalog.ProductSnapshot
}

// Sum is the amount of the line before any reduction.
func (l Line) Sum() money.Amount { return l.Price.Times(l.Number) }

// Live reports whether the line can be bought; other lines are never shown or counted.
func (l Line) Live() bool { return l.Buyable() == nil }

// Totals are the totals of live lines.
type Totals struct {
	Count, CheckedCount   int
	Amount, CheckedAmount money.Amount
}

// TotalsOf computes the totals of lines.
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

// row is a cart item without its copies of catalogue data.
type row struct {
	ID, UserID, GoodsID, ProductID int64
	Number                         int
	Checked                        bool
	AddTime, UpdateTime            time.Time
}

// storedRow is a cart item as stored. Its copies of catalogue data date from its last change; nothing reads them.
type storedRow struct {
	Row            row    `gorm:"embedded"`
	GoodsSN        string `gorm:"column:goods_sn"`
	GoodsName      string
	Price          money.Amount
	Specifications []string `gorm:"serializer:list"`
	PicURL         string
}

var (
	carts = table.Of[storedRow]("cart",
		table.Refers("user_id", "user"),
		table.Refers("goods_id", "goods"),
		table.Refers("product_id", "goods_product"),
	)
	rows = table.Part[row](carts)
)

// most bounds the items of a cart. Earlier releases allowed more; of those the newest count, for showing and buying
// alike.
const most = 500

// Service manages the carts.
type Service struct {
	db       *db.DB
	once     *idempotency.Store
	accounts *account.Service
	now      func() time.Time
}

// New returns the service.
func New(d *db.DB, once *idempotency.Store, accounts *account.Service, now func() time.Time) *Service {
	return &Service{d, once, accounts, now}
}

// queue serializes the changes of one cart by locking the shopper's row: they lock items in the order of different
// indexes and would deadlock. The lock order puts the shopper before the cart. What is read afterwards is not changed
// by anybody else until the transaction ends.
func (s *Service) queue(ctx context.Context, tx *db.Tx, shopper int64) error {
	return s.accounts.Lock(ctx, tx, shopper)
}

// newest is the condition that selects the items of a cart, for showing and buying alike.
const newest = "r.user_id = ? AND r.deleted = 0 ORDER BY r.id DESC LIMIT ?"

// Lines returns the shopper's live lines, the newest row first.
func (s *Service) Lines(ctx context.Context, shopper int64) ([]Line, error) {
	q := s.db.Reads()
	all, err := table.SelectLater[Line](ctx, q, selectLines+newest, shopper, most)
	if err == nil {
		err = q.Flush(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("read the cart of shopper %d: %w", shopper, err)
	}
	live, _ := split(all())
	return live, nil
}

// lines returns the live lines, and the checked ones that are not live.
func (s *Service) lines(ctx context.Context, q db.Querier, shopper int64) (live, dead []Line, err error) {
	all, err := linesWhere(ctx, q, newest, shopper, most)
	if err != nil {
		return nil, nil, fmt.Errorf("read the cart of shopper %d: %w", shopper, err)
	}
	live, dead = split(all)
	return live, dead, nil
}

// split returns the lines that are live, and the checked ones that are not.
func split(all []Line) (live, dead []Line) {
	for _, l := range all {
		switch {
		case l.Live():
			live = append(live, l)
		case l.Checked:
			dead = append(dead, l)
		}
	}
	return live, dead
}

// selectLines reads items with the current data of their products; the cart has the alias r.
var selectLines = `SELECT r.id, r.user_id, r.goods_id, r.product_id, r.number, r.checked, r.add_time, r.update_time,
		` + catalog.SnapshotColumns + `
	FROM cart r
	` + catalog.SnapshotsOf("r") + `
	WHERE `

func linesWhere(ctx context.Context, q db.Querier, where string, args ...any) ([]Line, error) {
	return table.Select[Line](ctx, q, selectLines+where, args...)
}

// KnowsGoods returns those goods that are in a cart.
func KnowsGoods(ctx context.Context, q db.Querier, goods []int64) ([]int64, error) {
	return table.Select[int64](ctx, q, "SELECT DISTINCT goods_id FROM cart WHERE goods_id IN ? AND deleted = 0", goods)
}
