package page

import (
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strconv"

	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/kit/site"
)

// goods are goods as their page shows them.
type goods struct {
	Name, Brief, Price, Was string
	// Amount is the price as a number.
	Amount   string
	Pictures []string
	// State is what a buyer should know, empty for goods that can be bought.
	State      string
	Brand      link
	Attributes []attribute
	Detail     template.HTML
	Comments   []comment
}

type attribute struct{ Attribute, Value string }

type comment struct {
	Nickname, Content string
	Star              int
}

// detail is what the page reads of /wx/goods/detail.
type detail struct {
	Info struct {
		ID                          int64
		Name, Brief, Detail, PicURL string
		GoodsSN                     string `json:"goodsSn"`
		Gallery                     []string
		IsOnSale                    bool
		RetailPrice, CounterPrice   json.Number
	}
	ProductList []struct{ Number int }
	Attribute   []attribute
	Comment     struct {
		Data  []comment
		Count int64
	}
	Brand struct {
		ID   int64
		Name string
	}
}

// showGoods shows goods. Those that are off sale are gone.
func showGoods(ctx context.Context, v *view, answers []answer) error {
	var d detail
	if err := json.Unmarshal(answers[0].data, &d); err != nil {
		return fmt.Errorf("read the goods of a page: %w", err)
	}
	g := &goods{
		Name: d.Info.Name, Brief: d.Info.Brief, Price: v.price(d.Info.RetailPrice), Pictures: d.pictures(),
		Attributes: d.Attribute, Comments: d.Comment.Data,
		Amount: d.Info.RetailPrice.String(),
		Detail: markup(d.Info.Detail),
	}
	if was, now := number(d.Info.CounterPrice), number(d.Info.RetailPrice); was > now {
		g.Was = v.price(d.Info.CounterPrice)
	}
	if d.Brand.ID != 0 {
		g.Brand = link{d.Brand.Name, v.to("/brands/%d", d.Brand.ID)}
	}
	v.Goods, v.Title, v.Heading = g, g.Name, g.Name
	v.Above = []link{{v.Say("home"), v.to("/")}}
	v.Description = v.Say("goods-description", g.Name, g.Price, v.Name)
	if g.Brief != "" {
		v.Description = g.Brief + " " + v.Description
	}
	if len(g.Pictures) > 0 {
		v.Picture = g.Pictures[0]
	}
	switch {
	case !d.Info.IsOnSale:
		v.Status, v.Listed, g.State = http.StatusGone, false, v.Say("off-sale")
		return nil
	case !d.inStock():
		g.State = v.Say("sold-out")
	}
	rating, err := v.pages.rating(ctx, d)
	if err != nil {
		return err
	}
	v.Facts = append(v.Facts, v.product(d, rating))
	return nil
}

func (d detail) pictures() []string {
	list := []string{}
	for _, address := range append([]string{d.Info.PicURL}, d.Info.Gallery...) {
		if address != "" && (len(list) == 0 || address != list[0]) {
			list = append(list, address)
		}
	}
	return list
}

func (d detail) inStock() bool {
	for _, p := range d.ProductList {
		if p.Number > 0 {
			return true
		}
	}
	return false
}

func number(n json.Number) float64 {
	f, _ := n.Float64() // of an answer of our own
	return f
}

// rating returns the average number of stars of goods, 0 for goods that have no comments.
func (p *Pages) rating(ctx context.Context, d detail) (stars float64, err error) {
	if d.Comment.Count == 0 {
		return 0, nil
	}
	err = p.reading(ctx, func(ctx context.Context) error {
		stars, err = p.Review.Stars(ctx, review.Goods, d.Info.ID)
		return err
	})
	return stars, err
}

// missing is the page of what does not exist: gone for goods that existed.
func (p *Pages) missing(ctx context.Context, v *view) *site.Document {
	var id int64
	if _, err := fmt.Sscanf(v.Path, "/goods/%d", &id); err == nil {
		existed := false
		err := p.reading(ctx, func(ctx context.Context) (err error) {
			existed, err = p.Catalog.Existed(ctx, id)
			return err
		})
		if err != nil {
			p.report(err)
			return nil
		}
		if existed {
			return p.keep(ctx, place{v.Language, "gone"}, v.look, nil, func(context.Context) (*view, error) {
				return p.gone(v.Language, v.look), nil
			})
		}
	}
	return p.keep(ctx, place{v.Language, ""}, v.look, nil, func(context.Context) (*view, error) {
		return p.notFound(v.Language, v.look), nil
	})
}

// thing is an object of schema.org.
type thing map[string]any

// product are goods on sale.
func (v *view) product(d detail, stars float64) thing {
	availability := "https://schema.org/InStock"
	if !d.inStock() {
		availability = "https://schema.org/OutOfStock"
	}
	offer := thing{
		"@type": "Offer", "price": d.Info.RetailPrice.String(), "priceCurrency": string(v.Currency),
		"availability": availability, "itemCondition": "https://schema.org/NewCondition",
	}
	t := thing{
		"@context": "https://schema.org", "@type": "Product", "name": d.Info.Name, "description": v.Description,
		"offers": offer,
	}
	if address := v.Canonical(); address != "" {
		t["url"], offer["url"] = address, address
	}
	if d.Info.GoodsSN != "" {
		t["sku"] = d.Info.GoodsSN
	}
	var pictures []string
	for _, address := range v.Goods.Pictures {
		if whole := v.pages.absolute(address); whole != "" {
			pictures = append(pictures, whole)
		}
	}
	if len(pictures) > 0 {
		t["image"] = pictures
	}
	if d.Brand.ID != 0 {
		t["brand"] = thing{"@type": "Brand", "name": d.Brand.Name}
	}
	if stars > 0 {
		t["aggregateRating"] = thing{
			"@type": "AggregateRating", "ratingValue": strconv.FormatFloat(stars, 'f', 1, 64), "reviewCount": d.Comment.Count,
			"bestRating": 5, "worstRating": 1,
		}
	}
	return t
}
