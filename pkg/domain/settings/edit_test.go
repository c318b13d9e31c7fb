package settings_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/country"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/dbtest"
	"shop.internal/pkg/domain/settings"
)

// filled returns a table of defaults, with the settings of two processes at the same moment.
func filled(t *testing.T) (here, there *settings.Service, now *clock) {
	t.Helper()
	d := dbtest.Open(t)
	now = newClock()
	made := func() *settings.Service {
		return settings.New(d, now.now, slog.New(slog.DiscardHandler), text.Chinese, country.Country{})
	}
	here, there = made(), made()
	_, err := here.Fill(t.Context())
	require.NoError(t, err)
	return here, there, now
}

// The process that changes a setting applies it at once, every other one within a second, whatever the group.
func TestSave(t *testing.T) {
	t.Parallel()
	here, there, now := filled(t)
	ctx := t.Context()
	unpaid := func(s *settings.Service) time.Duration {
		v, err := s.Now(ctx)
		require.NoError(t, err)
		return v.UnpaidFor
	}
	require.Equal(t, 30*time.Minute, unpaid(here))
	require.Equal(t, 30*time.Minute, unpaid(there))
	require.NoError(t, here.Save(ctx, settings.Order, map[string]string{"litemall_order_unpaid": "5"}))
	require.Equal(t, 5*time.Minute, unpaid(here), "at once")
	require.Equal(t, 30*time.Minute, unpaid(there))
	v, err := there.Fresh(ctx)
	require.NoError(t, err)
	require.Equal(t, 5*time.Minute, v.UnpaidFor, "for whoever keeps it a second itself")
	require.NoError(t, here.Save(ctx, settings.Order, map[string]string{"litemall_order_unpaid": "6"}))
	now.move(time.Second)
	require.Equal(t, 6*time.Minute, unpaid(there), "after a second")
	texts, err := there.Texts(ctx, settings.Order)
	require.NoError(t, err)
	require.Equal(t, map[string]string{
		"litemall_order_unpaid": "6", "litemall_order_unconfirm": "7", "litemall_order_comment": "7",
	}, texts)
}

