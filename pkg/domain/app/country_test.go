package app_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/app"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/settings"
)

// open opens an account by the app platform in a process.
func open(t *testing.T, s *domaintest.Shop, d *app.Domain, name string) error {
	t.Helper()
	_, err := d.Accounts.LoginByApp(t.Context(), account.AppLogin{Code: "code-of-" + name, Address: "192.0.2.1"})
	return err
}

const storedCountry = "SELECT COALESCE(MAX(key_value), '') FROM system_config WHERE key_name = 'litemall_shop_country'"

// The country is chosen at setup, and stays from the first account, also when the account is deleted.
func TestTheCountryIsFixedByTheFirstAccount(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	china, japan := s.Configured("CN"), s.Configured("JP")
	require.NoError(t, china.Settings.CheckCountry(t.Context()), "a shop without a country is in China")
	require.ErrorContains(t, japan.Settings.CheckCountry(t.Context()), "shop.country is JP, but the shop was set up in CN")
	require.ErrorContains(t, japan.CheckStart(t.Context(), true), "set up in CN")
	require.Error(t, open(t, s, japan, "lin"), "no program of another country opens accounts")

	_, err := china.Settings.Fill(t.Context())
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, japan.Settings.ChooseCountry(t.Context()))
		require.Equal(t, "JP", s.Text(storedCountry))
	}
	v, err := japan.Settings.Fresh(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, "JPY", v.Currency, "the currency follows, which was the default")
	require.NoError(t, japan.CheckStart(t.Context(), true))
	require.Error(t, china.CheckStart(t.Context(), true))
	require.Error(t, open(t, s, china, "lin"))

	require.NoError(t, open(t, s, japan, "lin"))
	require.NoError(t, open(t, s, japan, "mei"))
	s.Exec("UPDATE user SET deleted = 1")
	require.ErrorIs(t, china.Settings.ChooseCountry(t.Context()), settings.ErrCountryFixed)
	require.NoError(t, japan.Settings.ChooseCountry(t.Context()))
	require.Equal(t, "JP", s.Text(storedCountry))
}

// A currency that was chosen, not the default of the country before, stays; amounts are held to one that follows.
func TestTheCurrencyFollowsTheCountry(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	s.Product("tea", 990, 10)
	japan := s.Configured("JP")
	require.ErrorIs(t, japan.Settings.ChooseCountry(t.Context()), errno.Invalid, "the price has decimals")
	require.Empty(t, s.Text(storedCountry))
	require.NoError(t, s.Configured("DE").Settings.ChooseCountry(t.Context()))
	v, err := s.Settings.Fresh(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, "EUR", v.Currency)
	s.Exec("UPDATE system_config SET key_value = 'USD' WHERE key_name = 'litemall_mall_currency'")
	require.NoError(t, japan.Settings.ChooseCountry(t.Context()))
	v, err = s.Settings.Fresh(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, "USD", v.Currency)
}

// Of a setup in another country and first accounts at the same time one wins: there is never an account in a shop that
// has left its country.
func TestRaceForTheCountry(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	for round := range 10 {
		s.Exec("DELETE FROM user")
		s.Exec("DELETE FROM system_config")
		japan := s.Configured("JP")
		processes := []*app.Domain{s.Configured("CN"), s.Configured("CN"), s.Configured("CN")}
		opened := make([]error, len(processes))
		var moved error
		var wg sync.WaitGroup
		for i, d := range processes {
			name := fmt.Sprintf("lin-%d-%d", round, i)
			wg.Go(func() { opened[i] = open(t, s, d, name) })
		}
		wg.Go(func() { moved = japan.Settings.ChooseCountry(t.Context()) })
		wg.Wait()
		accounts := s.Int("SELECT COUNT(*) FROM user")
		if moved == nil {
			require.Equal(t, "JP", s.Text(storedCountry))
			require.Zero(t, accounts)
			continue
		}
		require.ErrorIs(t, moved, settings.ErrCountryFixed)
		require.Equal(t, "CN", s.Text(storedCountry))
		require.Positive(t, accounts)
		for _, err := range opened {
			require.NoError(t, err)
		}
	}
}
