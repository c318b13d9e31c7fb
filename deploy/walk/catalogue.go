package main

import (
	"cmp"
	"slices"
	"strings"
)

// ware is one goods of the shop as the storefront shows it.
type ware struct {
	id, category, brand int64
	name, keywords      string
	isNew, isHot        bool
	price               cents
	products            []product
	rules               []int64 // live groupon rules
}

// product is one sellable variant.
type product struct {
	id, goods, number int64
	price             cents
	name, picture     string
}

// market is what the walk has seen of the catalogue.
type market struct {
	wares    []ware
	whole    bool            // all goods on sale are in wares
	pictures map[string]bool // every address of a picture that was seen
}

// A big shop is not read whole: the rows of its lists are checked one by one instead.
const mostWares = 150

// stock reads the catalogue once and gives it.
func (s *step) stock() []ware {
	m := &s.w.market
	if m.wares != nil {
		return m.wares
	}
	first := s.get(s.w.guest, "/wx/goods/list", "limit", mostWares, "sort", "id", "order", "asc").page()
	wares := []ware{}
	for _, row := range first.each(goodsSummary) {
		wares = append(wares, s.ware(s.w.guest, row.at("id").integer()))
	}
	if len(wares) == 0 {
		s.fatalf(first.ex, "the shop has no goods on sale")
	}
	m.wares, m.whole = wares, first.total == int64(len(wares))
	return m.wares
}

// ware reads one goods.
func (s *step) ware(a agent, id int64) ware {
	data := s.get(a, "/wx/goods/detail", "id", id).ok()
	info := data.at("info")
	w := ware{
		id: info.at("id").integer(), category: info.at("categoryId").integer(), brand: info.at("brandId").integer(),
		name: info.at("name").text(), keywords: info.at("keywords").text(), isNew: info.at("isNew").truth(),
		isHot: info.at("isHot").truth(), price: info.at("retailPrice").money(),
	}
	equal(s, data.ex, "info.id", id, w.id)
	for _, p := range data.at("productList").each(productShape) {
		w.products = append(w.products, product{
			id: p.at("id").integer(), goods: id, number: p.at("number").integer(), price: p.at("price").money(),
			name: w.name, picture: info.at("picUrl").text(),
		})
	}
	for _, rule := range data.at("groupon").each(grouponRule) {
		w.rules = append(w.rules, rule.at("id").integer())
	}
	return w
}

// number reads how many pieces of a product are left.
func (s *step) number(a agent, p product) int64 {
	for _, now := range s.ware(a, p.goods).products {
		if now.id == p.id {
			return now.number
		}
	}
	s.fatalf(nil, "the product %d of goods %d is gone", p.id, p.goods)
	return 0
}

// A product serves while it has more pieces than this, so that repeated walks leave the scarce ones to others.
const plentiful = 60

// plenty gives at least two products with many pieces, one of each goods, none with a groupon offer. The dearest of
// those below the amount that makes freight free come first: they show both sides of the freight rule, and few of
// them reach a coupon.
func (s *step) plenty() []product {
	const count = 2 // as many as any step wants

	found := []product{}
	for _, w := range s.stock() {
		if len(w.rules) > 0 || len(w.products) == 0 {
			continue
		}
		best := slices.MaxFunc(w.products, func(a, b product) int { return cmp.Compare(a.number, b.number) })
		if best.number > plentiful && best.price > 0 {
			found = append(found, best)
		}
	}
	slices.SortStableFunc(found, func(a, b product) int {
		if (a.price < freightFree) != (b.price < freightFree) {
			return cmp.Compare(a.price, b.price)
		}
		return cmp.Compare(b.price, a.price)
	})
	if len(found) < count {
		s.fatalf(nil, "expected %d goods with more than %d pieces and no groupon offer, found %d", count, plentiful,
			len(found))
	}
	return found[:count]
}

// see remembers every picture that an answer names.
func (s *step) see(v value) {
	m := &s.w.market
	if m.pictures == nil {
		m.pictures = map[string]bool{}
	}
	switch inner := v.v.(type) {
	case []any:
		for _, item := range v.list() {
			s.see(item)
		}
	case map[string]any:
		for name := range inner {
			member := v.at(name)
			switch name {
			case "picUrl", "iconUrl", "avatarUrl", "avatar", "shareUrl", "url":
				m.note(member.text())
			case "gallery", "picList", "picUrls":
				for _, address := range member.texts() {
					m.note(address)
				}
			default:
				s.see(member)
			}
		}
	}
}

func (m *market) note(address string) {
	if strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://") {
		m.pictures[address] = true
	}
}
