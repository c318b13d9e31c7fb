package domaintest

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/logkind"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/domain/storage"
)

// busy fills a shop by its own operations.
type busy struct {
	*Shop
	lin, mo, ada   int64
	owner, clerk   actor.Actor
	tea, pot, cup  cart.AddRequest
	group          cart.AddRequest
	category       int64
	brand          int64
	freight        int64
	picture, photo string
	// way is the code of the way of delivery that is chosen.
	way string
}

// Fill makes a small busy shop by the shop's own operations: an order in every state, payments, refunds, after-sale
// cases, groups, coupons, comments, edits by operators, uploads and notices. Every table has a row, and the books
// agree.
func (s *Shop) Fill() {
	s.t.Helper()
	b := &busy{Shop: s}
	for _, step := range []func(){
		b.staff, b.goods, b.content, b.people, b.sales, b.deliveries, b.cases, b.groups, b.traces, b.rest,
	} {
		step()
		s.Clock.Move(time.Minute)
	}
}

func (b *busy) must(err error) {
	b.t.Helper()
	require.NoError(b.t, err)
}

// as is the context of a call of an operator on a table.
func (b *busy) as(who actor.Actor, target, action string) context.Context {
	return audit.With(b.t.Context(), audit.Call{
		By: who, Name: b.Text("SELECT username FROM admin WHERE id = ?", who.ID), Address: "192.0.2.9",
		Request: "r-" + action, Permission: "admin:" + target + ":" + action,
		Operation: "POST /admin/" + target + "/" + action,
		Target:    target, Kind: logkind.Ordering, Action: action, At: b.Clock.Now(),
	})
}

func (b *busy) file(owner storage.Owner, name string) string {
	b.t.Helper()
	var data bytes.Buffer
	b.must(png.Encode(&data, image.NewGray(image.Rect(0, 0, 2, 2))))
	ctx := b.t.Context()
	if owner.Kind == storage.Operator {
		ctx = b.as(actor.Operator(owner.ID), "storage", "create")
	}
	o, err := b.Storage.Put(ctx, owner, name, data.Bytes())
	b.must(err)
	return o.URL
}

func (b *busy) staff() {
	id, err := b.Access.Appoint(b.t.Context(), access.Appointment{
		Username: "owner", Password: Password, Role: "everything", Values: []string{"*"},
	})
	b.must(err)
	b.owner = actor.Operator(id)
	role, err := b.Access.CreateRole(b.as(b.owner, "role", "create"), b.owner, access.Role{
		Name: "orders", Description: "sells", Enabled: true,
	})
	b.must(err)
	b.Clock.Move(5 * time.Minute)
	b.must(b.Access.SetGranted(b.as(b.owner, "role", "permissions"), b.owner, role.ID,
		[]string{"admin:order:list", "admin:order:ship"}))
	clerk, err := b.Access.CreateOperator(b.as(b.owner, "admin", "create"), b.owner, access.NewOperator{
		Username: "clerk_one_1", Password: Password, Avatar: "http://shop.test/clerk.png",
		Roles: access.RoleChoice{First: &[]int64{role.ID}},
	})
	b.must(err)
	b.clerk = actor.Operator(clerk.ID)
	for _, name := range []string{"owner", "clerk_one_1"} {
		_, _, err = b.Sessions.LogIn(b.t.Context(), access.Credentials{
			Username: name, Password: Password, Address: "192.0.2.1",
		})
		b.must(err)
	}
	_, err = b.Settings.Fill(b.t.Context())
	b.must(err)
	b.must(b.Settings.Save(b.as(b.owner, "system_config", "mall"), settings.Mall,
		map[string]string{"litemall_mall_name": "the shop"}))
	gone, err := b.Access.CreateRole(b.as(b.owner, "role", "create"), b.owner, access.Role{Name: "gone", Enabled: true})
	b.must(err)
	b.must(b.Access.SetGranted(b.as(b.owner, "role", "permissions"), b.owner, gone.ID, []string{"admin:log:list"}))
	b.must(b.Access.DeleteRole(b.as(b.owner, "role", "delete"), b.owner, gone.ID))
	note, err := b.Access.CreateNotice(b.as(b.owner, "notice", "create"), b.owner, "opening", "<p>we open</p>")
	b.must(err)
	_, err = b.Access.ReadNotice(b.t.Context(), b.clerk.ID, note.ID)
	b.must(err)
	b.Exec(`INSERT INTO region (id, pid, name, type, code)
		VALUES (1, 0, '浙江省', 1, 330000), (2, 1, '杭州市', 2, 330100), (3, 2, '西湖区', 3, 330106)`)
}

