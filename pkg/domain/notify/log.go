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

// Log writes messages to a file, one line each, instead of sending them. It is for demonstrations: the messages contain
// verification codes, so only the owner can read the file, and it is never the request log.
type Log struct {
	file string
	now  func() time.Time
	mu   sync.Mutex
}

// NewLog returns the sender that appends to file.
func NewLog(file string, now func() time.Time) Sender { return &Log{file: file, now: now} }

// Sends is true.
func (l *Log) Sends(Kind) bool { return true }

// SMS appends the line "<time> sms <mobile> <text>".
func (l *Log) SMS(ctx context.Context, m SMS) error { return l.append(ctx, "sms "+m.Mobile+" "+m.Text) }

// Mail appends the line "<time> mail <subject>: <text>".
func (l *Log) Mail(ctx context.Context, m Mail) error {
	return l.append(ctx, "mail "+m.Subject+": "+m.Text)
}

// append writes a line in one call, so that lines of several processes do not mix; it opens the file each time, so that
// it can be rotated.
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
