package catalog

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
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

// HasDecimals reports whether a price of goods has decimals. Deleted goods do not count.
func (s *Service) HasDecimals(ctx context.Context, q db.Querier) (bool, error) {
	return products.Exists(ctx, q, "r.price <> FLOOR(r.price) AND r.deleted = 0")
}

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
	ParentID int64
	// Weight is that of a piece in grams, FreightID the template by which its delivery is charged; 0 for none.
	Weight         int
	FreightID      int64
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
	g.name AS goods_name, g.weight, g.freight_id, p.specifications, p.price,
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

// StockLine is the quantity of a product that an order line takes or returns.
type StockLine struct {
	ProductID, GoodsID, OrderID, LineID int64
	// CaseID is the after-sale case by which some pieces of the line come back, 0 for the whole line.
	CaseID int64
	Number int
	// Price and CategoryID are those by which the line was priced and its coupon selected; Take refuses if they are no
	// longer those of the product and its goods.
	Price      money.Amount
	CategoryID int64
}

// cheapest returns the lowest price of at least one product.
func cheapest(list []Product) money.Amount {
	return slices.MinFunc(list, func(a, b Product) int { return cmp.Compare(a.Price, b.Price) }).Price
}
