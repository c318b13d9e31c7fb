package demo

import (
	"context"
	"strconv"
	"strings"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/seed"
)

type topic struct {
	title, subtitle, reads string
	things, goods          []string
	text                   []string
}

func topics() []topic {
	return []topic{
		{
			"一张桌子的早晨", "从一只杯子开始", "12.6k",
			[]string{"mug", "plate", "vase"},
			[]string{"早安马克杯", "圆边餐盘", "三枝小雏菊"},
			[]string{"把闹钟按掉以后，先烧一壶水。", "杯子要厚一点，盘子要圆一点，花不用多，三枝就够。"},
		},
		{
			"春茶上新", "清明前后，山里最忙", "8.3k",
			[]string{"tea", "teapot", "bowl"},
			[]string{"明前绿茶", "桂花乌龙", "听雨盖碗", "松石釉提梁壶"},
			[]string{"新茶用八十度的水，第一泡不要等太久。", "盖碗出汤快，提梁壶适合慢慢聊。"},
		},
		{
			"周末去露营", "三分钟搭好一个家", "20.1k",
			[]string{"tent", "pan", "flask"},
			[]string{"双人帐篷", "露营炉锅两件套", "不锈钢保温瓶", "徒步鞋"},
			[]string{"看一眼天气，带上两个人的晚饭。", "炉子要稳，水壶要满，鞋带系紧。"},
		},
		{
			"给书桌换个样子", "笔和本子都要顺手", "5.7k",
			[]string{"notebook", "pen", "lamp"},
			[]string{"线圈笔记本", "入门钢笔", "桌面笔筒套装", "小满台灯"},
			[]string{"摊得平的本子，写得顺的笔，不刺眼的灯。", "东西少一点，心就静一点。"},
		},
		{
			"夏天的衣柜", "棉和麻的事", "9.9k",
			[]string{"shirt", "hat", "bag"},
			[]string{"条纹圆领衫", "亚麻短袖衬衫", "亚麻遮阳帽", "帆布手提袋"},
			[]string{"天热的时候，料子比样子要紧。", "帽檐宽一点，袋子大一点，走到哪里都不慌。"},
		},
		{
			"水果从树上来", "熟了才摘，摘了就发", "15.4k",
			[]string{"apple", "orange", "grapes"},
			[]string{"高山红苹果", "冰糖橙", "紫玉葡萄", "一只尝鲜橙"},
			[]string{"苹果要听响，橙子要掂重，葡萄要看霜。", "不确定的话，先买一只尝尝。"},
		},
	}
}

func (l *loader) makeTopics(ctx context.Context) error {
	prices, err := lowestPrices()
	if err != nil {
		return err
	}
	_, err = rest(ctx, l, seed.Topics, topics(), func(ctx context.Context, i int, t topic) (int64, error) {
		made := content.Topic{
			TopicSummary: content.TopicSummary{
				Title: t.title, Subtitle: t.subtitle, ReadCount: t.reads, PicURL: l.pictures[bannerPicture(t.things...)],
				Price: money.Max,
			},
			SortOrder: i + 1, Content: "<p>" + strings.Join(t.text, "</p><p>") + "</p>",
		}
		for _, name := range t.goods {
			made.Goods = append(made.Goods, l.goods[name])
			made.Price = min(made.Price, prices[name])
		}
		stored, err := l.Content.CreateTopic(ctx, made)
		return stored.ID, err
	})
	return err
}

func lowestPrices() (map[string]money.Amount, error) {
	list, err := wares()
	prices := map[string]money.Amount{}
	for _, w := range list {
		prices[w.name] = w.price
	}
	return prices, err
}

type banner struct {
	name, text, goods string
	things            []string
}

func banners() []banner {
	return []banner{
		{"新人有礼", "注册就送一张券", "早安马克杯", []string{"mug", "tea", "lamp"}},
		{"家居上新", "坐下来，靠一靠", "四腿餐椅", []string{"chair", "cushion", "plant"}},
		{"去有风的地方", "帐篷和鞋都备好了", "双人帐篷", []string{"tent", "backpack", "shoe"}},
		{"水果到家", "果园直发", "冰糖橙", []string{"orange", "apple", "grapes", "honey"}},
	}
}

func (l *loader) makeBanners(ctx context.Context) error {
	_, err := rest(ctx, l, seed.Banners, banners(), func(ctx context.Context, _ int, b banner) (int64, error) {
		stored, err := l.Content.CreateBanner(ctx, content.Banner{
			Name: b.name, Content: b.text, Link: strconv.FormatInt(l.goods[b.goods], 10),
			URL: l.pictures[bannerPicture(b.things...)], Position: content.Home, Enabled: true,
		})
		return stored.ID, err
	})
	return err
}

func questions() [][2]string {
	return [][2]string{
		{"运费怎么算？", "订单商品满八十八元免运费，不满时收取八元。"},
		{"多久发货？", "付款后四十八小时内发货，节假日顺延。发货后会有短信通知。"},
		{"怎样退款？", "未发货的订单可以在订单详情里申请退款；收到货后可以申请售后。"},
		{"优惠券怎么用？", "下单时选择一张可用的优惠券即可。每张订单可以用一张，取消订单后券会退回。"},
		{"可以修改收货地址吗？", "付款前可以取消订单重新下单；付款后请联系客服。"},
		{"未付款的订单保留多久？", "三十分钟。过时订单自动取消，商品和优惠券都会退回。"},
	}
}

func (l *loader) makeQuestions(ctx context.Context) error {
	_, err := rest(ctx, l, seed.Questions, questions(), func(ctx context.Context, _ int, q [2]string) (int64, error) {
		stored, err := l.Content.CreateQuestion(ctx, content.Question{Question: q[0], Answer: q[1]})
		return stored.ID, err
	})
	return err
}

func keywords() []seed.Keyword {
	return []seed.Keyword{
		{Word: "早安马克杯", Default: true},
		{Word: "春茶", Hot: true},
		{Word: "台灯", Hot: true},
		{Word: "露营", Hot: true},
		{Word: "水果", Hot: true},
		{Word: "围巾"},
		{Word: "送礼"},
		{Word: "笔记本"},
	}
}

func (l *loader) makeKeywords(ctx context.Context) error {
	_, err := rest(ctx, l, seed.Keywords, keywords(), func(ctx context.Context, _ int, k seed.Keyword) (int64, error) {
		return 0, l.Seed.AddKeyword(ctx, k)
	})
	return err
}
