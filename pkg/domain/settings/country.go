package settings

import (
	"context"
	"errors"
	"fmt"

	"shop.internal/pkg/base/country"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/runtime/audit"
)

// countryName is the key of the shop's country. It belongs to no group, since only the setup of a shop chooses it. A
// shop without the row is in China.
const countryName = "litemall_shop_country"

// ErrCountryFixed is the error of a setup in another country than that of the accounts.
var ErrCountryFixed = errors.New("the country of a shop stays once it has accounts, also deleted ones")

// OnCountry registers what reports whether accounts exist, deleted ones too. It is called at wiring.
func (s *Service) OnCountry(accounts func(context.Context, db.Querier) (bool, error)) {
	s.accounts = accounts
}

// ChooseCountry stores the country of this program's configuration as that of the shop; a currency that was the default
// of the country before follows. It fails with ErrCountryFixed if the shop has accounts in another country, and with
// errno.Invalid where amounts of the shop cannot be in the other currency.
func (s *Service) ChooseCountry(ctx context.Context) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		was, err := s.lockCountry(ctx, tx)
		if err != nil || was == s.country.Code() {
			return err
		}
		some, err := s.accounts(ctx, tx)
		if err == nil && some {
			err = fmt.Errorf("shop.country is %s, the accounts are in %s: %w", s.country.Code(), was, ErrCountryFixed)
		}
		if err != nil {
			return err
		}
		before, after := map[string]string{countryName: was}, map[string]string{countryName: s.country.Code()}
		if before[currencyName], after[currencyName], err = s.followCountry(ctx, tx, was); err != nil {
			return err
		}
		for name, text := range after {
			if err := s.store(ctx, tx, name, text); err != nil {
				return err
			}
		}
		tx.OnCommit(s.values.Invalidate)
		return audit.Record(ctx, tx, audit.Change{Before: before, After: after, Result: s.country.Code()})
	})
}

// followCountry returns the currency of a shop that leaves a country, before and after.
func (s *Service) followCountry(ctx context.Context, tx *db.Tx, from string) (was, now string, err error) {
	left, err := country.Named(from)
	if err != nil {
		return "", "", err
	}
	r, err := s.stored(ctx, tx, left)
	if err != nil || r.KeyValue != string(left.Currency()) {
		return r.KeyValue, r.KeyValue, err
	}
	now = string(s.country.Currency())
	return r.KeyValue, now, s.changeCurrency(ctx, tx, map[string]string{currencyName: r.KeyValue}, now)
}

// lockCountry locks the row of the country, which is inserted if it is missing, and returns its code.
func (s *Service) lockCountry(ctx context.Context, tx *db.Tx) (string, error) {
	_, err := rows.Upsert(ctx, tx, rowOf(countryName, country.Country{}.Code(), s.now()), "version = version + 1")
	if err != nil {
		return "", fmt.Errorf("lock the country: %w", err)
	}
	r, _, err := rows.One(ctx, tx, "r.key_name = ? AND r.del_mark = 0 FOR UPDATE", countryName)
	return r.KeyValue, err
}

// KeepCountry makes sure, in the transaction that inserts an account, that the shop is in the country of this program
// and stays there. Once an account was inserted it costs nothing.
func (s *Service) KeepCountry(ctx context.Context, tx *db.Tx) error {
	if s.kept.Load() {
		return nil
	}
	stored, err := s.lockCountry(ctx, tx)
	if err == nil {
		err = s.sameCountry(stored)
	}
	if err != nil {
		return err
	}
	tx.OnCommit(func() { s.kept.Store(true) })
	return nil
}

// CheckCountry fails if the shop is in another country than this program's configuration says.
func (s *Service) CheckCountry(ctx context.Context) error {
	stored, err := load(ctx, s.db, live+" AND r.key_name = ?", countryName)
	if err != nil {
		return fmt.Errorf("read the country: %w", err)
	}
	if !has(stored, countryName) {
		return s.sameCountry(country.Country{}.Code())
	}
	return s.sameCountry(stored[countryName])
}

func (s *Service) sameCountry(stored string) error {
	if stored == s.country.Code() {
		return nil
	}
	return fmt.Errorf("shop.country is %s, but the shop was set up in %s; `shopctl setup` changes that as long as there "+
		"are no accounts", s.country.Code(), stored)
}

// fallback is the default of a setting; that of the currency is the country's.
func (s *Service) fallback(k key) string {
	if k.name == currencyName {
		return string(s.country.Currency())
	}
	return k.fallback.In(s.language)
}
