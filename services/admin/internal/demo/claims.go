package demo

import (
	"context"
	"fmt"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/order"
)

// claim is an after-sale request about a received order.
type claim struct {
	kind            aftersale.Type
	reason, comment string
	// percent of the price of the goods is wanted back.
	percent, pictures int
	until             aftersale.Status
}

// claims are on the newest received orders first, which are today's: money that was paid by hand goes back without a
// platform.
func claims() []claim {
	return []claim{
		{aftersale.Returned, "尺寸不合适", "吊牌还在，没有用过", 100, 1, aftersale.Refunded},
		{aftersale.RefundOnly, "商品有瑕疵", "杯口有一处小磕碰，补偿一部分就好", 20, 2, aftersale.Refunded},
		{aftersale.RefundOnly, "少发了一件", "", 30, 1, aftersale.Requested},
		{aftersale.Returned, "与描述不符", "颜色比图片深很多", 100, 2, aftersale.Requested},
		{aftersale.NotReceived, "没有收到货", "显示已签收，门口和驿站都没有", 100, 0, aftersale.Requested},
		{aftersale.RefundOnly, "商品破损", "外箱被压过，盖子裂了", 50, 3, aftersale.Accepted},
		{aftersale.Returned, "不想要了", "", 100, 0, aftersale.Accepted},
		{aftersale.Returned, "不想要了", "已经拆封使用", 100, 1, aftersale.Rejected},
		{aftersale.RefundOnly, "发货慢", "后来收到了，不用处理了", 10, 0, aftersale.Cancelled},
	}
}

func (l *loader) makeClaims(ctx context.Context) error {
	all, err := l.Orders.AdminList(ctx, order.Filter{Statuses: []int{int(order.Received)}},
		page.Query{Page: 1, Limit: pastOrders, Sort: "id", Desc: true})
	if err != nil {
		return err
	}
	gallery, list := l.somePictures(), claims()
	for _, o := range all.Items {
		if len(list) == 0 {
			break
		}
		if o.UserID < l.shopper(firstActive) || o.UserID > l.shopper(lastActive) {
			continue
		}
		if err := l.claimOn(ctx, o.Order, list[0], gallery); err != nil {
			return fmt.Errorf("after-sale of order %d: %w", o.ID, err)
		}
		list = list[1:]
	}
	return nil
}

// claimOn moves the case of an order, event by event, to the state in which it is left.
func (l *loader) claimOn(ctx context.Context, o order.Order, wanted claim, gallery []string) error {
	for {
		d, err := l.Aftersales.Find(ctx, o.UserID, o.ID)
		c := d.Case
		if err != nil || c.Status == wanted.until {
			return err
		}
		switch {
		case c.Status == aftersale.None:
			_, err = l.Aftersales.Submit(ctx, o.UserID, aftersale.Submission{
				OrderID: o.ID, Type: wanted.kind, Reason: wanted.reason, Comment: wanted.comment,
				Amount: new((o.Price.Goods - o.Price.Coupon).Times(wanted.percent) / 100), Pictures: gallery[:wanted.pictures],
			})
		case c.Status == aftersale.Accepted:
			err = l.Aftersales.Refund(l.acting(ctx, "POST /admin/aftersale/refund"), l.owner, c.ID)
		case wanted.until == aftersale.Cancelled:
			err = l.Aftersales.Cancel(ctx, o.UserID, c.ID)
		case wanted.until == aftersale.Rejected:
			err = l.Aftersales.Reject(l.acting(ctx, "POST /admin/aftersale/reject"), l.owner, c.ID, "")
		default:
			err = l.Aftersales.Accept(l.acting(ctx, "POST /admin/aftersale/recept"), l.owner, c.ID, "")
		}
		if err != nil {
			return err
		}
	}
}
