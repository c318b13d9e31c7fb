package sandbox

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/internal/apiv3"
)

// PagePath is the path at which the storefront serves the sandbox's payment page.
const PagePath = "/wx/sandbox/h5"

// ErrNoPage says that a page token belongs to no payment, or to one that can no longer be made.
var ErrNoPage = errors.New("the page belongs to no payment")

// PagePayment is a payment as shown on the page.
type PagePayment struct {
	// OrderSN is the number of the order.
	OrderSN  string
	Amount   money.Amount
	Currency money.Currency
	Paid     bool
}

// PageAsk is what a Ledger stores of a payment that waits on its page. It names no shopper.
type PageAsk struct {
	OutTradeNo string
	Amount     money.Amount
	Currency   money.Currency
	Expire     time.Time
}

// payTimeout is how long PayOnPage waits for the notification to be accepted.
const payTimeout = 5 * time.Second

// H5 creates a payment that is made on the sandbox's page and returns the address of the page, at the origin of the
// notification address. It leads back to a.Back.
func (s *Gateway) H5(ctx context.Context, a payment.PrepayRequest) (string, error) {
	b := s.behaves()
	if b.Refuse {
		return "", fmt.Errorf("refusal requested by a test: %w", payment.ErrRefused)
	}
	if err := b.answer(ctx); err != nil {
		return "", err
	}
	token, err := s.pageToken(ctx, a.OutTradeNo)
	if err != nil {
		return "", err
	}
	err = s.ledger.Announce(ctx, token, PageAsk{a.OutTradeNo, a.Amount, a.Currency, a.Expire})
	if err != nil {
		return "", err
	}
	return apiv3.LeadingBack(s.origin()+PagePath+"?prepay_id="+token, a.Back), nil
}

// origin is the scheme and host of the notification address, "" if it has none.
func (s *Gateway) origin() string {
	u, err := url.Parse(s.notifyURL)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// pageToken is the same for every request of one payment, and cannot be guessed without the sandbox's key.
func (s *Gateway) pageToken(ctx context.Context, outTradeNo string) (string, error) {
	keys, err := s.keys(ctx)
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, keys.Encryption)
	mac.Write([]byte("page:" + outTradeNo))
	return "sandbox" + hex.EncodeToString(mac.Sum(nil)[:16]), nil
}

// Page returns the payment of a page token, while it can be made or after it was made. It fails with ErrNoPage for any
// other token.
func (s *Gateway) Page(ctx context.Context, token string) (PagePayment, error) {
	_, p, err := s.page(ctx, token)
	return p, err
}

func (s *Gateway) page(ctx context.Context, token string) (PageAsk, PagePayment, error) {
	a, ok, err := s.ledger.Announced(ctx, token)
	if err != nil {
		return a, PagePayment{}, err
	}
	if !ok {
		return a, PagePayment{}, ErrNoPage
	}
	_, paid, err := s.ledger.Find(ctx, a.OutTradeNo)
	if err != nil {
		return a, PagePayment{}, err
	}
	if !paid && !s.now().Before(a.Expire) {
		return a, PagePayment{}, ErrNoPage
	}
	sn, _, _ := strings.Cut(a.OutTradeNo, "-")
	return a, PagePayment{sn, a.Amount, a.Currency, paid}, nil
}

// PayOnPage makes the payment of a page token, sends the notification, and waits a few seconds for the shop to accept
// it. A payment that was made already is skipped. It fails with ErrNoPage as Page does.
func (s *Gateway) PayOnPage(ctx context.Context, token string) error {
	a, p, err := s.page(ctx, token)
	if err != nil || p.Paid {
		return err
	}
	b := s.behaves()
	if b.Silent || s.stop.Err() != nil {
		return nil
	}
	done := make(chan struct{})
	s.pending.Go(func() {
		defer close(done)
		s.pay(payment.PrepayRequest{OutTradeNo: a.OutTradeNo, Amount: a.Amount, Currency: a.Currency}, b)
	})
	ctx, cancel := context.WithTimeout(ctx, payTimeout)
	defer cancel()
	select {
	case <-done:
	case <-ctx.Done(): // the notification continues in the background
	}
	return nil
}

// Close closes a payment that waits on its page. Like the real platform it refuses to close one that was made, so that
// the shop asks for it and returns the money.
func (s *Gateway) Close(ctx context.Context, p payment.Ref) error {
	_, paid, err := s.ledger.Find(ctx, p.OutTradeNo)
	if err != nil {
		return err
	}
	if paid {
		return fmt.Errorf("payment %s was made: %w", p.OutTradeNo, payment.ErrRefused)
	}
	token, err := s.pageToken(ctx, p.OutTradeNo)
	if err != nil {
		return err
	}
	return s.ledger.Withdraw(ctx, token)
}
