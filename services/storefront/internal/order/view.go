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

// Options are the operations allowed for an order; all members are always present.
type Options struct {
	Cancel    bool `json:"cancel"`
	Delete    bool `json:"delete"`
	Pay       bool `json:"pay"`
	Comment   bool `json:"comment"`
	Confirm   bool `json:"confirm"`
	Refund    bool `json:"refund"`
	Rebuy     bool `json:"rebuy"`
	Aftersale bool `json:"aftersale"`
}

// Listed is an order in a list.
type Listed struct {
	ID              int64        `json:"id"`
	OrderSN         string       `json:"orderSn"`
	OrderStatus     int          `json:"orderStatus"`
	OrderStatusText string       `json:"orderStatusText"`
	AftersaleStatus int          `json:"aftersaleStatus"`
	ActualPrice     wire.Money   `json:"actualPrice"`
	IsGroupin       bool         `json:"isGroupin"`
	GoodsList       []ListedLine `json:"goodsList"`
	HandleOption    Options      `json:"handleOption"`
}

// ListedLine is a line of a listed order.
type ListedLine struct {
	ID             int64      `json:"id"`
	GoodsID        int64      `json:"goodsId"`
	GoodsName      string     `json:"goodsName"`
	Number         int        `json:"number"`
	PicURL         wire.Link  `json:"picUrl"`
	Specifications []string   `json:"specifications"`
	Price          wire.Money `json:"price"`
}

func (h handlers) listed(l order.Listed, commentFor time.Duration) Listed {
	return Listed{
		ID: l.ID, OrderSN: l.SN, OrderStatus: int(l.Status), OrderStatusText: l.Status.Text(h.Language),
		AftersaleStatus: l.Aftersale, ActualPrice: wire.Money(l.Actual), IsGroupin: l.Group,
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
	OrderSN         string     `json:"orderSn"`
	OrderStatus     int        `json:"orderStatus"`
	OrderStatusText string     `json:"orderStatusText"`
	AftersaleStatus int        `json:"aftersaleStatus"`
	Consignee       string     `json:"consignee"`
	Address         string     `json:"address"`
	Mobile          string     `json:"mobile"`
	Message         string     `json:"message"`
	AddTime         wire.Time  `json:"addTime"`
	PayBefore       wire.Time  `json:"payBefore,omitzero" doc:"When an unpaid order is cancelled."`
	PayTime         wire.Time  `json:"payTime,omitzero"`
	ShipTime        wire.Time  `json:"shipTime,omitzero"`
	ConfirmTime     wire.Time  `json:"confirmTime,omitzero"`
	EndTime         wire.Time  `json:"endTime,omitzero" doc:"When the order was cancelled or closed."`
	RefundTime      wire.Time  `json:"refundTime,omitzero"`
	RefundAmount    wire.Money `json:"refundAmount,omitzero"`
	GoodsPrice      wire.Money `json:"goodsPrice"`
	CouponPrice     wire.Money `json:"couponPrice"`
	FreightPrice    wire.Money `json:"freightPrice"`
	ActualPrice     wire.Money `json:"actualPrice"`
	HandleOption    Options    `json:"handleOption"`
	ExpCode         string     `json:"expCode,omitempty"`
	ExpName         string     `json:"expName,omitempty"`
	ExpNo           string     `json:"expNo,omitempty"`
}

func (h handlers) detailView(ctx context.Context, d order.Detail, v settings.Values) Detail {
	options := d.Options(h.Now(), v.CommentFor)
	info := Info{
		ID: d.ID, OrderSN: d.SN, OrderStatus: int(d.Status), OrderStatusText: d.Status.Text(h.Language),
		AftersaleStatus: d.Aftersale, Consignee: d.Consignee, Address: d.Address, Mobile: d.Mobile, Message: d.Message,
		AddTime: h.Zone.At(d.AddTime), PayBefore: wire.Time{}, PayTime: h.Zone.At(d.PayTime),
		ShipTime: h.Zone.At(d.ShipTime), ConfirmTime: h.Zone.At(d.ConfirmTime),
		EndTime: h.Zone.At(d.EndTime), RefundTime: h.Zone.At(d.RefundTime), RefundAmount: wire.Money(d.RefundAmount),
		GoodsPrice: wire.Money(d.Price.Goods), CouponPrice: wire.Money(d.Price.Coupon),
		FreightPrice: wire.Money(d.Price.Freight), ActualPrice: wire.Money(d.Price.Actual),
		HandleOption: Options(options), ExpCode: d.ShipChannel, ExpName: "", ExpNo: d.ShipSN,
	}
	if options.Pay {
		info.PayBefore = h.Zone.At(d.AddTime.Add(v.UnpaidFor))
	}
	if d.ShipChannel != "" {
		info.ExpName = h.Channels.Name(d.ShipChannel)
	}
	return Detail{OrderInfo: info, OrderGoods: wire.Each(d.Lines, h.lineView), ExpressInfo: h.Express.Info(ctx, d.Order)}
}

// Line is an order line. Comment is the id of the comment, 0 while there is none, -1 when the comment period is over.
type Line contract.OrderLine

func (h handlers) lineView(l order.Line) Line { return LineOf(h.Zone, l) }
