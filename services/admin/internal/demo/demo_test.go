package demo_test

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"io"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/consistency"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/domain/seed"
	"shop.internal/services/admin/internal/demo"
)

const base = "http://shop.test/wx/storage/fetch/"

func quiet(string) {}

// rows counts the rows of the tables of a demo shop.
func rows(t *testing.T, s *domaintest.Shop) map[seed.Table]int {
	t.Helper()
	all := map[seed.Table]int{}
	for _, table := range []seed.Table{
		seed.Categories, seed.Brands, seed.Goods, seed.Banners, seed.Topics, seed.Questions, seed.Keywords, seed.Coupons,
		seed.Offers, seed.Comments, seed.Users, seed.Orders, seed.UserCoupons, seed.Favourites, seed.Footprints,
		seed.Searches, seed.Feedback, seed.Notices, "aftersale", "groupon", "refund",
	} {
		ids, err := s.Seed.IDs(t.Context(), table)
		require.NoError(t, err)
		all[table] = len(ids)
	}
	return all
}

func requireSilentBooks(t *testing.T, s *domaintest.Shop) {
	t.Helper()
	require.NoError(t, s.Consistency.Verify(t.Context(), func(d consistency.Disagreement) error {
		t.Error(d)
		return nil
	}, nil))
}

func TestTheDemoShop(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	ctx := t.Context()
	require.NoError(t, demo.Load(ctx, s.Domain, base, quiet))
	requireSilentBooks(t, s)
	first := rows(t, s)
	require.Equal(t, app.DemoShoppers, first[seed.Users])
	require.GreaterOrEqual(t, first[seed.Goods], 60)
	require.NoError(t, demo.Load(ctx, s.Domain, base, quiet))
	require.Equal(t, first, rows(t, s), "a second load changes nothing")

	t.Run("the pictures load", func(t *testing.T) {
		pictures, err := s.Seed.Pictures(ctx)
		require.NoError(t, err)
		list, err := s.Catalog.OnSale(ctx, catalog.Filter{}, page.Query{Page: 1, Limit: 100, Sort: "add_time"})
		require.NoError(t, err)
		require.Len(t, list.Items, first[seed.Goods])
		known := map[string]bool{}
		for _, address := range pictures {
			known[address] = true
		}
		for _, g := range list.Items {
			require.True(t, known[g.PicURL], g.Name)
		}
		object, file, err := s.Storage.Open(ctx, strings.TrimPrefix(list.Items[0].PicURL, base))
		require.NoError(t, err)
		require.Equal(t, "image/png", object.Type)
		b, err := io.ReadAll(file)
		require.NoError(t, errors.Join(err, file.Close()))
		_, err = png.Decode(bytes.NewReader(b))
		require.NoError(t, err)
	})
	t.Run("the home page is full", func(t *testing.T) {
		shop, err := s.Settings.Fresh(ctx)
		require.NoError(t, err)
		require.Equal(t, "青禾小铺", shop.MallName)
		banners, err := s.Content.Banners(ctx)
		require.NoError(t, err)
		require.Len(t, banners, 4)
		floors, err := s.Catalog.Floors(ctx, 4, 4)
		require.NoError(t, err)
		require.Len(t, floors, 4)
		for _, f := range floors {
			require.Len(t, f.Goods, 4, f.Name)
		}
		yes := true
		for name, f := range map[string]catalog.Filter{"new": {New: &yes}, "hot": {Hot: &yes}} {
			list, err := s.Catalog.Newest(ctx, f, 6)
			require.NoError(t, err)
			require.Len(t, list, 6, name)
		}
		rules, err := s.Promotions.LiveGroupRules(ctx, 5)
		require.NoError(t, err)
		require.Len(t, rules, 3)
		coupons, err := s.Promotions.ReceivableBy(ctx, 0, 3)
		require.NoError(t, err)
		require.Len(t, coupons, 3)
	})
	t.Run("a banner leads to goods by their id", func(t *testing.T) {
		goods, err := s.Seed.IDs(ctx, seed.Goods)
		require.NoError(t, err)
		banners, err := s.Content.Banners(ctx)
		require.NoError(t, err)
		for _, b := range banners {
			id, err := strconv.ParseInt(b.Link, 10, 64)
			require.NoError(t, err, b.Name)
			require.Contains(t, goods, id, b.Name)
		}
	})
	t.Run("the names of channels fit the home page", func(t *testing.T) {
		for _, name := range s.Texts("SELECT name FROM category WHERE level = 'L1'") {
			require.LessOrEqual(t, utf8.RuneCountInString(name), 3, name)
		}
	})
	t.Run("the shop has a past", func(t *testing.T) {
		for s.Int("SELECT COUNT(*) FROM stat_day WHERE refresh_time > '1971-01-01'") < 180 {
			_, err := s.Rollup.Refresh(ctx)
			require.NoError(t, err)
		}
		months := func(column string) int64 {
			return s.Int("SELECT COUNT(DISTINCT LEFT(day, 7)) FROM stat_day WHERE " + column + " > 0")
		}
		for _, column := range []string{"users", "orders", "amount", "goods_orders"} {
			require.GreaterOrEqual(t, months(column), int64(6), column)
		}
		require.GreaterOrEqual(t, s.Int("SELECT COUNT(DISTINCT order_status) FROM orders"), int64(8))
		require.Zero(t, s.Int("SELECT COUNT(*) FROM orders o JOIN user u ON u.id = o.user_id WHERE o.add_time < u.add_time "+
			"AND u.id > 1"), "an order before its shopper")
		require.Zero(t, s.Int("SELECT COUNT(*) FROM orders WHERE GREATEST(add_time, COALESCE(pay_time, 0), "+
			"COALESCE(ship_time, 0), COALESCE(confirm_time, 0), COALESCE(end_time, 0)) > ?", s.Clock.Now()), "an order of tomorrow")
		require.GreaterOrEqual(t, s.Int("SELECT COUNT(DISTINCT LEFT(add_time, 7)) FROM comment"), int64(6))
		require.Zero(t, s.Int("SELECT COUNT(*) FROM comment c JOIN user u ON u.id = c.user_id WHERE c.add_time < u.add_time "+
			"OR c.add_time > ?", s.Clock.Now()), "a comment before its author, or of tomorrow")
	})
	t.Run("cases, groups and orders are in every state", func(t *testing.T) {
		require.EqualValues(t, 5, s.Int("SELECT COUNT(DISTINCT status) FROM aftersale"))
		require.EqualValues(t, 3, s.Int("SELECT COUNT(DISTINCT status) FROM groupon"), "open, full and failed")
		require.EqualValues(t, 9, s.Int("SELECT COUNT(DISTINCT order_status) FROM orders"))
		require.EqualValues(t, 2, s.Int("SELECT COUNT(DISTINCT read_time IS NULL) FROM notice_admin"))
		require.EqualValues(t, 2, s.Int("SELECT COUNT(DISTINCT status) FROM coupon_user"), "held and used")
	})
	t.Run("one product has exactly fifty pieces", func(t *testing.T) {
		list, err := s.Catalog.OnSale(ctx, catalog.Filter{Keyword: "限量五十"}, page.Query{Page: 1, Limit: 2, Sort: "add_time"})
		require.NoError(t, err)
		require.Len(t, list.Items, 1)
		detail, err := s.Catalog.Detail(ctx, list.Items[0].ID)
		require.NoError(t, err)
		require.Len(t, detail.Products, 1)
		require.Equal(t, 50, detail.Products[0].Number)
	})
	t.Run("people can log in", func(t *testing.T) {
		for _, name := range []string{"demo1", "demo200"} {
			entry, err := s.Accounts.Login(ctx, account.Credentials{Username: name, Password: app.DemoPassword})
			require.NoError(t, err)
			homes, err := s.Addresses.List(ctx, entry.ID, page.Query{Page: 1, Limit: 5, Sort: address.DefaultFirst})
			require.NoError(t, err)
			require.Len(t, homes.Items, 1)
			require.True(t, homes.Items[0].Default)
			require.Len(t, homes.Items[0].AreaCode, 6)
		}
		for name, holds := range map[string]string{"super": "*", "goods": "admin:goods:list", "clerk": "admin:order:collect"} {
			operator, _, err := s.Sessions.LogIn(ctx, access.Credentials{Username: name, Password: app.DemoPassword})
			require.NoError(t, err)
			held, err := s.Access.AuthorityOf(ctx, operator.ID)
			require.NoError(t, err)
			require.Contains(t, held.Values, holds)
		}
	})
	t.Run("goods have comments", func(t *testing.T) {
		goods, err := s.Seed.IDs(ctx, seed.Goods)
		require.NoError(t, err)
		n, err := s.Reviews.Count(ctx, review.Goods, goods[0])
		require.NoError(t, err)
		require.Positive(t, n.All)
		require.Positive(t, n.WithPictures)
	})
	t.Run("every city leads to a county", func(t *testing.T) {
		provinces, err := s.Addresses.Regions(ctx, 0)
		require.NoError(t, err)
		require.Len(t, provinces, 34)
		for _, p := range provinces {
			cities, err := s.Addresses.Regions(ctx, p.ID)
			require.NoError(t, err)
			require.NotEmpty(t, cities, p.Name)
			for _, c := range cities {
				counties, err := s.Addresses.Regions(ctx, c.ID)
				require.NoError(t, err)
				require.NotEmpty(t, counties, c.Name)
			}
		}
	})
	t.Run("the shop moves to another port", func(t *testing.T) {
		const moved = "http://127.0.0.1:8090/wx/storage/fetch/"
		there := s.With(func(c *app.Config) { c.StorageBase = moved })
		s.Exec("UPDATE storage SET url = CONCAT(?, storage_key)", base) // as a release before keys has stored it
		s.Exec("UPDATE goods SET pic_url = CONCAT(?, pic_url)", base)
		require.NoError(t, demo.Load(ctx, there, moved, quiet))
		goods, err := s.Seed.IDs(ctx, seed.Goods)
		require.NoError(t, err)
		detail, err := there.Catalog.Detail(ctx, goods[0])
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(detail.Goods.PicURL, moved))
		require.True(t, strings.HasPrefix(detail.Goods.Gallery[2], moved))
		require.NotContains(t, detail.Goods.Detail, base)
	})
}

