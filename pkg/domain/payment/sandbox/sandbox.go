// Package sandbox is a payment platform inside the shop, for demonstration and tests.
package sandbox

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"

	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/internal/apiv3"
)

// Gateway is a payment platform inside the shop: after Prepay it pays by itself, after H5 when a person confirms on a
// page. It sends notifications, signed like the real platform's, to the shop's own address. Tests can make it
// misbehave.
type Gateway struct {
	notifyURL string
	keys      func(context.Context) (Keys, error)
	now       func() time.Time
	log       *slog.Logger
	ledger    Ledger
	client    *http.Client

	mu        sync.Mutex
	behaviour Behaviour
	announced map[string]bool
	refunded  map[string]payment.RefundRequest

	stop    context.Context // it cancels pending notifications when the process stops
	cancel  context.CancelFunc
	pending sync.WaitGroup
}

// Keys are the platform's signing key and the encryption key of its notifications. All replicas must have the same.
type Keys struct {
	Sign       *rsa.PrivateKey
	Encryption []byte
}

// NewKeys generates keys.
func NewKeys() (Keys, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return Keys{}, fmt.Errorf("make a signing key: %w", err)
	}
	seal := make([]byte, 32)
	_, _ = rand.Read(seal) // never fails
	return Keys{Sign: key, Encryption: seal}, nil
}

// Behaviour changes how the sandbox treats the next payments.
type Behaviour struct {
	// Refuse makes Prepay and Refund fail; Silent sends no notification; Wrong sends another amount.
	Refuse, Silent, Wrong bool
	// Mute takes no refund and does not answer.
	Mute bool
	// Lost makes the payment and drops its notification.
	Lost bool
	// Unanswered makes the refund and loses the answer.
	Unanswered bool
	// Slow is the time until Prepay and H5 answer; what is done meanwhile stays done.
	Slow time.Duration
	// Delay is the time between Prepay and the notification.
	Delay time.Duration
	// Copies is how many copies of a notification are sent concurrently.
	Copies int
}

// The sandbox's identities.
const (
	appID  = "wxsandbox"
	mchID  = "1900000001"
	serial = "SANDBOX"
)

// Options are the dependencies of a sandbox.
type Options struct {
	NotifyURL string
	Delay     time.Duration
	Keys      func(context.Context) (Keys, error)
	// Ledger is nil if only one process uses the sandbox.
	Ledger Ledger
	Now    func() time.Time
	Log    *slog.Logger
}

// New returns a sandbox that sends its notifications to the address. Stop ends it.
func New(o Options) *Gateway {
	stop, cancel := context.WithCancel(context.Background())
	if o.Ledger == nil {
		o.Ledger = &memory{
			paid: map[string]payment.Notification{}, refunded: map[string]payment.RefundRequest{},
			announced: map[string]PageAsk{},
		}
	}
	return &Gateway{
		notifyURL: o.NotifyURL, keys: o.Keys, now: o.Now, log: o.Log, ledger: o.Ledger,
		client:    &http.Client{Timeout: 5 * time.Second},
		behaviour: Behaviour{Delay: o.Delay, Copies: 1},
		announced: map[string]bool{}, refunded: map[string]payment.RefundRequest{},
		stop: stop, cancel: cancel,
	}
}

// Stop drops pending notifications and waits for those being sent.
func (s *Gateway) Stop() {
	s.cancel()
	s.pending.Wait()
}

// Settle waits for pending payments and notifications.
func (s *Gateway) Settle() { s.pending.Wait() }

// Behave changes how the next payments are treated.
func (s *Gateway) Behave(b Behaviour) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behaviour = b
}

func (s *Gateway) behaves() Behaviour {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.behaviour
}