// Each key has its rule, and a value that breaks it changes nothing.
func TestRules(t *testing.T) {
	t.Parallel()
	s, _, _ := filled(t)
	long := strings.Repeat("长", 64)
	numbers := []string{"-1", "1.5", "", " ", "x", "+1", "1e1", "0x1", "NaN", "１", "99999999999999999999", "٣"}
	amounts := []string{"-0.01", "8.001", "", "x", "1e1", "NaN", "Infinity", "8,5", "0x8"}
	degrees := []string{" ", "x", "1e1", "NaN", "Inf", "0x1p1", "1_0", "--1", "1.2.3", "+1"}
	for name, tt := range map[string]struct {
		group   settings.Group
		good    []string
		bad     []string
		further []string
	}{
		"litemall_mall_name":      {settings.Mall, []string{"", "x", long[:63*3]}, []string{" ", long}, nil},
		"litemall_mall_address":   {settings.Mall, []string{"", long}, []string{" ", long + long}, nil},
		"litemall_mall_phone":     {settings.Mall, []string{"", "021"}, []string{" ", long[:32*3]}, nil},
		"litemall_mall_qq":        {settings.Mall, []string{"", "7"}, []string{" ", long[:32*3]}, nil},
		"litemall_mall_longitude": {settings.Mall, []string{"", "-180", "180.000"}, []string{"180.1", "-181"}, degrees},
		"litemall_mall_latitude":  {settings.Mall, []string{"", "-90", "31.2"}, []string{"90.01", "-91"}, degrees},
		"litemall_mall_currency":  {settings.Mall, []string{"USD", "EUR"}, []string{"", "eur", "KWD", "XXX"}, nil},
		"litemall_mall_logo": {
			settings.Mall,
			[]string{"", "https://cdn.test/logo.png", "/icons/shop.svg"},
			[]string{"logo.png", "javascript:alert(1)", "ftp://x/y", "http:///x", "//cdn.test/x", "/" + strings.Repeat("x", 255)},
			nil,
		},
		// White text on a colour needs a contrast of 4.5: #767676 has 4.54, #777777 4.48.
		"litemall_mall_color": {
			settings.Mall,
			[]string{"", "#b3331b", "#767676", "#00489E"},
			[]string{"#777777", "#ffffff", "#ffcc00", "red", "#fff", "b3331b", "#b3331b;}", " #b3331b"},
			nil,
		},
		"litemall_express_freight_min":   {settings.Express, []string{"0", "88", "9999999.99"}, []string{"10000000"}, amounts},
		"litemall_express_freight_value": {settings.Express, []string{"0.00", "99999.99"}, []string{"100000"}, amounts},
		"litemall_order_unpaid":          {settings.Order, []string{"1", "43200"}, []string{"0", "43201"}, numbers},
		"litemall_order_unconfirm":       {settings.Order, []string{"1", "3650"}, []string{"0", "3651"}, numbers},
		"litemall_order_comment":         {settings.Order, []string{"1", "3650"}, []string{"0", "3651"}, numbers},
		"litemall_wx_index_new":          {settings.App, []string{"0", "100"}, []string{"101"}, numbers},
		"litemall_wx_index_hot":          {settings.App, []string{"0", "100"}, []string{"101"}, numbers},
		"litemall_wx_index_brand":        {settings.App, []string{"0", "100"}, []string{"101"}, numbers},
		"litemall_wx_index_topic":        {settings.App, []string{"0", "100"}, []string{"101"}, numbers},
		"litemall_wx_catlog_list":        {settings.App, []string{"0", "100"}, []string{"101"}, numbers},
		"litemall_wx_catlog_goods":       {settings.App, []string{"0", "100"}, []string{"101"}, numbers},
		"litemall_wx_share":              {settings.App, []string{"true", "false"}, []string{"", "yes", "1", "TRUE"}, nil},
	} {
		for _, text := range tt.good {
			require.NoError(t, s.Save(t.Context(), tt.group, map[string]string{name: text}), "%s %q", name, text)
			texts, err := s.Texts(t.Context(), tt.group)
			require.NoError(t, err)
			require.Equal(t, text, texts[name])
		}
		before, err := s.Texts(t.Context(), tt.group)
		require.NoError(t, err)
		for _, text := range append(tt.bad, tt.further...) {
			texts := maps.Clone(before) // the others are valid, and are not stored either
			texts[name] = text
			err := s.Save(t.Context(), tt.group, texts)
			require.ErrorIs(t, err, errno.Invalid, "%s %q", name, text)
			require.ErrorContains(t, err, name)
		}
		after, err := s.Texts(t.Context(), tt.group)
		require.NoError(t, err)
		require.Equal(t, before, after)
	}
}

func TestKeysOfOtherGroups(t *testing.T) {
	t.Parallel()
	s, _, _ := filled(t)
	groups := []settings.Group{settings.Mall, settings.Express, settings.Order, settings.App}
	total := 0
	for _, g := range groups {
		texts, err := s.Texts(t.Context(), g)
		require.NoError(t, err)
		total += len(texts)
		for name, text := range texts {
			for _, other := range groups {
				err := s.Save(t.Context(), other, map[string]string{name: text})
				require.Equal(t, other == g, err == nil, "%s by %s: %v", name, other, err)
				if err != nil {
					require.ErrorIs(t, err, errno.Invalid)
				}
			}
		}
		for _, name := range []string{"", "litemall", "litemall_" + string(g) + "_", "LITEMALL_MALL_NAME", "x"} {
			require.ErrorIs(t, s.Save(t.Context(), g, map[string]string{name: "1"}), errno.Invalid)
		}
		require.ErrorIs(t, s.Save(t.Context(), g, nil), errno.Missing)
	}
	require.Equal(t, 25, total)
}