func (b *busy) goods() {
	ctx := b.as(b.owner, "category", "create")
	first, err := b.Catalog.CreateCategory(ctx, catalog.Category{
		Name: "drinks", Keywords: "drink", Desc: "all drinks", IconURL: "http://shop.test/i.png",
		PicURL: "http://shop.test/p.png", Level: catalog.FirstLevel,
	})
	b.must(err)
	second, err := b.Catalog.CreateCategory(ctx, catalog.Category{
		Name: "teas", Pid: first.ID, Level: catalog.SecondLevel, PicURL: "http://shop.test/p.png",
	})
	b.must(err)
	brand, err := b.Catalog.CreateBrand(b.as(b.owner, "brand", "create"), catalog.Brand{
		Name: "maker", Desc: "makes", PicURL: "http://shop.test/b.png", FloorPrice: 100,
	})
	b.must(err)
	b.category, b.brand = second.ID, brand.ID
	b.templates()
	b.picture = b.file(storage.Owner{Kind: storage.Operator, ID: b.clerk.ID}, "tea.png")
	b.tea, b.pot = b.sell("green tea", 1000), b.sell("tea pot", 4500)
	b.cup, b.group = b.sell("cup", 2500, "small", "large"), b.sell("group tea", 10000)
	gone := b.sell("gone tea", 700)
	b.must(b.Catalog.Remove(b.as(b.owner, "goods", "delete"), gone.GoodsID))
	number := 120
	b.must(b.Catalog.Edit(b.as(b.clerk, "goods", "update"), b.clerk, catalog.GoodsEdit{
		ID:     b.tea.GoodsID,
		Change: func(g *catalog.Goods) { g.Brief = "green" },
		Products: []catalog.ProductEdit{{
			ID: b.tea.ProductID, Edited: true, Specifications: []string{"标准"}, Price: 1000, Number: number,
		}},
	}))
	b.Exec("INSERT INTO stock_bucket (product_id, bucket_no, available, update_time) VALUES (?, 0, 7, ?), (?, 1, 3, ?)",
		b.pot.ProductID, b.Clock.Now(), b.pot.ProductID, b.Clock.Now())
	b.Exec("UPDATE goods_product SET number = number - 10, stock_mode = 1 WHERE id = ?", b.pot.ProductID)
}

// sell adds goods with a product of each size, or one product without any.
func (b *busy) sell(name string, price money.Amount, sizes ...string) cart.AddRequest {
	b.t.Helper()
	if len(sizes) == 0 {
		sizes = []string{"标准"}
	}
	var values []catalog.Specification
	var products []catalog.Product
	for _, size := range sizes {
		values = append(values, catalog.Specification{Group: "规格", Value: size, PicURL: b.picture})
		products = append(products, catalog.Product{
			Specifications: []string{size}, Price: price, Number: 100, URL: b.picture,
		})
	}
	id, err := b.Catalog.Add(b.as(b.owner, "goods", "create"), catalog.NewGoods{
		Goods: catalog.Goods{
			SN: "SN-" + name, Name: name, Unit: "box", OnSale: true, New: true, Hot: true, PicURL: b.picture,
			CounterPrice: price, CategoryID: b.category, BrandID: b.brand, Gallery: []string{b.picture}, Keywords: "leaf",
			FreightID: b.freight, Weight: 750,
			Brief: "good", Detail: `<p>leaf <img src="` + b.picture + `"/></p>`,
		},
		Attributes:     []catalog.Attribute{{Name: "weight", Value: "1 kg"}},
		Specifications: values,
		Products:       products,
	})
	b.must(err)
	return cart.AddRequest{
		GoodsID: id, ProductID: b.Int("SELECT MIN(id) FROM goods_product WHERE goods_id = ?", id), Number: 1,
	}
}

