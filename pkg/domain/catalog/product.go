package catalog

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/money"
	"shop.internal/pkg/domain/platform/text"
)

// Product is one sellable combination of specification values, in the order of the groups.
type Product struct {
	ID, GoodsID         int64
	Specifications      []string `gorm:"serializer:list"`
	Price               money.Amount
	Number              int
	URL                 string `table:"null"`
	HotMode             HotMode
	AddTime, UpdateTime time.Time
	Version             int
}

// productRow is a product as stored. SpecHash makes the combination unique among the products of the goods.
type productRow struct {
	Product

	SpecHash string `table:"null"`
	// StockMode is 0 if the row contains the whole stock; otherwise a part of it is in the table stock_bucket.
	StockMode int
}

// Specification is one value of a specification group; Group is the name of the group.
type Specification struct {
	ID, GoodsID         int64
	Group               string `gorm:"column:specification"`
	Value, PicURL       string
	AddTime, UpdateTime time.Time
}

// Attribute is a descriptive parameter of goods that shoppers do not choose.
type Attribute struct {
	ID, GoodsID         int64
	Name                string `gorm:"column:attribute"`
	Value               string
	AddTime, UpdateTime time.Time
}

// bucket is a part of the stock of a product, so that many shoppers can buy it concurrently.
type bucket struct {
	ProductID  int64 `gorm:"primaryKey"`
	BucketNo   int   `gorm:"primaryKey"`
	Available  int
	UpdateTime time.Time
}

var _ = table.Of[bucket]("stock_bucket",
	table.Refers("product_id", "goods_product"),
) // read in statements about products

var (
	products = table.Of[productRow]("goods_product", table.Marked,
		table.Refers("goods_id", "goods"),
	)
	specifications = table.Of[Specification]("goods_specification",
		table.Refers("goods_id", "goods"),
	)
	attributes = table.Of[Attribute]("goods_attribute",
		table.Refers("goods_id", "goods"),
	)
)

// shownStock is the free stock of a product p, including its buckets.
const shownStock = `CASE WHEN p.stock_mode = 0 THEN p.number
	ELSE p.number + (SELECT COALESCE(SUM(b.available), 0) FROM stock_bucket b WHERE b.product_id = p.id) END`

var shownColumns = strings.Replace(table.Part[Product](products).Columns("p"), "p.number", shownStock+" AS number", 1)

// selectProducts reads the live products of goods. Number is the free stock.
var selectProducts = "SELECT " + shownColumns + ` FROM goods_product p
	WHERE p.goods_id IN ? AND p.deleted = 0
	ORDER BY p.id`

func productsOf(ctx context.Context, q db.Querier, goods ...int64) ([]Product, error) {
	list, err := table.Select[Product](ctx, q, selectProducts, goods)
	if err != nil {
		return nil, fmt.Errorf("read the products of goods %v: %w", goods, err)
	}
	return list, nil
}

// ofGoods is the condition on the specifications and on the attributes of goods.
const ofGoods = "r.goods_id IN ? AND r.deleted = 0 ORDER BY r.id"

// ProductSnapshot is the current state of a product with what a purchase needs of its goods.
type ProductSnapshot struct {
	ProductID, GoodsID, CategoryID int64
	// ParentID is the category above CategoryID, 0 for none.
	ParentID       int64
	GoodsSN        string `gorm:"column:goods_sn"`
	GoodsName      string
	Specifications []string `gorm:"serializer:list"`
	Price          money.Amount
	// Stock is the free stock.
	Stock   int
	HotMode HotMode
	// PicURL is the product's own picture, or that of the goods.
	PicURL string
	// OnSale reports that the goods exist and are on sale, Live that the product exists and belongs to them.
	OnSale, Live bool
}

// Buyable returns nil if the product can be bought, else errno.GoodsUnshelved or errno.GoodsInvalid.
func (o ProductSnapshot) Buyable() error {
	switch {
	case !o.OnSale:
		return fmt.Errorf("goods %d: %w", o.GoodsID, o.unshelved())
	case !o.Live:
		return fmt.Errorf("product %d: %w", o.ProductID, errno.GoodsInvalid)
	}
	return nil
}

