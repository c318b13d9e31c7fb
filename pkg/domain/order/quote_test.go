package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/freight"
	"shop.internal/pkg/domain/order"
)

func drawLines(t *rapid.T) []cart.Line {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) cart.Line {
		return cart.Line{
			Number:          rapid.IntRange(1, 50).Draw(t, "number"),
			ProductSnapshot: catalog.ProductSnapshot{Price: money.Amount(rapid.Int64Range(0, 100_000).Draw(t, "price"))},
		}
	}), 0, 8).Draw(t, "lines")
}

// For any purchase with any discount: no amount is negative, the coupon covers at most goods and freight, and freight
// is charged exactly below the free limit, before the coupon.
func TestPriceOf(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lines := drawLines(t)
		v := freight.Freight{
			Value:    money.Amount(rapid.Int64Range(0, 2000).Draw(t, "freight")),
			FreeFrom: money.Amount(rapid.Int64Range(0, 20_000).Draw(t, "free from")),
		}
		discount := money.Amount(rapid.Int64Range(0, 200_000).Draw(t, "discount"))
		p, err := order.PriceOf(lines, order.Reduction{Coupon: discount}, v)
		require.NoError(t, err)
		var goods money.Amount
		for _, l := range lines {
			goods += l.Price * money.Amount(l.Number)
		}
		require.Equal(t, goods, p.Goods)
		if len(lines) > 0 && goods < v.FreeFrom {
			require.Equal(t, v.Value, p.Freight)
		} else {
			require.Zero(t, p.Freight)
		}
		require.Equal(t, min(discount, p.Goods+p.Freight), p.Coupon)
		require.Equal(t, p.Goods+p.Freight-p.Coupon, p.Total)
		require.Equal(t, p.Total, p.Actual)
		require.GreaterOrEqual(t, p.Actual, money.Amount(0))
		require.Zero(t, p.Integral+p.Groupon)
	})
}

func TestPriceOfTooMuch(t *testing.T) {
	t.Parallel()
	line := func(price money.Amount, number int) cart.Line {
		return cart.Line{Number: number, ProductSnapshot: catalog.ProductSnapshot{Price: price}}
	}
	for name, lines := range map[string][]cart.Line{
		"one line":           {line(money.Max, 2)},
		"several lines":      {line(money.Max, 1), line(1, 1)},
		"beyond 64 bits":     {line(money.Max, 2147483647)},
		"a cent, very often": {line(5, 2147483647)},
	} {
		_, err := order.PriceOf(lines, order.Reduction{}, freight.Freight{})
		require.ErrorIs(t, err, errno.Invalid, name)
	}
	p, err := order.PriceOf([]cart.Line{line(money.Max, 1)}, order.Reduction{}, freight.Freight{})
	require.NoError(t, err)
	require.Equal(t, money.Max, p.Actual)
}
