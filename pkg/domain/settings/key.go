package settings

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"shop.internal/pkg/domain/platform/form"
	"shop.internal/pkg/domain/platform/money"
	wording "shop.internal/pkg/domain/platform/text"
)

// Values are the settings at one moment.
type Values struct {
	// The number of entries in each part of the home page.
	IndexNew, IndexHot, IndexBrand, IndexTopic, FloorCount, FloorGoods int
	// Share says whether share images are offered.
	Share bool
	// FreightValue is charged if the goods cost less than FreightMin.
	FreightValue, FreightMin money.Amount
	// UnpaidFor is how long an order may stay unpaid, UnconfirmedFor how long a shipped order unconfirmed, CommentFor the
	// comment period after the receipt.
	UnpaidFor, UnconfirmedFor, CommentFor time.Duration
	// The shop's own data, as shown to shoppers.
	MallName, MallAddress, MallPhone, MallQQ, MallLongitude, MallLatitude string
}

// key is one setting: its name, its default, and how its text is validated and assigned.
type key struct {
	name     string
	label    *wording.Text
	fallback string
	put      func(v *Values, text string) bool
	// most is the greatest number that may be entered, 0 where put says it; a shop may have a greater one from before.
	most int
}

const day = 24 * time.Hour

// mostUnpaid is 30 days, in minutes: longer is a mistake in the unit, and pages say the time in days.
const mostUnpaid = 30 * 24 * 60

var keys = []key{
	{"litemall_wx_index_new", wording.SettingIndexNew, "6", count(func(v *Values) *int { return &v.IndexNew }), 0},
	{"litemall_wx_index_hot", wording.SettingIndexHot, "6", count(func(v *Values) *int { return &v.IndexHot }), 0},
	{"litemall_wx_index_brand", wording.SettingIndexBrand, "4", count(func(v *Values) *int { return &v.IndexBrand }), 0},
	{"litemall_wx_index_topic", wording.SettingIndexTopic, "4", count(func(v *Values) *int { return &v.IndexTopic }), 0},
	{"litemall_wx_catlog_list", wording.SettingFloorCount, "4", count(func(v *Values) *int { return &v.FloorCount }), 0},
	{
		"litemall_wx_catlog_goods", wording.SettingFloorGoods, "4",
		count(func(v *Values) *int { return &v.FloorGoods }), 0,
	},
	{"litemall_wx_share", wording.SettingShare, "false", func(v *Values, s string) bool {
		v.Share = s == "true"
		return s == "true" ||
			s == "false"
	}, 0},
	{
		"litemall_express_freight_value", wording.SettingFreightValue, "8",
		price(9_999_999, func(v *Values) *money.Amount { return &v.FreightValue }), 0,
	},
	{
		"litemall_express_freight_min", wording.SettingFreightMin, "88",
		price(999_999_999, func(v *Values) *money.Amount { return &v.FreightMin }), 0,
	},
	{
		"litemall_order_unpaid", wording.SettingOrderUnpaid, "30",
		span(time.Minute, 525600, func(v *Values) *time.Duration { return &v.UnpaidFor }), mostUnpaid,
	},
	{
		"litemall_order_unconfirm", wording.SettingOrderUnconfirmed, "7",
		span(day, 3650, func(v *Values) *time.Duration { return &v.UnconfirmedFor }), 0,
	},
	{
		"litemall_order_comment", wording.SettingOrderComment, "7",
		span(day, 3650, func(v *Values) *time.Duration { return &v.CommentFor }), 0,
	},
	{
		"litemall_mall_name", wording.SettingMallName, "litemall",
		text(63, func(v *Values) *string { return &v.MallName }), 0,
	},
	{
		"litemall_mall_address", wording.SettingMallAddress, "上海",
		text(127, func(v *Values) *string { return &v.MallAddress }), 0,
	},
	{
		"litemall_mall_phone", wording.SettingMallPhone, "021-xxxx-xxxx",
		text(31, func(v *Values) *string { return &v.MallPhone }), 0,
	},
	{"litemall_mall_qq", wording.SettingMallQQ, "705144434", text(31, func(v *Values) *string { return &v.MallQQ }), 0},
	{
		"litemall_mall_longitude", wording.SettingMallLongitude, "121.587839",
		degrees(180, func(v *Values) *string { return &v.MallLongitude }), 0,
	},
	{
		"litemall_mall_latitude", wording.SettingMallLatitude, "31.201900",
		degrees(90, func(v *Values) *string { return &v.MallLatitude }), 0,
	},
}

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
