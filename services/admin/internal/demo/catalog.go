package demo

import (
	"context"
	"fmt"
	"slices"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/seed"
)

func (l *loader) regions(ctx context.Context) error {
	_, err := l.LoadRegions(ctx)
	return err
}

func (l *loader) makeCategories(ctx context.Context) error {
	list, err := categories()
	if err != nil {
		return err
	}
	l.categories = map[string]int64{}
	known, err := l.Seed.IDs(ctx, seed.Categories)
	if err != nil {
		return err
	}
	for i, id := range known[:min(len(known), len(list))] {
		l.categories[list[i].name] = id
	}
	_, err = rest(ctx, l, seed.Categories, list, func(ctx context.Context, i int, c category) (int64, error) {
		level := catalog.SecondLevel
		if c.parent == "" {
			level = catalog.FirstLevel
		}
		stored, err := l.Catalog.CreateCategory(ctx, catalog.Category{
			Pid: l.categories[c.parent], Name: c.name, Keywords: c.name, Desc: c.slogan, Level: level, SortOrder: i + 1,
			IconURL: l.pictures[iconPicture(c.picture)], PicURL: l.pictures[bannerPicture(c.picture, c.picture)],
		})
		l.categories[c.name] = stored.ID
		return stored.ID, err
	})
	return err
}

func (l *loader) makeBrands(ctx context.Context) error {
	list, err := brands()
	if err != nil {
		return err
	}
	goods, err := wares()
	if err != nil {
		return err
	}
	ids, err := rest(ctx, l, seed.Brands, list, func(ctx context.Context, i int, b brand) (int64, error) {
		floor := money.Max
		for _, g := range goods {
			if g.brand == b.name {
				floor = min(floor, g.price)
			}
		}
		stored, err := l.Catalog.CreateBrand(ctx, catalog.Brand{
			Name: b.name, Desc: b.text, PicURL: l.pictures[thingPicture(b.picture, brandColours)], SortOrder: i + 1,
			FloorPrice: floor,
		})
		return stored.ID, err
	})
	l.brands = map[string]int64{}
	for i, id := range ids {
		l.brands[list[i].name] = id
	}
	return err
}

func (l *loader) makeGoods(ctx context.Context) error {
	list, err := wares()
	if err != nil {
		return err
	}
	ids, err := rest(ctx, l, seed.Goods, list, func(ctx context.Context, i int, w ware) (int64, error) {
		return l.Catalog.Create(ctx, l.goodsOf(i, w))
	})
	l.goods = map[string]int64{}
	for i, id := range ids {
		l.goods[list[i].name] = id
	}
	return err
}

// gallery returns the addresses of the pictures of goods.
func (l *loader) gallery(w ware) []string {
	var all []string
	for _, name := range galleryOf(w) {
		all = append(all, l.pictures[name])
	}
	return all
}

func (l *loader) goodsOf(i int, w ware) catalog.NewGoods {
	gallery := l.gallery(w)
	n := catalog.NewGoods{Goods: catalog.Goods{
		SN: fmt.Sprintf("D%06d", i+1), Name: w.name, CategoryID: l.categories[w.category], BrandID: l.brands[w.brand],
		Gallery: gallery, Keywords: w.keywords, Brief: w.text, OnSale: true, SortOrder: i + 1, PicURL: gallery[0],
		New: w.isNew, Hot: w.isHot, Unit: "件", CounterPrice: (w.price*5/4 + 99) / 100 * 100,
		Detail: fmt.Sprintf("<h3>%s</h3><p>%s。</p><p>由%s出品，从%s运到您手里。</p><p><img src=%q alt=%q></p>",
			w.name, w.text, w.brand, "产地仓", gallery[1], w.name),
	}}
	n.Attributes = []catalog.Attribute{
		{Name: "品牌", Value: w.brand}, {Name: "分类", Value: w.category}, {Name: "发货", Value: "四十八小时内"},
	}
	for g, o := range w.options {
		for v, value := range o.values {
			s := catalog.Specification{Group: o.name, Value: value}
			if g == 0 {
				s.PicURL = gallery[v%len(gallery)]
			}
			n.Specifications = append(n.Specifications, s)
		}
	}
	for p, values := range combinations(w.options) {
		product := catalog.Product{
			Specifications: values, Price: priceOf(w, values), Number: plenty,
			URL: gallery[slices.Index(w.options[0].values, values[0])%len(gallery)],
		}
		if p < len(w.stocks) {
			product.Number = w.stocks[p]
		}
		n.Products = append(n.Products, product)
	}
	return n
}

// priceOf adds to the price with the size; colours and the like cost the same.
func priceOf(w ware, values []string) money.Amount {
	price := w.price
	for g, o := range w.options {
		if slices.Contains([]string{"容量", "规格", "尺寸", "口径", "高度", "装帧"}, o.name) {
			step := (w.price*6/10 + 50) / 100 * 100
			price += step.Times(slices.Index(o.values, values[g]))
		}
	}
	return price
}

// combinations returns every choice of one value from each option, the last option changing fastest.
func combinations(options []option) [][]string {
	all := [][]string{nil}
	for _, o := range options {
		var longer [][]string
		for _, head := range all {
			for _, v := range o.values {
				longer = append(longer, append(slices.Clone(head), v))
			}
		}
		all = longer
	}
	return all
}
