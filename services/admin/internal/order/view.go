package order

import (
	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/wire"
)

// Row is an order in the list.
type Row struct {
	ID            int64      `json:"id"`
	OrderSN       string     `json:"orderSn"`
	OrderStatus   int        `json:"orderStatus" show:"one=order-state"`
	ActualPrice   wire.Money `json:"actualPrice"`
	IntegralPrice wire.Money `json:"integralPrice"`
	FreightPrice  wire.Money `json:"freightPrice"`
	OrderPrice    wire.Money `json:"orderPrice"`
	AddTime       wire.Time  `json:"addTime"`
	PayTime       wire.Time  `json:"payTime"`
	UserID        int64      `json:"userId" show:"of=user"`
	UserName      string     `json:"userName"`
	UserAvatar    wire.Link  `json:"userAvatar" show:"picture"`
	Avatar        wire.Link  `json:"avatar" show:"picture"`
	Consignee     string     `json:"consignee"`
	Address       string     `json:"address"`
	Mobile        string     `json:"mobile"`
	ShipChannel   *string    `json:"shipChannel"`
	ShipSN        *string    `json:"shipSn"`
	Message       string     `json:"message" show:"long"`
	GoodsVoList   []RowGoods `json:"goodsVoList"`
}

// RowGoods is an order line in the list.
type RowGoods struct {
	ID             int64      `json:"id"`
	GoodsID        int64      `json:"goodsId" show:"of=goods"`
	ProductID      int64      `json:"productId"`
	GoodsName      string     `json:"goodsName"`
	PicURL         wire.Link  `json:"picUrl" show:"picture"`
	Specifications []string   `json:"specifications"`
	Number         int        `json:"number"`
	Price          wire.Money `json:"price"`
}

// Detail is the answer of /admin/order/detail.
type Detail struct {
	Order      Order  `json:"order"`
	OrderGoods []Line `json:"orderGoods"`
	User       User   `json:"user"`
}

// User is the shopper of an order, with empty texts for a deleted account.
type User struct {
	Nickname string    `json:"nickname"`
	Avatar   wire.Link `json:"avatar" show:"picture"`
}

// Order is a complete order record.
type Order struct {
	contract.Order
	PayID         *string     `json:"payId"`
	PayTime       wire.Time   `json:"payTime"`
	ShipSN        *string     `json:"shipSn"`
	ShipChannel   *string     `json:"shipChannel"`
	ShipTime      wire.Time   `json:"shipTime"`
	RefundAmount  *wire.Money `json:"refundAmount"`
	RefundType    *string     `json:"refundType"`
	RefundContent *string     `json:"refundContent"`
	RefundTime    wire.Time   `json:"refundTime"`
	ConfirmTime   wire.Time   `json:"confirmTime"`
	Comments      int         `json:"comments"`
	EndTime       wire.Time   `json:"endTime"`
	wire.Stamps
}

// Line is a complete order line.
type Line contract.OrderLine

// orNull returns nil for an empty text.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func (h handlers) row(d order.Detail, who account.Person) Row {
	return Row{
		ID: d.ID, OrderSN: d.SN, OrderStatus: int(d.Status), ActualPrice: wire.Money(d.Price.Actual),
		IntegralPrice: wire.Money(d.Price.Integral), FreightPrice: wire.Money(d.Price.Freight),
		OrderPrice: wire.Money(d.Price.Total), AddTime: h.Zone.At(d.AddTime), PayTime: h.Zone.At(d.PayTime),
		UserID: d.UserID, UserName: who.Nickname, UserAvatar: wire.Link(who.Avatar), Avatar: wire.Link(who.Avatar),
		Consignee: d.Consignee, Address: d.Address, Mobile: d.Mobile, ShipChannel: orNull(d.ShipChannel),
		ShipSN: orNull(d.ShipSN), Message: d.Message, GoodsVoList: goods(d.Lines),
	}
}

// shoppers returns the ids of the shoppers.
func shoppers(orders []order.Detail) []int64 {
	ids := make([]int64, len(orders))
	for i, o := range orders {
		ids[i] = o.UserID
	}
	return ids
}

func (h handlers) order(o order.Order) Order {
	v := Order{
		Order: contract.OrderOf(o), PayID: orNull(o.PayID), PayTime: h.Zone.At(o.PayTime), ShipSN: orNull(o.ShipSN),
		ShipChannel: orNull(o.ShipChannel), ShipTime: h.Zone.At(o.ShipTime), RefundAmount: contract.RefundAmountOf(o),
		RefundType: orNull(o.RefundType), RefundContent: orNull(o.RefundContent), RefundTime: h.Zone.At(o.RefundTime),
		ConfirmTime: h.Zone.At(o.ConfirmTime), Comments: o.Comments, EndTime: h.Zone.At(o.EndTime),
		Stamps: h.Zone.Stamps(o.AddTime, o.UpdateTime),
	}
	v.Deleted = o.Deleted
	return v
}

func (h handlers) line(l order.Line) Line {
	v := Line(contract.OrderLineOf(h.Zone, l))
	v.Deleted = l.Deleted
	return v
}

func goods(lines []order.Line) []RowGoods {
	out := make([]RowGoods, len(lines))
	for i, l := range lines {
		out[i] = RowGoods{
			ID: l.ID, GoodsID: l.GoodsID, ProductID: l.ProductID, GoodsName: l.GoodsName, PicURL: wire.Link(l.PicURL),
			Specifications: wire.OrEmpty(l.Specifications), Number: l.Number, Price: wire.Money(l.Price),
		}
	}
	return out
}
