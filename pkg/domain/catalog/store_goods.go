package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/money"
)

const summaryColumns = "s.id, s.name, s.brief, COALESCE(s.pic_url, '') AS pic_url, s.is_new, s.is_hot, " +
	"s.counter_price, s.retail_price"

type summaryRow struct {
	ID                        int64
	Name, Brief, PicURL       string
	IsNew, IsHot              bool
	CounterPrice, RetailPrice money.Amount
}

func (r summaryRow) summary() Summary {
	return Summary{
		ID: r.ID, Name: r.Name, Brief: r.Brief, PicURL: r.PicURL, New: r.IsNew, Hot: r.IsHot,
		CounterPrice: r.CounterPrice, RetailPrice: r.RetailPrice,
	}
}

const goodsColumns = "r.id, r.goods_sn, r.name, r.category_id, r.brand_id, COALESCE(r.gallery, '') AS gallery, " +
	"r.keywords, r.brief, r.is_on_sale, r.sort_order, COALESCE(r.pic_url, '') AS pic_url, " +
	"COALESCE(r.share_url, '') AS share_url, r.is_new, r.is_hot, r.unit, r.counter_price, r.retail_price, " +
	"r.add_time, r.update_time, r.version"

// wholeGoods stands behind the columns where goods are read with their rich text; a condition follows.
const wholeGoods = ", COALESCE(c.detail, '') AS detail FROM goods r " +
	"LEFT JOIN goods_content c ON c.goods_id = r.id WHERE "

type goodsRow struct {
	ID                        int64
	GoodsSn, Name             string
	CategoryID, BrandID       int64
	Gallery, Keywords, Brief  string
	IsOnSale                  bool
	SortOrder                 int
	PicURL, ShareURL          string
	IsNew, IsHot              bool
	Unit                      string
	CounterPrice, RetailPrice money.Amount
	AddTime, UpdateTime       time.Time
	Version                   int
	Detail                    string
}

func (r goodsRow) goods() (Goods, error) {
	gallery, err := texts(r.Gallery)
	if err != nil {
		return Goods{}, fmt.Errorf("gallery of goods %d: %w", r.ID, err)
	}
	return Goods{
		ID: r.ID, SN: r.GoodsSn, Name: r.Name, CategoryID: r.CategoryID, BrandID: r.BrandID, Gallery: gallery,
		Keywords: r.Keywords, Brief: r.Brief, OnSale: r.IsOnSale, SortOrder: r.SortOrder, PicURL: r.PicURL,
		ShareURL: r.ShareURL, New: r.IsNew, Hot: r.IsHot, Unit: r.Unit, CounterPrice: r.CounterPrice,
		RetailPrice: r.RetailPrice, Detail: r.Detail, AddTime: r.AddTime, UpdateTime: r.UpdateTime, Version: r.Version,
	}, nil
}

func goodsOf(rows []goodsRow) ([]Goods, error) {
	out := make([]Goods, len(rows))
	for i, r := range rows {
		g, err := r.goods()
		if err != nil {
			return nil, err
		}
		out[i] = g
	}
	return out, nil
}

// texts reads a column that holds a JSON array of texts; an empty one holds none.
func texts(column string) ([]string, error) {
	if column == "" {
		return nil, nil
	}
	var out []string
	if err := json.Unmarshal([]byte(column), &out); err != nil {
		return nil, fmt.Errorf("read a list of texts: %w", err)
	}
	return out, nil
}

func findGoods(ctx context.Context, q db.Querier, id int64) (Goods, error) {
	var rows []goodsRow
	err := q.G(ctx).Raw("SELECT "+goodsColumns+wholeGoods+"r.id = ? AND r.deleted = 0", id).Scan(&rows).Error
	if err != nil {
		return Goods{}, fmt.Errorf("read goods %d: %w", id, err)
	}
	if len(rows) == 0 {
		return Goods{}, fmt.Errorf("read goods %d: %w", id, errno.GoodsUnknown)
	}
	return rows[0].goods()
}

func goodsExist(ctx context.Context, q db.Querier, id int64) (bool, error) {
	var found []int64
	if err := q.G(ctx).Raw("SELECT id FROM goods WHERE id = ? AND deleted = 0", id).Scan(&found).Error; err != nil {
		return false, fmt.Errorf("look for goods %d: %w", id, err)
	}
	return len(found) > 0, nil
}

