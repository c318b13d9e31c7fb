package order

import (
	"context"
	"time"

	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/express"
)

// Options are the operations allowed for an order. The members of the first clients are always present.
type Options struct {
	Cancel    bool `json:"cancel" doc:"It can be cancelled."`
	Delete    bool `json:"delete" doc:"It can be removed from the lists."`
	Pay       bool `json:"pay" doc:"It waits for money."`
	Comment   bool `json:"comment" doc:"A line waits for a comment."`
	Confirm   bool `json:"confirm" doc:"Its arrival can be confirmed."`
	Refund    bool `json:"refund" doc:"The money can be asked back."`
	Rebuy     bool `json:"rebuy" doc:"Its goods can be bought again."`
	Aftersale bool `json:"aftersale" doc:"A case can be opened."`
	Remind    bool `json:"remind,omitzero" doc:"It waits to be shipped, and the shop may be reminded of it."`
	Readdress bool `json:"readdress,omitzero" doc:"It may still be sent to another address."`
}

// Listed is an order in a list.
type Listed struct {
	ID              int64        `json:"id"`
	OrderSN         string       `json:"orderSn" doc:"The number that people read."`
	OrderStatus     int          `json:"orderStatus" doc:"What number the state has: docs/order-life.md."`
	OrderStatusText string       `json:"orderStatusText" doc:"The state in words, in the language of the call."`
	AftersaleStatus int          `json:"aftersaleStatus"`
	ActualPrice     wire.Money   `json:"actualPrice" doc:"What is paid in the end."`
	IsGroupin       bool         `json:"isGroupin"`
	Delivery        string       `json:"delivery,omitempty" doc:"collect or courier; absent for a parcel."`
	Owed            bool         `json:"owed,omitzero" doc:"It is paid on delivery, and the money is not recorded yet."`
	GoodsList       []ListedLine `json:"goodsList"`
	HandleOption    Options      `json:"handleOption"`
}

// ListedLine is a line of a listed order.
type ListedLine struct {
	ID             int64      `json:"id"`
	GoodsID        int64      `json:"goodsId"`
	GoodsName      string     `json:"goodsName"`
	Number         int        `json:"number" doc:"Pieces."`
	PicURL         wire.Link  `json:"picUrl"`
	Specifications []string   `json:"specifications" doc:"What was chosen, such as its colour."`
	Price          wire.Money `json:"price"`
}

func (h handlers) listed(l order.Listed, commentFor time.Duration) Listed {
	return Listed{
		ID: l.ID, OrderSN: l.SN, OrderStatus: int(l.Status), OrderStatusText: l.Text(h.Language),
		AftersaleStatus: l.Aftersale, ActualPrice: wire.Money(l.Actual), IsGroupin: l.Group, Owed: l.Owed(),
		Delivery:  l.Delivery.Special(),
		GoodsList: wire.Each(l.Lines, listedLine), HandleOption: Options(l.Options(h.Now(), commentFor)),
	}
}

func listedLine(l order.LineSummary) ListedLine {
	return ListedLine{
		ID: l.ID, GoodsID: l.GoodsID, GoodsName: l.GoodsName, Number: l.Number, PicURL: wire.Link(l.PicURL),
		Specifications: wire.OrEmpty(l.Specifications), Price: wire.Money(l.Price),
	}
}

// Detail is an order with its lines and its tracking.
type Detail struct {
	OrderInfo   Info         `json:"orderInfo"`
	OrderGoods  []Line       `json:"orderGoods"`
	ExpressInfo express.Info `json:"expressInfo"`
}

