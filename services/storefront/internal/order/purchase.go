package order

import (
	"context"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	domaincart "shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/wire"
	"shop.internal/services/storefront/internal/address"
	"shop.internal/services/storefront/internal/auth"
	"shop.internal/services/storefront/internal/cart"
)

// purchase declares the checkout and the submission of an order.
func (h handlers) purchase(cannotBuy []*errno.Code) []op.Op {
	return []op.Op{
		op.Read[Checkout, Preview]{
			Path: "/wx/cart/checkout", Title: "Show what a purchase would cost", Access: op.SignedIn, Fails: cannotBuy,
			Budget: 6,
			Do:     h.checkout,
		},
		op.Write[Submit, Submitted]{
			Path: "/wx/order/submit", Title: "Order what is in the cart", Access: op.SignedIn,
			Fails: append([]*errno.Code{
				errno.GoodsNoStock, errno.GrouponFull, errno.GrouponJoined, errno.OrderCheckoutFailed, errno.Stale,
			}, cannotBuy...), IdempotencyScope: "order.submit", Budget: 22, Do: h.submit,
		},
	}
}

// Checkout is the request of /wx/cart/checkout.
type Checkout struct {
	CartID       int64 `json:"cartId" doc:"0 for all ticked rows, else one row."`
	AddressID    int64 `json:"addressId" doc:"0 for the default address."`
	CouponID     int64 `json:"couponId" check:"default=-1" doc:"-1 none, 0 the best, else a coupon."`
	UserCouponID int64 `json:"userCouponId" doc:"My copy of the coupon, where it is known."`
	RuleID       int64 `json:"grouponRulesId" doc:"A groupon offer, 0 for none."`

	Delivery string `json:"delivery" check:"enum=parcel|collect|courier" doc:"How it is delivered; one that is not offered is replaced by the usual one."` //nolint:lll // one tag
}

// Preview is the price of a purchase. Clients send its ids back.
type Preview struct {
	AddressID             int64      `json:"addressId" doc:"0 if there is none."`
	CheckedAddress        Checked    `json:"checkedAddress"`
	CartID                int64      `json:"cartId" doc:"0 for all ticked rows, else one row."`
	CouponID              int64      `json:"couponId" doc:"The coupon that is used; 0 or -1 for none."`
	UserCouponID          int64      `json:"userCouponId" doc:"My copy of it."`
	CouponPrice           wire.Money `json:"couponPrice" doc:"What the coupon takes off."`
	AvailableCouponLength int        `json:"availableCouponLength" doc:"How many of my coupons fit."`
	RuleID                int64      `json:"grouponRulesId" doc:"The groupon offer, 0 for none."`
	GrouponPrice          wire.Money `json:"grouponPrice" doc:"What each piece is cheaper."`
	GoodsTotalPrice       wire.Money `json:"goodsTotalPrice" doc:"The goods, before coupon and freight."`
	FreightPrice          wire.Money `json:"freightPrice" doc:"What the delivery costs."`
	OrderTotalPrice       wire.Money `json:"orderTotalPrice" doc:"Goods and freight less the coupon."`
	ActualPrice           wire.Money `json:"actualPrice" doc:"What has to be paid."`
	CheckedGoodsList      []cart.Row `json:"checkedGoodsList"`
	UnavailableGoodsList  []cart.Row `json:"unavailableGoodsList" doc:"Ticked rows that cannot be bought any more."`
	UndeliverableList     []cart.Row `json:"undeliverableGoodsList" doc:"Rows that are not delivered to the address."`
	Delivery              string     `json:"delivery" doc:"How it is delivered, which the prices are for."`
	Deliveries            []Way      `json:"deliveries" doc:"The ways of delivery that the shop offers."`
}

// Way is a way of delivery with what it costs for a purchase.
type Way struct {
	Code         string     `json:"code" doc:"What to choose the way by: parcel, collect or courier."`
	Name         string     `json:"name"`
	FreightPrice wire.Money `json:"freightPrice" doc:"What the delivery costs."`
	Delivered    bool       `json:"delivered" doc:"All goods are delivered to the address in this way."`
	Address      string     `json:"address,omitempty" doc:"Where the goods are collected."`
	Hours        string     `json:"hours,omitempty" doc:"When they are collected."`
}

