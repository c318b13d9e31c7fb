// Package notify owns the way of messages out of the shop: text messages to shoppers and mails to operators leave
// through a Sender, in the words of the catalogue or in those of the owner. When something is sent, and how often it is
// tried again, is for the areas that send.
//
// No error of a sender holds a password, a key, an address, a number or the text of a message: errors are logged.
package notify

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"shop.internal/pkg/domain/platform/text"
)

// ErrUnsupported says that this shop has no way to send such a message.
var ErrUnsupported = errors.New("no sender for this kind of message is set up")

// sendTimeout is the longest that one message takes. It is shorter than a batch of the job that sends, so that a
// service that hangs is seen as such.
const sendTimeout = 6 * time.Second

// Kind is a way out of the shop.
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
	// ID is the same each time that the message is tried again.
	ID string
	// Mobile is the number as shoppers write it, without a country code.
	Mobile string
	// Name is the key of the message in the catalogue, such as "sms.code".
	Name string
	Text string
	// Params are what Text was made of, for services that hold the texts themselves.
	Params map[string]string
}

// Mail is a mail in plain text.
type Mail struct {
	// ID is the same each time that the mail is tried again.
	ID string
	// To are the receivers, empty for the operators of the shop.
	To            []string
	Name          string
	Subject, Text string
}

// Sender sends messages. It is safe for concurrent use and gives up when its context ends.
type Sender interface {
	// Sends reports whether messages of a kind can leave the shop at all.
	Sends(k Kind) bool
	// SMS sends a text message. It fails with ErrUnsupported where this one cannot be sent.
	SMS(ctx context.Context, m SMS) error
	// Mail sends a mail. It fails with ErrUnsupported where this one cannot be sent.
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

// Join returns a sender that sends text messages by one sender and mails by another.
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

// Service says things to people: it puts messages into words and hands them to the sender.
type Service struct {
	sender Sender
	texts  *Texts
}

// New returns the area.
func New(sender Sender, texts *Texts) *Service { return &Service{sender, texts} }

// Sends reports whether messages of a kind can leave the shop at all.
func (s *Service) Sends(k Kind) bool { return s.sender.Sends(k) }

// SMS sends a message of the catalogue to a mobile number; id is the same for each attempt, "" for a message that is
// tried once. One that the owner has emptied is not sent, and that is no failure. It fails with ErrUnsupported where
// this message cannot be sent.
func (s *Service) SMS(ctx context.Context, id, mobile string, m *text.Message, params map[string]string) error {
	words, err := s.texts.Render(m, params)
	if err != nil || words == "" {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	return s.sender.SMS(ctx, SMS{ID: named(id), Mobile: mobile, Name: m.Key, Text: words, Params: params})
}

// Mail sends a message of the catalogue to the receivers, to the operators of the shop where none are named. What is
// said of SMS holds here too.
func (s *Service) Mail(ctx context.Context, id string, to []string, m *text.Message, params map[string]string) error {
	subject, words, err := s.texts.RenderParams(m, params)
	if err != nil || subject == "" {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	return s.sender.Mail(ctx, Mail{ID: named(id), To: to, Name: m.Key, Subject: subject, Text: words})
}

// Notice returns the title and the content of a notice in the boxes of operators; both are empty where the owner has
// emptied it.
func (s *Service) Notice(m *text.Message, params map[string]string) (title, content string, err error) {
	return s.texts.RenderParams(m, params)
}

func named(id string) string {
	if id == "" {
		return rand.Text()
	}
	return id
}
