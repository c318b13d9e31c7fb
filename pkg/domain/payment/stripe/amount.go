package stripe

import (
	"fmt"
	"slices"
	"strings"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/payment"
)

// The platform counts every currency in hundredths but these. Two that have no decimals any more, ISK and UGX, are
// still counted in hundredths there.
var (
	inUnits      = strings.Fields("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF")
	inThousandth = strings.Fields("BHD IQD JOD KWD LYD OMR TND")
)

// unitsOf converts an amount to the platform's units of a currency. It fails with payment.ErrRefused for an amount that
// the platform cannot express.
func unitsOf(a money.Amount, c money.Currency) (int64, error) {
	currency := string(c)
	switch {
	case slices.Contains(inThousandth, currency):
		return 0, fmt.Errorf("%w: %s has three decimals", payment.ErrRefused, currency)
	case !slices.Contains(inUnits, currency):
		return int64(a), nil
	case a%100 != 0:
		return 0, fmt.Errorf("%w: %s %s is no whole amount", payment.ErrRefused, currency, a)
	}
	return int64(a / 100), nil
}

// amountOf is the inverse of unitsOf. The platform writes currencies in lower case.
func amountOf(units int64, currency string) (money.Amount, money.Currency, error) {
	currency = strings.ToUpper(currency)
	scale := money.Amount(1)
	if slices.Contains(inUnits, currency) {
		scale = 100
	}
	if a := money.Amount(units); a >= 0 && a <= money.Max/scale && !slices.Contains(inThousandth, currency) {
		return a * scale, money.Currency(currency), nil
	}
	return 0, money.Currency(currency), fmt.Errorf("%w: %d units of %.3s", payment.ErrRefused, units, currency)
}