func categoryOfGoods(ctx context.Context, q db.Querier, id int64) (int64, error) {
	var categories []int64
	err := q.G(ctx).Raw("SELECT category_id FROM goods WHERE id = ? AND deleted = 0", id).Scan(&categories).Error
	if err != nil {
		return 0, fmt.Errorf("read the category of goods %d: %w", id, err)
	}
	if len(categories) == 0 {
		return 0, fmt.Errorf("read the category of goods %d: %w", id, errno.GoodsUnknown)
	}
	return categories[0], nil
}

// forSale is the condition for goods that shoppers can buy.
const forSale = " AND s.is_on_sale = 1"

// summariesOf returns the live goods of ids that fulfil a further condition on goods s, by id.
func summariesOf(ctx context.Context, q db.Querier, ids []int64, further string) (map[int64]Summary, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var rows []summaryRow
	err := q.G(ctx).Raw("SELECT "+summaryColumns+" FROM goods s WHERE s.id IN ? AND s.deleted = 0"+further, ids).
		Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read %d goods: %w", len(ids), err)
	}
	out := make(map[int64]Summary, len(rows))
	for _, r := range rows {
		out[r.ID] = r.summary()
	}
	return out, nil
}

type productRow struct {
	ID, GoodsID         int64
	Specifications      string
	Price               money.Amount
	Number              int
	URL                 string
	AddTime, UpdateTime time.Time
	Version             int
}

// productsOf returns the products that are not deleted. The number is the free stock, that in split counters included.
func productsOf(ctx context.Context, q db.Querier, goods ...int64) ([]Product, error) {
	var rows []productRow
	err := q.G(ctx).Raw("SELECT p.id, p.goods_id, p.specifications, p.price, CASE WHEN p.stock_mode = 0 THEN p.number "+
		"ELSE p.number + (SELECT COALESCE(SUM(b.available), 0) FROM stock_bucket b WHERE b.product_id = p.id) END "+
		"AS number, COALESCE(p.url, '') AS url, p.add_time, p.update_time, p.version FROM goods_product p "+
		"WHERE p.goods_id IN ? AND p.deleted = 0 ORDER BY p.id", goods).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the products of goods %v: %w", goods, err)
	}
	out := make([]Product, len(rows))
	for i, r := range rows {
		specs, err := texts(r.Specifications)
		if err != nil {
			return nil, fmt.Errorf("product %d: %w", r.ID, err)
		}
		out[i] = Product{
			ID: r.ID, GoodsID: r.GoodsID, Specifications: specs, Price: r.Price, Number: r.Number, URL: r.URL,
			AddTime: r.AddTime, UpdateTime: r.UpdateTime, Version: r.Version,
		}
	}
	return out, nil
}

type specificationRow struct {
	ID, GoodsID                  int64
	Specification, Value, PicURL string
	AddTime, UpdateTime          time.Time
}

func specificationsOf(ctx context.Context, q db.Querier, goods ...int64) ([]Specification, error) {
	var rows []specificationRow
	err := q.G(ctx).Raw("SELECT id, goods_id, specification, value, pic_url, add_time, update_time "+
		"FROM goods_specification WHERE goods_id IN ? AND deleted = 0 ORDER BY id", goods).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the specifications of goods %v: %w", goods, err)
	}
	out := make([]Specification, len(rows))
	for i, r := range rows {
		out[i] = Specification{
			ID: r.ID, GoodsID: r.GoodsID, Group: r.Specification, Value: r.Value, PicURL: r.PicURL,
			AddTime: r.AddTime, UpdateTime: r.UpdateTime,
		}
	}
	return out, nil
}

type attributeRow struct {
	ID, GoodsID         int64
	Attribute, Value    string
	AddTime, UpdateTime time.Time
}

func attributesOf(ctx context.Context, q db.Querier, goods ...int64) ([]Attribute, error) {
	var rows []attributeRow
	err := q.G(ctx).Raw("SELECT id, goods_id, attribute, value, add_time, update_time FROM goods_attribute "+
		"WHERE goods_id IN ? AND deleted = 0 ORDER BY id", goods).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the attributes of goods %v: %w", goods, err)
	}
	out := make([]Attribute, len(rows))
	for i, r := range rows {
		out[i] = Attribute{
			ID: r.ID, GoodsID: r.GoodsID, Name: r.Attribute, Value: r.Value, AddTime: r.AddTime, UpdateTime: r.UpdateTime,
		}
	}
	return out, nil
}

func setShareURL(ctx context.Context, tx *db.Tx, id int64, from, to string) (bool, error) {
	res := tx.G(ctx).Exec("UPDATE goods SET share_url = ? WHERE id = ? AND COALESCE(share_url, '') = ? AND deleted = 0",
		to, id, from)
	return res.RowsAffected == 1, res.Error
}
