// Package notify sends messages out of the shop: text messages to shoppers and mails to operators, with the templates
// of the catalogue or the owner's. The areas that send decide when, and the outbox retries.
//
// No error of a sender contains a password, a key, an address, a number or the text of a message: errors are logged.
package notify

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"time"

	"shop.internal/pkg/base/text"
)

// ErrUnsupported says that the shop has no sender for a message.
var ErrUnsupported = errors.New("no sender for this kind of message is set up")

// sendTimeout bounds the sending of a message. It is shorter than a batch of the job that sends, so that a hanging
// service fails as such.
const sendTimeout = 6 * time.Second

// Kind is a kind of message.
type Kind int

// The kinds.
const (
	// ByPhone are text messages to mobile numbers.
	ByPhone Kind = iota
	// ByMail are mails to operators.
	ByMail
)

// SMS is a text message.
type SMS struct {
	// ID is the same for all attempts to send the message.
	ID string
	// Mobile is the number: in China without a country code, elsewhere in the international form, such as +819012345678.
	Mobile string
	// Name is the key of the message in the catalogue, such as "sms.code".
	Name string
	Text string
	// Params are the parameters of Text, for services with their own templates.
	Params map[string]string
}

// Mail is a mail in plain text.
type Mail struct {
	// ID is the same for all attempts to send the mail.
	ID string
	// To are the recipients, empty for the operators of the shop.
	To            []string
	Name          string
	Subject, Text string
}

// Sender sends messages. It is safe for concurrent use and respects its context.
type Sender interface {
	// Sends reports whether the sender sends messages of a kind.
	Sends(k Kind) bool
	// SMS sends a text message. It fails with ErrUnsupported for one that it cannot send.
	SMS(ctx context.Context, m SMS) error
	// Mail sends a mail. It fails with ErrUnsupported for one that it cannot send.
	Mail(ctx context.Context, m Mail) error
}

// None is the sender of a shop that sends nothing.
type None struct{}

// NewNone returns the sender that refuses every message with ErrUnsupported.
func NewNone() Sender { return None{} }

// Sends is false.
func (None) Sends(Kind) bool { return false }

// SMS fails with ErrUnsupported.
func (None) SMS(context.Context, SMS) error { return ErrUnsupported }

// Mail fails with ErrUnsupported.
func (None) Mail(context.Context, Mail) error { return ErrUnsupported }

// Join combines a sender of text messages with one of mails.
func Join(phone, mail Sender) Sender { return joined{phone, mail} }

type joined struct{ phone, mail Sender }

func (j joined) Sends(k Kind) bool {
	if k == ByPhone {
		return j.phone.Sends(k)
	}
	return j.mail.Sends(k)
}

func (j joined) SMS(ctx context.Context, m SMS) error   { return j.phone.SMS(ctx, m) }
func (j joined) Mail(ctx context.Context, m Mail) error { return j.mail.Mail(ctx, m) }

// Service renders messages and passes them to the sender.
type Service struct {
	sender Sender
	texts  *Texts
	shop   func(context.Context) (string, error)
}

// New returns the service. shop returns the name of the shop, which text messages begin with; nil leaves it out.
func New(sender Sender, texts *Texts, shop func(context.Context) (string, error)) *Service {
	if shop == nil {
		shop = func(context.Context) (string, error) { return "", nil }
	}
	return &Service{sender, texts, shop}
}

// Sends reports whether there is a sender for a kind of messages.
func (s *Service) Sends(k Kind) bool { return s.sender.Sends(k) }

// SMS sends a message of the catalogue to a mobile number; id is the same for each attempt, "" for a message without
// retries. A message that the owner has emptied is not sent, which is no error. It fails with ErrUnsupported if the
// sender cannot send it.
func (s *Service) SMS(ctx context.Context, id, mobile string, m *text.Message, params map[string]string) error {
	shop, err := s.shop(ctx)
	if err != nil {
		return fmt.Errorf("name the shop in a text message: %w", err)
	}
	// The sender does not get the name among the parameters: the templates of services have the message's alone.
	named := map[string]string{shopParam: shop}
	maps.Copy(named, params)
	words, err := s.texts.Render(m, named)
	if err != nil || words == "" {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	return s.sender.SMS(ctx, SMS{ID: idOr(id), Mobile: mobile, Name: m.Key, Text: words, Params: params})
}

// Mail sends a message of the catalogue to the recipients, by default the operators of the shop, with the rules of SMS.
func (s *Service) Mail(ctx context.Context, id string, to []string, m *text.Message, params map[string]string) error {
	subject, words, err := s.texts.RenderParams(m, params)
	if err != nil || subject == "" {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	return s.sender.Mail(ctx, Mail{ID: idOr(id), To: to, Name: m.Key, Subject: subject, Text: words})
}

// Notice returns the title and the content of a notice to operators; both are empty if the owner has emptied it.
func (s *Service) Notice(m *text.Message, params map[string]string) (title, content string, err error) {
	return s.texts.RenderParams(m, params)
}

func idOr(id string) string {
	if id == "" {
		return rand.Text()
	}
	return id
}
