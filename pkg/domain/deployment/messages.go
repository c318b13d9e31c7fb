package deployment

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"shop.internal/pkg/domain/notify"
)

// Messages are the keys of messages to people and of their senders.
type Messages struct {
	SMS struct {
		Sender string `key:"sender" validate:"oneof=none log mail aliyun twilio webhook" default:"none"`
		File   string `key:"file" default:"messages.log"`
		Mail   struct {
			To string `key:"to"`
		} `key:"mail"`
		Aliyun struct {
			AccessKeyID     string   `key:"access-key-id"`
			AccessKeySecret string   `key:"access-key-secret"`
			SignName        string   `key:"sign-name"`
			Templates       []string `key:"templates"`
			Endpoint        string   `key:"endpoint" default:"https://dysmsapi.aliyuncs.com"`
		} `key:"aliyun"`
		Twilio struct {
			AccountSID string `key:"account-sid"`
			AuthToken  string `key:"auth-token"`
			From       string `key:"from"`
			Prefix     string `key:"prefix" default:"+86"`
			BaseURL    string `key:"base-url" default:"https://api.twilio.com"`
		} `key:"twilio"`
	} `key:"sms"`
	Mail struct {
		Sender string   `key:"sender" validate:"oneof=none log smtp webhook" default:"none"`
		To     []string `key:"to"`
		SMTP   struct {
			Host     string `key:"host"`
			Port     int    `key:"port" validate:"min=0,max=65535" default:"0"`
			TLS      string `key:"tls" validate:"oneof=starttls implicit" default:"starttls"`
			Username string `key:"username"`
			Password string `key:"password"`
			From     string `key:"from"`
			CAFile   string `key:"ca-file"`
		} `key:"smtp"`
	} `key:"mail"`
	Message struct {
		Templates string `key:"templates"`
		Webhook   struct {
			URL    string `key:"url"`
			Secret string `key:"secret" validate:"omitempty,secret"`
		} `key:"webhook"`
	} `key:"message"`
}

// Senders returns the configured senders and the templates of a language. Its errors name the wrong keys, without any
// value.
func (m *Messages) Senders(language string, now func() time.Time) (notify.Sender, *notify.Texts, error) {
	texts, wrong := notify.NewTexts(language, m.Message.Templates)
	if wrong != nil {
		wrong = errors.New("message.templates: " + strings.ReplaceAll(wrong.Error(), "\n", "; "))
	}
	phone, err := m.phone(now)
	wrong = errors.Join(wrong, err)
	mail, err := m.mail(now)
	return notify.Join(phone, mail), texts, errors.Join(wrong, err)
}

func (m *Messages) phone(now func() time.Time) (notify.Sender, error) {
	switch a, t := m.SMS.Aliyun, m.SMS.Twilio; m.SMS.Sender {
	case "log":
		return notify.NewLog(m.SMS.File, now), nil
	case "mail":
		by, err := m.smtp()
		if err != nil {
			return nil, err
		}
		s, err := notify.NewGateway(by, m.SMS.Mail.To)
		return s, about("sms.mail.to", err)
	case "aliyun":
		s, err := notify.NewAliyun(notify.AliyunOptions{
			Endpoint: a.Endpoint, AccessKeyID: a.AccessKeyID, AccessKeySecret: a.AccessKeySecret, SignName: a.SignName,
			Templates: a.Templates, Now: now,
		})
		return s, about("sms.aliyun", err)
	case "twilio":
		s, err := notify.NewTwilio(notify.TwilioOptions{
			BaseURL: t.BaseURL, AccountSID: t.AccountSID, AuthToken: t.AuthToken, From: t.From, Prefix: t.Prefix,
		})
		return s, about("sms.twilio", err)
	case "webhook":
		return m.webhook(now)
	}
	return notify.NewNone(), nil
}

func (m *Messages) mail(now func() time.Time) (notify.Sender, error) {
	switch m.Mail.Sender {
	case "log":
		return notify.NewLog(m.SMS.File, now), nil
	case "smtp":
		return m.smtp()
	case "webhook":
		return m.webhook(now)
	}
	return notify.NewNone(), nil
}

func (m *Messages) smtp() (*notify.SMTP, error) {
	o := m.Mail.SMTP
	s, err := notify.NewSMTP(notify.SMTPOptions{
		Host: o.Host, Port: o.Port, Implicit: o.TLS == "implicit", Username: o.Username, Password: o.Password,
		From: o.From, CAFile: o.CAFile, To: m.Mail.To,
	})
	return s, about("mail.smtp", err)
}

func (m *Messages) webhook(now func() time.Time) (notify.Sender, error) {
	s, err := notify.NewWebhook(m.Message.Webhook.URL, m.Message.Webhook.Secret, now)
	return s, about("message.webhook", err)
}

// about adds the section of the keys to an error.
func about(section string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", section, err)
}

// mistakes checks the rules that span keys.
func (m *Messages) mistakes(language string, demo bool) []string {
	var wrong []string
	if !demo && m.SMS.Sender == "log" {
		wrong = append(wrong, "sms.sender: log writes codes into a file and exists only where demo is true")
	}
	if !demo && m.Mail.Sender == "log" {
		wrong = append(wrong, "mail.sender: log writes mails into a file and exists only where demo is true")
	}
	if _, _, err := m.Senders(language, nil); err != nil {
		lines := strings.Split(err.Error(), "\n")
		slices.Sort(lines)
		wrong = append(wrong, slices.Compact(lines)...) // both may use one mail server
	}
	return wrong
}

// ShopperGap is a sentence about what shoppers cannot do without a sender, "" if nothing is missing.
func (m *Messages) ShopperGap() string {
	if m.SMS.Sender != "none" {
		return ""
	}
	return "sms.sender is none: no verification code can be sent, so nobody can register, set a new password by a code, " +
		"or change a mobile number (errno 701)"
}

// WarnShopperGap logs ShopperGap at the start.
func (m *Messages) WarnShopperGap(ctx context.Context, log *slog.Logger) {
	warn(ctx, log, m.ShopperGap())
}

// WarnStaffGap logs StaffGap at the start.
func (m *Messages) WarnStaffGap(ctx context.Context, log *slog.Logger) { warn(ctx, log, m.StaffGap()) }

func warn(ctx context.Context, log *slog.Logger, gap string) {
	if gap != "" {
		log.WarnContext(ctx, "messages: "+gap)
	}
}

// StaffGap is ShopperGap for messages to the staff.
func (m *Messages) StaffGap() string {
	var gaps []string
	if m.SMS.Sender == "none" {
		gaps = append(gaps, "sms.sender is none: shoppers get no text message when an order is paid, shipped or refunded")
	}
	switch {
	case m.Mail.Sender == "none":
		gaps = append(gaps, "mail.sender is none: operators get no mail about new orders, refunds and bad payments")
	case m.Mail.Sender == "smtp" && len(m.Mail.To) == 0:
		gaps = append(gaps, "mail.to is empty: nobody gets the mails about new orders, refunds and bad payments")
	}
	return strings.Join(gaps, "; ")
}
