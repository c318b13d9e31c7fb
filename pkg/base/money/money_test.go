package money_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"shop.internal/pkg/base/money"
)

func TestParse(t *testing.T) {
	tests := map[string]struct {
		text string
		want money.Amount
		ok   bool
	}{
		"whole":              {"12", 1200, true},
		"one digit":          {"0.5", 50, true},
		"trailing zeros":     {"12.3400", 1234, true},
		"negative":           {"-88", -8800, true},
		"plus":               {"+1.01", 101, true},
		"largest":            {"99999999.99", money.Max, true},
		"leading zeros":      {"000000000001", 100, true},
		"no whole part":      {".5", 50, true},
		"too large":          {"100000000", 0, false},
		"third digit":        {"8.001", 0, false},
		"exponent":           {"1e9", 0, false},
		"not a number":       {"NaN", 0, false},
		"empty":              {"", 0, false},
		"only a sign":        {"-", 0, false},
		"only a point":       {".", 0, false},
		"two points":         {"1.2.3", 0, false},
		"blank inside":       {"1 2", 0, false},
		"sign in the middle": {"1-2", 0, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := money.Parse(tt.text)
			if !tt.ok {
				require.ErrorIs(t, err, money.ErrSyntax)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

func TestParseRounded(t *testing.T) {
	for text, want := range map[string]money.Amount{
		"12": 1200, "0.5": 50, "36.300000000000004": 3630, "0.005": 1, "0.00499999999": 0, "-0.005": -1, "-0.004": 0,
		"+1.999": 200, "99999999.99": money.Max, "99999999.994999": money.Max, "-99999999.99": -money.Max, ".125": 13,
	} {
		got, err := money.ParseRounded(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"99999999.995", "-99999999.995", "100000000", "", "-", "1.00x", "1.005e1", "1.2.3"} {
		_, err := money.ParseRounded(text)
		require.ErrorIs(t, err, money.ErrSyntax, text)
	}
}

func TestStringParsesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := money.Amount(rapid.Int64Range(-int64(money.Max), int64(money.Max)).Draw(t, "amount"))
		back, err := money.Parse(a.String())
		require.NoError(t, err)
		require.Equal(t, a, back)
		var scanned money.Amount
		v, err := a.Value()
		require.NoError(t, err)
		require.NoError(t, scanned.Scan(v))
		require.Equal(t, a, scanned)
	})
}

func TestSplitLosesNoCent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := money.Amount(rapid.Int64Range(0, int64(money.Max)).Draw(t, "total"))
		weights := rapid.SliceOfN(rapid.Int64Range(0, int64(money.Max)*1000), 1, 50).Draw(t, "weights")
		var sum money.Amount
		for _, part := range money.Split(total, weights) {
			require.GreaterOrEqual(t, part, money.Amount(0))
			sum += part
		}
		require.Equal(t, total, sum)
	})
}

// Sums of anything that a cart can contain never overflow: they are exact, or above every bound.
func TestSumsNeverWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		price := rapid.OneOf(rapid.Just(money.Max), rapid.Custom(func(t *rapid.T) money.Amount {
			return money.Amount(rapid.Int64Range(0, int64(money.Max)).Draw(t, "price"))
		}))
		number := rapid.OneOf(rapid.Just(math.MaxInt32), rapid.IntRange(0, math.MaxInt32))
		sum, exact := money.Amount(0), new(big.Int)
		for range rapid.IntRange(1, 500).Draw(t, "lines") {
			p, n := price.Draw(t, "price"), number.Draw(t, "number")
			sum = sum.Plus(p.Times(n))
			exact.Add(exact, new(big.Int).Mul(big.NewInt(int64(p)), big.NewInt(int64(n))))
		}
		want := int64(math.MaxInt64)
		if exact.IsInt64() {
			want = exact.Int64()
		}
		require.Equal(t, money.Amount(want), sum)
	})
	for _, a := range []money.Amount{math.MinInt64, -1, 0, 1, math.MaxInt64} {
		for _, b := range []money.Amount{math.MinInt64, -1, 0, 1, math.MaxInt64} {
			exact := new(big.Int).Add(big.NewInt(int64(a)), big.NewInt(int64(b)))
			if exact.IsInt64() {
				require.Equal(t, a+b, a.Plus(b))
			} else {
				require.Equal(t, exact.Sign() < 0, a.Plus(b) == math.MinInt64)
				require.Equal(t, exact.Sign() > 0, a.Plus(b) == math.MaxInt64)
			}
		}
	}
}
