package domaintest

import (
	"fmt"
	"time"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/domain/freight"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/domain/settings"
)

// templates leaves a freight template that goods name, one that is deleted, and one that no goods name.
func (b *busy) templates() {
	b.t.Helper()
	ctx := b.as(b.owner, "freight", "create")
	rules := []freight.Rule{
		{First: 1000, FirstPrice: 800, Further: 500, FurtherPrice: 150, FreeFrom: 8800},
		{First: 1000, FirstPrice: 600, Further: 1000, FurtherPrice: 100, FreeFrom: 6600, Regions: []int{310000, 330000}},
		{First: 1, Further: 1, Refused: true, Regions: []int{540000}},
	}
	t, err := b.Freight.Create(ctx, freight.Template{
		Name: "by weight", Charge: freight.ByWeight, PieceWeight: 400, Rules: rules,
	})
	b.must(err)
	b.freight = t.ID
	t, err = b.Freight.Create(ctx, freight.Template{Name: "by pieces", Charge: freight.ByPieces, Rules: rules[:1]})
	b.must(err)
	_, err = b.Freight.Change(b.as(b.owner, "freight", "update"), t.ID, func(t *freight.Template) { t.Rules[0].First = 2 })
	b.must(err)
	b.must(b.Freight.Delete(b.as(b.owner, "freight", "delete"), t.ID))
	_, err = b.Freight.Create(ctx, freight.Template{Name: "flat", Charge: freight.ByPieces, Rules: rules[:1]})
	b.must(err)
}

// deliveries leaves an order that was collected, one that waits to be, and one that the shop's courier brings.
func (b *busy) deliveries() {
	b.t.Helper()
	b.must(b.Settings.Save(b.as(b.owner, "system_config", "express"), settings.Express, map[string]string{
		"litemall_express_ways": "parcel,collect,courier", "litemall_express_courier_freight": fmt.Sprint(b.freight),
		"litemall_express_collect_address": "1 Main Street", "litemall_express_collect_hours": "9 to 6",
	}))
	for _, b.way = range []string{"collect", "collect", "courier"} {
		id := b.paid(b.mo, false)
		b.must(b.Orders.Ship(b.as(b.clerk, "orders", "ship"), b.clerk, id, "", ""))
		b.Clock.Move(time.Second)
	}
	b.way = ""
	_, err := b.Orders.CheckOff(b.as(b.clerk, "orders", "collect"), b.clerk, 0,
		b.Text("SELECT MAX(collect_code) FROM orders"))
	b.must(err)
}

// cases leaves an after-sale case in every state.
func (b *busy) cases() {
	ask := func(kind aftersale.Type) (id, c int64) {
		b.t.Helper()
		id = b.received(b.lin)
		c, err := b.Aftersales.Submit(b.t.Context(), b.lin, aftersale.Submission{
			OrderID: id, Type: kind, Reason: "small", Comment: "please", Amount: new(money.Amount(500)),
			Pictures: []string{b.photo},
		})
		b.must(err)
		b.Clock.Move(time.Second)
		return id, c
	}
	ask(aftersale.RefundOnly)
	_, withdrawn := ask(aftersale.RefundOnly)
	b.must(b.Aftersales.Cancel(b.t.Context(), b.lin, withdrawn))
	_, rejected := ask(aftersale.RefundOnly)
	b.must(b.Aftersales.Reject(b.as(b.clerk, "aftersale", "reject"), b.clerk, rejected, ""))
	_, accepted := ask(aftersale.RefundOnly)
	b.must(b.Aftersales.Accept(b.as(b.clerk, "aftersale", "receive"), b.clerk, accepted, ""))
	id, returned := ask(aftersale.Returned)
	b.must(b.Aftersales.Accept(b.as(b.clerk, "aftersale", "receive"), b.clerk, returned, ""))
	b.must(b.Aftersales.Refund(b.as(b.clerk, "aftersale", "refund"), b.clerk, returned))
	b.parts()
	line := b.Int("SELECT MIN(id) FROM order_goods WHERE order_id = ?", id)
	b.must(b.LineComments.Comment(b.t.Context(), b.lin, line, review.Comment{
		UserID: b.lin, Content: "fine", Star: 4, Pictures: []string{b.photo},
	}))
	b.must(b.LineComments.Reply(b.as(b.clerk, "comment", "reply"), b.Int("SELECT MAX(id) FROM comment"), "thanks"))
}