// Info is an order. Times and the refund are present once they are known, the exp members after shipping.
type Info struct {
	ID              int64      `json:"id"`
	OrderSN         string     `json:"orderSn" doc:"The number that people read."`
	OrderStatus     int        `json:"orderStatus" doc:"What number the state has: docs/order-life.md."`
	OrderStatusText string     `json:"orderStatusText" doc:"The state in words, in the language of the call."`
	AftersaleStatus int        `json:"aftersaleStatus"`
	Consignee       string     `json:"consignee"`
	Address         string     `json:"address"`
	Mobile          string     `json:"mobile"`
	Message         string     `json:"message"`
	AddTime         wire.Time  `json:"addTime"`
	PayBefore       wire.Time  `json:"payBefore,omitzero" doc:"When an unpaid order is cancelled."`
	PayTime         wire.Time  `json:"payTime,omitzero"`
	Owed            bool       `json:"owed,omitzero" doc:"It is paid on delivery, and the money is not recorded yet."`
	ShipTime        wire.Time  `json:"shipTime,omitzero"`
	ConfirmTime     wire.Time  `json:"confirmTime,omitzero"`
	EndTime         wire.Time  `json:"endTime,omitzero" doc:"When the order was cancelled or closed."`
	RefundTime      wire.Time  `json:"refundTime,omitzero"`
	RefundAmount    wire.Money `json:"refundAmount,omitzero" doc:"What was paid back."`
	GoodsPrice      wire.Money `json:"goodsPrice" doc:"The goods, before coupon and freight."`
	CouponPrice     wire.Money `json:"couponPrice" doc:"What the coupon takes off."`
	FreightPrice    wire.Money `json:"freightPrice" doc:"What the delivery costs."`
	ActualPrice     wire.Money `json:"actualPrice" doc:"What is paid in the end."`
	HandleOption    Options    `json:"handleOption"`
	PayChannel      string     `json:"payChannel,omitempty" doc:"The name of the way in which the order was paid."`
	ExpCode         string     `json:"expCode,omitempty"`
	ExpName         string     `json:"expName,omitempty"`
	ExpNo           string     `json:"expNo,omitempty"`
	Delivery        string     `json:"delivery,omitempty" doc:"collect or courier; absent for a parcel."`
	CollectCode     string     `json:"collectCode,omitempty" doc:"What to show in the shop to collect the order."`
	CollectAddress  string     `json:"collectAddress,omitempty" doc:"Where the order is collected."`
	CollectHours    string     `json:"collectHours,omitempty" doc:"When the order is collected."`
}

func (h handlers) detailView(ctx context.Context, d order.Detail, v settings.Values) Detail {
	options := d.Options(h.Now(), v.CommentFor)
	info := Info{
		ID: d.ID, OrderSN: d.SN, OrderStatus: int(d.Status), OrderStatusText: d.Text(h.Language),
		AftersaleStatus: d.Aftersale, Consignee: d.Consignee, Address: d.Address, Mobile: d.Mobile, Message: d.Message,
		AddTime: h.Zone.At(d.AddTime), PayBefore: wire.Time{}, PayTime: h.Zone.At(d.PayTime),
		Owed:     d.Owed(),
		ShipTime: h.Zone.At(d.ShipTime), ConfirmTime: h.Zone.At(d.ConfirmTime),
		EndTime: h.Zone.At(d.EndTime), RefundTime: h.Zone.At(d.RefundTime), RefundAmount: wire.Money(d.RefundAmount),
		GoodsPrice: wire.Money(d.Price.Goods), CouponPrice: wire.Money(d.Price.Coupon),
		FreightPrice: wire.Money(d.Price.Freight), ActualPrice: wire.Money(d.Price.Actual),
		HandleOption: Options(options), PayChannel: "", ExpCode: d.ShipChannel, ExpName: "", ExpNo: d.ShipSN,
		Delivery: d.Delivery.Special(), CollectCode: "", CollectAddress: d.CollectAddress, CollectHours: d.CollectHours,
	}
	if d.Collectable() {
		info.CollectCode = d.CollectCode
	}
	if d.PayChannel != "" {
		info.PayChannel = h.Orders.Payments.Channels().Name(d.PayChannel).In(h.language(ctx))
	}
	if options.Pay {
		info.PayBefore = h.Zone.At(d.PayableUntil(v))
	}
	if d.ShipChannel != "" {
		info.ExpName = h.Channels.Name(d.ShipChannel)
	}
	return Detail{OrderInfo: info, OrderGoods: wire.Each(d.Lines, h.lineView), ExpressInfo: h.Express.Info(ctx, d.Order)}
}

// Line is an order line. Comment is the id of the comment, 0 while there is none, -1 when the comment period is over.
type Line contract.OrderLine

func (h handlers) lineView(l order.Line) Line { return LineOf(h.Zone, l) }
