package catalog

import "shop.internal/pkg/domain/platform/money"

// OnSale is what lists of other areas show of goods on sale.
type OnSale struct {
	Name, Brief, PicURL       string
	CounterPrice, RetailPrice money.Amount
}

// OnSaleColumns are the columns of OnSale for a statement with JoinOnSale, each with the prefix on_sale_.
const OnSaleColumns = `g.name AS on_sale_name, g.brief AS on_sale_brief, g.pic_url AS on_sale_pic_url,
	g.counter_price AS on_sale_counter_price, g.retail_price AS on_sale_retail_price`

// JoinOnSale joins goods to a statement of another area, by the column that names them, so that rows whose goods are
// not on sale count nowhere.
func JoinOnSale(column string) string {
	return "JOIN goods g ON g.id = " + column + " AND g.is_on_sale = 1 AND g.deleted = 0"
}
