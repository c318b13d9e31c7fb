package settings

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/money"
	wording "shop.internal/pkg/base/text"
)

// Values are the settings at one moment.
type Values struct {
	// The number of entries in each part of the home page.
	IndexNew, IndexHot, IndexBrand, IndexTopic, FloorCount, FloorGoods int
	// Share says whether share images are offered.
	Share bool
	// FreightValue is charged if the goods cost less than FreightMin.
	FreightValue, FreightMin money.Amount
	// Ways are the ways of delivery that the shop offers, in its order: at least one.
	Ways []Way
	// CollectAddress and CollectHours are where and when shoppers collect.
	CollectAddress, CollectHours string
	// CourierFreight is the freight template by which the shop's own courier is charged, 0 for none.
	CourierFreight int
	// UnpaidFor is how long an order may stay unpaid, UnconfirmedFor how long a shipped order unconfirmed, CommentFor the
	// comment period after the receipt.
	UnpaidFor, UnconfirmedFor, CommentFor time.Duration
	// The shop's own data, as shown to shoppers. What is empty is not shown.
	MallName, MallAddress, MallPhone, MallQQ, MallLongitude, MallLatitude string
	// MallLogo is the address of the shop's picture, and MallColor its colour in the form #rrggbb, on which white text can
	// be read. Without them the pages have those of the program.
	MallLogo, MallColor string
	// Channels are the codes of the payment channels that shoppers see, in this order; empty for all that the shop
	// offers.
	Channels []string
	// Currency is that of every amount. It does not change any more once an order was placed.
	Currency money.Currency
}

// key is one setting: its name, its default, and how its text is validated and assigned.
type key struct {
	name            string
	label, fallback *wording.Text
	put             func(v *Values, text string) bool
	// most is the greatest number that may be entered, 0 where put says it; a shop may have a greater one from before.
	most int
}

const day = 24 * time.Hour

// courierName is the key of the courier's freight template.
const courierName = "litemall_express_courier_freight"

// mostUnpaid is 30 days, in minutes: longer is a mistake in the unit, and pages say the time in days.
const mostUnpaid = 30 * 24 * 60

var keys = []key{
	{"litemall_wx_index_new", wording.SettingIndexNew, same("6"), count(func(v *Values) *int { return &v.IndexNew }), 0},
	{"litemall_wx_index_hot", wording.SettingIndexHot, same("6"), count(func(v *Values) *int { return &v.IndexHot }), 0},
	{
		"litemall_wx_index_brand", wording.SettingIndexBrand, same("4"),
		count(func(v *Values) *int { return &v.IndexBrand }), 0,
	},
	{
		"litemall_wx_index_topic", wording.SettingIndexTopic, same("4"),
		count(func(v *Values) *int { return &v.IndexTopic }), 0,
	},
	{
		"litemall_wx_catlog_list", wording.SettingFloorCount, same("4"),
		count(func(v *Values) *int { return &v.FloorCount }), 0,
	},
	{
		"litemall_wx_catlog_goods", wording.SettingFloorGoods, same("4"),
		count(func(v *Values) *int { return &v.FloorGoods }), 0,
	},
	{"litemall_wx_share", wording.SettingShare, same("false"), func(v *Values, s string) bool {
		v.Share = s == "true"
		return s == "true" ||
			s == "false"
	}, 0},
	{
		"litemall_express_freight_value", wording.SettingFreightValue, same("8"),
		price(9_999_999, func(v *Values) *money.Amount { return &v.FreightValue }), 0,
	},
	{
		"litemall_express_freight_min", wording.SettingFreightMin, same("88"),
		price(999_999_999, func(v *Values) *money.Amount { return &v.FreightMin }), 0,
	},
	{"litemall_express_ways", wording.SettingWays, same("parcel"), ways, 0},
	{
		"litemall_express_collect_address", wording.SettingCollectAddress, same(""),
		optional(text(127, func(v *Values) *string { return &v.CollectAddress })), 0,
	},
	{
		"litemall_express_collect_hours", wording.SettingCollectHours, same(""),
		optional(text(127, func(v *Values) *string { return &v.CollectHours })), 0,
	},
	{courierName, wording.SettingCourierFreight, same("0"), func(v *Values, s string) (ok bool) {
		v.CourierFreight, ok = whole(s)
		return ok
	}, 0},
	{
		"litemall_order_unpaid", wording.SettingOrderUnpaid, same("30"),
		span(time.Minute, 525600, func(v *Values) *time.Duration { return &v.UnpaidFor }), mostUnpaid,
	},
	{
		"litemall_order_unconfirm", wording.SettingOrderUnconfirmed, same("7"),
		span(day, 3650, func(v *Values) *time.Duration { return &v.UnconfirmedFor }), 0,
	},
	{
		"litemall_order_comment", wording.SettingOrderComment, same("7"),
		span(day, 3650, func(v *Values) *time.Duration { return &v.CommentFor }), 0,
	},
	{
		"litemall_mall_name", wording.SettingMallName, same(""),
		optional(text(63, func(v *Values) *string { return &v.MallName })), 0,
	},
	{
		"litemall_mall_address", wording.SettingMallAddress, same(""),
		optional(text(127, func(v *Values) *string { return &v.MallAddress })), 0,
	},
	{
		"litemall_mall_phone", wording.SettingMallPhone, same(""),
		optional(text(31, func(v *Values) *string { return &v.MallPhone })), 0,
	},
	{
		"litemall_mall_qq", wording.SettingMallQQ, same(""),
		optional(text(31, func(v *Values) *string { return &v.MallQQ })), 0,
	},
	{
		"litemall_mall_longitude", wording.SettingMallLongitude, same(""),
		degrees(180, func(v *Values) *string { return &v.MallLongitude }), 0,
	},
	{
		"litemall_mall_latitude", wording.SettingMallLatitude, same(""),
		degrees(90, func(v *Values) *string { return &v.MallLatitude }), 0,
	},
	{
		logoName, wording.SettingMallLogo, same(""),
		optional(address(func(v *Values) *string { return &v.MallLogo })), 0,
	},
	{
		colorName, wording.SettingMallColor, same(""),
		optional(color(func(v *Values) *string { return &v.MallColor })), 0,
	},
	{
		ChannelsName, wording.SettingPaymentChannels, same(""),
		codes(func(v *Values) *[]string { return &v.Channels }), 0,
	},
	{
		currencyName, wording.SettingMallCurrency, same("CNY"),
		currency(func(v *Values) *money.Currency { return &v.Currency }), 0,
	},
}

