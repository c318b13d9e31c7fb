package app

import (
	"context"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
)

// connectCurrency connects areas with the shop's currency, and the settings with what stands in the way of another one.
func (d *Domain) connectCurrency() {
	d.Settings.OnCurrency(d.refuseCurrency)
	d.Catalog.OnUnit(d.Settings.Unit)
}

// refuseCurrency fails with errno.Invalid where the shop's currency is fixed, or amounts are no amounts of another one.
func (d *Domain) refuseCurrency(ctx context.Context, tx *db.Tx, to money.Currency) error {
	placed, err := d.Orders.Any(ctx, tx)
	if err == nil && placed {
		err = errno.Invalid.Because(text.CurrencyFixed)
	}
	if err != nil || to.Decimals() > 0 {
		return err
	}
	for _, has := range []func(context.Context, db.Querier) (bool, error){
		d.Catalog.HasDecimals, d.Promotions.HasDecimals, d.Freight.HasDecimals,
	} {
		found, err := has(ctx, tx)
		if err == nil && found {
			err = errno.Invalid.Because(text.CurrencyOfAmounts, string(to))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
