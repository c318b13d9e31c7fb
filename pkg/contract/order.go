package contract

import (
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/wire"
)

// Order is the common part of an order; of the members that follow it, operators get null where shoppers get no member.
type Order struct {
	ID              int64      `json:"id"`
	UserID          int64      `json:"userId" show:"of=user"`
	OrderSN         string     `json:"orderSn" doc:"The number that people read."`
	OrderStatus     int        `json:"orderStatus" show:"one=order-state"`
	AftersaleStatus int        `json:"aftersaleStatus" show:"one=case-state"`
	Consignee       string     `json:"consignee"`
	Mobile          string     `json:"mobile"`
	Address         string     `json:"address"`
	Message         string     `json:"message" show:"long"`
	GoodsPrice      wire.Money `json:"goodsPrice" doc:"The goods, before coupon and freight."`
	FreightPrice    wire.Money `json:"freightPrice" doc:"What the delivery costs."`
	CouponPrice     wire.Money `json:"couponPrice" doc:"What the coupon takes off."`
	IntegralPrice   wire.Money `json:"integralPrice"`
	GrouponPrice    wire.Money `json:"grouponPrice" doc:"What each piece was cheaper in a group."`
	OrderPrice      wire.Money `json:"orderPrice"`
	ActualPrice     wire.Money `json:"actualPrice" doc:"What is paid in the end."`
}

// OrderOf renders the common part of an order.
func OrderOf(o order.Order) Order {
	return Order{
		ID: o.ID, UserID: o.UserID, OrderSN: o.SN, OrderStatus: int(o.Status), AftersaleStatus: o.Aftersale,
		Consignee: o.Consignee, Mobile: o.Mobile, Address: o.Address, Message: o.Message,
		GoodsPrice: wire.Money(o.Price.Goods), FreightPrice: wire.Money(o.Price.Freight),
		CouponPrice: wire.Money(o.Price.Coupon), IntegralPrice: wire.Money(o.Price.Integral),
		GrouponPrice: wire.Money(o.Price.Groupon), OrderPrice: wire.Money(o.Price.Total),
		ActualPrice: wire.Money(o.Price.Actual),
	}
}

// RefundAmountOf is the amount refunded for an order, nil for none.
func RefundAmountOf(o order.Order) *wire.Money {
	if o.RefundTime.IsZero() {
		return nil
	}
	amount := wire.Money(o.RefundAmount)
	return &amount
}

// OrderLine is an order line. Comment is the id of the comment, 0 while there is none, -1 when the comment period is
// over.
type OrderLine struct {
	ID             int64      `json:"id"`
	OrderID        int64      `json:"orderId" show:"of=order"`
	GoodsID        int64      `json:"goodsId" show:"of=goods"`
	GoodsName      string     `json:"goodsName"`
	GoodsSN        string     `json:"goodsSn"`
	ProductID      int64      `json:"productId"`
	Number         int        `json:"number" doc:"Pieces."`
	Price          wire.Money `json:"price"`
	Specifications []string   `json:"specifications" doc:"What was chosen, such as its colour."`
	PicURL         wire.Link  `json:"picUrl" show:"picture"`
	Comment        int64      `json:"comment" doc:"0 none yet, -1 too late, else the id of the comment."`
	wire.Stamps
}

// OrderLineOf renders an order line.
func OrderLineOf(z wire.Zone, l order.Line) OrderLine {
	return OrderLine{
		ID: l.ID, OrderID: l.OrderID, GoodsID: l.GoodsID, GoodsName: l.GoodsName, GoodsSN: l.GoodsSN, ProductID: l.ProductID,
		Number: l.Number, Price: wire.Money(l.Price), Specifications: wire.OrEmpty(l.Specifications),
		PicURL: wire.Link(l.PicURL), Comment: l.CommentID, Stamps: z.Stamps(l.AddTime, l.UpdateTime),
	}
}
