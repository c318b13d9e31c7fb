package country_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/country"
	"shop.internal/pkg/base/money"
)

func named(t *testing.T, code string) country.Country {
	t.Helper()
	c, err := country.Named(code)
	require.NoError(t, err)
	require.Equal(t, code, c.Code())
	return c
}

func TestNamed(t *testing.T) {
	require.Equal(t, country.Country{}, named(t, "CN"))
	for _, wrong := range []string{"", "cn", "jp", "JPN", "China", "XX", "EU", "UK", "001", "KW"} {
		_, err := country.Named(wrong)
		require.Error(t, err, "%q", wrong)
	}
}

func TestDefaults(t *testing.T) {
	for code, want := range map[string][3]string{
		"CN": {"Asia/Shanghai", "CNY", "zh"}, "JP": {"Asia/Tokyo", "JPY", "en"}, "DE": {"Europe/Berlin", "EUR", "en"},
		"GB": {"Europe/London", "GBP", "en"}, "FR": {"Europe/Paris", "EUR", "en"}, "TW": {"Asia/Taipei", "TWD", "zh"},
		"US": {"", "USD", "en"}, "HR": {"Europe/Zagreb", "EUR", "en"}, "SG": {"Asia/Singapore", "SGD", "en"},
	} {
		c := named(t, code)
		require.Equal(t, want, [3]string{c.Zone(), string(c.Currency()), c.Language()}, code)
		_, err := time.LoadLocation(c.Zone())
		require.NoError(t, err, code)
		_, known := money.CurrencyOf(string(c.Currency()))
		require.True(t, known, code)
	}
}

// Every spelling of a number has one form, which is stored.
func TestMobile(t *testing.T) {
	for code, numbers := range map[string]map[string][]string{
		"CN": {"13812345678": {
			"13812345678", " 138 1234 5678 ", "138-1234-5678", "+86 138 1234 5678", "+8613812345678", "(+86) 138.1234.5678",
			"0086-138-1234-5678", "86 13812345678", "１３８１２３４５６７８", "＋８６１３８１２３４５６７８", "\u202d138\u00a01234\u00a05678\u202c",
			"138–1234–5678", "138\u22121234\u22125678",
		}},
		"JP": {
			"+819012345678": {
				"090-1234-5678", "09012345678", "+81 90-1234-5678", "+81(0)90-1234-5678", "０９０－１２３４－５６７８", "+819012345678",
				"010 81 90 1234 5678", "81 90 1234 5678",
			},
			"+818012345678": {"080 1234 5678"}, "+817012345678": {"070-1234-5678"},
		},
		"US": {"+12015550123": {
			"(201) 555-0123", "201.555.0123", "2015550123", "1 201 555 0123", "+1 201-555-0123", "\u200b+12015550123",
		}},
		"DE": {"+4915123456789": {"01512 3456789", "0151/23456789", "+49 1512 3456789", "0049 (1512) 3456789", "+49 (0)151 23456789"}},
	} {
		c := named(t, code)
		for stored, spellings := range numbers {
			require.True(t, c.Mobile(stored), "%s %q", code, stored)
			for _, spelling := range spellings {
				require.Equal(t, stored, c.Number(spelling), "%s %q", code, spelling)
				require.Equal(t, spelling == stored, c.Mobile(spelling), "%s %q", code, spelling)
			}
		}
	}
}

func TestNoMobile(t *testing.T) {
	for code, texts := range map[string][]string{
		"CN": {"", "1381234567", "+447700900123", "138123456789", "tea", "+85213812345678"},
		"JP": {
			"", "tea", "13812345678", "090-1234-567", "+8190123456789", "03-1234-5678", "0120-123-456", "050-1234-5678", "110",
			"+8613812345678", "+12015550123", "090-1234-5678x1", "090123456789012345678901234567890", "+", "0",
		},
		"US": {"201-555-012", "1-800-356-9377", "1-800-FLOWERS", "911", "+819012345678", "101 555 0123"},
		"DE": {"030 123456", "0800 1234567", "110", "+4366412345678", "0151 23"},
	} {
		c := named(t, code)
		for _, text := range texts {
			require.Equal(t, text, c.Number(text), code)
			require.False(t, c.Mobile(text), "%s %q", code, text)
		}
	}
}

// The pattern of a document, the example of tests and the rule agree.
func TestForm(t *testing.T) {
	for _, code := range []string{"CN", "JP", "US", "DE", "GB", "FR", "SG", "KR", "IN", "BR"} {
		f := named(t, code).Form("mobile")
		for n := range 3 {
			require.True(t, f.Fits(f.Example(n)), code)
			require.Regexp(t, f.Pattern, f.Example(n), code)
			require.Equal(t, f.Example(n), f.Clean(f.Example(n)))
		}
	}
	require.Nil(t, country.Country{}.Form("number"))
	require.Nil(t, country.Country{}.Cleaning("mobile"))
	require.Equal(t, "+819012345678", named(t, "JP").Cleaning("number")("090 1234 5678"))
	require.Equal(t, "tea", named(t, "JP").Cleaning("text")(" tea "))
}

func TestPostalCode(t *testing.T) {
	for code, texts := range map[string]map[bool][]string{
		"CN": {true: {"310012", "x"}}, "AR": {true: {"C1425", "x"}},
		"JP": {true: {"150-0001", "1500001", " １５０－０００１ "}, false: {"150-001", "15O-0001", "310012"}},
		"US": {true: {"90210", "90210-1234"}, false: {"9021", "902101"}},
		"DE": {true: {"01067"}, false: {"1067", "D-01067"}},
		"GB": {true: {"SW1A 1AA", "M1 1AE", "b33 8th", "B338TH"}, false: {"SW1A", "12345"}},
	} {
		for fits, list := range texts {
			for _, text := range list {
				_, ok := named(t, code).PostalCode(text)
				require.Equal(t, fits, ok, "%s %q", code, text)
			}
		}
	}
	stored, _ := named(t, "JP").PostalCode(" １５０－０００１ ")
	require.Equal(t, "150-0001", stored)
}
