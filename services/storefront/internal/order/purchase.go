package order

import (
	"context"

	domaincart "shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
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
			}, cannotBuy...), IdempotencyScope: "order.submit", Budget: 19, Do: h.submit,
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
}

// Preview is the price of a purchase. Clients send its ids back.
type Preview struct {
	AddressID             int64      `json:"addressId"`
	CheckedAddress        any        `json:"checkedAddress" doc:"An address, or {id: 0}."`
	CartID                int64      `json:"cartId"`
	CouponID              int64      `json:"couponId"`
	UserCouponID          int64      `json:"userCouponId"`
	CouponPrice           wire.Money `json:"couponPrice"`
	AvailableCouponLength int        `json:"availableCouponLength"`
	RuleID                int64      `json:"grouponRulesId"`
	GrouponPrice          wire.Money `json:"grouponPrice" doc:"What each piece is cheaper."`
	GoodsTotalPrice       wire.Money `json:"goodsTotalPrice"`
	FreightPrice          wire.Money `json:"freightPrice"`
	OrderTotalPrice       wire.Money `json:"orderTotalPrice"`
	ActualPrice           wire.Money `json:"actualPrice"`
	CheckedGoodsList      []cart.Row `json:"checkedGoodsList"`
	UnavailableGoodsList  []cart.Row `json:"unavailableGoodsList" doc:"Ticked rows that cannot be bought any more."`
}

// NoAddress replaces the address in a preview if the shopper has none.
type NoAddress struct {
	ID int64 `json:"id"`
}

func (h handlers) checkout(ctx context.Context, r Checkout) (Preview, error) {
	q, err := h.Orders.Quote(ctx, auth.ID(ctx), order.Choice{
		Cart: r.CartID, Address: r.AddressID, Coupon: max(r.CouponID, order.NoCoupon), UserCoupon: r.UserCouponID,
		Rule: r.RuleID,
	})
	if err != nil {
		return Preview{}, err
	}
	p := Preview{
		AddressID: 0, CheckedAddress: NoAddress{ID: 0}, CartID: r.CartID, CouponID: 0, UserCouponID: 0,
		CouponPrice: wire.Money(q.Price.Coupon), AvailableCouponLength: len(q.Usable), RuleID: q.Rule.ID,
		GrouponPrice: wire.Money(q.Price.Groupon), GoodsTotalPrice: wire.Money(q.Price.Goods),
		FreightPrice: wire.Money(q.Price.Freight), OrderTotalPrice: wire.Money(q.Price.Total),
		ActualPrice: wire.Money(q.Price.Actual), CheckedGoodsList: wire.Each(q.Lines, cart.RowView(h.Zone)),
		UnavailableGoodsList: wire.Each(q.LeftOut, cart.RowView(h.Zone)),
	}
	if q.HasAddress {
		p.AddressID, p.CheckedAddress = q.Address.ID, address.View(h.Zone, q.Address)
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
		},
		Link: r.LinkID, Message: r.Message,
	})
	return Submitted{OrderID: placed.OrderID, Payed: placed.Paid, LinkID: placed.Group}, err
}
