package money_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/money"
)

// A currency has two decimals or none; an amount of one without ends in .00.
func TestCurrencies(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		code     string
		decimals int
		text     string // of 1050 cents, and of 1000
		fits     bool   // 1050 cents
	}{
		{"CNY", 2, "10.50 10.00", true},
		{"EUR", 2, "10.50 10.00", true},
		{"ZWG", 2, "10.50 10.00", true},
		{"JPY", 0, "10.50 10", false},
		{"KRW", 0, "10.50 10", false},
		{"XPF", 0, "10.50 10", false},
	} {
		c, ok := money.CurrencyOf(tt.code)
		require.True(t, ok, tt.code)
		require.Equal(t, tt.decimals, c.Decimals(), tt.code)
		require.Equal(t, tt.text, c.Text(1050)+" "+c.Text(1000), tt.code)
		require.Equal(t, tt.fits, c.Fits(1050), tt.code)
		require.True(t, c.Fits(-1000), tt.code)
	}
	for _, code := range []string{"", "cny", "KWD", "TND", "XXX", "CN", "CNY ", "Y C", "NY ", "CNY EUR", "DEM"} {
		_, ok := money.CurrencyOf(code)
		require.False(t, ok, code)
	}
}

// A price has a sign that everybody knows, or the code of the currency.
func TestPrices(t *testing.T) {
	t.Parallel()
	for code, want := range map[money.Currency]string{
		"CNY": "¥36.00", "JPY": "¥36", "EUR": "€36.00", "KRW": "KRW 36", "CHF": "CHF 36.00",
	} {
		require.Equal(t, want, code.Price(3600))
	}
	for amount, want := range map[money.Amount]string{
		0: "¥0.00", 99_999: "¥999.99", 100_000: "¥1,000.00", 185_400: "¥1,854.00", 123_456_789: "¥1,234,567.89",
		-99_900: "¥-999.00", -100_000: "¥-1,000.00",
	} {
		require.Equal(t, want, money.Currency("CNY").Price(amount))
	}
	require.Equal(t, "¥1,234,567", money.Currency("JPY").Price(123_456_700))
	require.EqualValues(t, 1100, money.Amount(1050).Round(money.Currency("JPY").Unit()))
	require.EqualValues(t, 1000, money.Amount(1049).Round(money.Currency("JPY").Unit()))
	require.EqualValues(t, 1049, money.Amount(1049).Round(money.Currency("EUR").Unit()))
}

// The parts of a split are whole units, and add up to the total.
func TestSplitIntoUnits(t *testing.T) {
	t.Parallel()
	require.Equal(t, []money.Amount{300, 300, 400}, money.Currency("JPY").Split(1000, []int64{1, 1, 1}))
	require.Equal(t, []money.Amount{333, 333, 334}, money.Currency("EUR").Split(1000, []int64{1, 1, 1}))
	require.Equal(t, []money.Amount{500, 550}, money.Currency("JPY").Split(1050, []int64{1, 1}), "nothing is lost")
}
