package app

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/ratelimit"
)

// Trials sends messages that only show that they arrive.
type Trials struct {
	messages *notify.Service
	limiter  *ratelimit.Limiter
	db       *db.DB
}

// An operator may try so many messages in so long a time.
const (
	trialMax    = 5
	trialWindow = 10 * time.Minute
)

// telephone is the form of telephone numbers in any country.
var telephone = regexp.MustCompile(`^\+?[0-9]{5,15}$`)

// Sends reports whether the shop has a sender for a kind of messages.
func (t *Trials) Sends(k notify.Kind) bool { return t.messages.Sends(k) }

// Send sends a mail, or a verification code that is good for nothing, as the services do, and records it. It fails with
// errno.Invalid for a recipient that is none, for an operator who has tried too often, and where the sender has not
// taken the message, and with errno.NotSupported without a sender.
func (t *Trials) Send(ctx context.Context, operator int64, k notify.Kind, to string) error {
	send, err := t.prepare(k, to)
	if err != nil {
		return err
	}
	limit := ratelimit.Limit{
		Key: fmt.Sprintf("trial:%d", operator), Max: trialMax, Window: trialWindow, FailClosed: true,
	}
	if err := t.limiter.Take(ctx, limit); err != nil {
		return err
	}
	switch err := send(ctx); {
	case errors.Is(err, notify.ErrUnsupported):
		return errno.NotSupported
	case err != nil:
		return fmt.Errorf("send a test message: %w: %w", errno.Invalid.Because(text.MessageNotTaken), err)
	}
	return t.db.InTx(ctx, func(tx *db.Tx) error {
		return audit.Record(ctx, tx, audit.Change{After: tried{to}, Result: to})
	})
}

// tried is what audit records show of a test message.
type tried struct{ Recipient string }

func (t *Trials) prepare(k notify.Kind, to string) (func(context.Context) error, error) {
	if k == notify.ByPhone {
		if !telephone.MatchString(to) {
			return nil, errno.Invalid.About(text.FieldRecipient)
		}
		return func(ctx context.Context) error {
			return t.messages.SMS(ctx, "", to, text.SMSCode, map[string]string{"code": "000000", "minutes": "5"})
		}, nil
	}
	address, err := notify.MailAddress(to)
	if err != nil {
		return nil, errno.Invalid.About(text.FieldRecipient)
	}
	return func(ctx context.Context) error {
		return t.messages.Mail(ctx, "", []string{address}, text.MailTest, nil)
	}, nil
}
