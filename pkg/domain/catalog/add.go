package catalog

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/upload"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Create adds goods with all their children, their search terms and the opening balance of each product in one
// transaction, and returns their id. It fails with errno.GoodsNameExists if goods of that name exist, and with
// errno.Invalid for goods without products or with two equal products.
func (s *Service) Create(ctx context.Context, n NewGoods) (int64, error) {
	if len(n.Products) == 0 {
		return 0, fmt.Errorf("create goods: %w", errno.Invalid.Because(text.ValidationMinItems, text.FieldProducts, 1))
	}
	n.Goods.RetailPrice = cheapest(n.Products)
	var id int64
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		ids, err := s.insert(ctx, tx, []NewGoods{n})
		if err != nil {
			return err
		}
		id = ids[0]
		return s.touch(ctx, tx, id)
	})
	return id, err
}

// Add adds goods entered by an operator, once for a repeated request, and returns their id. Unlike Create it validates
// them: it fails with errno.Missing or errno.Invalid for goods with Problems and for an unknown category or brand, and
// it sanitizes the rich text. It fails with errno.GoodsNameExists like Create.
func (s *Service) Add(ctx context.Context, n NewGoods) (int64, error) {
	return idempotency.InTx(ctx, s.once, func(tx *db.Tx) (int64, error) {
		if wrong := n.Problems(); len(wrong) > 0 {
			return 0, fmt.Errorf("add goods: %w", wrong[0].Err)
		}
		if err := s.holdParentsOf(ctx, tx, n.Goods); err != nil {
			return 0, err
		}
		if err := takesGoods(ctx, tx, n.Goods.CategoryID); err != nil {
			return 0, err
		}
		ids, err := s.insert(ctx, tx, []NewGoods{n.cleaned()})
		if err != nil {
			return 0, err
		}
		if err := recordAdded(ctx, tx, ids[0]); err != nil {
			return 0, err
		}
		return ids[0], s.touch(ctx, tx, ids[0])
	})
}

// insert stores goods with all their children, their search terms and the opening balances, and requests their share
// images. The number of statements does not depend on the number of children.
func (s *Service) insert(ctx context.Context, tx *db.Tx, list []NewGoods) ([]int64, error) {
	ids, err := insertGoods(ctx, tx, list, s.clock())
	if err != nil {
		return nil, err
	}
	if err := insertContents(ctx, tx, ids, list, s.clock()); err != nil {
		return nil, err
	}
	if err := insertChildren(ctx, tx, ids, list, s.clock()); err != nil {
		return nil, err
	}
	if err := logOpenings(ctx, tx, ids, s.clock()); err != nil {
		return nil, err
	}
	if err := s.draw(ctx, tx, ids...); err != nil {
		return nil, err
	}
	texts := make([][]string, len(list))
	for i, n := range list {
		texts[i] = []string{n.Goods.Name, n.Goods.Keywords}
	}
	if err := words.add(ctx, tx, ids, texts); err != nil {
		return nil, err
	}
	return ids, upload.Use(ctx, tx, list)
}

// insertGoods stores the rows of goods and returns their ids in the order of the list. Their names must differ. It
// fails with errno.GoodsNameExists.
func insertGoods(ctx context.Context, tx *db.Tx, list []NewGoods, at time.Time) ([]int64, error) {
	rows := make([]goodsRow, len(list))
	keys := make([]string, len(list))
	for i, n := range list {
		if err := priced(text.FieldCounterPrice, n.Goods.CounterPrice); err != nil {
			return nil, err
		}
		keys[i] = nameKey(n.Goods.Name)
		rows[i] = goodsRow{n.Goods, keys[i]}
		rows[i].AddTime, rows[i].UpdateTime, rows[i].Version = at, at, 0
	}
	ids, err := insertRows(ctx, tx, rows, keys)
	if db.Duplicate(err, "uk_goods_name") {
		return nil, fmt.Errorf("create goods: %w: %w", errno.GoodsNameExists, err)
	}
	return ids, err
}

