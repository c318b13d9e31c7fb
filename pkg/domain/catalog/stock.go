package catalog

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"time"

	"gorm.io/gorm"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// Reason is the reason of a stock movement; the numbers are those of the ledger.
type Reason int

// The reasons of the ledger.
const (
	Ordered Reason = iota + 1
	CancelledByShopper
	CancelledByTimeout
	CancelledByOperator
	Refunded
	Returned
	Edited
	Opened
	Dealt
)

// entry is a row of the stock ledger. RefKey identifies its movement.
type entry struct {
	ID, ProductID, OrderID, OrderGoodsID int64
	Reason                               Reason
	Delta                                int
	RefKey                               string
	OperatorType                         actor.Kind
	OperatorID                           int64
	AddTime                              time.Time
}

var ledger = table.Of[entry]("stock_log",
	table.Refers("product_id", "goods_product"),
	table.MayRefer("order_id", "orders"),
	table.MayRefer("order_goods_id", "order_goods"),
	table.Refers("operator_id", "user").When("t.operator_type = ?", actor.KindShopper),
	table.MayRefer("operator_id", "admin").When("t.operator_type = ?", actor.KindOperator),
)

func moved(p StockLine, why Reason, delta int, ref string) entry {
	return entry{
		ProductID: p.ProductID, OrderID: p.OrderID, OrderGoodsID: p.LineID, Reason: why, Delta: delta, RefKey: ref,
	}
}

// insertLedger writes the movements of one actor.
func insertLedger(ctx context.Context, tx *db.Tx, entries []entry, by actor.Actor, at time.Time) error {
	return ledger.InsertAll(ctx, tx, signed(entries, by, at))
}

// signed names the actor of movements. The ledger names people; everything else is attributed to the system.
func signed(entries []entry, by actor.Actor, at time.Time) []entry {
	by = by.Person()
	for i := range entries {
		entries[i].OperatorType, entries[i].OperatorID, entries[i].AddTime = by.Kind, by.ID, at
	}
	return entries
}

// Taking is the stock that one actor takes.
type Taking struct {
	By     actor.Actor
	Pieces []StockLine
}

// Take takes stock: the ledger first, then the products in ascending order, in one statement for all. It belongs at the
// end of a transaction, since buyers wait for the row of a product. It fails with errno.GoodsNoStock, a *ShortageError
// if only one product is taken, with errno.GoodsUnshelved or errno.GoodsInvalid, and with errno.Stale if a price or a
// category has changed since it was read; the transaction must then be rolled back.
func (s *Stock) Take(ctx context.Context, tx *db.Tx, all ...Taking) error {
	var entries []entry
	var pieces []StockLine
	for _, t := range all {
		own := make([]entry, len(t.Pieces))
		for i, p := range t.Pieces {
			own[i] = moved(p, Ordered, -p.Number, fmt.Sprintf("line:%d:out", p.LineID))
		}
		entries, pieces = append(entries, signed(own, t.By, s.now())...), append(pieces, t.Pieces...)
	}
	if err := ledger.InsertAll(ctx, tx.Later(nil), entries); err != nil {
		return err
	}
	if len(all) == 1 {
		s.shows(tx, pieces)
	}
	pieces = ascending(pieces)
	taken, err := takeAll(ctx, tx, pieces, s.now())
	if err != nil {
		return fmt.Errorf("take stock: %w", err)
	}
	if taken != int64(len(pieces)) {
		return s.refusal(ctx, tx, pieces)
	}
	return nil
}

// refusal finds out why not all stock could be taken.
func (s *Stock) refusal(ctx context.Context, tx *db.Tx, pieces []StockLine) error {
	wanted := make([]Wanted, len(pieces))
	for i, p := range pieces {
		wanted[i] = Wanted{p.ProductID, p.GoodsID}
	}
	snapshots, err := ProductSnapshots(ctx, tx, wanted)
	if err != nil {
		return err
	}
	for i := range pieces {
		if err := snapshots[wanted[i]].Buyable(); err != nil {
			return err
		}
	}
	for i, p := range pieces {
		if o := snapshots[wanted[i]]; o.Price != p.Price || o.CategoryID != p.CategoryID {
			return fmt.Errorf("the price or category of product %d has changed: %w", p.ProductID, errno.Stale)
		}
	}
	if len(pieces) == 1 { // of several, some may have been taken
		o := snapshots[wanted[0]]
		return s.lack(o, pieces[0].Number)
	}
	return fmt.Errorf("products %v: %w", ids(pieces), errno.GoodsNoStock)
}