func wayView(language string) func(order.OfferedWay) Way {
	return func(w order.OfferedWay) Way {
		return Way{
			Code: w.Code(), Name: w.Name().In(language), FreightPrice: wire.Money(w.Freight), Delivered: w.Delivered,
			Address: w.Address, Hours: w.Hours,
		}
	}
}

// Checked is the address of a preview. Without one, its id is 0 and nothing else is there.
type Checked struct {
	ID int64 `json:"id" doc:"0 if there is no address; the other members are then absent."`
	*address.Address
}

func (h handlers) checkout(ctx context.Context, r Checkout) (Preview, error) {
	q, err := h.Orders.Quote(ctx, auth.ID(ctx), order.Choice{
		Cart: r.CartID, Address: r.AddressID, Coupon: max(r.CouponID, order.NoCoupon), UserCoupon: r.UserCouponID,
		Rule: r.RuleID, Delivery: r.Delivery,
	})
	if err != nil {
		return Preview{}, err
	}
	p := Preview{
		AddressID: 0, CheckedAddress: Checked{ID: 0, Address: nil}, CartID: r.CartID, CouponID: 0, UserCouponID: 0,
		CouponPrice: wire.Money(q.Price.Coupon), AvailableCouponLength: len(q.Usable), RuleID: q.Rule.ID,
		GrouponPrice: wire.Money(q.Price.Groupon), GoodsTotalPrice: wire.Money(q.Price.Goods),
		FreightPrice: wire.Money(q.Price.Freight), OrderTotalPrice: wire.Money(q.Price.Total),
		ActualPrice: wire.Money(q.Price.Actual), CheckedGoodsList: wire.Each(q.Lines, cart.RowView(h.Zone)),
		UnavailableGoodsList: wire.Each(q.LeftOut, cart.RowView(h.Zone)),
		UndeliverableList:    wire.Each(q.Undeliverable, cart.RowView(h.Zone)),
		Delivery:             q.Way.Code(), Deliveries: wire.Each(q.Ways, wayView(h.language(ctx))),
	}
	if q.HasAddress {
		to := address.View(h.Zone, q.Address)
		p.AddressID, p.CheckedAddress = to.ID, Checked{ID: to.ID, Address: &to}
	}
	switch {
	case q.Spent != nil:
		p.CouponID, p.UserCouponID = q.Spent.Coupon.ID, q.Spent.ID
	case r.CouponID <= order.NoCoupon:
		p.CouponID, p.UserCouponID = order.NoCoupon, order.NoCoupon
	}
	return p, nil
}

// Submit is the body of /wx/order/submit. Clients send null for what they do not choose.
type Submit struct {
	CartID       int64  `json:"cartId" check:"required,nullAsZero" doc:"0 for all ticked rows, else one row."`
	AddressID    int64  `json:"addressId" check:"required"`
	CouponID     int64  `json:"couponId" check:"required,nullAsZero" doc:"0 or -1 for none."`
	UserCouponID int64  `json:"userCouponId" doc:"My copy of the coupon, where it is known."`
	Message      string `json:"message" check:"maxLength=512"`
	RuleID       int64  `json:"grouponRulesId" doc:"A groupon offer, 0 for none."`
	LinkID       int64  `json:"grouponLinkId" doc:"A record of the group to join, 0 to open one."`
	Delivery     string `json:"delivery" check:"enum=parcel|collect|courier" doc:"Empty for the usual way."`
}

// Submitted is a placed order.
type Submitted struct {
	OrderID int64 `json:"orderId"`
	Payed   bool  `json:"payed" doc:"Nothing had to be paid."`
	LinkID  int64 `json:"grouponLinkId" doc:"The opener's record of the group, 0 for none."`
}

func (h handlers) submit(ctx context.Context, r Submit) (Submitted, error) {
	if r.CartID < domaincart.Everything {
		return Submitted{}, errno.NoSuch(text.FieldCartItem)
	}
	placed, err := h.Orders.Submit(ctx, auth.ID(ctx), order.Submission{
		Choice: order.Choice{
			Cart: r.CartID, Address: r.AddressID, Coupon: r.CouponID, UserCoupon: r.UserCouponID, Rule: r.RuleID,
			Delivery: r.Delivery,
		},
		Link: r.LinkID, Message: r.Message,
	})
	return Submitted{OrderID: placed.OrderID, Payed: placed.Paid, LinkID: placed.Group}, err
}
