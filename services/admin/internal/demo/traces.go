package demo

import (
	"context"

	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/domain/seed"
)

// trace is something that a shopper liked, looked at or searched for.
type trace struct {
	by    int
	about string
}

// traces spreads a number of things over the active shoppers; no shopper has the same one twice.
func traces(n int, things []string) []trace {
	const active = lastActive - firstActive + 1
	all := make([]trace, n)
	for i := range all {
		all[i] = trace{firstActive + i*7%active, things[(i*3+i/active)%len(things)]}
	}
	return all
}

// The numbers of traces.
const (
	favourites = 24
	footprints = 32
	searches   = 24
)

func (l *loader) makeTraces(ctx context.Context) error {
	list, err := wares()
	if err != nil {
		return err
	}
	names := make([]string, len(list))
	for i, w := range list {
		names[i] = w.name
	}
	words := make([]string, 0, len(keywords()))
	for _, k := range keywords() {
		words = append(words, k.Word)
	}
	leave := func(t seed.Table, n int, about []string, do func(context.Context, trace) error) error {
		all := traces(n, about)
		_, err := rest(ctx, l, t, all, func(ctx context.Context, _ int, made trace) (int64, error) {
			return 0, do(ctx, made)
		})
		if err != nil {
			return err
		}
		return l.Seed.Predate(ctx, t)
	}
	if err := leave(seed.Favourites, favourites, names, func(ctx context.Context, t trace) error {
		_, err := l.Engagement.Toggle(ctx, l.shopper(t.by), engagement.Goods, l.goods[t.about])
		return err
	}); err != nil {
		return err
	}
	if err := leave(seed.Footprints, footprints, names, func(ctx context.Context, t trace) error {
		return l.Engagement.SeeGoods(ctx, l.shopper(t.by), l.goods[t.about])
	}); err != nil {
		return err
	}
	return leave(seed.Searches, searches, words, func(ctx context.Context, t trace) error {
		return l.Engagement.Remember(ctx, l.shopper(t.by), t.about)
	})
}

// messages are what shoppers write to the shop, with the kinds that the page offers.
func messages() [][2]string {
	return [][2]string{
		{"商品问题", "马克杯的把手能再大一点吗？冬天戴着手套不好拿。"},
		{"物流配送", "能不能指定下午六点以后送货？白天家里没有人。"},
		{"售后服务", "换货很快，客服态度也好，谢谢。"},
		{"页面使用", "筛选以后返回，希望还停在原来的位置。"},
		{"优化建议", "想要礼品包装，可以另外付费。"},
		{"其他", "请问周末有人值班吗？"},
	}
}

func (l *loader) makeFeedback(ctx context.Context) error {
	gallery := l.somePictures()
	_, err := rest(ctx, l, seed.Feedback, messages(), func(ctx context.Context, i int, m [2]string) (int64, error) {
		return 0, l.Engagement.Submit(ctx, engagement.Feedback{
			Shopper: l.shopper(firstActive + i*5), FeedType: m[0], Content: m[1], Mobile: "13800000000",
			Pictures: gallery[:i%3],
		})
	})
	if err != nil {
		return err
	}
	return l.Seed.Predate(ctx, seed.Feedback)
}
