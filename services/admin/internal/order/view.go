package order

import (
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/wire"
)

// Row is an order of the list.
type Row struct {
	ID            int64      `json:"id"`
	OrderSN       string     `json:"orderSn"`
	OrderStatus   int        `json:"orderStatus"`
	ActualPrice   wire.Money `json:"actualPrice"`
	IntegralPrice wire.Money `json:"integralPrice"`
	FreightPrice  wire.Money `json:"freightPrice"`
	OrderPrice    wire.Money `json:"orderPrice"`
	AddTime       wire.Time  `json:"addTime"`
	PayTime       wire.Time  `json:"payTime"`
	UserID        int64      `json:"userId"`
	UserName      string     `json:"userName"`
	UserAvatar    wire.Link  `json:"userAvatar"`
	Avatar        wire.Link  `json:"avatar"`
	Consignee     string     `json:"consignee"`
	Address       string     `json:"address"`
	Mobile        string     `json:"mobile"`
	ShipChannel   *string    `json:"shipChannel"`
	ShipSN        *string    `json:"shipSn"`
	Message       string     `json:"message"`
	GoodsVoList   []RowGoods `json:"goodsVoList"`
}

// RowGoods is a line of an order of the list.
type RowGoods struct {
	ID             int64      `json:"id"`
	GoodsID        int64      `json:"goodsId"`
	ProductID      int64      `json:"productId"`
	GoodsName      string     `json:"goodsName"`
	PicURL         wire.Link  `json:"picUrl"`
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

// User is the shopper of an order; a missing one has empty texts.
type User struct {
	Nickname string    `json:"nickname"`
	Avatar   wire.Link `json:"avatar"`
}

// Order is an order record, complete.
type Order struct {
	ID              int64       `json:"id"`
	UserID          int64       `json:"userId"`
	OrderSN         string      `json:"orderSn"`
	OrderStatus     int         `json:"orderStatus"`
	AftersaleStatus int         `json:"aftersaleStatus"`
	Consignee       string      `json:"consignee"`
	Mobile          string      `json:"mobile"`
	Address         string      `json:"address"`
	Message         string      `json:"message"`
	GoodsPrice      wire.Money  `json:"goodsPrice"`
	FreightPrice    wire.Money  `json:"freightPrice"`
	CouponPrice     wire.Money  `json:"couponPrice"`
	IntegralPrice   wire.Money  `json:"integralPrice"`
	GrouponPrice    wire.Money  `json:"grouponPrice"`
	OrderPrice      wire.Money  `json:"orderPrice"`
	ActualPrice     wire.Money  `json:"actualPrice"`
	PayID           *string     `json:"payId"`
	PayTime         wire.Time   `json:"payTime"`
	ShipSN          *string     `json:"shipSn"`
	ShipChannel     *string     `json:"shipChannel"`
	ShipTime        wire.Time   `json:"shipTime"`
	RefundAmount    *wire.Money `json:"refundAmount"`
	RefundType      *string     `json:"refundType"`
	RefundContent   *string     `json:"refundContent"`
	RefundTime      wire.Time   `json:"refundTime"`
	ConfirmTime     wire.Time   `json:"confirmTime"`
	Comments        int         `json:"comments"`
	EndTime         wire.Time   `json:"endTime"`
	AddTime         wire.Time   `json:"addTime"`
	UpdateTime      wire.Time   `json:"updateTime"`
	Deleted         bool        `json:"deleted"`
}

// Line is a line of an order, complete.
type Line struct {
	ID             int64      `json:"id"`
	OrderID        int64      `json:"orderId"`
	GoodsID        int64      `json:"goodsId"`
	GoodsName      string     `json:"goodsName"`
	GoodsSN        string     `json:"goodsSn"`
	ProductID      int64      `json:"productId"`
	Number         int        `json:"number"`
	Price          wire.Money `json:"price"`
	Specifications []string   `json:"specifications"`
	PicURL         wire.Link  `json:"picUrl"`
	Comment        int64      `json:"comment"`
	AddTime        wire.Time  `json:"addTime"`
	UpdateTime     wire.Time  `json:"updateTime"`
	Deleted        bool       `json:"deleted"`
}

// orNull gives null for a text that is not there.
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
		OrderPrice: wire.Money(d.Price.Total), AddTime: h.zone.At(d.AddTime), PayTime: h.zone.At(d.PayTime),
		UserID: d.UserID, UserName: who.Nickname, UserAvatar: wire.Link(who.Avatar), Avatar: wire.Link(who.Avatar),
		Consignee: d.Consignee, Address: d.Address, Mobile: d.Mobile, ShipChannel: orNull(d.ShipChannel),
		ShipSN: orNull(d.ShipSN), Message: d.Message, GoodsVoList: goods(d.Lines),
	}
}

// shoppers returns the ids of those who ordered.
func shoppers(orders []order.Detail) []int64 {
	ids := make([]int64, len(orders))
	for i, o := range orders {
		ids[i] = o.UserID
	}
	return ids
}

func (h handlers) order(o order.Order) Order {
	v := Order{
		ID: o.ID, UserID: o.UserID, OrderSN: o.SN, OrderStatus: int(o.Status), AftersaleStatus: o.Aftersale,
		Consignee: o.Consignee, Mobile: o.Mobile, Address: o.Address, Message: o.Message,
		GoodsPrice: wire.Money(o.Price.Goods), FreightPrice: wire.Money(o.Price.Freight),
		CouponPrice: wire.Money(o.Price.Coupon), IntegralPrice: wire.Money(o.Price.Integral),
		GrouponPrice: wire.Money(o.Price.Groupon), OrderPrice: wire.Money(o.Price.Total),
		ActualPrice: wire.Money(o.Price.Actual), PayID: orNull(o.PayID), PayTime: h.zone.At(o.PayTime),
		ShipSN: orNull(o.ShipSN), ShipChannel: orNull(o.ShipChannel), ShipTime: h.zone.At(o.ShipTime),
		RefundAmount: nil, RefundType: orNull(o.RefundType), RefundContent: orNull(o.RefundContent),
		RefundTime: h.zone.At(o.RefundTime), ConfirmTime: h.zone.At(o.ConfirmTime), Comments: o.Comments,
		EndTime: h.zone.At(o.EndTime), AddTime: h.zone.At(o.AddTime), UpdateTime: h.zone.At(o.UpdateTime),
		Deleted: o.Deleted,
	}
	if !o.RefundTime.IsZero() {
		amount := wire.Money(o.RefundAmount)
		v.RefundAmount = &amount
	}
	return v
}

func (h handlers) lines(lines []order.Line) []Line {
	out := make([]Line, len(lines))
	for i, l := range lines {
		out[i] = Line{
			ID: l.ID, OrderID: l.OrderID, GoodsID: l.GoodsID, GoodsName: l.GoodsName, GoodsSN: l.GoodsSN,
			ProductID: l.ProductID, Number: l.Number, Price: wire.Money(l.Price),
			Specifications: wire.OrEmpty(l.Specifications), PicURL: wire.Link(l.PicURL), Comment: l.CommentID,
			AddTime: h.zone.At(l.AddTime), UpdateTime: h.zone.At(l.UpdateTime), Deleted: l.Deleted,
		}
	}
	return out
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