// unshelved names the goods, unless they have no row any more.
func (o ProductSnapshot) unshelved() error {
	if o.GoodsName == "" {
		return errno.GoodsUnshelved
	}
	return errno.GoodsUnshelved.Because(text.GoodsOffSale, o.GoodsName)
}

// Wanted names a product as clients do, together with the goods it should belong to.
type Wanted struct{ ProductID, GoodsID int64 }

// ProductSnapshots reads products. One that does not exist, or belongs to other goods, gets a snapshot that is not
// Buyable, so that every pair has a result.
func ProductSnapshots(ctx context.Context, q db.Querier, wanted []Wanted) (map[Wanted]ProductSnapshot, error) {
	snapshots := make(map[Wanted]ProductSnapshot, len(wanted))
	if len(wanted) == 0 {
		return snapshots, nil
	}
	products := make([]int64, len(wanted))
	goods := make([]int64, len(wanted))
	for i, w := range wanted {
		products[i], goods[i] = w.ProductID, w.GoodsID
		snapshots[w] = ProductSnapshot{ProductID: w.ProductID, GoodsID: w.GoodsID}
	}
	found, err := snapshotsOf(ctx, q, products, goods)
	if err != nil {
		return nil, fmt.Errorf("read the snapshots of products %v: %w", products, err)
	}
	for _, o := range found {
		w := Wanted{o.ProductID, o.GoodsID}
		if _, ok := snapshots[w]; ok { // otherwise it is a product of other goods
			snapshots[w] = o
		}
	}
	return fillOnSale(ctx, q, snapshots)
}

// fillOnSale finds out for pairs without a product whether at least the goods are on sale, since the error differs.
func fillOnSale(
	ctx context.Context, q db.Querier, snapshots map[Wanted]ProductSnapshot,
) (map[Wanted]ProductSnapshot, error) {
	var unsure []int64
	for w, o := range snapshots {
		if !o.Live && !o.OnSale && !slices.Contains(unsure, w.GoodsID) {
			unsure = append(unsure, w.GoodsID)
		}
	}
	if len(unsure) == 0 {
		return snapshots, nil
	}
	slices.Sort(unsure)
	onSale, err := goods.IDs(ctx, q, "id IN ? AND is_on_sale = 1 AND deleted = 0", unsure)
	if err != nil {
		return nil, err
	}
	for w, o := range snapshots {
		if !o.Live && slices.Contains(onSale, w.GoodsID) {
			o.OnSale = true
			snapshots[w] = o
		}
	}
	return snapshots, nil
}

func snapshotsOf(ctx context.Context, q db.Querier, products, goods []int64) ([]ProductSnapshot, error) {
	return table.Select[ProductSnapshot](ctx, q, `SELECT p.id AS product_id, p.goods_id, `+SnapshotColumns+`
		FROM goods_product p JOIN goods g ON g.id = p.goods_id
		WHERE p.id IN ? AND p.goods_id IN ?`, products, goods)
}

// SnapshotColumns are the columns of a ProductSnapshot without its ids, in statements that contain SnapshotsOf.
const SnapshotColumns = `g.category_id,
	COALESCE((SELECT c.pid FROM category c WHERE c.id = g.category_id), 0) AS parent_id, g.goods_sn,
	g.name AS goods_name, p.specifications, p.price,
	p.number AS stock, p.hot_mode, COALESCE(NULLIF(p.url, ''), g.pic_url) AS pic_url,
	COALESCE(g.is_on_sale = 1 AND g.deleted = 0, 0) AS on_sale, COALESCE(p.deleted = 0, 0) AS live`

