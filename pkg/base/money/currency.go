package money

import "strings"

// Currency is a currency by its code of ISO 4217, such as CNY. The zero Currency is none.
type Currency string

// The currencies in use, by their decimals. There are few others: BHD, IQD, JOD, KWD, LYD, OMR and TND have three
// decimals, which an Amount cannot hold.
const (
	twoDecimals = "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY " +
		"COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR " +
		"IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD " +
		"NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC " +
		"SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG"
	noDecimals = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"
)

// CurrencyOf returns the currency with a code. It reports false for a code that is none, and for a currency with other
// than two or no decimals.
func CurrencyOf(code string) (Currency, bool) {
	known := len(code) == 3 && (listed(twoDecimals, code) || listed(noDecimals, code))
	if !known {
		return "", false
	}
	return Currency(code), true
}

func listed(codes, code string) bool { return strings.Contains(" "+codes+" ", " "+code+" ") }

// Decimals is how many decimals amounts of the currency are written with, 0 or 2.
func (c Currency) Decimals() int {
	if listed(noDecimals, string(c)) {
		return 0
	}
	return 2
}

// Unit is the smallest amount of the currency.
func (c Currency) Unit() Amount {
	if c.Decimals() == 0 {
		return 100
	}
	return 1
}

// Fits reports whether an amount is one of the currency: a multiple of its unit.
func (c Currency) Fits(a Amount) bool { return a%c.Unit() == 0 }

// signs are the signs that people know without the name of a country, and that letters have in every font.
var signs = map[Currency]string{"CNY": "¥", "JPY": "¥", "EUR": "€", "GBP": "£", "USD": "$"}

// Price writes an amount for people, with commas between thousands and the sign of the currency, or else with its code:
// "¥1,036.00", "¥36", "CHF 36.00".
func (c Currency) Price(a Amount) string {
	text := grouped(c.Text(a))
	if sign := signs[c]; sign != "" {
		return sign + text
	}
	return string(c) + " " + text
}

// grouped writes commas between the thousands of a number.
func grouped(number string) string {
	whole, _, _ := strings.Cut(number, ".")
	first := len(number) - len(strings.TrimLeft(number, "-"))
	for at := len(whole) - 3; at > first; at -= 3 {
		number = number[:at] + "," + number[at:]
	}
	return number
}

// Split is the function Split with parts that are amounts of the currency. What does not fit of the total goes to the
// last part.
func (c Currency) Split(total Amount, weights []int64) []Amount {
	parts := Split(total/c.Unit(), weights)
	for i := range parts {
		parts[i] *= c.Unit()
	}
	if len(parts) > 0 {
		parts[len(parts)-1] += total % c.Unit()
	}
	return parts
}

// Text writes an amount with the decimals of the currency: "36.00", or "36" where it has none. An amount that does not
// fit is written whole, with its decimals.
func (c Currency) Text(a Amount) string {
	t := a.String()
	if c.Decimals() == 0 {
		t = strings.TrimSuffix(t, ".00")
	}
	return t
}
