package catalog

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/upload"
	"shop.internal/pkg/domain/platform/bound"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/richtext"
	"shop.internal/pkg/domain/platform/text"
)

// NewGoods is what Create puts on the shelf. Times, ids and the retail price (the lowest price of the products) are not
// the caller's. Goods.Detail is HTML that is stored as it stands, so it must come from the shop itself.
type NewGoods struct {
	Goods          Goods
	Attributes     []Attribute
	Specifications []Specification
	Products       []Product
}

// Create adds goods with everything that belongs to them, the words to find them by and the opening balance of each
// product, in one transaction, and returns their id. It fails with errno.GoodsNameExists where goods of that name are
// there already, and with errno.Invalid for goods without a product, or with products that do not differ.
func (s *Service) Create(ctx context.Context, n NewGoods) (int64, error) {
	if len(n.Products) == 0 {
		return 0, fmt.Errorf("create goods: %w", errno.Invalid.Because(text.MemberFew, text.FieldProducts, 1))
	}
	n.Goods.RetailPrice = cheapest(n.Products)
	var id int64
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		ids, err := s.insert(ctx, tx, []NewGoods{n})
		if err != nil {
			return err
		}
		id = ids[0]
		s.touch(tx, id)
		return nil
	})
	return id, err
}

// cheapest is the lowest price of some products, of which there is one at least.
func cheapest(list []Product) money.Amount {
	return slices.MinFunc(list, func(a, b Product) int { return cmp.Compare(a.Price, b.Price) }).Price
}

// Add puts goods on the shelf as an operator writes them, once for a repeated request, and returns their id. Unlike
// Create it trusts nothing: it fails with errno.Missing or errno.Invalid for goods with Problems, and for a category or
// a brand that is not there, and cleans the rich text. It fails with errno.GoodsNameExists like Create.
func (s *Service) Add(ctx context.Context, n NewGoods) (int64, error) {
	return idempotency.InTx(ctx, s.once, func(tx *db.Tx) (int64, error) {
		if wrong := n.Problems(); len(wrong) > 0 {
			return 0, fmt.Errorf("add goods: %w", wrong[0].Err)
		}
		if err := holdParents(ctx, tx, n.Goods.CategoryID, n.Goods.BrandID); err != nil {
			return 0, err
		}
		ids, err := s.insert(ctx, tx, []NewGoods{n.cleaned()})
		if err != nil {
			return 0, err
		}
		if err := recordAdded(ctx, tx, ids[0]); err != nil {
			return 0, err
		}
		s.touch(tx, ids[0])
		return ids[0], nil
	})
}

// cleaned returns the goods as they are stored: without unsafe markup, at the lowest price of their products.
func (n NewGoods) cleaned() NewGoods {
	n.Goods.Detail = richtext.Clean(n.Goods.Detail)
	n.Goods.ShareURL = ""
	n.Goods.RetailPrice = cheapest(n.Products)
	return n
}

// insert stores goods with all that belongs to them, the words to find them by and the opening balances, and asks for
// their share pictures. Its statements do not grow with the number of children.
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
	if err := s.words.add(ctx, tx, ids, texts); err != nil {
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
	err := goodsRows.InsertAll(ctx, tx, rows)
	if db.Duplicate(err, "uk_goods_name") {
		return nil, fmt.Errorf("create goods: %w: %w", errno.GoodsNameExists, err)
	}
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

// insertContents stores rich texts. They are long, so a statement takes as many as fit into what a server accepts.
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

// insertChildren stores what belongs to goods. It fails with errno.Invalid for a product that no column holds, and for
// two of a goods that are alike.
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
		return fmt.Errorf("create products: %w: %w", errno.Invalid.Because(text.ProductUnfit), err)
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
		return productRow{}, errno.Invalid.Because(text.MemberAtLeast, text.FieldNumber, 0)
	case p.Number > MaxStock:
		return productRow{}, errno.Invalid.Because(text.MemberAtMost, text.FieldNumber, MaxStock)
	}
	return productRow{Product: p, SpecHash: specHash(column)}, nil
}

// logOpenings opens the ledger of each product of new goods with the stock that it was created with.
func logOpenings(ctx context.Context, tx *db.Tx, ids []int64, at time.Time) error {
	for part := range slices.Chunk(ids, rowsAtOnce) {
		err := tx.G(ctx).Exec(`INSERT INTO stock_log (product_id, reason, delta, ref_key, add_time)
			SELECT id, ?, number, CONCAT('open:', id), ? FROM goods_product
			WHERE goods_id IN ?
			ORDER BY id`, Opened, at, part).Error
		if err != nil {
			return fmt.Errorf("open the stock ledger of goods: %w", err)
		}
	}
	return nil
}

// snapshot is goods with what belongs to them, as the record of a change shows them.
type snapshot struct {
	Goods

	Specifications []Specification
	Products       []Product
	Attributes     []Attribute
}

// recordAdded records goods as they have been stored.
func recordAdded(ctx context.Context, tx *db.Tx, id int64) error {
	if _, byOperator := audit.From(ctx); !byOperator {
		return nil
	}
	d, err := detailOf(ctx, tx, id)
	if err != nil {
		return err
	}
	after := snapshot{d.Goods, d.Specifications, d.Products, d.Attributes}
	return audit.Record(ctx, tx, audit.Change{ID: id, Before: nil, After: after, Result: d.Goods.Name})
}

// specHash is what makes the combination of specification values unique among the products of one goods.
func specHash(column string) string { return digest([]byte(column)) }

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// textsColumn writes a list of texts as the JSON array that a column holds; it is also the canonical form for specHash.
func textsColumn(list []string) (string, error) {
	if list == nil {
		list = []string{}
	}
	b, err := json.Marshal(list)
	if err != nil {
		return "", fmt.Errorf("write a list of texts: %w", err)
	}
	return string(b), nil
}

// priced is a guard against amounts that are out of range; field is the price that it is about.
func priced(field *text.Field, a money.Amount) error {
	if !bound.Price.Holds(int64(a)) {
		return errno.Invalid.Because(text.MemberBetween, field,
			money.Amount(bound.Price.Min), money.Amount(bound.Price.Max))
	}
	return nil
}
