// Package menu names the places of operations in the operators' console, and their buttons. The slugs are part of ids
// that the console sends back, so they never change.
package menu

import (
	"slices"

	"shop.internal/pkg/base/text"
)

// Menu is the place of an operation in the console: a group of pages, and the page.
type Menu struct{ Group, Page Label }

// String names the page in English.
func (m Menu) String() string { return m.Group.String() + " / " + m.Page.String() }

// Label is a text of the catalogue; Slug is its part of a stable id and empty for buttons.
type Label struct {
	Slug string
	*text.Text
}

// String is the English text.
func (l Label) String() string { return l.In(text.English) }

// pages are the pages of the console in its order.
func pages() []Menu {
	return []Menu{
		Users(), Addresses(), Collections(), Footprints(), Searches(), Feedback(),
		Brands(), Categories(), Freights(), Orders(), Aftersales(), Issues(), Keywords(),
		Goods(), Comments(),
		Ads(), Coupons(), Groupons(), Topics(),
		Administrators(), Notices(), Logs(), Audit(), Roles(), Access(), Books(), Objects(), Find(),
		MallConfig(), FreightConfig(), OrderConfig(), AppConfig(), ChannelConfig(), MessageConfig(),
		UserStat(), OrderStat(), GoodsStat(),
	}
}

// Order returns the ids of the pages, group/page, in the order of the console.
func Order() []string {
	var ids []string
	for _, m := range pages() {
		ids = append(ids, m.Group.Slug+"/"+m.Page.Slug)
	}
	return ids
}

// Compare orders pages as the console shows them; pages that it does not have come last.
func Compare(a, b Menu) int {
	all := pages()
	place := func(m Menu) int {
		if i := slices.Index(all, m); i >= 0 {
			return i
		}
		return len(all)
	}
	return place(a) - place(b)
}

func place(group, page string) Menu {
	return Menu{
		Group: Label{Slug: group, Text: text.ForMenu(group)},
		Page:  Label{Slug: page, Text: text.ForMenu(group + "." + page)},
	}
}

// Users is the page of shoppers.
func Users() Menu { return place("user", "user") }

// Addresses is the page of delivery addresses.
func Addresses() Menu { return place("user", "address") }

// Collections is the page of favourites.
func Collections() Menu { return place("user", "collect") }

// Footprints is the page of viewed goods.
func Footprints() Menu { return place("user", "footprint") }

// Searches is the page of search history.
func Searches() Menu { return place("user", "history") }

// Feedback is the page of feedback.
func Feedback() Menu { return place("user", "feedback") }

// Brands is the page of brands.
func Brands() Menu { return place("mall", "brand") }

// Categories is the page of categories.
func Categories() Menu { return place("mall", "category") }

// Freights is the page of freight templates.
func Freights() Menu { return place("mall", "freight") }

// Orders is the page of orders.
func Orders() Menu { return place("mall", "order") }

// Aftersales is the page of after-sale cases.
func Aftersales() Menu { return place("mall", "aftersale") }

// Issues is the page of common questions.
func Issues() Menu { return place("mall", "issue") }

// Keywords is the page of search keywords.
func Keywords() Menu { return place("mall", "keyword") }

// Goods is the page of goods.
func Goods() Menu { return place("goods", "goods") }

// Comments is the page of comments.
func Comments() Menu { return place("goods", "comment") }

// Ads is the page of banners.
func Ads() Menu { return place("promotion", "ad") }

// Coupons is the page of coupons.
func Coupons() Menu { return place("promotion", "coupon") }

// Topics is the page of topics.
func Topics() Menu { return place("promotion", "topic") }

// Groupons is the page of group purchases.
func Groupons() Menu { return place("promotion", "groupon") }

// Administrators is the page of operators.
func Administrators() Menu { return place("sys", "admin") }

// Notices is the page of notices to operators.
func Notices() Menu { return place("sys", "notice") }

// Logs is the page of the business log.
func Logs() Menu { return place("sys", "log") }

// Audit is the page of the audit records.
func Audit() Menu { return place("sys", "audit") }

// Find is the field that finds records of every kind, on all pages.
func Find() Menu { return place("sys", "find") }

// Roles is the page of roles.
func Roles() Menu { return place("sys", "role") }

// Access is the page that says who may do what, and why.
func Access() Menu { return place("sys", "access") }

// Books is the page that checks the books and looks after what the program does by itself.
func Books() Menu { return place("sys", "books") }

// Objects is the page of uploaded files.
func Objects() Menu { return place("sys", "storage") }

// MallConfig is the page of the shop's own settings.
func MallConfig() Menu { return place("config", "mall") }

// FreightConfig is the page of freight.
func FreightConfig() Menu { return place("config", "express") }

// OrderConfig is the page of order deadlines.
func OrderConfig() Menu { return place("config", "order") }

// AppConfig is the page of the mini program.
func AppConfig() Menu { return place("config", "wx") }

// ChannelConfig is the page of payment channels.
func ChannelConfig() Menu { return place("config", "channel") }

// MessageConfig is the page of messages to people.
func MessageConfig() Menu { return place("config", "message") }

// UserStat is the page of registrations by day.
func UserStat() Menu { return place("stat", "user") }

// OrderStat is the page of orders by day.
func OrderStat() Menu { return place("stat", "order") }

// GoodsStat is the page of sold goods by day.
func GoodsStat() Menu { return place("stat", "goods") }
