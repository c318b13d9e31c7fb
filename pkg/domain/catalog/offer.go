package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
)

// Offer is what a shopper buys: a product with what they must know of its goods, as they are at this moment.
type Offer struct {
	ProductID, GoodsID, CategoryID int64
	GoodsSN, GoodsName             string
	Specifications                 []string
	Price                          money.Amount
	// Stock is the number of free pieces.
	Stock int
	// PicURL is the product's own picture, else that of the goods.
	PicURL string
	// OnSale says that the goods live and are on the shelf, Live that the product lives and belongs to them.
	OnSale, Live bool
}

// Buyable returns nil for an offer that can be bought, else errno.GoodsUnshelved or errno.GoodsInvalid.
func (o Offer) Buyable() error {
	switch {
	case !o.OnSale:
		return fmt.Errorf("goods %d: %w", o.GoodsID, errno.GoodsUnshelved)
	case !o.Live:
		return fmt.Errorf("product %d: %w", o.ProductID, errno.GoodsInvalid)
	}
	return nil
}

// Wanted names a product as a client does, together with the goods it should belong to.
type Wanted struct{ ProductID, GoodsID int64 }

// Offers returns the offer of each product of goods that is wanted. A product or goods that does not exist gives an
// offer that is not Buyable, so that every wanted pair has its answer.
func Offers(ctx context.Context, q db.Querier, wanted []Wanted) (map[Wanted]Offer, error) {
	offers := make(map[Wanted]Offer, len(wanted))
	if len(wanted) == 0 {
		return offers, nil
	}
	products := make([]int64, len(wanted))
	goods := make([]int64, len(wanted))
	for i, w := range wanted {
		products[i], goods[i] = w.ProductID, w.GoodsID
		offers[w] = Offer{ProductID: w.ProductID, GoodsID: w.GoodsID}
	}
	rows, err := offerRows(ctx, q, products, goods)
	if err != nil {
		return nil, fmt.Errorf("read the offers of products %v: %w", products, err)
	}
	for _, r := range rows {
		w := Wanted{r.ProductID, r.GoodsID}
		if _, ok := offers[w]; !ok {
			continue // a wanted product of other goods
		}
		if offers[w], err = r.offer(); err != nil {
			return nil, err
		}
	}
	return fillOnSale(ctx, q, offers)
}

// fillOnSale finds out for the pairs without a product whether at least the goods are on sale: the answer to a shopper
// differs.
func fillOnSale(ctx context.Context, q db.Querier, offers map[Wanted]Offer) (map[Wanted]Offer, error) {
	var unsure []int64
	for w, o := range offers {
		if !o.Live && !o.OnSale && !slices.Contains(unsure, w.GoodsID) {
			unsure = append(unsure, w.GoodsID)
		}
	}
	if len(unsure) == 0 {
		return offers, nil
	}
	slices.Sort(unsure)
	onSale, err := onSaleAmong(ctx, q, unsure)
	if err != nil {
		return nil, fmt.Errorf("look for goods %v: %w", unsure, err)
	}
	for w, o := range offers {
		if !o.Live && slices.Contains(onSale, w.GoodsID) {
			o.OnSale = true
			offers[w] = o
		}
	}
	return offers, nil
}

type offerRow struct {
	ProductID, GoodsID, CategoryID int64
	GoodsSN                        string `gorm:"column:goods_sn"`
	Name                           string
	Specifications                 string
	Price                          money.Amount
	Number                         int
	URL                            string `gorm:"column:url"`
	PicURL                         string `gorm:"column:pic_url"`
	IsOnSale, Live                 bool
}

func (r offerRow) offer() (Offer, error) {
	o := Offer{
		ProductID: r.ProductID, GoodsID: r.GoodsID, CategoryID: r.CategoryID, GoodsSN: r.GoodsSN, GoodsName: r.Name,
		Price: r.Price, Stock: r.Number, PicURL: r.URL, OnSale: r.IsOnSale, Live: r.Live,
	}
	if o.PicURL == "" {
		o.PicURL = r.PicURL
	}
	if err := json.Unmarshal([]byte(r.Specifications), &o.Specifications); err != nil {
		return o, fmt.Errorf("specifications of product %d: %w", r.ProductID, err)
	}
	return o, nil
}

func offerRows(ctx context.Context, q db.Querier, products, goods []int64) ([]offerRow, error) {
	var rows []offerRow
	err := q.G(ctx).Raw("SELECT p.id AS product_id, p.goods_id, g.category_id, g.goods_sn, g.name, p.specifications, "+
		"p.price, p.number, COALESCE(p.url, '') AS url, COALESCE(g.pic_url, '') AS pic_url, "+
		"(g.is_on_sale = 1 AND g.deleted = 0) AS is_on_sale, (p.deleted = 0) AS live "+
		"FROM goods_product p JOIN goods g ON g.id = p.goods_id "+
		"WHERE p.id IN ? AND p.goods_id IN ?", products, goods).Scan(&rows).Error
	return rows, err
}

func onSaleAmong(ctx context.Context, q db.Querier, goods []int64) ([]int64, error) {
	var ids []int64
	err := q.G(ctx).Raw("SELECT id FROM goods WHERE id IN ? AND is_on_sale = 1 AND deleted = 0", goods).Scan(&ids).Error
	return ids, err
}