// ChannelsName is the key of the payment channels that shoppers see.
const ChannelsName = "litemall_payment_channels"

// same is a default that is the same in every language.
func same(s string) *wording.Text { return wording.Literal(s) }

// whole parses a number that consists of digits only.
func whole(s string) (n int, ok bool) {
	if s == "" || len(s) > 9 || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

func count(at func(*Values) *int) func(*Values, string) bool {
	return func(v *Values, s string) bool {
		n, ok := whole(s)
		*at(v) = n
		return ok && n <= 100
	}
}

func price(most money.Amount, at func(*Values) *money.Amount) func(*Values, string) bool {
	return func(v *Values, s string) bool {
		a, err := money.Parse(s)
		*at(v) = a
		return err == nil && a >= 0 && a <= most
	}
}

func span(unit time.Duration, most int, at func(*Values) *time.Duration) func(*Values, string) bool {
	return func(v *Values, s string) bool {
		n, ok := whole(s)
		*at(v) = time.Duration(n) * unit
		return ok && n >= 1 && n <= most
	}
}

func text(most int, at func(*Values) *string) func(*Values, string) bool {
	return func(v *Values, s string) bool {
		*at(v) = s
		return utf8.RuneCountInString(s) <= most && strings.TrimSpace(s) != "" && form.Visible(s)
	}
}

// codes parses codes of payment channels with commas between them, each once.
func codes(at func(*Values) *[]string) func(*Values, string) bool {
	return func(v *Values, s string) bool {
		*at(v) = nil
		if s == "" {
			return true
		}
		list := strings.Split(s, ",")
		for i, code := range list {
			if code == "" || len(code) > 32 || slices.Contains(list[:i], code) ||
				strings.Trim(code, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
				return false
			}
		}
		*at(v) = list
		return true
	}
}

func degrees(most float64, at func(*Values) *string) func(*Values, string) bool {
	return func(v *Values, s string) bool {
		*at(v) = s
		if s == "" {
			return true
		}
		x, err := strconv.ParseFloat(s, 64)
		return err == nil && len(s) <= 20 && strings.Trim(s, "0123456789.-") == "" && x >= -most && x <= most
	}
}
