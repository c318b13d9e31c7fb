package settings

import (
	"context"
	"fmt"
	"strconv"

	"shop.internal/pkg/base/country"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/money"
	wording "shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
)

// currencyName is the key of the shop's currency. A shop that has chosen none has that of its country.
const currencyName = "litemall_mall_currency"

// OnCurrency registers what refuses another currency: orders that were placed, or amounts that it cannot express. It is
// called at wiring, and runs in the transaction that changes the currency, while no order can be placed.
func (s *Service) OnCurrency(refuse func(ctx context.Context, tx *db.Tx, to money.Currency) error) {
	s.refuse = refuse
}

// Currency returns the shop's currency to a caller that has seen an order: it is fixed then. It reads the table once.
func (s *Service) Currency(ctx context.Context, q db.Querier) (money.Currency, error) {
	if known := s.fixed.Load(); known != nil {
		return *known, nil
	}
	texts, err := load(ctx, q, live+" AND r.key_name = ?", currencyName)
	if err != nil {
		return "", fmt.Errorf("read the currency: %w", err)
	}
	v, _ := s.valuesOf(texts)
	s.fixed.Store(&v.Currency)
	return v.Currency, nil
}

// Unit returns the smallest amount of the shop's currency, as this process has read it last: amounts are entered often,
// and the currency is chosen once.
func (s *Service) Unit(ctx context.Context) (money.Amount, error) {
	if last := s.last.Load(); last != nil {
		return last.Unit(), nil
	}
	v, _, err := s.parse(ctx, s.db)
	return v.Currency.Unit(), err
}

// ShownToPages returns what the pages write amounts with, as attributes of their element html.
func (s *Service) ShownToPages(ctx context.Context) (map[string]string, error) {
	v, err := s.Now(ctx)
	if err != nil {
		return nil, err
	}
	return map[string]string{
		"data-currency": string(v.Currency), "data-decimals": strconv.Itoa(v.Currency.Decimals()),
	}, nil
}

// KeepCurrency makes sure, in the transaction that places an order, that the shop's currency stays until its end. What
// it returns, called after other statements, fails with errno.Stale for an order that was priced in another one. Once
// an order was placed it costs nothing.
func (s *Service) KeepCurrency(ctx context.Context, tx *db.Tx) (func(priced money.Currency) error, error) {
	if known := s.fixed.Load(); known != nil {
		return func(priced money.Currency) error { return s.same(*known, priced) }, nil
	}
	found, err := rows.OneLater(ctx, tx, "r.key_name = ? AND r.del_mark = 0 FOR UPDATE", currencyName)
	if err != nil {
		return nil, fmt.Errorf("keep the currency: %w", err)
	}
	return func(priced money.Currency) error {
		r, ok := found()
		if !ok { // no row, so nothing is locked
			if r, err = s.stored(ctx, tx, s.country); err != nil {
				return err
			}
		}
		v, _ := s.valuesOf(map[string]string{currencyName: r.KeyValue})
		tx.OnCommit(func() { s.fixed.Store(&v.Currency) })
		return s.same(v.Currency, priced)
	}, nil
}

// stored locks the row of the currency, which is inserted with the one of a country if it is missing.
func (s *Service) stored(ctx context.Context, tx *db.Tx, in country.Country) (row, error) {
	_, err := rows.Upsert(ctx, tx, rowOf(currencyName, string(in.Currency()), s.now()), "id = id")
	if err != nil {
		return row{}, fmt.Errorf("insert the currency: %w", err)
	}
	r, _, err := rows.One(ctx, tx, "r.key_name = ? AND r.del_mark = 0 FOR UPDATE", currencyName)
	return r, err
}

func (s *Service) same(now, priced money.Currency) error {
	if now == priced {
		return nil
	}
	s.values.Invalidate()
	return fmt.Errorf("priced in %s, the currency is %s: %w", priced, now, errno.Stale)
}

// changeCurrency checks that the shop may have a currency. locked are the rows of its group, which are locked; that of
// the currency is added if it is missing.
func (s *Service) changeCurrency(ctx context.Context, tx *db.Tx, locked map[string]string, code string) error {
	if !has(locked, currencyName) {
		r, err := s.stored(ctx, tx, s.country)
		if err != nil {
			return err
		}
		locked[currencyName] = r.KeyValue
	}
	if locked[currencyName] == code {
		return nil
	}
	to, _ := money.CurrencyOf(code)
	if s.refuse != nil {
		if err := s.refuse(ctx, tx, to); err != nil {
			return err
		}
	}
	v, _, err := s.parse(ctx, tx)
	if err != nil {
		return err
	}
	if !v.fit(to.Unit()) {
		return errno.Invalid.Because(wording.CurrencyOfAmounts, code)
	}
	tx.OnCommit(func() { s.last.Store(nil) })
	return nil
}

// fit reports whether the amounts of the settings are multiples of a unit.
func (v Values) fit(unit money.Amount) bool {
	return v.FreightValue%unit == 0 && v.FreightMin%unit == 0
}

func currency(at func(*Values) *money.Currency) func(*Values, string) bool {
	return func(v *Values, s string) bool {
		c, ok := money.CurrencyOf(s)
		*at(v) = c
		return ok
	}
}