// returnRef identifies the return of a line, or of the pieces of it that a case is about.
func (p StockLine) returnRef() string {
	if p.CaseID == 0 {
		return fmt.Sprintf("line:%d:in", p.LineID)
	}
	return fmt.Sprintf("line:%d:in:%d", p.LineID, p.CaseID)
}

// GiveBack returns stock. A line that was returned before is skipped, so it is safe to call twice; a product that has
// been deleted since gets its stock nevertheless.
func (s *Stock) GiveBack(ctx context.Context, tx *db.Tx, by actor.Actor, why Reason, pieces []StockLine) error {
	refs := make([]string, len(pieces))
	for i, p := range pieces {
		refs[i] = p.returnRef()
	}
	done, err := ledgerRefs(ctx, tx, refs)
	if err != nil {
		return fmt.Errorf("read the stock ledger: %w", err)
	}
	var entries []entry
	var left []StockLine
	for i, p := range pieces {
		if !slices.Contains(done, refs[i]) {
			entries = append(entries, moved(p, why, p.Number, refs[i]))
			left = append(left, p)
		}
	}
	if len(left) == 0 {
		return nil
	}
	tx.OnCommit(func() { s.forget(ids(left)) })
	s.shows(tx, left)
	if err := insertLedger(ctx, tx, entries, by, s.now()); err != nil {
		return err
	}
	err = giveAll(ctx, tx, ascending(left), s.now())
	if db.OutOfRange(err) { // the statement has changed nothing
		err = s.giveBackUpToMax(ctx, tx, by, ascending(left))
	}
	if err != nil {
		return fmt.Errorf("give stock back: %w", err)
	}
	return nil
}

// giveBackUpToMax is GiveBack for stock above MaxStock, which earlier releases allowed: an order must be able to end
// whatever the stock of its product is. Such a product has MaxStock afterwards, and the ledger contains what was cut
// off.
func (s *Stock) giveBackUpToMax(ctx context.Context, tx *db.Tx, by actor.Actor, pieces []StockLine) error {
	now, err := lockNumbers(ctx, tx, ids(pieces))
	if err != nil {
		return err
	}
	var cuts []entry
	var fitting []StockLine
	for _, p := range pieces {
		n, there := now[p.ProductID]
		cut := n.Free + p.Number - MaxStock
		for part := 0; there && cut > 0; cut -= part { // the sum may exceed the range of the ledger's column
			part = min(cut, math.MaxInt32)
			cuts = append(cuts, moved(p, Edited, -part, fmt.Sprintf("%s:cut%d", p.returnRef(), len(cuts))))
			p.Number -= part
		}
		fitting = append(fitting, p)
	}
	if err := insertLedger(ctx, tx, cuts, by, s.now()); err != nil {
		return err
	}
	return giveAll(ctx, tx, fitting, s.now())
}

// Swap gives stock back and takes other stock for it, in one transaction. It fails as Take does.
func (s *Stock) Swap(ctx context.Context, tx *db.Tx, by actor.Actor, back, out []StockLine) error {
	both := append(ids(back), ids(out)...)
	if _, err := lockNumbers(ctx, tx, both); err != nil { // all at once, in the order in which buyers lock them
		return err
	}
	if err := s.GiveBack(ctx, tx, by, Returned, back); err != nil {
		return err
	}
	return s.Take(ctx, tx, Taking{By: by, Pieces: out})
}

// ascending merges lines of one product and sorts by product: the global order in which stock rows are locked.
func ascending(pieces []StockLine) []StockLine {
	sorted := slices.Clone(pieces)
	slices.SortFunc(sorted, func(a, b StockLine) int { return cmp.Compare(a.ProductID, b.ProductID) })
	merged := sorted[:0]
	for _, p := range sorted {
		if n := len(merged); n > 0 && merged[n-1].ProductID == p.ProductID {
			merged[n-1].Number += p.Number
			continue
		}
		merged = append(merged, p)
	}
	return merged
}

func ledgerRefs(ctx context.Context, tx *db.Tx, refs []string) ([]string, error) {
	return table.Select[string](ctx, tx, "SELECT ref_key FROM stock_log WHERE ref_key IN ?", refs)
}

