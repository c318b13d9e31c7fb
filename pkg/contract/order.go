package contract

import (
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/wire"
)

// Order is the common part of an order; of the members that follow it, operators get null where shoppers get no member.
type Order struct {
	ID              int64      `json:"id"`
	UserID          int64      `json:"userId" show:"of=user"`
	OrderSN         string     `json:"orderSn"`
	OrderStatus     int        `json:"orderStatus" show:"one=order-state"`
	AftersaleStatus int        `json:"aftersaleStatus" show:"one=case-state"`
	Consignee       string     `json:"consignee"`
	Mobile          string     `json:"mobile"`
	Address         string     `json:"address"`
	Message         string     `json:"message" show:"long"`
	GoodsPrice      wire.Money `json:"goodsPrice"`
	FreightPrice    wire.Money `json:"freightPrice"`
	CouponPrice     wire.Money `json:"couponPrice"`
	IntegralPrice   wire.Money `json:"integralPrice"`
	GrouponPrice    wire.Money `json:"grouponPrice"`
	OrderPrice      wire.Money `json:"orderPrice"`
	ActualPrice     wire.Money `json:"actualPrice"`
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
	Number         int        `json:"number"`
	Price          wire.Money `json:"price"`
	Specifications []string   `json:"specifications"`
	PicURL         wire.Link  `json:"picUrl" show:"picture"`
	Comment        int64      `json:"comment"`
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

// Aftersale is the common part of an after-sale case; the time of handling and the stamps come last.
type Aftersale struct {
	ID          int64      `json:"id"`
	AftersaleSN string     `json:"aftersaleSn"`
	OrderID     int64      `json:"orderId" show:"of=order"`
	UserID      int64      `json:"userId" show:"of=user"`
	Type        int        `json:"type" show:"one=case-type"`
	Reason      string     `json:"reason" show:"long"`
	Amount      wire.Money `json:"amount"`
	Pictures    wire.Links `json:"pictures" show:"picture"`
	Comment     string     `json:"comment" show:"long"`
	Status      int        `json:"status" show:"one=case-state"`
}

// AftersaleOf renders the common part of an after-sale case.
func AftersaleOf(c aftersale.Case) Aftersale {
	return Aftersale{
		ID: c.ID, AftersaleSN: c.SN, OrderID: c.OrderID, UserID: c.UserID, Type: int(c.Type), Reason: c.Reason,
		Amount: wire.Money(c.Amount), Pictures: wire.Links(c.Pictures), Comment: c.Comment, Status: int(c.Status),
	}
}
