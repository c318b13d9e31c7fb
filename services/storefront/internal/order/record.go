package order

import (
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/wire"
)

// Record is an order as it is stored, for answers that show an order beside something else.
type Record struct {
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
	PayID           string      `json:"payId,omitempty"`
	PayTime         wire.Time   `json:"payTime,omitzero"`
	ShipSN          string      `json:"shipSn,omitempty"`
	ShipChannel     string      `json:"shipChannel,omitempty"`
	ShipTime        wire.Time   `json:"shipTime,omitzero"`
	RefundAmount    *wire.Money `json:"refundAmount,omitempty"`
	RefundType      string      `json:"refundType,omitempty"`
	RefundContent   string      `json:"refundContent,omitempty"`
	RefundTime      wire.Time   `json:"refundTime,omitzero"`
	ConfirmTime     wire.Time   `json:"confirmTime,omitzero"`
	Comments        int         `json:"comments"`
	EndTime         wire.Time   `json:"endTime,omitzero"`
	wire.Stamps
}

// RecordOf renders an order as it is stored.
func RecordOf(z wire.Zone, o order.Order) Record {
	r := Record{
		ID: o.ID, UserID: o.UserID, OrderSN: o.SN, OrderStatus: int(o.Status), AftersaleStatus: o.Aftersale,
		Consignee: o.Consignee, Mobile: o.Mobile, Address: o.Address, Message: o.Message,
		GoodsPrice: wire.Money(o.Price.Goods), FreightPrice: wire.Money(o.Price.Freight),
		CouponPrice: wire.Money(o.Price.Coupon), IntegralPrice: wire.Money(o.Price.Integral),
		GrouponPrice: wire.Money(o.Price.Groupon), OrderPrice: wire.Money(o.Price.Total),
		ActualPrice: wire.Money(o.Price.Actual), PayID: o.PayID, PayTime: z.At(o.PayTime), ShipSN: o.ShipSN,
		ShipChannel: o.ShipChannel, ShipTime: z.At(o.ShipTime), RefundAmount: nil, RefundType: o.RefundType,
		RefundContent: o.RefundContent, RefundTime: z.At(o.RefundTime), ConfirmTime: z.At(o.ConfirmTime),
		Comments: o.Comments, EndTime: z.At(o.EndTime), Stamps: z.Stamps(o.AddTime, o.UpdateTime),
	}
	if !o.RefundTime.IsZero() {
		amount := wire.Money(o.RefundAmount)
		r.RefundAmount = &amount
	}
	return r
}

// LineOf renders an order line as it is stored.
func LineOf(z wire.Zone, l order.Line) Line {
	var h handlers
	h.Zone = z
	return h.lineView(l)
}
