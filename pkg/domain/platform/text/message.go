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

func message(key, zh, en string, params ...string) *Message {
	kind, _, _ := strings.Cut(key, ".")
	m := &Message{add(key, zh, en), kind, params}
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
	SMSCode = message("sms.code", "您的验证码是 {{.code}}，{{.minutes}} 分钟内有效，请勿告诉他人。",
		"{{.code}} is your verification code, valid for {{.minutes}} minutes. Tell nobody.", "code", "minutes")
	SMSOrderPaid = message("sms.order-paid", "您的订单（尾号 {{.order}}）已付款成功。",
		"Your order ending in {{.order}} is paid. Thank you.", "order")
	SMSOrderShipped = message("sms.order-shipped", "您的订单（尾号 {{.order}}）已发货：{{.carrier}} {{.number}}",
		"Your order ending in {{.order}} has been shipped: {{.carrier}} {{.number}}", "order", "carrier", "number")
	SMSOrderRefunded = message("sms.order-refunded", "您的订单（尾号 {{.order}}）已退款。",
		"Your order ending in {{.order}} has been refunded.", "order")
)

// Mails to operators.
var (
	MailOrderPaid = message("mail.order-paid", "新订单已付款\n\n订单 {{.order}}，金额 {{.amount}}",
		"A new order is paid\n\nOrder {{.order}}, amount {{.amount}}", "order", "amount")
	MailRefundAsked = message("mail.refund-asked", "退款申请\n\n订单 {{.order}}，金额 {{.amount}}",
		"A refund is requested\n\nOrder {{.order}}, amount {{.amount}}", "order", "amount")
	MailPaymentAlarm = message("mail.payment-alarm",
		"支付异常\n\n{{with .order}}订单 {{.}}：{{end}}{{.reason}}",
		"A payment needs attention\n\n{{with .order}}Order {{.}}: {{end}}{{.reason}}", "order", "reason")
	MailTest = message("mail.test", "测试邮件\n\n这是商城的一封测试邮件。", "Test mail\n\nThis is a test mail of the shop.")
)

// Notices to operators.
var (
	NoticePaymentAlarm = message("notice.payment-alarm",
		"支付异常\n\n{{with .order}}订单 {{.}}：{{end}}{{.reason}}",
		"A payment needs attention\n\n{{with .order}}Order {{.}}: {{end}}{{.reason}}", "order", "reason")
	NoticeGivenUp = message("notice.given-up",
		"后台任务失败\n\n{{.effect}} 多次未能完成，已停止重试。用 shopctl outbox list 查看，用 shopctl outbox retry {{.id}} 重试。",
		"An effect was given up\n\n{{.effect}} has failed too often and is not tried again. See shopctl outbox list; "+
			"shopctl outbox retry {{.id}} tries it again.", "effect", "id")
	NoticeJobFailure = message("notice.job-failure",
		"定时任务出错\n\n任务 {{.job}} 多次未能处理第 {{.row}} 行，已暂时搁置，之后会再试。用 shopctl jobs failures 查看原因。",
		"A scheduled job keeps failing\n\n{{.job}} could not handle row {{.row}} several times; the row is set aside and "+
			"tried again later. See shopctl jobs failures.", "job", "row")
)

// Reasons why a payment needs attention.
var (
	AlarmUnreadable = add("alarm.unreadable", "支付平台的通知 %s 签名正确但内容无法处理：%.150s",
		"notice %s of the payment platform is signed well and makes no sense: %.150s")
	AlarmNoPayment = add("alarm.no-payment", "没有编号为 %.64s 的付款", "no payment has the number %.64s")
	AlarmNoOrder   = add("alarm.no-order", "付款 %s 没有对应的订单", "payment %s has no order")
	AlarmAmount    = add("alarm.amount", "付款 %s 的金额是 %s %s，应为 %s CNY", "payment %s: %s %s instead of %s CNY")
	AlarmLate      = add("alarm.late", "订单已不在等待付款，却收到了款项；正在原路退回",
		"money for an order that does not wait for it; it is being sent back")
	AlarmNoRefund       = add("alarm.no-refund", "没有编号为 %s 的退款", "no refund has the number %s")
	AlarmRefundAmount   = add("alarm.refund-amount", "退款 %s 的金额是 %s，应为 %s", "refund %s: %s instead of %s")
	AlarmRefundFailed   = add("alarm.refund-failed", "支付平台没有付出退款 %s", "the platform has not paid refund %s")
	AlarmRefundReturned = add("alarm.refund-returned", "支付平台受理了退款 %s 但没有付出，请在支付平台上处理",
		"refund %s was taken by the platform and not paid: settle it there")
	AlarmRefundUnasked = add("alarm.refund-unasked", "退款 %s 并不在办理中，支付平台却已付出",
		"refund %s was paid although it is not on its way")
)

// PaymentFor is the description that the payment platform shows to the payer; the argument is the order's number.
var PaymentFor = add("payment.for", "订单 %s", "Order %s")

// NoAppPlatform refuses what requires the app platform, in a shop without one.
var NoAppPlatform = add("account.no-app-platform",
	"本店没有接入微信（未设置小程序的 AppID 和 AppSecret），请用账号和手机号登录或注册",
	"this shop is not connected with WeChat (the app's AppID and AppSecret are not set): log in or register without it")

// NoticeFromSystem is the sender of a notice without an author.
var NoticeFromSystem = add("notice.from-system", "系统", "System")