// Prepay creates the payment and makes it a little later.
func (s *Gateway) Prepay(ctx context.Context, a payment.PrepayRequest) (string, error) {
	b := s.behaves()
	if b.Refuse {
		return "", fmt.Errorf("refusal requested by a test: %w", payment.ErrRefused)
	}
	s.mu.Lock()
	known := s.announced[a.OutTradeNo]
	s.announced[a.OutTradeNo] = true
	s.mu.Unlock()
	if !known && !b.Silent && s.stop.Err() == nil {
		s.pending.Go(func() { s.pay(a, b) })
	}
	return "sandbox" + short(a.OutTradeNo), b.answer(ctx)
}

// answer waits until the platform answers, and fails if the caller waits no longer.
func (b Behaviour) answer(ctx context.Context) error {
	if b.Slow <= 0 {
		return nil
	}
	t := time.NewTimer(b.Slow)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return fmt.Errorf("the platform is slow, as requested by a test: %w", ctx.Err())
	case <-t.C:
		return nil
	}
}

// pay waits, then sends the notification until it is accepted.
func (s *Gateway) pay(a payment.PrepayRequest, b Behaviour) {
	if !s.wait(b.Delay) {
		return
	}
	n := payment.Notification{
		OutTradeNo: a.OutTradeNo, TransactionID: "42" + short(a.OutTradeNo), Amount: a.Amount, Currency: a.Currency,
		Time: s.now(),
	}
	if b.Wrong {
		n.Amount++
	}
	if !s.record(n) || b.Lost {
		return
	}
	var copies sync.WaitGroup
	for range max(b.Copies, 1) {
		copies.Go(func() { s.deliver(n) })
	}
	copies.Wait()
}

// record stores the payment before anybody hears of it, so that a query never contradicts a notification. It reports
// false if the sandbox is stopped first.
func (s *Gateway) record(n payment.Notification) bool {
	for {
		err := s.ledger.Save(s.stop, n)
		if err == nil {
			return true
		}
		s.log.Warn("sandbox ledger", "out_trade_no", n.OutTradeNo, "err", err.Error())
		if !s.wait(time.Second) {
			return false
		}
	}
}

// deliver sends a notification, with growing intervals until the shop accepts it.
func (s *Gateway) deliver(n payment.Notification) {
	for pause := time.Second; pause < time.Minute; pause *= 2 {
		err := s.send(n)
		if err == nil {
			return
		}
		s.log.Warn("sandbox notice not taken", "out_trade_no", n.OutTradeNo, "err", err.Error())
		if !s.wait(pause) {
			return
		}
	}
}

func (s *Gateway) wait(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-s.stop.Done():
		return false
	case <-t.C:
		return true
	}
}

func (s *Gateway) send(n payment.Notification) error {
	header, body, err := s.Compose(s.stop, n)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(s.stop, http.MethodPost, s.notifyURL, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("compose the notification: %w", err)
	}
	req.Header = header
	res, err := s.client.Do(req)
	if err != nil {
		return errors.New("the shop cannot be reached") // the error of net/http carries the address
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<16))
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusNoContent {
		return fmt.Errorf("the shop answers %d", res.StatusCode)
	}
	return nil
}

// Compose returns a notification as the platform would send it, for tests that send their own.
func (s *Gateway) Compose(ctx context.Context, n payment.Notification) (http.Header, []byte, error) {
	keys, err := s.keys(ctx)
	if err != nil {
		return nil, nil, err
	}
	if n.ID == "" {
		n.ID = "EV-" + short(n.OutTradeNo+n.TransactionID)
	}
	t := apiv3.Transaction{
		AppID: appID, MchID: mchID, OutTradeNo: n.OutTradeNo, TransactionID: n.TransactionID,
		TradeState: "SUCCESS", SuccessTime: n.Time.Format(time.RFC3339),
	}
	t.Amount.Total, t.Amount.Currency = int64(n.Amount), n.Currency
	body, err := apiv3.Seal(apiv3.Envelope{
		ID: n.ID, CreateTime: n.Time.Format(time.RFC3339), EventType: "TRANSACTION.SUCCESS", ResourceType: "encrypt-resource",
	}, t, keys.Encryption)
	if err != nil {
		return nil, nil, err
	}
	stamp, nonce := strconv.FormatInt(s.now().Unix(), 10), rand.Text()
	sign, err := apiv3.Sign(keys.Sign, stamp, nonce, string(body))
	if err != nil {
		return nil, nil, err
	}
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set(apiv3.HeaderTimestamp, stamp)
	h.Set(apiv3.HeaderNonce, nonce)
	h.Set(apiv3.HeaderSignature, sign)
	h.Set(apiv3.HeaderSerial, serial)
	return h, body, nil
}

