package country

import (
	"fmt"
	"strings"

	"github.com/nyaruka/phonenumbers"

	"shop.internal/pkg/base/form"
	"shop.internal/pkg/base/text"
)

// Mobile reports whether a text is a mobile number in the form that is stored: in China 1 and ten more digits,
// elsewhere the international form, + and the digits with the country's calling code.
func (c Country) Mobile(t string) bool {
	if c.IsChina() {
		return len(t) == 11 && t[0] == '1' && strings.Trim(t, "0123456789") == ""
	}
	number, ok := c.international(t)
	return ok && number == t
}

// Number returns a mobile number that people type or paste, in the national or the international spelling, in the form
// that is stored. What is no mobile number of the country stays what it is.
func (c Country) Number(t string) string {
	digits := form.Code(t)
	if !c.IsChina() {
		if number, ok := c.international(digits); ok {
			return number
		}
		return form.Clean(t)
	}
	for _, prefix := range []string{"", "+86", "0086", "86"} {
		if n, ok := strings.CutPrefix(digits, prefix); ok && c.Mobile(n) {
			return n
		}
	}
	return form.Clean(t)
}

// longest bounds the digits of a number: 15, an international and a national prefix.
const longest = 24

// international returns the international form of a mobile number with the calling code of the country, which several
// countries may share. Where mobile numbers look like others (US), each of both kinds is one.
func (c Country) international(t string) (string, bool) {
	if len(t) > longest || strings.Trim(t, "+0123456789") != "" {
		return "", false
	}
	n, err := phonenumbers.Parse(t, c.code)
	if err != nil || int(n.GetCountryCode()) != phonenumbers.GetCountryCodeForRegion(c.code) {
		return "", false
	}
	kind := phonenumbers.GetNumberType(n)
	if kind != phonenumbers.MOBILE && kind != phonenumbers.FIXED_LINE_OR_MOBILE {
		return "", false
	}
	return phonenumbers.Format(n, phonenumbers.E164), true
}

// Form returns the form of texts of a name, nil where there is none: "mobile" are mobile numbers as they are stored.
func (c Country) Form(name string) *form.Form {
	if name != "mobile" {
		return nil
	}
	if c.IsChina() {
		return &form.Form{
			Clean: c.Number, Fits: c.Mobile, Refusal: text.ValidationMobile, Pattern: "^1[0-9]{10}$",
			Example: func(n int) string { return fmt.Sprintf("138000000%02d", n%100) },
		}
	}
	return &form.Form{
		Clean: c.Number, Fits: c.Mobile, Refusal: text.ValidationMobileAbroad,
		Pattern: fmt.Sprintf(`^\+%d[0-9]{4,14}$`, phonenumbers.GetCountryCodeForRegion(c.code)),
		Example: func(int) string { return c.Example() },
	}
}

// Example is a mobile number as it is stored.
func (c Country) Example() string {
	if c.IsChina() {
		return "13800000000"
	}
	return phonenumbers.Format(phonenumbers.GetExampleNumberForType(c.code, phonenumbers.MOBILE), phonenumbers.E164)
}

// Cleaning returns the cleaning of a name: "number" is Number, and the others are those of package form.
func (c Country) Cleaning(name string) func(t string) string {
	if name == "number" {
		return c.Number
	}
	return form.Cleaning(name)
}
