package page

import (
	"context"
	"encoding/json"
	"fmt"
)

// summary are goods, brands or topics on a list.
type summary struct {
	ID                           int64
	Name, Title, Brief, Subtitle string
	Desc, PicURL                 string
	RetailPrice                  json.Number
}

// read reads answers into values, one for each.
func read(answers []answer, into ...any) error {
	for i, at := range into {
		if err := json.Unmarshal(answers[i].data, at); err != nil {
			return fmt.Errorf("read an answer for a page: %w", err)
		}
	}
	return nil
}

// begin sets what a page below the home page is called and says.
func (v *view) begin(title, description string) {
	v.Title, v.Heading, v.Description = title, title, description
	if description == "" {
		v.Description = v.Say("list-description", title, v.Name)
	}
	v.Above = []link{{v.Say("home"), v.to("/")}}
}

// add adds a list, unless it is empty.
func (v *view) add(title string, wide bool, cards []card) {
	if len(cards) > 0 {
		v.Sections = append(v.Sections, section{title, wide, cards})
	}
}

func (v *view) goodsCards(list []summary) []card {
	cards := make([]card, len(list))
	for i, g := range list {
		cards[i] = card{
			Name: g.Name, Path: v.to("/goods/%d", g.ID), Brief: g.Brief, Price: v.price(g.RetailPrice), Picture: g.PicURL,
		}
	}
	return cards
}

func (v *view) brandCards(list []summary) []card {
	cards := make([]card, len(list))
	for i, b := range list {
		cards[i] = card{Name: b.Name, Path: v.to("/brands/%d", b.ID), Brief: b.Desc, Price: "", Picture: b.PicURL}
	}
	return cards
}

func (v *view) topicCards(list []summary) []card {
	cards := make([]card, len(list))
	for i, t := range list {
		cards[i] = card{Name: t.Title, Path: v.to("/topics/%d", t.ID), Brief: t.Subtitle, Price: "", Picture: t.PicURL}
	}
	return cards
}

func (v *view) categoryCards(list []summary) []card {
	cards := make([]card, len(list))
	for i, c := range list {
		cards[i] = card{Name: c.Name, Path: v.to("/category/%d", c.ID), Brief: "", Price: "", Picture: ""}
	}
	return cards
}

func showHome(_ context.Context, v *view, answers []answer) error {
	var d struct {
		Channel, NewGoodsList, HotGoodsList, BrandList, TopicList []summary
		FloorGoodsList                                            []struct {
			Name      string
			GoodsList []summary
		}
	}
	if err := read(answers, &d); err != nil {
		return err
	}
	v.Heading, v.Description = v.Name, v.Say("shop-description", v.Name)
	v.add(v.Say("categories"), false, v.categoryCards(d.Channel))
	v.add(v.Say("new"), false, v.goodsCards(d.NewGoodsList))
	v.add(v.Say("hot"), false, v.goodsCards(d.HotGoodsList))
	v.add(v.Say("brands"), true, v.brandCards(d.BrandList))
	v.add(v.Say("topics"), true, v.topicCards(d.TopicList))
	for _, floor := range d.FloorGoodsList {
		v.add(floor.Name, false, v.goodsCards(floor.GoodsList))
	}
	v.Facts = append(v.Facts, v.organization())
	return nil
}

// organization is the shop.
func (v *view) organization() thing {
	t := thing{"@context": "https://schema.org", "@type": "Organization", "name": v.Name}
	if address := v.Canonical(); address != "" {
		t["url"] = address
	}
	if logo := v.pages.absolute(v.Mark()); logo != "" {
		t["logo"] = logo
	}
	if v.Phone != "" {
		t["telephone"] = v.Phone
	}
	if v.Address != "" {
		t["address"] = v.Address
	}
	return t
}

func showTree(_ context.Context, v *view, answers []answer) error {
	var d struct {
		CategoryList []summary
		AllList      map[string][]summary
	}
	if err := read(answers, &d); err != nil {
		return err
	}
	v.begin(v.Say("categories"), "")
	v.add("", false, v.categoryCards(d.CategoryList))
	for _, c := range d.CategoryList {
		v.add(c.Name, false, v.categoryCards(d.AllList[fmt.Sprint(c.ID)]))
	}
	return nil
}

func showCategory(_ context.Context, v *view, answers []answer) error {
	var family struct {
		CurrentCategory, ParentCategory summary
		BrotherCategory                 []summary
	}
	var found struct{ List []summary }
	if err := read(answers, &family, &found); err != nil {
		return err
	}
	current, parent := family.CurrentCategory, family.ParentCategory
	first := v.Path == fmt.Sprintf("/category/%d", parent.ID) // the answer has the first one below it as the current one
	if first {
		current = parent
	}
	v.begin(current.Name, current.Desc)
	if first {
		v.add("", false, v.categoryCards(family.BrotherCategory))
	} else {
		v.Above = append(v.Above, link{parent.Name, v.to("/category/%d", parent.ID)})
	}
	v.add(v.Say("goods"), false, v.goodsCards(found.List))
	return nil
}

func showBrands(_ context.Context, v *view, answers []answer) error {
	var d struct{ List []summary }
	if err := read(answers, &d); err != nil {
		return err
	}
	v.begin(v.Say("brands"), "")
	v.add("", true, v.brandCards(d.List))
	return nil
}

func showBrand(_ context.Context, v *view, answers []answer) error {
	var brand summary
	var found struct{ List []summary }
	if err := read(answers, &brand, &found); err != nil {
		return err
	}
	v.begin(brand.Name, brand.Desc)
	v.Picture = brand.PicURL
	v.Above = append(v.Above, link{v.Say("brands"), v.to("/brands")})
	v.add(v.Say("goods"), false, v.goodsCards(found.List))
	return nil
}

func showTopics(_ context.Context, v *view, answers []answer) error {
	var d struct{ List []summary }
	if err := read(answers, &d); err != nil {
		return err
	}
	v.begin(v.Say("topics"), "")
	v.add("", true, v.topicCards(d.List))
	return nil
}

func showTopic(_ context.Context, v *view, answers []answer) error {
	var d struct {
		Topic struct {
			summary

			Content string
		}
		Goods []summary
	}
	if err := read(answers, &d); err != nil {
		return err
	}
	v.begin(d.Topic.Title, d.Topic.Subtitle)
	v.Picture = d.Topic.PicURL
	v.Above = append(v.Above, link{v.Say("topics"), v.to("/topics")})
	v.Text = markup(d.Topic.Content)
	v.add(v.Say("goods"), false, v.goodsCards(d.Goods))
	return nil
}

func showHelp(_ context.Context, v *view, answers []answer) error {
	var d struct{ List []question }
	if err := read(answers, &d); err != nil {
		return err
	}
	v.begin(v.Say("help"), "")
	v.Questions = d.List
	return nil
}
