package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"shop.internal/pkg/domain/payment"
)

// Ledger stores the payments and refunds of the sandbox, so that a process can query those that another one made.
type Ledger interface {
	Save(ctx context.Context, n payment.Notification) error
	Find(ctx context.Context, outTradeNo string) (payment.Notification, bool, error)
	// SaveRefund stores a refund unless one of its number exists, and returns the stored one.
	SaveRefund(ctx context.Context, a payment.RefundRequest) (payment.RefundRequest, error)
	FindRefund(ctx context.Context, outRefundNo string) (payment.RefundRequest, bool, error)
	// Announce stores a payment that waits on its page, under the page's token; Withdraw deletes it.
	Announce(ctx context.Context, token string, a PageAsk) error
	Announced(ctx context.Context, token string) (PageAsk, bool, error)
	Withdraw(ctx context.Context, token string) error
}

type memory struct {
	mu        sync.Mutex
	paid      map[string]payment.Notification
	refunded  map[string]payment.RefundRequest
	announced map[string]PageAsk
}

func (m *memory) Save(_ context.Context, n payment.Notification) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.paid[n.OutTradeNo] = n
	return nil
}

func (m *memory) Find(_ context.Context, outTradeNo string) (payment.Notification, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, ok := m.paid[outTradeNo]
	return n, ok, nil
}

func (m *memory) SaveRefund(_ context.Context, a payment.RefundRequest) (payment.RefundRequest, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if before, used := m.refunded[a.OutRefundNo]; used {
		return before, nil
	}
	m.refunded[a.OutRefundNo] = a
	return a, nil
}

func (m *memory) FindRefund(_ context.Context, outRefundNo string) (payment.RefundRequest, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a, ok := m.refunded[outRefundNo]
	return a, ok, nil
}

func (m *memory) Announce(_ context.Context, token string, a PageAsk) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.announced[token] = a
	return nil
}

func (m *memory) Announced(_ context.Context, token string) (PageAsk, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a, ok := m.announced[token]
	return a, ok, nil
}

func (m *memory) Withdraw(_ context.Context, token string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.announced, token)
	return nil
}

// ledgerTTL is how long the sandbox stores a payment, longer than any query needs.
const ledgerTTL = 24 * time.Hour

type sharedLedger struct{ redis redis.UniversalClient }

// SharedLedger returns a ledger in Redis, shared by all processes.
func SharedLedger(rdb redis.UniversalClient) Ledger { return sharedLedger{rdb} }

func (l sharedLedger) Save(ctx context.Context, n payment.Notification) error {
	return l.set(ctx, "sandbox:paid:"+n.OutTradeNo, n)
}

func (l sharedLedger) Find(ctx context.Context, outTradeNo string) (n payment.Notification, ok bool, err error) {
	ok, err = l.get(ctx, "sandbox:paid:"+outTradeNo, &n)
	return n, ok, err
}

func (l sharedLedger) SaveRefund(ctx context.Context, a payment.RefundRequest) (payment.RefundRequest, error) {
	text, err := json.Marshal(a)
	if err != nil {
		return a, fmt.Errorf("write the refund: %w", err)
	}
	stored, err := l.redis.SetNX(ctx, refundKey(a.OutRefundNo), text, ledgerTTL).Result()
	if err != nil {
		return a, fmt.Errorf("remember the refund: %w", err)
	}
	if !stored {
		_, err = l.get(ctx, refundKey(a.OutRefundNo), &a)
	}
	return a, err
}

func (l sharedLedger) FindRefund(
	ctx context.Context, outRefundNo string,
) (a payment.RefundRequest, ok bool, err error) {
	ok, err = l.get(ctx, refundKey(outRefundNo), &a)
	return a, ok, err
}

func refundKey(outRefundNo string) string { return "sandbox:refunded:" + outRefundNo }

func (l sharedLedger) Announce(ctx context.Context, token string, a PageAsk) error {
	return l.set(ctx, "sandbox:page:"+token, a)
}

func (l sharedLedger) Announced(ctx context.Context, token string) (a PageAsk, ok bool, err error) {
	ok, err = l.get(ctx, "sandbox:page:"+token, &a)
	return a, ok, err
}

func (l sharedLedger) Withdraw(ctx context.Context, token string) error {
	if err := l.redis.Del(ctx, "sandbox:page:"+token).Err(); err != nil {
		return fmt.Errorf("withdraw the payment: %w", err)
	}
	return nil
}

func (l sharedLedger) set(ctx context.Context, key string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write the payment: %w", err)
	}
	if err := l.redis.Set(ctx, key, text, ledgerTTL).Err(); err != nil {
		return fmt.Errorf("remember the payment: %w", err)
	}
	return nil
}

func (l sharedLedger) get(ctx context.Context, key string, into any) (bool, error) {
	text, err := l.redis.Get(ctx, key).Bytes()
	if errors.Is(err, redis.Nil) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("find the payment: %w", err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return false, fmt.Errorf("read the payment: %w", err)
	}
	return true, nil
}
