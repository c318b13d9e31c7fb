package text

import (
	"slices"
	"strings"
)

// The kinds of messages.
const (
	// SMS is a text message to a shopper.
	SMS = "sms"
	// Mail is a mail to operators.
	Mail = "mail"
	// Notice is a notice in the inboxes of operators.
	Notice = "notice"
)

// Message is a message that the shop sends: a text message, a mail, or a notice to operators. Its texts are templates
// of package text/template over its parameters, as in {{.code}}; the first line of a mail and of a notice is the
// subject. The owner may replace them, see package notify.
type Message struct {
	*Text
	// Kind is SMS, Mail or Notice; the key begins with it.
	Kind string
	// Params are the names of the parameters, in their natural order.
	Params []string
}

// messages are all of them in the order of declaration.
var messages []*Message // filled while the package is initialised, then only read

func message(key string, params ...string) *Message {
	kind, _, _ := strings.Cut(key, ".")
	m := &Message{entry(key), kind, params}
	messages = append(messages, m)
	return m
}

// Messages returns every message there is.
func Messages() []*Message { return slices.Clone(messages) }

// FindMessage returns the message with a key.
func FindMessage(key string) (*Message, bool) {
	i := slices.IndexFunc(messages, func(m *Message) bool { return m.Key == key })
	if i < 0 {
		return nil, false
	}
	return messages[i], true
}

// Phrase is an entry with its arguments, for any language. The zero value is empty.
type Phrase struct {
	Entry *Text
	Args  []any
}

// With returns the entry with its arguments.
func (t *Text) With(args ...any) Phrase { return Phrase{t, args} }

// In returns the phrase in a language, "" for the zero value.
func (p Phrase) In(language string) string {
	if p.Entry == nil {
		return ""
	}
	return p.Entry.In(language, p.Args...)
}

// Text messages to shoppers. {{.order}} is the end of the order's number, by which a shopper recognizes it.
var (
	SMSCode          = message("sms.code", "code", "minutes")
	SMSOrderPaid     = message("sms.order-paid", "order")
	SMSOrderShipped  = message("sms.order-shipped", "order", "carrier", "number")
	SMSOrderReady    = message("sms.order-ready", "order", "address", "hours")
	SMSOrderRefunded = message("sms.order-refunded", "order")
)

// Mails to operators.
var (
	MailOrderPaid      = message("mail.order-paid", "order", "amount")
	MailOrderPaidLater = message("mail.order-paid-later", "order", "amount")
	MailRefundAsked    = message("mail.refund-asked", "order", "amount")
	MailPaymentAlarm   = message("mail.payment-alarm", "order", "reason")
	MailTest           = message("mail.test")
)

// Notices to operators.
var (
	NoticePaymentAlarm = message("notice.payment-alarm", "order", "reason")
	NoticeGivenUp      = message("notice.given-up", "effect", "id")
	NoticeJobFailure   = message("notice.job-failure", "job", "row")
	NoticeBooks        = message("notice.books", "count", "first")
)

// Reasons why a payment needs attention.
var (
	AlarmUnreadable     = entry("alarm.unreadable")
	AlarmNoPayment      = entry("alarm.no-payment")
	AlarmNoOrder        = entry("alarm.no-order")
	AlarmAmount         = entry("alarm.amount")
	AlarmLate           = entry("alarm.late")
	AlarmNoRefund       = entry("alarm.no-refund")
	AlarmRefundAmount   = entry("alarm.refund-amount")
	AlarmRefundFailed   = entry("alarm.refund-failed")
	AlarmRefundReturned = entry("alarm.refund-returned")
	AlarmRefundUnasked  = entry("alarm.refund-unasked")
)

// SMSShop names the shop at the beginning of a text message, as a template over {{.shop}}.
var SMSShop = entry("shop.sms")

// RoleSuperName is the name of the role that the first operator gets.
var RoleSuperName = entry("role.super-name")

// PaymentFor is the description that the payment platform shows to the payer; the argument is the order's number.
var PaymentFor = entry("payment.for")

// NoAppPlatform refuses what requires the app platform, in a shop without one.
var NoAppPlatform = entry("account.no-app-platform")

// NoticeFromSystem is the sender of a notice without an author.
var NoticeFromSystem = entry("notice.from-system")
