package orders

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
	Owed          bool       `json:"owed,omitzero" doc:"It is paid on delivery, and the money is not recorded yet."`
	UserID        int64      `json:"userId" show:"of=user"`
	UserName      string     `json:"userName"`
	UserAvatar    wire.Link  `json:"userAvatar" show:"picture"`
	Avatar        wire.Link  `json:"avatar" show:"picture"`
	Consignee     string     `json:"consignee"`
	Address       string     `json:"address"`
	Mobile        string     `json:"mobile"`
	ShipChannel   *string    `json:"shipChannel"`
	ShipSN        *string    `json:"shipSn"`
	Delivery      string     `json:"delivery,omitempty" show:"one=delivery" doc:"collect or courier; absent for a parcel."`
	Message       string     `json:"message" show:"long"`
	GoodsVoList   []RowGoods `json:"goodsVoList"`
	Remarks       int64      `json:"remarks" doc:"How many remarks colleagues have made."`
	PrintTime     wire.Time  `json:"printTime" doc:"When the packing slip was printed last."`
	RemindTime    wire.Time  `json:"remindTime" doc:"When the shopper last asked for the order to be shipped."`
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
	Order Order `json:"order"`
	// PaidBy and Reference say how the order is or was paid.
	PaidBy     string `json:"paidBy" doc:"The name of the payment channel; empty before a payment begins."`
	Reference  string `json:"reference" doc:"What the bank calls the payment, or what the shopper was asked to state."`
	OrderGoods []Line `json:"orderGoods"`
	User       User   `json:"user"`
	History    []Step `json:"history" doc:"The oldest first; of very many the newest 200, like the notes."`
	Notes      []Note `json:"notes"`
}

// User is the shopper of an order, with empty texts for a deleted account.
type User struct {
	Nickname string    `json:"nickname"`
	Avatar   wire.Link `json:"avatar" show:"picture"`
}

// Order is a complete order record.
type Order struct {
	contract.Order
	PayID       *string   `json:"payId"`
	PayTime     wire.Time `json:"payTime"`
	Owed        bool      `json:"owed,omitzero" doc:"It is paid on delivery, and the money is not recorded yet."`
	ShipSN      *string   `json:"shipSn"`
	ShipChannel *string   `json:"shipChannel"`
	ShipTime    wire.Time `json:"shipTime"`
	Delivery    string    `json:"delivery,omitempty" show:"one=delivery" doc:"collect or courier; absent for a parcel."`
	CollectCode string    `json:"collectCode,omitempty" doc:"What the shopper shows to collect the order."`

	CollectAddress string `json:"collectAddress,omitempty" doc:"Where the order is collected."`
	CollectHours   string `json:"collectHours,omitempty" doc:"When the order is collected."`

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

func (h orderHandlers) row(d order.Detail, who account.Person, m order.Marks) Row {
	return Row{
		ID: d.ID, OrderSN: d.SN, OrderStatus: int(d.Status), ActualPrice: wire.Money(d.Price.Actual),
		IntegralPrice: wire.Money(d.Price.Integral), FreightPrice: wire.Money(d.Price.Freight),
		OrderPrice: wire.Money(d.Price.Total), AddTime: h.Zone.At(d.AddTime), PayTime: h.Zone.At(d.PayTime),
		Owed:   d.Owed(),
		UserID: d.UserID, UserName: who.Nickname, UserAvatar: wire.Link(who.Avatar), Avatar: wire.Link(who.Avatar),
		Consignee: d.Consignee, Address: d.Address, Mobile: d.Mobile, ShipChannel: orNull(d.ShipChannel),
		ShipSN: orNull(d.ShipSN), Delivery: d.Delivery.Special(), Message: d.Message, GoodsVoList: goods(d.Lines),
		Remarks: m.Remarks, PrintTime: h.Zone.At(m.PrintedAt), RemindTime: h.Zone.At(m.RemindedAt),
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

func (h orderHandlers) order(o order.Order) Order {
	v := Order{
		Order: contract.OrderOf(o), PayID: orNull(o.PayID), PayTime: h.Zone.At(o.PayTime),
		Owed: o.Owed(), ShipSN: orNull(o.ShipSN),
		ShipChannel: orNull(o.ShipChannel), ShipTime: h.Zone.At(o.ShipTime), RefundAmount: contract.RefundAmountOf(o),
		RefundType: orNull(o.RefundType), RefundContent: orNull(o.RefundContent), RefundTime: h.Zone.At(o.RefundTime),
		Delivery: o.Delivery.Special(), CollectCode: o.CollectCode, CollectAddress: o.CollectAddress,
		CollectHours: o.CollectHours,
		ConfirmTime:  h.Zone.At(o.ConfirmTime), Comments: o.Comments, EndTime: h.Zone.At(o.EndTime),
		Stamps: h.Zone.Stamps(o.AddTime, o.UpdateTime),
	}
	v.Deleted = o.Deleted
	return v
}

func (h orderHandlers) line(l order.Line) Line {
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
