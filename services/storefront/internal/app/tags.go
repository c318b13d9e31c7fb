package app

import "shop.internal/pkg/kit/openapi"

// tags describe the areas of the API document, in the order of a purchase.
var tags = []openapi.Tag{
	{Name: "home", Text: "The first page, and what the shop says of itself."},
	{Name: "catalog", Text: "Categories, of two levels."},
	{Name: "goods", Text: "Goods: lists, searches and one of them with its products. Where a purchase begins."},
	{Name: "brand", Text: "Brands."},
	{Name: "topic", Text: "Articles with goods."},
	{Name: "search", Text: "Words to search for."},
	{Name: "comment", Text: "What shoppers say of goods and topics."},
	{Name: "auth", Text: "Registering, logging in, and the account. A call that needs one takes the token of a login."},
	{Name: "address", Text: "Where orders are sent."},
	{Name: "region", Text: "The official regions, from which an address in China is chosen."},
	{Name: "coupon", Text: "Coupons: to take, to redeem, and those that fit a purchase."},
	{Name: "groupon", Text: "Buying together at a lower price."},
	{Name: "cart", Text: "The cart, and what its ticked rows would cost."},
	{Name: "order", Text: "Orders: submitted from the cart, paid, received, commented on."},
	{Name: "express", Text: "Where a parcel is."},
	{Name: "aftersale", Text: "Money or goods back after the sale."},
	{Name: "user", Text: "What the shopper's orders wait for."},
	{Name: "collect", Text: "Favourites."},
	{Name: "footprint", Text: "Goods that one has looked at."},
	{Name: "feedback", Text: "Letters to the shop."},
	{Name: "issue", Text: "Common questions and their answers."},
	{Name: "storage", Text: "Pictures: sent by shoppers, and shown to everybody."},
	{Name: "msg", Text: "Messages of the app platform."},
	{Name: "index", Text: "A sign of life."},
}
