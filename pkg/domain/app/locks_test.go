package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/promotion"
)

// Locks that serialize transactions write to their row: servers of a cluster see only each other's writes.
func TestSerializingLocksWrite(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	tea := s.Product("tea", 10000, 9)
	var row int64
	writes := func(table string, id int64, name string, deed func() error) {
		t.Helper()
		version := func() int64 { return s.Int("SELECT version FROM "+table+" WHERE id = ?", id) }
		before := version()
		require.NoError(t, deed(), name)
		require.Greater(t, version(), before, name)
	}
	writes("user", lin, "put into the cart", func() (err error) {
		row, err = s.Cart.Set(t.Context(), lin, tea)
		return err
	})
	writes("user", lin, "change a row of the cart", func() error {
		return s.Cart.Change(t.Context(), lin, row, cart.AddRequest{GoodsID: tea.GoodsID, ProductID: tea.ProductID, Number: 2})
	})
	writes("user", lin, "tick", func() error {
		_, err := s.Cart.Check(t.Context(), lin, []int64{tea.ProductID}, true)
		return err
	})
	writes("user", lin, "remove", func() error {
		_, err := s.Cart.Remove(t.Context(), lin, []int64{tea.ProductID})
		return err
	})
	writes("user", lin, "order", func() error {
		s.Order(lin, tea)
		return nil
	})
	writes("goods", tea.GoodsID, "make an offer", func() error {
		discount, members, end := money.Yuan(20), 2, s.Clock.Now().Add(time.Hour)
		_, err := s.Promotions.AddGroupRule(t.Context(), promotion.GroupRuleChange{
			GoodsID: &tea.GoodsID, Discount: &discount, Members: &members, ExpireTime: &end,
		})
		return err
	})
	brand, err := s.Catalog.CreateBrand(t.Context(), catalog.Brand{Name: "leaf"})
	require.NoError(t, err)
	top, err := s.Catalog.CreateCategory(t.Context(), catalog.Category{Name: "top", Level: catalog.FirstLevel})
	require.NoError(t, err)
	var below catalog.Category
	writes("category", top.ID, "add a category below another", func() (err error) {
		below, err = s.Catalog.CreateCategory(t.Context(), catalog.Category{
			Name: "below", Level: catalog.SecondLevel, Pid: top.ID,
		})
		return err
	})
	for table, c := range map[string]struct {
		id    int64
		goods catalog.Goods
	}{
		"brand": {brand.ID, catalog.Goods{BrandID: brand.ID}}, "category": {below.ID, catalog.Goods{CategoryID: below.ID}},
	} {
		c.goods.SN, c.goods.Name = table, table
		writes(table, c.id, "add goods", func() error {
			_, err := s.Catalog.Add(t.Context(), catalog.NewGoods{
				Goods:          c.goods,
				Specifications: []catalog.Specification{{Group: "size", Value: "s"}},
				Products:       []catalog.Product{{Specifications: []string{"s"}, Price: 100, Number: 1}},
			})
			return err
		})
	}
}