// Ways of delivery are offered that have what they need, in the order of the shop, and a parcel where none is.
func TestWaysOfDelivery(t *testing.T) {
	t.Parallel()
	s, _, _ := filled(t)
	save := func(more ...string) error {
		texts := map[string]string{}
		for i := 0; i < len(more); i += 2 {
			texts["litemall_express_"+more[i]] = more[i+1]
		}
		return s.Save(t.Context(), settings.Express, texts)
	}
	for _, malformed := range []string{"drone", "parcel,,collect", "parcel,parcel", ","} {
		require.ErrorIs(t, save("ways", malformed), errno.Invalid, malformed)
	}
	require.ErrorContains(t, save("ways", "parcel,collect"), "To offer collecting")
	require.ErrorContains(t, save("ways", "collect", "collect_address", "1 Main Street"), "To offer collecting")
	require.ErrorContains(t, save("ways", "courier"), "To offer our own courier")
	require.ErrorIs(t, save("courier_freight", "-1"), errno.Invalid)
	require.NoError(t, save("ways", "courier, collect", "collect_address", "1 Main Street", "collect_hours", "9 to 6",
		"courier_freight", "7"))
	v, err := s.Now(t.Context())
	require.NoError(t, err)
	require.Equal(t, []settings.Way{settings.Courier, settings.Collect}, v.Ways)
	require.ErrorContains(t, save("collect_hours", ""), "To offer collecting", "while it is offered")
	require.NoError(t, save("ways", "", "collect_hours", "", "courier_freight", "0"))
	v, err = s.Now(t.Context())
	require.NoError(t, err)
	require.Equal(t, []settings.Way{settings.Parcel}, v.Ways)
}

// Of two concurrent saves the later one overwrites the other completely.
func TestTwoSavesAtOnce(t *testing.T) {
	t.Parallel()
	s, other, _ := filled(t)
	for round := range 10 {
		var wg sync.WaitGroup
		for i, s := range []*settings.Service{s, other, s, other} {
			wg.Go(func() {
				n := fmt.Sprint(10*round + i + 1)
				err := s.Save(t.Context(), settings.Order, map[string]string{
					"litemall_order_comment": n, "litemall_order_unconfirm": n, "litemall_order_unpaid": n,
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		v, err := s.Fresh(t.Context())
		require.NoError(t, err)
		require.Equal(t, int(v.UnpaidFor/time.Minute), int(v.CommentFor/(24*time.Hour)))
		require.Equal(t, v.CommentFor, v.UnconfirmedFor)
	}
}

// A key that the table lacks shows its default and can be saved; a malformed value shows the value in effect and is
// logged once.
func TestMissingAndMalformed(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t)
	var log bytes.Buffer
	now := newClock()
	s := settings.New(d, now.now, slog.New(slog.NewTextHandler(&log, nil)), text.Chinese, country.Country{})
	texts, err := s.Texts(t.Context(), settings.Express)
	require.NoError(t, err)
	require.Equal(t, "88", texts["litemall_express_freight_min"])
	require.NoError(t, s.Save(t.Context(), settings.Express, map[string]string{"litemall_express_freight_min": "7.5"}))
	v, err := s.Now(t.Context())
	require.NoError(t, err)
	require.Equal(t, money.Amount(750), v.FreightMin)
	require.Empty(t, log.String())
	for range 3 {
		require.NoError(t, dbtest.Exec(t.Context(), d, "UPDATE system_config SET key_value = '-1'"))
		now.move(time.Second)
		v, err = s.Now(t.Context())
		require.NoError(t, err)
	}
	require.Equal(t, money.Yuan(88), v.FreightMin)
	require.Equal(t, 1, strings.Count(log.String(), "litemall_express_freight_min"), log.String())
	texts, err = s.Texts(t.Context(), settings.Express)
	require.NoError(t, err)
	require.Equal(t, "88", texts["litemall_express_freight_min"])
}