// SnapshotsOf joins the products that the rows of another area name, for its statements: alias is their table, with the
// columns product_id and goods_id. A row whose product does not exist, or belongs to other goods, gets a snapshot that
// is not Buyable.
func SnapshotsOf(alias string) string {
	return fmt.Sprintf(`LEFT JOIN goods g ON g.id = %[1]s.goods_id
		LEFT JOIN goods_product p ON p.id = %[1]s.product_id AND p.goods_id = %[1]s.goods_id`, alias)
}

// ProductEdit names a product by its id and repeats its immutable fields. It changes the rest if Edited is set. If
// Deleted is set, the edit is refused: the set of products is fixed when goods are created.
type ProductEdit struct {
	ID              int64
	Edited, Deleted bool
	Specifications  []string
	Price           money.Amount
	// Number is the new stock. With Base, the stock that the operator has seen, the stock changes by the difference.
	Number int
	Base   *int
	URL    *string
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

// textsColumn encodes a list of texts as a JSON array; it is also the canonical form for specHash.
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

func (x *editing) matchProducts(ctx context.Context) error {
	var err error
	if x.products, err = productsOf(ctx, x.tx, x.ID); err != nil {
		return err
	}
	own := make(map[int64]Product, len(x.products))
	for _, p := range x.products {
		own[p.ID] = p
	}
	for _, e := range x.Products {
		p, ok := own[e.ID]
		if !ok || e.Deleted || !slices.Equal(p.Specifications, e.Specifications) {
			return notAllowed("product", e.ID)
		}
		if !e.Edited {
			continue
		}
		x.before.Products = append(x.before.Products, p)
		p.Price, p.UpdateTime = e.Price, x.at
		if e.URL != nil {
			p.URL = *e.URL
		}
		x.after.Products = append(x.after.Products, p)
	}
	byID := func(a, b Product) int { return cmp.Compare(a.ID, b.ID) }
	slices.SortFunc(x.before.Products, byID)
	slices.SortFunc(x.after.Products, byID)
	return nil
}

// repriced returns all products with their prices after the edit.
func (x *editing) repriced() []Product {
	all := slices.Clone(x.products)
	for i := range all {
		for _, p := range x.after.Products {
			if p.ID == all[i].ID {
				all[i].Price = p.Price
			}
		}
	}
	return all
}

// writeProducts moves the stock and stores prices and pictures. The stock is locked here, at the end, since buyers wait
// for it; it may have changed since the products were read.
func (x *editing) writeProducts(ctx context.Context) error {
	ids := make([]int64, len(x.after.Products))
	for i, p := range x.after.Products {
		ids[i] = p.ID
	}
	numbers, err := lockNumbers(ctx, x.tx, ids)
	if err != nil {
		return err
	}
	wanted := make(map[int64]ProductEdit, len(x.Products))
	for _, e := range x.Products {
		wanted[e.ID] = e
	}
	deltas := make(map[int64]int, len(ids))
	for i := range x.after.Products {
		p := &x.after.Products[i]
		n, e := numbers[p.ID], wanted[p.ID]
		seen := n.Shown
		if e.Base != nil {
			seen = *e.Base
		}
		delta := e.Number - seen
		if n.Free+delta < 0 {
			return fmt.Errorf("product %d has %d left, %+d is not possible: %w", p.ID, n.Free, delta, errno.Stale)
		}
		if delta > 0 && n.Shown+delta > MaxStock {
			return errno.Invalid.Because(text.ValidationMax, text.FieldNumber, MaxStock)
		}
		x.before.Products[i].Number, p.Number = n.Shown, n.Shown+delta
		deltas[p.ID] = delta
	}
	record, err := x.record(ctx)
	if err != nil {
		return err
	}
	if err := insertLedger(ctx, x.tx, x.entries(record, deltas), x.by, x.at); err != nil {
		return err
	}
	return updateProducts(ctx, x.tx, x.after.Products, deltas, x.at)
}

// cheapest returns the lowest price of at least one product.
func cheapest(list []Product) money.Amount {
	return slices.MinFunc(list, func(a, b Product) int { return cmp.Compare(a.Price, b.Price) }).Price
}
