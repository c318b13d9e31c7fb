package demo

import (
	"context"
	"fmt"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/seed"
)

// The shoppers of today's purchases and traces, by their numbers. Browser tests log others in.
const (
	firstActive = 110
	lastActive  = 150
)

// purchase is an order of today, made as a shopper makes it and paid by hand, since no platform is called.
type purchase struct {
	by     int
	goods  string
	coupon string
	// offer buys in the group offer of the goods; with, the number of its opener, joins a group.
	offer bool
	with  int
	// until is the state in which the order is left.
	until order.Status
}

// purchases lists today's orders. One group is full, one has failed since its opener wants the money back, and two
// are open.
func purchases() []purchase {
	return []purchase{
		{by: 110, goods: "早安马克杯", offer: true, until: order.Paid},
		{by: 111, goods: "早安马克杯", offer: true, with: 110, until: order.Paid},
		{by: 112, goods: "双铃闹钟", offer: true, until: order.RefundAsked},
		{by: 113, goods: "双铃闹钟", offer: true, with: 112, until: order.RefundAsked},
		{by: 114, goods: "双铃闹钟", offer: true, until: order.Paid},
		{by: 115, goods: "通勤双肩包", offer: true, until: order.Paid},
		{by: 116, goods: "通勤双肩包", offer: true, with: 115, until: order.Paid},
		{by: 117, goods: "纸罩床头灯", coupon: "满减十元券", until: order.Paid},
		{by: 118, goods: "榉木静音座钟", coupon: "满减十元券", until: order.Shipped},
		{by: 119, goods: "小满台灯", coupon: "满减十元券", until: order.Received},
		{by: 120, goods: "云朵靠垫", until: order.Received},
		{by: 121, goods: "四腿餐椅", until: order.Unpaid},
		{by: 122, goods: "亚麻遮阳帽", until: order.Cancelled},
		{by: 123, goods: "落日阅读灯", until: order.Refunded},
	}
}

// holding is a coupon that a shopper has taken.
type holding struct {
	by     int
	coupon string
}

// holdings lists the coupons of the purchases, which are spent, and those of other shoppers.
func holdings() (all []holding) {
	for _, p := range purchases() {
		if p.coupon != "" {
			all = append(all, holding{p.by, p.coupon})
		}
	}
	common := []string{"满减十元券", "日日五元券", "无门槛三元券", "年度大促券", "新茶券"}
	for by := firstActive + 15; by <= lastActive; by += 2 {
		all = append(all, holding{by, common[by%len(common)]})
	}
	return all
}

func (l *loader) takeCoupons(ctx context.Context) error {
	_, err := rest(ctx, l, seed.UserCoupons, holdings(), func(ctx context.Context, _ int, h holding) (int64, error) {
		return 0, l.Promotions.Receive(ctx, l.shopper(h.by), l.coupon[h.coupon])
	})
	return err
}

// makePurchases places the orders and pays them one after the other, since groups are joined once their opener has
// paid, and then moves each to its last state.
func (l *loader) makePurchases(ctx context.Context) error {
	ids, err := l.Seed.IDs(ctx, seed.Orders)
	if err != nil {
		return err
	}
	ids = ids[pastOrders:]
	for i, p := range purchases() {
		if i == len(ids) {
			id, err := l.place(ctx, p)
			if err != nil {
				return fmt.Errorf("order of demo%d: %w", p.by, err)
			}
			ids = append(ids, id)
		}
		if err := l.collect(ctx, ids[i], p.until); err != nil {
			return fmt.Errorf("payment of demo%d: %w", p.by, err)
		}
	}
	for i, p := range purchases() {
		if err := l.advance(ctx, ids[i], p.until); err != nil {
			return fmt.Errorf("order of demo%d: %w", p.by, err)
		}
	}
	return nil
}

// place submits the order of a purchase, with its coupon and in its group.
func (l *loader) place(ctx context.Context, p purchase) (int64, error) {
	shopper := l.shopper(p.by)
	detail, err := l.Catalog.Detail(ctx, l.goods[p.goods])
	if err != nil {
		return 0, err
	}
	homes, err := l.Addresses.List(ctx, shopper, page.Query{Page: 1, Limit: 1, Sort: address.DefaultFirst})
	if err != nil {
		return 0, err
	}
	sub := order.Submission{Choice: order.Choice{Address: homes.Items[0].ID, Coupon: order.NoCoupon}}
	if p.coupon != "" {
		sub.Coupon = l.coupon[p.coupon]
	}
	if p.offer {
		rules, err := l.Promotions.LiveGroupRulesOf(ctx, detail.Goods.ID)
		if err != nil {
			return 0, err
		}
		sub.Rule = rules[0].ID
	}
	if p.with != 0 {
		opened, err := l.Orders.Groups(ctx, l.shopper(p.with), false)
		if err != nil {
			return 0, err
		}
		sub.Link = opened[0].Member.ID
	}
	sub.Cart, err = l.Cart.Set(ctx, shopper, cart.AddRequest{
		GoodsID: detail.Goods.ID, ProductID: detail.Products[0].ID, Number: 1,
	})
	if err != nil {
		return 0, err
	}
	placed, err := l.Orders.Submit(ctx, shopper, sub)
	return placed.OrderID, err
}

// collect pays an order by hand, unless it is paid already or never will be.
func (l *loader) collect(ctx context.Context, id int64, until order.Status) error {
	o, err := l.Orders.AdminFind(ctx, id)
	if err != nil || o.Status != order.Unpaid || until == order.Unpaid || until == order.Cancelled {
		return err
	}
	return l.Orders.PayOffline(l.acting(ctx, "POST /admin/order/pay"), l.owner, id, order.Receipt{Amount: o.Price.Actual})
}

// advance moves an order, event by event, to the state in which it is left.
func (l *loader) advance(ctx context.Context, id int64, until order.Status) error {
	for {
		o, err := l.Orders.AdminFind(ctx, id)
		if err != nil || o.Status == until {
			return err
		}
		if err := l.next(ctx, o.Order, until); err != nil {
			return err
		}
	}
}

// next takes the next event on the way to a state.
func (l *loader) next(ctx context.Context, o order.Order, until order.Status) error {
	back := until == order.RefundAsked || until == order.Refunded
	switch {
	case o.Status == order.Unpaid:
		return l.Orders.Cancel(ctx, o.UserID, o.ID)
	case o.Status == order.Paid && back:
		return l.Orders.AskRefund(ctx, o.UserID, o.ID)
	case o.Status == order.Paid:
		parcel := fmt.Sprintf("7530%08d", o.ID)
		return l.Orders.Ship(l.acting(ctx, "POST /admin/order/ship"), l.owner, o.ID, "ZTO", parcel)
	case o.Status == order.Shipped:
		return l.Orders.Confirm(ctx, o.UserID, o.ID)
	case o.Status == order.RefundAsked:
		return l.Orders.Refund(l.acting(ctx, "POST /admin/order/refund"), l.owner, o.ID, o.Price.Actual)
	}
	return fmt.Errorf("order %d in %d does not come to %d", o.ID, o.Status, until)
}
