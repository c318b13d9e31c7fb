package client

import (
	"context"
	"fmt"

	"github.com/tidwall/gjson"
)

// States of an order.
const (
	Unpaid          = 101
	Cancelled       = 102
	Expired         = 103
	Paid            = 201
	RefundRequested = 202
	Refunded        = 203
	Shipped         = 301
	Received        = 401
)

// Goods is goods on sale with one of their products.
type Goods struct{ ID, Product int64 }

// Order is a shopper's order as the storefront shows it.
type Order struct {
	ID, Status int64
	// Number is that of the shop, and Line the id of its first line.
	Number string
	Line   int64
	// Actual is the price to pay in cents.
	Actual int64
}

// Shopper is a signed-in shopper with an address.
type Shopper struct {
	Caller

	Address int64
}

// Operator logs an operator in.
func (s *Shop) Operator(ctx context.Context, name, password string) (Caller, error) {
	data, err := s.Admin.Guest().Post(ctx, "/admin/auth/login", Fields{"username": name, "password": password})
	return s.Admin.With(name, data.Get("token").String()), err
}

// Shopper logs a shopper in and takes the first address, or saves one.
func (s *Shop) Shopper(ctx context.Context, name, password string) (*Shopper, error) {
	data, err := s.Storefront.Guest().Post(ctx, "/wx/auth/login", Fields{"username": name, "password": password})
	if err != nil {
		return nil, err
	}
	me := &Shopper{Caller: s.Storefront.With(name, data.Get("token").String())}
	list, err := me.Get(ctx, "/wx/address/list")
	if err != nil {
		return nil, err
	}
	if me.Address = list.Get("list.0.id").Int(); me.Address == 0 {
		me.Address, err = me.SaveAddress(ctx)
	}
	return me, err
}

// SaveAddress saves an address in the first region of each level, and returns its id.
func (me *Shopper) SaveAddress(ctx context.Context) (int64, error) {
	var names [3]string
	var region gjson.Result
	for i := range names {
		list, err := me.Get(ctx, "/wx/region/list", "pid", region.Get("id").Int())
		if err != nil {
			return 0, err
		}
		region = list.Get("0")
		names[i] = region.Get("name").String()
	}
	data, err := me.Post(ctx, "/wx/address/save", Fields{
		"id": 0, "name": "Prove", "tel": "13800000000", "province": names[0], "city": names[1], "county": names[2],
		"areaCode": region.Get("code").String(), "addressDetail": "Long Street 1", "isDefault": false,
	})
	return data.Int(), err
}

// GoodsOnSale returns goods that can be bought.
func (s *Shop) GoodsOnSale(ctx context.Context, most int) ([]Goods, error) {
	guest := s.Storefront.Guest()
	list, err := guest.Get(ctx, "/wx/goods/list", "limit", most, "sort", "id", "order", "asc")
	if err != nil {
		return nil, err
	}
	var found []Goods
	for _, row := range list.Get("list").Array() {
		detail, err := guest.Get(ctx, "/wx/goods/detail", "id", row.Get("id").Int())
		if err != nil {
			return nil, err
		}
		if p := detail.Get("productList.0"); p.Get("number").Int() > 0 {
			found = append(found, Goods{ID: row.Get("id").Int(), Product: p.Get("id").Int()})
		}
	}
	return found, nil
}

// Put adds pieces of a product for immediate purchase and returns the cart item.
func (me *Shopper) Put(ctx context.Context, g Goods, number int) (int64, error) {
	data, err := me.Post(ctx, "/wx/cart/fastadd", Fields{"goodsId": g.ID, "productId": g.Product, "number": number})
	return data.Int(), err
}

// Submit orders a cart item, without a coupon unless more says so, and returns the order.
func (me *Shopper) Submit(ctx context.Context, item int64, more Fields, header ...string) (int64, error) {
	body := Fields{"cartId": item, "addressId": me.Address, "couponId": -1}
	for name, value := range more {
		body[name] = value
	}
	data, err := me.Post(ctx, "/wx/order/submit", body, header...)
	return data.Get("orderId").Int(), err
}

// Prepay begins the payment of an order. The sandbox pays it a moment later.
func (me *Shopper) Prepay(ctx context.Context, order int64) error {
	_, err := me.Post(ctx, "/wx/order/prepay", Fields{"orderId": order})
	return err
}

// Buy orders pieces of a product and begins the payment.
func (me *Shopper) Buy(ctx context.Context, g Goods, number int) (int64, error) {
	item, err := me.Put(ctx, g, number)
	if err != nil {
		return 0, err
	}
	order, err := me.Submit(ctx, item, nil)
	if err != nil {
		return 0, err
	}
	return order, me.Prepay(ctx, order)
}

// Does calls an operation of the shopper on an order, such as cancel.
func (me *Shopper) Does(ctx context.Context, what string, order int64) error {
	_, err := me.Post(ctx, "/wx/order/"+what, Fields{"orderId": order})
	return err
}

// Order reads an order of the shopper.
func (me *Shopper) Order(ctx context.Context, id int64) (Order, error) {
	data, err := me.Get(ctx, "/wx/order/detail", "orderId", id)
	if err != nil {
		return Order{}, err
	}
	info := data.Get("orderInfo")
	actual, err := Cents(info.Get("actualPrice"))
	if err != nil {
		return Order{}, fmt.Errorf("order %d: %w", id, err)
	}
	return Order{
		ID: id, Status: info.Get("orderStatus").Int(), Number: info.Get("orderSn").String(),
		Line: data.Get("orderGoods.0.id").Int(), Actual: actual,
	}, nil
}