// parts leaves an order of which cups were exchanged and returned, and what was sent is asked for.
func (b *busy) parts() {
	b.t.Helper()
	pot := b.pot
	b.pot = b.cup
	id := b.received(b.lin)
	b.pot = pot
	line := b.Int("SELECT MAX(id) FROM order_goods WHERE order_id = ?", id)
	ask := func(kind aftersale.Type, product int64) int64 {
		b.t.Helper()
		c, err := b.Aftersales.Submit(b.t.Context(), b.lin, aftersale.Submission{
			OrderID: id, Type: kind, Reason: "small", Pictures: []string{b.photo},
			Lines: []aftersale.Wanted{{Line: line, Number: 1, Product: product}},
		})
		b.must(err)
		b.Clock.Move(time.Second)
		return c
	}
	exchanged := ask(aftersale.Replacement, b.cup.ProductID+1)
	b.must(b.Aftersales.Accept(b.as(b.clerk, "aftersale", "receive"), b.clerk, exchanged, ""))
	b.must(b.Aftersales.Exchange(b.as(b.clerk, "aftersale", "exchange"), b.clerk, exchanged,
		aftersale.Parcel{Channel: "ZTO", SN: "C-1"}))
	returned := ask(aftersale.Returned, 0)
	b.must(b.Aftersales.Accept(b.as(b.clerk, "aftersale", "receive"), b.clerk, returned, "send it to us"))
	b.must(b.Aftersales.SendBack(b.t.Context(), b.lin, returned, aftersale.Parcel{Channel: "YTO", SN: "B-1"}))
	b.must(b.Aftersales.Receive(b.as(b.clerk, "aftersale", "receive"), b.clerk, returned))
	b.Clock.Move(time.Second)
	b.must(b.Aftersales.Refund(b.as(b.clerk, "aftersale", "refund"), b.clerk, returned))
	line++
	ask(aftersale.Returned, 0)
}

// groups leaves a complete group, an open one, and one that failed with a refund.
func (b *busy) groups() {
	made, err := b.Promotions.AddGroupRule(b.as(b.owner, "groupon_rules", "create"), promotion.GroupRuleChange{
		GoodsID: new(b.group.GoodsID), Discount: new(money.Amount(2000)), Members: new(2),
		ExpireTime: new(b.Clock.Now().Add(time.Hour)),
	})
	b.must(err)
	rule := made.ID
	join := func(shopper, link int64) order.Placed {
		b.t.Helper()
		row, err := b.Cart.Set(b.t.Context(), shopper, b.group)
		b.must(err)
		to, _ := b.addressOf(shopper)
		placed, err := b.Orders.Submit(b.t.Context(), shopper, order.Submission{
			Choice: order.Choice{Cart: row, Address: to, Rule: rule, Coupon: order.NoCoupon}, Link: link,
		})
		b.must(err)
		b.Pay(shopper, placed.OrderID)
		b.Clock.Move(time.Second)
		return placed
	}
	full := join(b.lin, 0)
	join(b.mo, full.Group)
	b.must(b.Orders.Ship(b.as(b.clerk, "orders", "ship"), b.clerk, full.OrderID, "ZTO", "ZTO-2"))
	left := join(b.ada, 0)
	b.must(b.Orders.AskRefund(b.t.Context(), b.ada, left.OrderID))
	join(b.lin, 0)
}

func (b *busy) traces() {
	ctx := b.t.Context()
	topic := b.Int("SELECT MIN(id) FROM topic")
	for _, favourite := range []struct {
		kind engagement.Kind
		id   int64
	}{{engagement.Goods, b.tea.GoodsID}, {engagement.Topic, topic}} {
		_, err := b.Engagement.Toggle(ctx, b.lin, favourite.kind, favourite.id)
		b.must(err)
	}
	b.must(b.Engagement.SeeGoods(ctx, b.lin, b.tea.GoodsID))
	b.Exec(`INSERT INTO footprint (user_id, goods_id, view_time, view_count, add_time, update_time)
		VALUES (?, ?, ?, 2, ?, ?)`,
		b.mo, b.tea.GoodsID, b.Clock.Now(), b.Clock.Now(), b.Clock.Now())
	b.must(b.Engagement.Remember(ctx, b.lin, "tea"))
	b.must(b.Engagement.Submit(ctx, engagement.Feedback{
		Shopper: b.lin, FeedType: "praise", Content: "good", Mobile: "13900000001", Pictures: []string{b.photo},
	}))
	_, err := b.Reviews.Create(ctx, review.Comment{
		ValueID: topic, UserID: b.mo, Kind: review.Topic, Content: "nice", Star: 5,
	})
	b.must(err)
	row := b.tea
	_, err = b.Cart.Set(ctx, b.ada, row)
	b.must(err)
}

// rest runs the jobs, and leaves what only failures leave.
func (b *busy) rest() {
	ctx := b.t.Context()
	for range 5 {
		b.deliver()
	}
	b.Clock.Move(10 * time.Minute)
	_, err := b.Orders.IndexRecipients(ctx)
	b.must(err)
	for range 2 {
		_, err = b.Rollup.Refresh(ctx)
		b.must(err)
	}
	_, err = b.Rollup.Totals(ctx)
	b.must(err)
	_, err = b.Audit.Seal(ctx)
	b.must(err)
	for _, j := range b.Jobs() {
		b.Exec(`INSERT IGNORE INTO job_lease (name, holder, fence, lease_until, last_start, last_end, last_note)
			VALUES (?, 'a', 1, ?, ?, ?, 'fine')`, j.Name, b.Clock.Now(), b.Clock.Now(), b.Clock.Now())
	}
	b.Exec(`INSERT INTO job_failure (job, row_id, tries, retry_time, last_error, add_time)
		VALUES ('refunds', 1, 2, ?, 'no', ?)`,
		b.Clock.Now(), b.Clock.Now())
}
