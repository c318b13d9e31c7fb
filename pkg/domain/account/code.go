package account

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"time"

	"shop.internal/pkg/domain/errno"
	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/domain/text"
)

// sendWithin is the longest that a request waits for the sender of text messages.
const sendWithin = 5 * time.Second

// SendCode sends a new verification code to a mobile, for a client at address. It looks at no account, so its answer
// cannot tell whether the mobile is registered. It fails with errno.Invalid for what is no mobile number, with
// errno.AuthCaptchaUnsupported where the shop sends no text messages, and with errno.AuthCaptchaFrequency where the
// mobile or the address has had too many. When sending fails the code is discarded.
func (s *Service) SendCode(ctx context.Context, mobile, address string) error {
	if !isMobile(mobile) {
		return errno.Invalid.Because(text.MemberMobile, text.Member("mobile"))
	}
	if !s.messages.Sends(notify.ByPhone) {
		return fmt.Errorf("send a code: %w", errno.AuthCaptchaUnsupported)
	}
	if err := s.codes.brake(ctx, mobile, address); err != nil {
		return fmt.Errorf("send a code: %w", err)
	}
	code := newCode()
	err := s.codes.put(ctx, mobile, code)
	if err == nil {
		err = s.sendCode(ctx, mobile, code)
	}
	if err == nil {
		return nil
	}
	ctx = context.WithoutCancel(ctx) // the clean-up is owed also to a client that has gone
	return errors.Join(fmt.Errorf("send a code: %w", err),
		s.codes.discard(ctx, mobile, code), s.codes.release(ctx, mobile, address))
}

func (s *Service) sendCode(ctx context.Context, mobile, code string) error {
	ctx, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	err := s.messages.SMS(ctx, "", mobile, text.SMSCode, map[string]string{
		"code": code, "minutes": strconv.Itoa(int(s.cfg.CodeLife / time.Minute)),
	})
	if errors.Is(err, notify.ErrUnsupported) {
		return errno.AuthCaptchaUnsupported
	}
	return err
}

// newCode draws six digits.
func newCode() string {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		panic(err) // the system's random source never fails: the program ends first
	}
	return fmt.Sprintf("%06d", n)
}
