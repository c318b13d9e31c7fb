package payment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// Ledger is what the sandbox remembers of its payments, so that it can be asked about them by another process than the
// one that made them.
type Ledger interface {
	Keep(ctx context.Context, n Notice) error
	Find(ctx context.Context, outTradeNo string) (Notice, bool, error)
}

type memory struct {
	mu   sync.Mutex
	paid map[string]Notice
}

func (m *memory) Keep(_ context.Context, n Notice) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.paid[n.OutTradeNo] = n
	return nil
}

func (m *memory) Find(_ context.Context, outTradeNo string) (Notice, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, ok := m.paid[outTradeNo]
	return n, ok, nil
}

// ledgerLife is how long the sandbox remembers a payment: longer than anybody asks.
const ledgerLife = 24 * time.Hour

type sharedLedger struct{ redis redis.UniversalClient }

// SharedLedger returns the ledger that all processes on one Redis share.
func SharedLedger(rdb redis.UniversalClient) Ledger { return sharedLedger{rdb} }

func (l sharedLedger) Keep(ctx context.Context, n Notice) error {
	text, err := json.Marshal(n)
	if err != nil {
		return fmt.Errorf("write the payment: %w", err)
	}
	if err := l.redis.Set(ctx, "sandbox:paid:"+n.OutTradeNo, text, ledgerLife).Err(); err != nil {
		return fmt.Errorf("remember the payment: %w", err)
	}
	return nil
}

func (l sharedLedger) Find(ctx context.Context, outTradeNo string) (n Notice, ok bool, err error) {
	text, err := l.redis.Get(ctx, "sandbox:paid:"+outTradeNo).Bytes()
	if errors.Is(err, redis.Nil) {
		return n, false, nil
	}
	if err != nil {
		return n, false, fmt.Errorf("look for the payment: %w", err)
	}
	if err := json.Unmarshal(text, &n); err != nil {
		return n, false, fmt.Errorf("read the payment: %w", err)
	}
	return n, true, nil
}
