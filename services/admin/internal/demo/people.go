package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"shop.internal/pkg/domain/address/division"
	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/domain/seed"
)

// people creates the accounts with an address each, spread over the country.
func (l *loader) people() ([]seed.Shopper, error) {
	provinces, err := division.Provinces()
	if err != nil {
		return nil, err
	}
	surnames := []rune("赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏")
	firstNames := []string{"小满", "谷雨", "知夏", "秋白", "冬青", "春生", "月明", "云舒", "山青", "水秀", "望舒", "清和", "若谷"}
	streets := []string{"长安路", "人民路", "中山路", "建设街", "文化巷", "和平里", "新华大道"}
	list, now, faces := make([]seed.Shopper, app.DemoShoppers), l.Seed.Now(), faces()
	for i := range list {
		province := provinces[i*7%len(provinces)]
		city := province.Below[i*3%len(province.Below)]
		county := city.Below[i*5%len(city.Below)]
		made := app.DemoShopper(i + 1)
		list[i] = seed.Shopper{
			Username: made.Username, Nickname: firstNames[i%len(firstNames)] + fmt.Sprint(i+1),
			Mobile: made.Mobile, Avatar: l.pictures[iconPicture(faces[i%len(faces)])],
			Recipient: string(surnames[i%len(surnames)]) + firstNames[i*3%len(firstNames)],
			Province:  province.Name, City: city.Name, County: county.Name, Code: fmt.Sprintf("%06d", county.Code),
			Detail: fmt.Sprintf("%s%d号%d室", streets[i%len(streets)], i%180+1, 101+i%9*100+i%4),
			Joined: now.Add(-history * time.Duration(app.DemoShoppers-i) / app.DemoShoppers).
				Add(-time.Duration(i*7%12) * time.Hour),
		}
	}
	return list, nil
}

func (l *loader) makeShoppers(ctx context.Context) error {
	list, err := l.people()
	if err != nil {
		return err
	}
	return l.Seed.Shoppers(ctx, list, app.DemoPassword)
}

// history is the length of the demo shop's history, and LongHistory that of the large shop for measurements.
const (
	history     = 182 * 24 * time.Hour
	LongHistory = 365 * 24 * time.Hour
)

// pastOrders is the number of past orders: two or three a day, so that the charts show something.
const pastOrders = 480

// makeOrders creates past orders.
func (l *loader) makeOrders(ctx context.Context) error {
	return l.Seed.MoreOrders(ctx, pastOrders, history, func(int64, int64) {})
}

type opinion struct {
	star        int
	text, reply string
	pictures    int
}

func opinions() []opinion {
	return []opinion{
		{5, "比图片上还好看，已经推荐给同事了。", "谢谢喜欢，也请替我们谢谢您的同事。", 1},
		{5, "包装很仔细，一点没有磕碰。", "", 2},
		{4, "东西不错，就是快递慢了一天。", "让您久等了，我们已经提醒承运方。", 0},
		{5, "第二次买了，家里人都喜欢。", "", 1},
		{3, "颜色比想象的深一点，不过也能接受。", "屏幕显示会有差别，七天内可以退换。", 0},
		{5, "做工扎实，细节到位，这个价格很值。", "", 0},
		{4, "很实用，用了一个星期来评价。", "", 1},
		{5, "送朋友的，他说很贴心。", "能帮您传递心意，我们也很高兴。", 0},
		{2, "尺寸看错了，怪我自己。", "可以免费换一次尺寸，请在订单里申请。", 0},
		{5, "每天都在用，离不开了。", "", 1},
	}
}

type comment struct {
	opinion
	goods ware
	by    int
}

// commentsOn returns comments for two of three goods.
func commentsOn(list []ware) []comment {
	texts := opinions()
	var all []comment
	for i, w := range list {
		if i%3 == 2 {
			continue
		}
		for n := range 2 + i%4 {
			all = append(all, comment{texts[(i*3+n)%len(texts)], w, (i*17 + n*29) % app.DemoShoppers})
		}
	}
	return all
}

func (l *loader) makeComments(ctx context.Context) error {
	list, err := wares()
	if err != nil {
		return err
	}
	authors, err := l.Seed.IDs(ctx, seed.Users)
	if err != nil {
		return err
	}
	all := commentsOn(list)
	_, err = rest(ctx, l, seed.Comments, all, func(ctx context.Context, _ int, c comment) (int64, error) {
		gallery := l.gallery(c.goods)
		slices.Reverse(gallery)
		return l.Reviews.Create(ctx, review.Comment{
			ValueID: l.goods[c.goods.name], Kind: review.Goods, UserID: authors[c.by], Content: c.text, Reply: c.reply,
			Star: c.star, Pictures: gallery[:c.pictures],
		})
	})
	if err != nil {
		return err
	}
	return l.Seed.Predate(ctx, seed.Comments)
}
