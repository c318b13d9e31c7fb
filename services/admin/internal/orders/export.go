package orders

import (
	"context"
	"net/http"
	"strings"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/order"
	"shop.internal/services/admin/internal/export"
)

// ExportOrders is the query of /admin/order/export, with the filter of the list.
type ExportOrders struct{ Filter }

func (h orderHandlers) export(ctx context.Context, r ExportOrders, w http.ResponseWriter) error {
	f, err := h.filter(r.Filter)
	if err != nil {
		return err
	}
	v, err := h.Settings.Now(ctx)
	if err != nil {
		return err
	}
	list := export.List{Audit: h.Audit, Filter: r.Filter, Name: "orders", Currency: v.Currency, Header: []string{
		"id", "orderSn", "orderStatus", "addTime", "payTime", "userId",
		"userName", "consignee", "mobile", "address", "message", "freightPrice", "orderPrice", "actualPrice", "shipChannel",
		"shipSn", "goodsId", "productId", "goodsName", "specifications", "number", "price",
		"linePrice", "goodsPrice", "couponPrice", "integralPrice",
	}}
	file, err := export.Open(ctx, w, list)
	if err != nil {
		return err
	}
	err = h.Orders.EachOrder(ctx, f, func(list []order.Detail) error {
		people, err := h.People.Persons(ctx, shoppers(list))
		if err != nil {
			return err
		}
		for _, d := range list {
			if err := h.exportOrder(file, d, people[d.UserID]); err != nil {
				return err
			}
		}
		return file.Flush()
	})
	return file.End(ctx, err)
}

// exportOrder writes a row for each line of an order, with the order's cells repeated, and one row for an order without
// lines. Amounts of the order are in its first row alone, so that adding up a column counts each once.
func (h orderHandlers) exportOrder(file *export.File, d order.Detail, who account.Person) error {
	lines := d.Lines
	if len(lines) == 0 {
		lines = []order.Line{{}}
	}
	own := []string{
		export.Int(d.ID), d.SN, export.Int(d.Status), export.Moment(h.Zone, d.AddTime), export.Moment(h.Zone, d.PayTime),
		export.Int(d.UserID), who.Nickname, d.Consignee, d.Mobile, d.Address, d.Message,
	}
	for i, l := range lines {
		var freight, total, actual, goods, coupon, integral string
		if i == 0 {
			freight, total, actual = file.Money(d.Price.Freight), file.Money(d.Price.Total), file.Money(d.Price.Actual)
			goods, coupon = file.Money(d.Price.Goods), file.Money(d.Price.Coupon)
			integral = file.Money(d.Price.Integral)
		}
		cells := append(own[:len(own):len(own)], freight, total, actual, d.ShipChannel, d.ShipSN)
		cells = append(append(cells, exportLine(file, d.Price, l)...), goods, coupon, integral)
		if err := file.Row(cells...); err != nil {
			return err
		}
	}
	return nil
}

// exportLine are the cells of a line, empty for none.
func exportLine(file *export.File, p order.Price, l order.Line) []string {
	if l.ID == 0 {
		return make([]string, 7)
	}
	return []string{
		export.Int(l.GoodsID), export.Int(l.ProductID), l.GoodsName, strings.Join(l.Specifications, " "),
		export.Int(l.Number), file.Money(l.Price), file.Money(p.Of(l)),
	}
}
