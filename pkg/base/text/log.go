package text

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// What the business log says of operators and their logins.
var (
	LogLogin         = entry("log.login")
	LogLogout        = entry("log.logout")
	LogPassword      = entry("log.password")
	LogAnonymous     = entry("log.anonymous")
	LogTooManyLogins = entry("log.too-many-logins")
	LogNoOperator    = entry("log.no-operator")
	LogWrongPassword = entry("log.wrong-password")
	LogLocked        = entry("log.locked")
	LogGrants        = entry("log.grants")
)

// What the business log says of orders and after-sale cases.
var (
	LogOrder     = entry("log.order")
	LogCase      = entry("log.case")
	LogOrderCase = entry("log.order-case")
	LogPaid      = entry("log.paid")
)

// How an order was paid without a payment provider.
var (
	PaidByHand  = entry("order.paid-by-hand")
	PaidNothing = entry("order.paid-nothing")
)

// RefundByHand is how money was refunded that no payment provider has refunded, as the record of an order says it.
var RefundByHand = entry("refund.by-hand")

// recorded are the texts and actions of the business log, each with the form in which it is stored. Longer ones come
// first, since an order with a case begins as an order alone does.
var recorded = sync.OnceValue(func() []recordedText {
	var found []recordedText
	for _, t := range all {
		if strings.HasPrefix(t.Key, "log.") || strings.HasPrefix(t.Key, "action.") {
			form := strings.NewReplacer("%s", "(.+)", "%d", "(.+)").Replace(regexp.QuoteMeta(t.formats[Chinese]))
			found = append(found, recordedText{t, regexp.MustCompile("^" + form + "$")})
		}
	}
	slices.SortStableFunc(found, func(a, b recordedText) int { return len(b.form.String()) - len(a.form.String()) })
	return found
})

type recordedText struct {
	text *Text
	form *regexp.Regexp
}

// Recorded returns in a language what a record holds in Chinese. What is no text of the business log stays as it is.
func Recorded(stored, language string) string {
	if language == Chinese {
		return stored
	}
	for _, r := range recorded() {
		parts := r.form.FindStringSubmatch(stored)
		if parts == nil {
			continue
		}
		format, known := r.text.formats[language]
		if !known {
			return stored
		}
		for _, part := range parts[1:] {
			verb := strings.IndexByte(format, '%')
			format = format[:verb] + part + format[verb+len("%s"):]
		}
		return format
	}
	return stored
}