func (b *busy) content() {
	_, err := b.Content.CreateTopic(b.as(b.owner, "topic", "create"), content.Topic{
		TopicSummary: content.TopicSummary{
			Title: "spring", Subtitle: "leaves", ReadCount: "2k", PicURL: b.picture, Price: 1000,
		},
		Goods: []int64{b.tea.GoodsID}, Content: `<p>spring <img src="` + b.picture + `"/></p>`,
	})
	b.must(err)
	_, err = b.Content.CreateBanner(b.as(b.owner, "ad", "create"), content.Banner{
		Name: "sale", Link: "http://shop.test/sale", URL: b.picture, Content: "sale", Position: 1, Enabled: true,
		StartTime: b.Clock.Now(), EndTime: b.Clock.Now().Add(time.Hour),
	})
	b.must(err)
	_, err = b.Content.CreateKeyword(b.as(b.owner, "keyword", "create"), content.Keyword{
		Word: "tea", URL: "http://shop.test/tea", Hot: true, Default: true,
	})
	b.must(err)
	_, err = b.Content.CreateQuestion(b.as(b.owner, "issue", "create"), content.Question{Question: "when", Answer: "soon"})
	b.must(err)
	for _, c := range []promotion.CouponChange{
		{
			Name: new("common"), Discount: new(money.Amount(200)), Min: new(money.Amount(500)), Days: new(30),
			PerShopper: new(1), Total: new(100), Description: new("d"), Tag: new("t"),
		},
		{
			Name: new("gift"), Discount: new(money.Amount(300)), Days: new(10), PerShopper: new(1), Kind: new(promotion.Gift),
			Scope: new(promotion.SomeGoods), Scoped: []int64{b.tea.GoodsID},
		},
		{
			Name: new("code"), Discount: new(money.Amount(100)), PerShopper: new(2), Kind: new(promotion.Code), Fixed: new(true),
			Start: new(b.Clock.Now().Add(-time.Hour)), End: new(b.Clock.Now().Add(48 * time.Hour)),
		},
	} {
		_, err := b.Promotions.AddCoupon(b.as(b.owner, "coupon", "create"), c)
		b.must(err)
	}
}

func (b *busy) people() {
	b.lin, b.mo, b.ada = b.Shopper("lin"), b.Shopper("mo"), b.Shopper("ada")
	for i, id := range []int64{b.lin, b.mo, b.ada} {
		b.Address(id)
		b.Exec(`UPDATE user SET mobile = ?, avatar = 'http://shop.test/a.png', birthday = '1990-01-02', gender = 1,
			last_login_time = ?, last_login_ip = '192.0.2.1' WHERE id = ?`, fmt.Sprintf("1390000000%d", i), b.Clock.Now(), id)
		b.must(b.Promotions.Receive(b.t.Context(), id, 1))
	}
	b.must(b.Promotions.Exchange(b.t.Context(), b.lin, b.Text("SELECT code FROM coupon WHERE id = 3")))
	b.photo = b.file(storage.Owner{Kind: storage.Shopper, ID: b.lin}, "photo.png")
	b.file(storage.Owner{Kind: storage.Shopper, ID: b.mo}, "unused.png")
}

// buy places an order of two products, with the shopper's common coupon if spend is set.
func (b *busy) buy(shopper int64, spend bool) int64 {
	b.t.Helper()
	for i, w := range []cart.AddRequest{b.tea, b.pot} {
		w.Number = i + 1
		_, err := b.Cart.Set(b.t.Context(), shopper, w)
		b.must(err)
	}
	to, _ := b.addressOf(shopper)
	sub := order.Submission{
		Choice: order.Choice{Cart: cart.Everything, Address: to, Coupon: order.NoCoupon, Delivery: b.way}, Message: "quickly",
	}
	if spend {
		sub.Coupon = 1
	}
	ctx := idempotency.With(b.t.Context(), idempotency.Request{
		Scope: "POST /wx/order/submit", Owner: shopper, Key: fmt.Sprint("k", b.Int("SELECT COUNT(*) FROM orders")), Hash: "h",
	})
	placed, err := b.Orders.Submit(ctx, shopper, sub)
	b.must(err)
	b.Clock.Move(time.Second)
	return placed.OrderID
}

func (b *busy) paid(shopper int64, spend bool) int64 {
	b.t.Helper()
	id := b.buy(shopper, spend)
	b.Clock.Move(time.Second)
	b.Pay(shopper, id)
	b.Clock.Move(time.Second)
	return id
}

func (b *busy) shipped(shopper int64, spend bool) int64 {
	b.t.Helper()
	id := b.paid(shopper, spend)
	b.must(b.Orders.Ship(b.as(b.clerk, "orders", "ship"), b.clerk, id, "ZTO", "ZTO-1"))
	b.Clock.Move(time.Second)
	return id
}

func (b *busy) received(shopper int64) int64 {
	b.t.Helper()
	id := b.shipped(shopper, false)
	b.must(b.Orders.Confirm(b.t.Context(), shopper, id))
	b.Clock.Move(time.Second)
	return id
}

