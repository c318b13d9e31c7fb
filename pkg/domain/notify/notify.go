// Package notify owns the way of messages out of the shop: text messages to shoppers and mails to operators leave
// through a Sender. What is sent, when, and how often it is tried again is for the areas that send.
package notify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// ErrUnsupported says that this shop has no way to send such a message.
var ErrUnsupported = errors.New("no sender for this kind of message is set up")

// Sender sends messages. It is safe for concurrent use and gives up when its context ends.
type Sender interface {
	// SMS sends a text message to a mobile number.
	SMS(ctx context.Context, mobile, text string) error
	// Mail sends a mail to the operators of the shop.
	Mail(ctx context.Context, subject, text string) error
}

// None is the sender of a shop that sends nothing.
type None struct{}

// NewNone returns the sender that refuses every message with ErrUnsupported.
func NewNone() Sender { return None{} }

// SMS fails with ErrUnsupported.
func (None) SMS(context.Context, string, string) error { return ErrUnsupported }

// Mail fails with ErrUnsupported.
func (None) Mail(context.Context, string, string) error { return ErrUnsupported }

// Log writes messages to a file of its own, one line a message, instead of sending them. It is for demonstrations:
// the messages hold verification codes, so the file is for its owner's eyes only and is never the request log.
type Log struct {
	file string
	now  func() time.Time
	mu   sync.Mutex
}

// NewLog returns the sender that appends to file.
func NewLog(file string, now func() time.Time) Sender { return &Log{file: file, now: now} }

// SMS appends the line "<time> sms <mobile> <text>".
func (l *Log) SMS(ctx context.Context, mobile, text string) error {
	return l.append(ctx, "sms "+mobile+" "+text)
}

// Mail appends the line "<time> mail <subject>: <text>".
func (l *Log) Mail(ctx context.Context, subject, text string) error {
	return l.append(ctx, "mail "+subject+": "+text)
}

// append writes the whole line at once, so that the lines of several processes do not mix; the file is opened anew
// each time, so that it may be moved away at any moment.
func (l *Log) append(ctx context.Context, message string) (err error) {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("write the message: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	f, err := os.OpenFile(l.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open the messages: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	oneLine := strings.NewReplacer("\r", " ", "\n", " ").Replace(message)
	if _, err := f.WriteString(l.now().UTC().Format(time.RFC3339) + " " + oneLine + "\n"); err != nil {
		return fmt.Errorf("write the message: %w", err)
	}
	return nil
}