// Sign signs like a merchant.
func (s *Gateway) Sign(ctx context.Context, prepayID string, now time.Time) (payment.PrepayParams, error) {
	keys, err := s.keys(ctx)
	if err != nil {
		return payment.PrepayParams{}, err
	}
	t := payment.PrepayParams{
		AppID: appID, TimeStamp: strconv.FormatInt(now.Unix(), 10), NonceStr: rand.Text(),
		Package: "prepay_id=" + prepayID, SignType: "RSA",
	}
	t.PaySign, err = apiv3.Sign(keys.Sign, t.AppID, t.TimeStamp, t.NonceStr, t.Package)
	return t, err
}

// Refund succeeds at once. A number that was used for another refund is refused.
func (s *Gateway) Refund(ctx context.Context, a payment.RefundRequest) (string, error) {
	b := s.behaves()
	if b.Refuse {
		return "", fmt.Errorf("refusal requested by a test: %w", payment.ErrRefused)
	}
	if b.Mute {
		return "", errors.New("no answer, as requested by a test")
	}
	stored, err := s.ledger.SaveRefund(ctx, a)
	if err != nil {
		return "", err
	}
	if stored != a {
		return "", fmt.Errorf("%w: number %s was used for another refund", payment.ErrRefused, a.OutRefundNo)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refunded[a.OutRefundNo] = a
	if b.Unanswered {
		return "", errors.New("loss of the answer requested by a test")
	}
	return refundID(a.OutRefundNo), nil
}

func refundID(outRefundNo string) string { return "50" + short(outRefundNo) }

// RefundStatus finds the refunds that the sandbox has made, in whatever process.
func (s *Gateway) RefundStatus(ctx context.Context, a payment.RefundRequest) (string, error) {
	_, ok, err := s.ledger.FindRefund(ctx, a.OutRefundNo)
	if err != nil {
		return "", err
	}
	if !ok {
		return "", fmt.Errorf("%w: no such refund", payment.ErrRefused)
	}
	return refundID(a.OutRefundNo), nil
}

// Refunds returns the refunds that this process has made, by our numbers.
func (s *Gateway) Refunds() map[string]payment.RefundRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.refunded)
}

// Query finds the payments that the sandbox has made.
func (s *Gateway) Query(ctx context.Context, p payment.Ref) (payment.Notification, error) {
	n, ok, err := s.ledger.Find(ctx, p.OutTradeNo)
	if err != nil {
		return n, err
	}
	if !ok {
		return n, payment.ErrUnpaid
	}
	n.ID = "query-" + n.TransactionID
	return n, nil
}

// Read accepts what is signed with the sandbox's key.
func (s *Gateway) Read(
	ctx context.Context, header func(string) string, body []byte, now time.Time,
) (payment.Notification, error) {
	keys, err := s.keys(ctx)
	if err != nil {
		return payment.Notification{}, err
	}
	if err := apiv3.Verify(map[string]*rsa.PublicKey{serial: &keys.Sign.PublicKey}, header, body, now); err != nil {
		return payment.Notification{}, err
	}
	return apiv3.Open(body, keys.Encryption, appID, mchID)
}

// short derives a number from a text, so that a repetition gives the same.
func short(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:13])
}
