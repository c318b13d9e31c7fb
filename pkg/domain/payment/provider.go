package payment

import (
	"log/slog"
	"reflect"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/base/text"
)

// Provider is a way to collect money: a platform, a bank account, the till of a shop. Each is a package of its own,
// whose section of the configuration implements it, and is named by one line in the list of providers.
type Provider interface {
	// Info says what the provider is and what it can do.
	Info() Info
	// Configured reports whether the section is filled in. A provider that is configured but not offered still serves the
	// payments that it has collected: it is queried, notifies, and refunds.
	Configured() bool
	// Mistakes returns a sentence for each mistake of the section, without any value. It is called for a provider that is
	// offered or configured.
	Mistakes() []string
	// Open returns the gateway. It does not connect.
	Open(e Env) (Gateway, error)
}

// Info is what a provider is and can do.
type Info struct {
	// Code is the name under which its payments are stored, at most 16 bytes.
	Code string
	// Name is what shoppers and operators read, RefundName how the record of an order calls its refunds.
	Name, RefundName *text.Text
	// Methods are its ways to pay, the first one the most usual.
	Methods []Method
	// Currencies are those that it collects; none means any.
	Currencies []money.Currency
	// Least and Greatest bound the amount of a payment; a Greatest of 0 is no bound.
	Least, Greatest money.Amount
	// WholeRefunds says that it refunds only the whole amount of a payment.
	WholeRefunds bool
	// Demo says that it collects no money and exists only in a demo shop.
	Demo bool
	// Notified says that a platform reports payments to the shop's public address, and can be asked about them.
	Notified bool
	// Acknowledgement is the text that its platform reads as the acceptance of a notification, empty if the status of the
	// answer says it all. It is answered at the address of the provider alone.
	Acknowledgement string
}

// Kind is what a client does to make a payment.
type Kind string

// The kinds.
const (
	// KindApp passes signed parameters to the platform's app.
	KindApp Kind = "app"
	// KindPage sends the browser of a phone to the platform's page, KindRedirect any browser.
	KindPage     Kind = "page"
	KindRedirect Kind = "redirect"
	// KindQR shows a code that the platform's app scans.
	KindQR Kind = "qr"
	// KindOffline shows where to pay; staff record the money.
	KindOffline Kind = "offline"
	// KindDelivery ships the order before it is paid; staff record the money. No payment begins.
	KindDelivery Kind = "delivery"
)

// Method is one way in which a provider collects money.
type Method struct {
	Kind Kind
	// TradeType is the provider's name of the method, stored with each payment, at most 16 bytes.
	TradeType string
	// NeedsOpenID says that the payer must have an identity at the app platform.
	NeedsOpenID bool
	// Wait is how long after it was placed an order waits for the money; 0 is as long as any unpaid order.
	Wait time.Duration
	// MaxOwed is how many orders a shopper may owe at once by KindDelivery, MaxRefused how many of them may have come
	// back refused in the last year before it is no longer offered; 0 is no bound.
	MaxOwed, MaxRefused int
}

// Env is what a provider gets from the shop.
type Env struct {
	// NotifyURL is the shop's public address for notifications of all providers, OwnNotifyURL that for those of this one
	// alone. Both are empty where the shop is not notified.
	NotifyURL, OwnNotifyURL string
	Redis                   redis.UniversalClient
	Meter                   *meter.Meter
	Now                     func() time.Time
	Log                     *slog.Logger
}

// ProvidersOf returns the providers of a list: the fields of the struct that list points to, each a provider's section
// of the configuration.
func ProvidersOf(list any) []Provider {
	var all []Provider
	fields := reflect.ValueOf(list).Elem()
	for i := range fields.NumField() {
		all = append(all, fields.Field(i).Addr().Interface().(Provider))
	}
	return all
}

// takes reports whether the provider can collect an amount in a currency.
func (i Info) takes(amount money.Amount, currency money.Currency) bool {
	return amount >= i.Least && (i.Greatest == 0 || amount <= i.Greatest) && i.collects(currency)
}

// collects reports whether the provider can collect a currency.
func (i Info) collects(currency money.Currency) bool {
	return len(i.Currencies) == 0 || slices.Contains(i.Currencies, currency)
}

// method returns the first method of one of some kinds.
func (i Info) method(kinds []Kind) (Method, bool) {
	at := slices.IndexFunc(i.Methods, func(m Method) bool { return slices.Contains(kinds, m.Kind) })
	if at < 0 {
		return Method{}, false
	}
	return i.Methods[at], true
}
