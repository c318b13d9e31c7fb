package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/order"
)

// The shares of lines add up to what was paid for the goods, none is negative, and each differs from the exact
// proportion by less than the unit of the currency; so do the parts of the pieces of a line.
func TestShares(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SampledFrom([]money.Currency{"CNY", "JPY"}).Draw(t, "currency")
		amount := func(what string, most int64) money.Amount {
			return money.Amount(rapid.Int64Range(0, most).Draw(t, what)) * in.Unit()
		}
		lines := make([]order.Line, rapid.IntRange(1, 6).Draw(t, "lines"))
		whole := int64(0)
		for i := range lines {
			l := order.Line{Number: rapid.IntRange(1, 9).Draw(t, "pieces"), Price: amount("price", 99_999)}
			l.Reduction = amount("reduction", int64(l.Price.Times(l.Number)/in.Unit())+10)
			lines[i] = l
			whole += int64(max(0, l.Price.Times(l.Number)-l.Reduction))
		}
		o := order.Order{Price: order.Price{Actual: amount("actual", 9_999_999), Freight: amount("freight", 999)}}
		shares := o.Shares(lines, in)
		sum := money.Amount(0)
		for i, l := range lines {
			sum += shares[i]
			require.GreaterOrEqual(t, shares[i], money.Amount(0))
			if whole > 0 {
				cost := int64(max(0, l.Price.Times(l.Number)-l.Reduction))
				exact := float64(o.PaidForGoods()) * float64(cost) / float64(whole)
				require.InDelta(t, exact, float64(shares[i]), float64(in.Unit()))
			}
			parts, before := money.Amount(0), 0
			for before < l.Number {
				n := rapid.IntRange(1, l.Number-before).Draw(t, "part")
				part := l.Part(shares[i], before, n, in)
				require.InDelta(t, float64(shares[i])*float64(n)/float64(l.Number), float64(part), float64(in.Unit()))
				require.GreaterOrEqual(t, part, money.Amount(0))
				require.True(t, in.Fits(part), "%s", part)
				parts, before = parts+part, before+n
			}
			require.Equal(t, shares[i], parts)
		}
		require.Equal(t, o.PaidForGoods(), sum)
	})
}
