package demo

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/seed"
)

// coupons lists one coupon of every kind. Those that any shopper can take come last, since shoppers see the newest
// first.
func (l *loader) coupons() []promotion.Coupon {
	const month = 30
	begin := midnight(l.Seed.Now())
	return []promotion.Coupon{
		{
			Name: "新人礼券", Description: "注册即得，满十元可用", Tag: "新人", PerShopper: 1, Discount: money.Yuan(8), Min: money.Yuan(10),
			Kind: promotion.Gift, Days: 15,
		},
		{
			Name: "口令券", Description: "输入口令兑换，满一百元可用", Tag: "口令", Total: 5000, PerShopper: 1, Discount: money.Yuan(15),
			Min: money.Yuan(100), Kind: promotion.Code, Code: "SHOPDEMO", Days: month,
		},
		{
			Name: "新茶券", Description: "茶与咖啡满五十元可用", Tag: "品类", Total: 2000, PerShopper: 1, Discount: money.Yuan(12),
			Min: money.Yuan(50), Scope: promotion.SomeCategories, Scoped: []int64{l.categories["茶与咖啡"]}, Days: month,
		},
		{
			Name: "点灯券", Description: "指定灯具满一百元可用", Tag: "单品", Total: 1000, PerShopper: 1, Discount: money.Yuan(20),
			Min: money.Yuan(100), Scope: promotion.SomeGoods,
			Scoped: []int64{l.goods["小满台灯"], l.goods["纸罩床头灯"], l.goods["落日阅读灯"]}, Days: month,
		},
		{
			Name: "年度大促券", Description: "满一百九十九元可用，一年内有效", Tag: "大促", Total: 20_000, PerShopper: 2,
			Discount: money.Yuan(30), Min: money.Yuan(199), Start: begin, End: begin.AddDate(1, 0, 0),
		},
		{
			Name: "无门槛三元券", Description: "买什么都可以用", Tag: "全场", Total: 3000, PerShopper: 1, Discount: money.Yuan(3), Days: month,
		},
		{
			Name: "满减十元券", Description: "全场满九十九元可用", Tag: "全场", Total: 100_000, PerShopper: 1, Discount: money.Yuan(10),
			Min: money.Yuan(99), Days: month,
		},
		{
			Name: "日日五元券", Description: "全场满二十元可用，用完再领", Tag: "全场", Discount: money.Yuan(5), Min: money.Yuan(20),
			Days: month,
		},
	}
}

func midnight(t time.Time) time.Time { return t.Truncate(24 * time.Hour) }

func (l *loader) makeCoupons(ctx context.Context) error {
	_, err := rest(ctx, l, seed.Coupons, l.coupons(), func(ctx context.Context, _ int, c promotion.Coupon) (int64, error) {
		return l.Promotions.Create(ctx, c)
	})
	return err
}

type offer struct {
	goods    string
	discount int64
	members  int
}

func offers() []offer {
	return []offer{{"早安马克杯", 6, 2}, {"双铃闹钟", 15, 3}, {"通勤双肩包", 40, 5}}
}

func (l *loader) makeOffers(ctx context.Context) error {
	_, err := rest(ctx, l, seed.Offers, offers(), func(ctx context.Context, _ int, o offer) (int64, error) {
		id := l.goods[o.goods]
		goods, err := l.Catalog.Goods(ctx, id)
		if err != nil {
			return 0, fmt.Errorf("read %s: %w", o.goods, err)
		}
		return l.Promotions.CreateGroupRule(ctx, promotion.GroupRule{
			GoodsID: id, GoodsName: goods.Name, PicURL: goods.PicURL, Discount: money.Yuan(o.discount), Members: o.members,
			ExpireTime: midnight(l.Seed.Now()).AddDate(0, 6, 0),
		})
	})
	return err
}