// takeAll decreases the stock of every product that has enough, is still on sale, and has the price and category that
// the buyer was shown. Rows are scanned, and so locked, in ascending order of ids.
func takeAll(ctx context.Context, tx *db.Tx, pieces []StockLine, at time.Time) (int64, error) {
	number := perProduct(pieces, func(p StockLine) any { return p.Number })
	price := perProduct(pieces, func(p StockLine) any { return p.Price })
	category := perProduct(pieces, func(p StockLine) any { return p.CategoryID })
	res, err := db.Exec(ctx, tx, `UPDATE goods_product SET number = number - ?, update_time = ?
		WHERE id IN ? AND deleted = 0 AND number >= ? AND price = ?
			AND ? = (SELECT category_id FROM goods
				WHERE goods.id = goods_product.goods_id AND is_on_sale = 1 AND goods.deleted = 0)
		ORDER BY id`, number, at, ids(pieces), number, price, category)
	return res.Affected, err
}

func giveAll(ctx context.Context, tx *db.Tx, pieces []StockLine, at time.Time) error {
	_, err := db.Exec(ctx, tx, "UPDATE goods_product SET number = number + ?, update_time = ? WHERE id IN ? ORDER BY id",
		perProduct(pieces, func(p StockLine) any { return p.Number }), at, ids(pieces))
	return err
}

// perProduct is the value for a product in a statement: a single value, or an expression that selects it by id.
func perProduct(pieces []StockLine, value func(StockLine) any) any {
	if len(pieces) == 1 {
		return value(pieces[0])
	}
	values := make([]any, len(pieces))
	for i, p := range pieces {
		values[i] = value(p)
	}
	return table.Case(ids(pieces), values)
}

func ids(pieces []StockLine) []int64 {
	all := make([]int64, len(pieces))
	for i, p := range pieces {
		all[i] = p.ProductID
	}
	return all
}

// numbers is the stock of a product: the shown total, and the part in its own row.
type numbers struct {
	ID          int64
	Shown, Free int
}

// lockNumbers locks products until the transaction ends, in the order of their ids.
func lockNumbers(ctx context.Context, tx *db.Tx, ids []int64) (map[int64]numbers, error) {
	byID := make(map[int64]numbers, len(ids))
	if len(ids) == 0 {
		return byID, nil
	}
	var rows []numbers
	err := table.Scan(ctx, tx, &rows, "SELECT p.id, p.number AS free, "+shownStock+` AS shown
		FROM goods_product p
		WHERE p.id IN ?
		ORDER BY p.id FOR UPDATE`, ids)
	if err != nil {
		return nil, fmt.Errorf("lock %d products: %w", len(ids), err)
	}
	for _, r := range rows {
		byID[r.ID] = r
	}
	return byID, nil
}

// logOpenings writes the opening balance of each product of new goods to the ledger.
func logOpenings(ctx context.Context, tx *db.Tx, ids []int64, at time.Time) error {
	for part := range slices.Chunk(ids, rowsPerStatement) {
		_, err := db.Exec(ctx, tx, `INSERT INTO stock_log (product_id, reason, delta, ref_key, add_time)
			SELECT id, ?, number, CONCAT('open:', id), ? FROM goods_product
			WHERE goods_id IN ?
			ORDER BY id`, Opened, at, part)
		if err != nil {
			return fmt.Errorf("open the stock ledger of goods: %w", err)
		}
	}
	return nil
}

// updateProducts stores price and picture of locked products, and moves their stock.
func updateProducts(ctx context.Context, tx *db.Tx, list []Product, deltas map[int64]int, at time.Time) error {
	if len(list) == 0 {
		return nil
	}
	var ids []int64
	var prices []money.Amount
	var pictures []sql.NullString
	var moved []int
	for _, p := range list {
		ids, prices, moved = append(ids, p.ID), append(prices, p.Price), append(moved, deltas[p.ID])
		pictures = append(pictures, sql.NullString{String: p.URL, Valid: p.URL != ""})
	}
	_, err := products.Update(ctx, tx, table.Set{
		"price": table.Case(ids, prices), "url": table.Case(ids, pictures),
		"number": gorm.Expr("number + ?", table.Case(ids, moved)), "update_time": at,
	}, "id IN ? ORDER BY id", ids)
	return err
}