// sales leaves an order in every state that the shop produces.
func (b *busy) sales() {
	ctx := b.t.Context()
	b.must(b.Orders.Cancel(ctx, b.lin, b.buy(b.lin, true)))
	b.paid(b.lin, true)
	late := b.buy(b.mo, false)
	_, err := b.Orders.Prepay(ctx, b.mo, late, "192.0.2.1", "", "")
	b.must(err)
	n := b.Notification(late)
	b.must(b.Orders.Cancel(ctx, b.mo, late))
	b.must(b.Deliver(n))
	b.deliver()
	b.buy(b.ada, false)
	b.Clock.Move(2 * time.Hour)
	_, err = b.Orders.ExpireUnpaid(ctx)
	b.must(err)
	requested := b.paid(b.mo, false)
	b.must(b.Orders.AskRefund(ctx, b.mo, requested))
	rejected := b.paid(b.mo, false)
	b.must(b.Orders.AskRefund(ctx, b.mo, rejected))
	b.must(b.Orders.RejectRefund(b.as(b.clerk, "orders", "reject"), b.clerk, rejected, "used"))
	refunded := b.paid(b.mo, true)
	b.must(b.Orders.AskRefund(ctx, b.mo, refunded))
	b.Clock.Move(time.Second)
	b.must(b.Orders.Refund(b.as(b.clerk, "orders", "refund"), b.clerk, refunded,
		b.price(refunded)))
	failed := b.paid(b.ada, false)
	b.must(b.Orders.AskRefund(ctx, b.ada, failed))
	b.Sandbox.Behave(sandbox.Behaviour{Silent: true, Refuse: true})
	require.Error(b.t, b.Orders.Refund(b.as(b.clerk, "orders", "refund"), b.clerk, failed,
		b.price(failed)))
	b.Sandbox.Behave(sandbox.Behaviour{Silent: true})
	b.shipped(b.ada, false)
	offline := b.buy(b.ada, false)
	_, err = b.Orders.Prepay(ctx, b.ada, offline, "192.0.2.1", sandbox.Code, payment.KindOffline)
	b.must(err)
	b.must(b.Orders.PayOffline(b.as(b.clerk, "orders", "pay"), b.clerk, offline, order.Receipt{
		Amount: 5000, Reference: "B-1",
	}))
	b.owed(b.buy(b.mo, false))
	collected := b.buy(b.ada, false)
	b.owed(collected)
	b.must(b.Orders.Confirm(ctx, b.ada, collected))
	b.must(b.Orders.PayOffline(b.as(b.clerk, "orders", "pay"), b.clerk, collected, order.Receipt{Amount: 5000}))
	refused := b.buy(b.ada, true)
	b.owed(refused)
	b.must(b.Orders.CallOff(b.as(b.clerk, "orders", "call-off"), b.clerk, refused, "refused"))
	gone := b.buy(b.mo, false)
	b.must(b.Orders.Cancel(ctx, b.mo, gone))
	b.must(b.Orders.Delete(b.as(b.clerk, "orders", "delete"), b.clerk, gone))
	hidden := b.buy(b.mo, false)
	b.must(b.Orders.Cancel(ctx, b.mo, hidden))
	b.must(b.Orders.Hide(ctx, b.mo, hidden))
	b.shipped(b.mo, false)
	b.Clock.Move(8 * 24 * time.Hour)
	_, err = b.Orders.ReceiveShipped(ctx)
	b.must(err)
	b.Clock.Move(8 * 24 * time.Hour)
	_, err = b.Orders.CloseComments(ctx)
	b.must(err)
	b.buy(b.lin, false)
}

// owed ships an order that is to be paid on delivery.
func (b *busy) owed(id int64) {
	b.t.Helper()
	shopper := b.Int("SELECT user_id FROM orders WHERE id = ?", id)
	_, err := b.Orders.Prepay(b.t.Context(), shopper, id, "192.0.2.1", sandbox.Code, payment.KindDelivery)
	b.must(err)
	b.must(b.Orders.Ship(b.as(b.clerk, "orders", "ship"), b.clerk, id, "ZTO", fmt.Sprint("D", id)))
}

func (b *busy) price(id int64) money.Amount {
	b.t.Helper()
	amount, err := money.Parse(b.Text("SELECT actual_price FROM orders WHERE id = ?", id))
	b.must(err)
	return amount
}

func (b *busy) deliver() {
	b.t.Helper()
	_, err := b.Outbox.Deliver(b.t.Context())
	b.must(err)
}