func TestAnInterruptedLoadIsCompleted(t *testing.T) {
	t.Parallel()
	whole := domaintest.Open(t)
	require.NoError(t, demo.Load(t.Context(), whole.Domain, base, quiet))
	want := rows(t, whole)

	s := domaintest.Open(t)
	stop, left := func() {}, -1
	s.Catalog.OnChange(func(catalog.Change) {
		if left--; left == 0 {
			stop()
		}
	})
	for _, at := range []string{
		"loading regions", "  100 of ", "amid the goods", "loading coupons", "loading after-sale", "loading operators",
	} {
		var ctx context.Context
		ctx, stop = context.WithCancel(t.Context())
		if at == "amid the goods" {
			left = 60
		}
		err := demo.Load(ctx, s.Domain, base, func(line string) {
			if strings.HasPrefix(line, at) {
				stop()
			}
		})
		require.Error(t, err, at)
		require.ErrorIs(t, ctx.Err(), context.Canceled, at)
	}
	var said []string
	require.NoError(t, demo.Load(t.Context(), s.Domain, base, func(line string) { said = append(said, line) }))
	require.Contains(t, said[0], "interrupted")
	require.Equal(t, want, rows(t, s))
	requireSilentBooks(t, s)
}

func TestAnotherShopIsLeftAlone(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	_, err := s.Catalog.Create(t.Context(), catalog.NewGoods{
		Goods: catalog.Goods{Name: "cup", OnSale: true}, Products: []catalog.Product{{
			Specifications: []string{"a"},
			Price:          100,
		}},
	})
	require.NoError(t, err)
	before := rows(t, s)
	require.ErrorIs(t, demo.Load(t.Context(), s.Domain, base, quiet), demo.ErrOccupied)
	require.Equal(t, before, rows(t, s))
}
