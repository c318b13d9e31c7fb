// Package country has what differs between the countries that a shop may be in: mobile numbers, postal codes, and the
// defaults of time zone, currency and language. The zero Country is China, with the rules of the shop's first clients.
package country

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/nyaruka/phonenumbers"
	"golang.org/x/text/currency"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
)

// china is the code of the zero Country.
const china = "CN"

// Country is where a shop is.
type Country struct {
	// code is empty for China.
	code string
}

// Named returns the country with a code of ISO 3166, two capital letters. It fails for a code that is none, and for a
// country with whose money or telephone numbers the shop cannot deal.
func Named(code string) (Country, error) {
	if code == china {
		return Country{}, nil
	}
	region, err := language.ParseRegion(code)
	if err != nil || len(code) != 2 || region.String() != code || !phonenumbers.GetSupportedRegions()[code] {
		return Country{}, fmt.Errorf("%q is no country such as CN, of ISO 3166", code)
	}
	c := Country{code}
	if c.Currency() == "" {
		return Country{}, fmt.Errorf("no currency is known for %s with two decimals or none", code)
	}
	return c, nil
}

// Code is the code of ISO 3166.
func (c Country) Code() string {
	if c.code == "" {
		return china
	}
	return c.code
}

// IsChina reports whether the country is China, whose addresses are chosen from a list of divisions. Elsewhere they are
// free text.
func (c Country) IsChina() bool { return c.code == "" }

// facts are what no table of a library knows of a country. An empty member is what the libraries know.
type facts struct {
	zone     string
	currency money.Currency
	postal   *regexp.Regexp
}

var (
	fourDigits = regexp.MustCompile(`^[0-9]{4}$`)
	fiveDigits = regexp.MustCompile(`^[0-9]{5}$`)
	sixDigits  = regexp.MustCompile(`^[0-9]{6}$`)
)

// known are the facts of well-known countries, by code: the main zone of those with several, a currency that is newer
// than the tables, and the form of postal codes.
var known = map[string]facts{
	china: {zone: "Asia/Shanghai"},
	"AT":  {postal: fourDigits},
	"AU":  {postal: fourDigits},
	"BE":  {postal: fourDigits},
	"BG":  {currency: "EUR", postal: fourDigits},
	"CA":  {postal: regexp.MustCompile(`^[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]$`)},
	"CH":  {zone: "Europe/Zurich", postal: fourDigits},
	"DE":  {zone: "Europe/Berlin", postal: fiveDigits},
	"ES":  {zone: "Europe/Madrid", postal: fiveDigits},
	"FR":  {zone: "Europe/Paris", postal: fiveDigits},
	"GB":  {zone: "Europe/London", postal: regexp.MustCompile(`^[A-Z]{1,2}[0-9][0-9A-Z]? ?[0-9][A-Z]{2}$`)},
	"HR":  {currency: "EUR", postal: fiveDigits},
	"IN":  {postal: sixDigits},
	"IT":  {zone: "Europe/Rome", postal: fiveDigits},
	"JP":  {postal: regexp.MustCompile(`^[0-9]{3}-?[0-9]{4}$`)},
	"KR":  {postal: fiveDigits},
	"MX":  {postal: fiveDigits},
	"MY":  {postal: fiveDigits},
	"NL":  {postal: regexp.MustCompile(`^[1-9][0-9]{3} ?[A-Z]{2}$`)},
	"PL":  {postal: regexp.MustCompile(`^[0-9]{2}-[0-9]{3}$`)},
	"SG":  {postal: sixDigits},
	"TH":  {postal: fiveDigits},
	"TW":  {postal: regexp.MustCompile(`^[0-9]{3}([0-9]{2,3})?$`)},
	"US":  {postal: regexp.MustCompile(`^[0-9]{5}(-[0-9]{4})?$`)},
	"VN":  {postal: regexp.MustCompile(`^[0-9]{5,6}$`)},
}

// PostalCode returns a postal code as it is stored, in plain capital letters. It reports false for one that has not the
// form of the country's; where none is known, every text has.
func (c Country) PostalCode(t string) (string, bool) {
	t = strings.ToUpper(norm.NFKC.String(form.Clean(t)))
	p := known[c.Code()].postal
	return t, p == nil || p.MatchString(t)
}

// Zone is the name of the country's time zone, such as "Asia/Tokyo", and empty where it has several or none is known.
func (c Country) Zone() string {
	if zone := known[c.Code()].zone; zone != "" {
		return zone
	}
	zones, err := phonenumbers.GetTimezonesForPrefix(fmt.Sprint(phonenumbers.GetCountryCodeForRegion(c.code)))
	if err != nil || len(zones) != 1 || zones[0] == phonenumbers.UNKNOWN_TIMEZONE {
		return ""
	}
	return zones[0]
}

// Currency is the country's currency, and empty where none is known that a shop can sell in.
func (c Country) Currency() money.Currency {
	if newer := known[c.Code()].currency; newer != "" {
		return newer
	}
	region, err := language.ParseRegion(c.Code())
	if err != nil {
		return ""
	}
	unit, _ := currency.FromRegion(region)
	of, _ := money.CurrencyOf(unit.String())
	return of
}

// Language is the language of texts for people: Chinese where most read it, otherwise English.
func (c Country) Language() string {
	if base, _ := language.Make("und-" + c.Code()).Base(); base.String() == text.Chinese {
		return text.Chinese
	}
	return text.English
}