// insertRows stores rows of goods and returns their ids. The server tells the id of a single row; those of several are
// read back by their names, because a cluster does not number the rows of a statement one after the other.
func insertRows(ctx context.Context, tx *db.Tx, rows []goodsRow, keys []string) ([]int64, error) {
	if len(rows) == 1 {
		id, err := goodsRows.Insert(ctx, tx, rows[0])
		return []int64{id}, err
	}
	err := goodsRows.InsertAll(ctx, tx, rows)
	if err != nil {
		return nil, err
	}
	byKey, err := owners(ctx, tx, keys)
	ids := make([]int64, len(keys))
	for i, key := range keys {
		ids[i] = byKey[key]
	}
	return ids, err
}

// insertContents stores rich texts. They are long, so a statement contains as many as fit into a packet of the server.
func insertContents(ctx context.Context, tx *db.Tx, ids []int64, list []NewGoods, at time.Time) error {
	var rows []content
	size := 0
	for i, n := range list {
		rows = append(rows, content{ids[i], n.Goods.Detail, at})
		if size += len(n.Goods.Detail); size < maxDetail && i+1 < len(list) {
			continue
		}
		if err := contents.InsertAll(ctx, tx, rows); err != nil {
			return err
		}
		rows, size = nil, 0
	}
	return nil
}

// recorded is goods with their children, as audit records contain them.
type recorded struct {
	Goods

	Specifications []Specification
	Products       []Product
	Attributes     []Attribute
}

// recordAdded writes the audit record of new goods.
func recordAdded(ctx context.Context, tx *db.Tx, id int64) error {
	if _, byOperator := audit.From(ctx); !byOperator {
		return nil
	}
	d, err := detailOf(ctx, tx, id)
	if err != nil {
		return err
	}
	after := recorded{d.Goods, d.Specifications, d.Products, d.Attributes}
	return audit.Record(ctx, tx, audit.Change{ID: id, Before: nil, After: after, Result: d.Goods.Name})
}

// insertChildren stores the children of goods. It fails with errno.Invalid for a product out of range and for two equal
// products.
func insertChildren(ctx context.Context, tx *db.Tx, ids []int64, list []NewGoods, at time.Time) error {
	var parameters []Attribute
	var values []Specification
	var choices []productRow
	for i, n := range list {
		for _, a := range n.Attributes {
			a.GoodsID, a.AddTime, a.UpdateTime = ids[i], at, at
			parameters = append(parameters, a)
		}
		for _, v := range n.Specifications {
			v.GoodsID, v.AddTime, v.UpdateTime = ids[i], at, at
			values = append(values, v)
		}
		for _, p := range n.Products {
			p.GoodsID, p.AddTime, p.UpdateTime, p.Version = ids[i], at, at, 0
			row, err := newProduct(p)
			if err != nil {
				return err
			}
			choices = append(choices, row)
		}
	}
	if err := attributes.InsertAll(ctx, tx, parameters); err != nil {
		return err
	}
	if err := specifications.InsertAll(ctx, tx, values); err != nil {
		return err
	}
	err := products.InsertAll(ctx, tx, choices)
	if db.Duplicate(err, "uk_product_spec") {
		return fmt.Errorf("create products: %w: %w", errno.Invalid.Because(text.ProductMismatch), err)
	}
	return err
}

func newProduct(p Product) (productRow, error) {
	column, err := textsColumn(p.Specifications)
	switch {
	case err != nil:
		return productRow{}, err
	case priced(text.FieldPrice, p.Price) != nil:
		return productRow{}, priced(text.FieldPrice, p.Price)
	case p.Number < 0:
		return productRow{}, errno.Invalid.Because(text.ValidationMin, text.FieldNumber, 0)
	case p.Number > MaxStock:
		return productRow{}, errno.Invalid.Because(text.ValidationMax, text.FieldNumber, MaxStock)
	}
	return productRow{Product: p, SpecHash: specHash(column)}, nil
}

// specHash makes the combination of specification values unique among the products of the goods.
func specHash(column string) string { return digest([]byte(column)) }
