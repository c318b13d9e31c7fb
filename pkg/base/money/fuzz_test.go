package money_test

import (
	"math/big"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
)

// exact parses a text by the grammar of amounts into a fraction of cents, slowly and plainly.
func exact(text string) (*big.Rat, bool) {
	if !regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$`).MatchString(text) {
		return nil, false
	}
	cents, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, false
	}
	return cents.Mul(cents, big.NewRat(100, 1)), true
}

// within reports whether an amount in cents fits a column.
func within(cents *big.Int) bool { return cents.CmpAbs(big.NewInt(int64(money.Max))) <= 0 }

// agree compares a parser's result with the expected one.
func agree(t *testing.T, text string, got money.Amount, err error, want *big.Int) {
	t.Helper()
	if want == nil || !within(want) {
		require.ErrorIs(t, err, money.ErrSyntax, "%q", text)
		require.Zero(t, got, "%q", text)
		return
	}
	require.NoError(t, err, "%q", text)
	require.Equal(t, want.Int64(), int64(got), "%q", text)
	back, err := money.Parse(got.String())
	require.NoError(t, err, "%q", text)
	require.Equal(t, got, back, "%q", text)
}

func amounts(f *testing.F) {
	f.Helper()
	for _, seed := range []string{
		"", "0", "-0", "+", "-", ".", "-.5", "5.", "12.340", "12.345", "0.005", "-0.005", "0.00499999999", "99999999.99",
		"99999999.994", "99999999.995", "-99999999.995", "100000000", "000000000000000000000000000001.1", "1e9", "0x1p4",
		"1_000", "NaN", "1.2.3", "--1", "+-1", " 1", "1 ", "1,5", "\uff11", "1\x00", "36.300000000000004", "1/2", "\xff",
	} {
		f.Add(seed)
	}
}

// FuzzParse compares the parser with fractions: it accepts exactly whole cents up to the largest amount.
func FuzzParse(f *testing.F) {
	amounts(f)
	f.Fuzz(func(t *testing.T, text string) {
		var want *big.Int
		if cents, ok := exact(text); ok && cents.IsInt() {
			want = cents.Num()
		}
		got, err := money.Parse(text)
		agree(t, text, got, err, want)
	})
}

// FuzzParseRounded compares the rounding with that of fractions: half a cent is rounded away from zero.
func FuzzParseRounded(f *testing.F) {
	amounts(f)
	f.Fuzz(func(t *testing.T, text string) {
		var want *big.Int
		if cents, ok := exact(text); ok {
			half := big.NewRat(int64(cents.Sign()), 2)
			cents.Add(cents, half)
			want = new(big.Int).Quo(cents.Num(), cents.Denom()) // towards zero
		}
		got, err := money.ParseRounded(text)
		agree(t, text, got, err, want)
	})
}
