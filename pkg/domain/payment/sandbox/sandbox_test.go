package sandbox_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/dbtest"
	kv "shop.internal/pkg/domain/internal/redis"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/platform/money"
)

// shop is an address for notifications that accepts or refuses them.
type shop struct {
	mu       sync.Mutex
	gateway  *sandbox.Gateway
	got      []payment.Notification
	statuses []int
	came     chan struct{}
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		var n payment.Notification
		if n, err = s.gateway.Read(r.Context(), r.Header.Get, body, time.Now()); err == nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.got = append(s.got, n)
			status := http.StatusNoContent
			if len(s.statuses) > 0 {
				status, s.statuses = s.statuses[0], s.statuses[1:]
			}
			w.WriteHeader(status)
			s.came <- struct{}{}
			return
		}
	}
	http.Error(w, err.Error(), http.StatusBadRequest)
}

func (s *shop) notices() []payment.Notification {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]payment.Notification(nil), s.got...)
}

func open(t *testing.T, statuses ...int) *shop { t.Helper(); return openWith(t, nil, statuses...) }

func openWith(t *testing.T, ledger sandbox.Ledger, statuses ...int) *shop {
	t.Helper()
	s := &shop{statuses: statuses, came: make(chan struct{}, 100)}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	keys := sync.OnceValues(sandbox.NewKeys)
	s.gateway = sandbox.New(sandbox.Options{
		NotifyURL: server.URL, Keys: func(context.Context) (sandbox.Keys, error) { return keys() }, Now: time.Now,
		Log: slog.New(slog.DiscardHandler), Ledger: ledger,
	})
	t.Cleanup(s.gateway.Stop)
	return s
}

func (s *shop) prepay(t *testing.T) {
	t.Helper()
	_, err := s.gateway.Prepay(t.Context(), payment.PrepayRequest{OutTradeNo: "2030", Amount: money.Yuan(5)})
	require.NoError(t, err)
}

func (s *shop) wait(t *testing.T, n int) {
	t.Helper()
	for range n {
		select {
		case <-s.came:
		case <-time.After(time.Minute):
			t.Fatal("no notice comes")
		}
	}
}

func TestTheSandboxPays(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.prepay(t)
	s.wait(t, 1)
	s.prepay(t) // the same payment is created once
	n := s.notices()[0]
	require.Equal(t, []any{"2030", money.Yuan(5), "CNY", false}, []any{n.OutTradeNo, n.Amount, n.Currency, n.Refund})
	require.NotEmpty(t, n.TransactionID)
	s.gateway.Stop()
	require.Len(t, s.notices(), 1)
}

func TestTheSandboxMisbehaves(t *testing.T) {
	t.Parallel()
	t.Run("twice", func(t *testing.T) {
		s := open(t)
		s.gateway.Behave(sandbox.Behaviour{Copies: 3})
		s.prepay(t)
		s.wait(t, 3)
		require.Equal(t, s.notices()[0].ID, s.notices()[2].ID)
	})
	t.Run("wrong", func(t *testing.T) {
		s := open(t)
		s.gateway.Behave(sandbox.Behaviour{Wrong: true})
		s.prepay(t)
		s.wait(t, 1)
		require.NotEqual(t, money.Yuan(5), s.notices()[0].Amount)
	})
	t.Run("late", func(t *testing.T) {
		s := open(t)
		s.gateway.Behave(sandbox.Behaviour{Delay: 300 * time.Millisecond})
		began := time.Now()
		s.prepay(t)
		s.wait(t, 1)
		require.GreaterOrEqual(t, time.Since(began), 300*time.Millisecond) // lasts: a timer never ends early
	})
	t.Run("silent", func(t *testing.T) {
		s := open(t)
		s.gateway.Behave(sandbox.Behaviour{Silent: true})
		s.prepay(t)
		s.gateway.Stop()
		require.Empty(t, s.notices())
	})
	t.Run("refuses", func(t *testing.T) {
		s := open(t)
		s.gateway.Behave(sandbox.Behaviour{Refuse: true})
		_, err := s.gateway.Prepay(t.Context(), payment.PrepayRequest{OutTradeNo: "2030"})
		require.ErrorIs(t, err, payment.ErrRefused)
		_, err = s.gateway.Refund(t.Context(), payment.RefundRequest{OutRefundNo: "2030"})
		require.ErrorIs(t, err, payment.ErrRefused)
	})
	t.Run("stopped", func(t *testing.T) {
		s := open(t)
		s.gateway.Behave(sandbox.Behaviour{Delay: time.Hour})
		s.prepay(t) // does not wait for the notice
		s.gateway.Stop()
		require.Empty(t, s.notices())
	})
}

// The platform repeats a notification until it is accepted.
func TestTheSandboxSendsAgain(t *testing.T) {
	t.Parallel()
	s := open(t, http.StatusInternalServerError, http.StatusOK)
	s.prepay(t)
	s.wait(t, 2)
	require.Equal(t, s.notices()[0].ID, s.notices()[1].ID)
}

// failing is a ledger that cannot be written the first time.
type failing struct {
	sandbox.Ledger

	mu    sync.Mutex
	tries int
	paid  map[string]payment.Notification
}

func (f *failing) Save(_ context.Context, n payment.Notification) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tries++; f.tries == 1 {
		return errors.New("the ledger is away")
	}
	f.paid[n.OutTradeNo] = n
	return nil
}

func (f *failing) Find(_ context.Context, number string) (payment.Notification, bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, ok := f.paid[number]
	return n, ok, nil
}

// A payment is on record before anybody is notified of it, however long that takes.
func TestTheSandboxRecordsFirst(t *testing.T) {
	t.Parallel()
	ledger := &failing{paid: map[string]payment.Notification{}}
	s := openWith(t, ledger)
	s.prepay(t)
	s.wait(t, 1)
	found, err := s.gateway.Query(t.Context(), "2030")
	require.NoError(t, err)
	require.Equal(t, s.notices()[0].TransactionID, found.TransactionID)
	require.Equal(t, 2, ledger.tries)
}

// Another process knows what was refunded, and refuses the number for anything else.
func TestTheSandboxSharesItsRefunds(t *testing.T) {
	t.Parallel()
	rdb := dbtest.Redis(t)
	one, other := openWith(t, sandbox.SharedLedger(kv.Of(rdb))).gateway, openWith(t, sandbox.SharedLedger(kv.Of(rdb))).gateway
	a := payment.RefundRequest{OutRefundNo: "r1", OutTradeNo: "2030", Total: money.Yuan(5), Amount: money.Yuan(5)}
	_, err := other.RefundStatus(t.Context(), "r1")
	require.ErrorIs(t, err, payment.ErrRefused)
	id, err := one.Refund(t.Context(), a)
	require.NoError(t, err)
	again, err := other.Refund(t.Context(), a)
	require.NoError(t, err)
	require.Equal(t, id, again, "the same refund")
	found, err := other.RefundStatus(t.Context(), "r1")
	require.NoError(t, err)
	require.Equal(t, id, found)
	a.Amount = money.Yuan(4)
	_, err = other.Refund(t.Context(), a)
	require.ErrorIs(t, err, payment.ErrRefused)
}

func TestWithoutAPlatform(t *testing.T) {
	t.Parallel()
	var none payment.None
	_, err := none.Prepay(t.Context(), payment.PrepayRequest{})
	require.ErrorIs(t, err, payment.ErrUnavailable)
	_, err = none.Sign(t.Context(), "", time.Now())
	require.ErrorIs(t, err, payment.ErrUnavailable)
	_, err = none.Refund(t.Context(), payment.RefundRequest{})
	require.ErrorIs(t, err, payment.ErrUnavailable)
	_, err = none.Read(t.Context(), func(string) string { return "" }, nil, time.Now())
	require.ErrorIs(t, err, payment.ErrSignature)
	require.NoError(t, none.Close(t.Context(), "2030"))
}

// page creates a browser payment and returns the token of its page.
func (s *shop) page(t *testing.T, outTradeNo string) string {
	t.Helper()
	to, err := s.gateway.H5(t.Context(), payment.PrepayRequest{
		OutTradeNo: outTradeNo, Amount: money.Yuan(5), Expire: time.Now().Add(time.Minute),
	})
	require.NoError(t, err)
	address, err := url.Parse(to)
	require.NoError(t, err)
	require.Equal(t, sandbox.PagePath, address.Path)
	return address.Query().Get("prepay_id")
}

func TestTheSandboxPaysOnItsPage(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.page(t, "2030-2")
	require.Equal(t, token, s.page(t, "2030-2"), "a repetition is the same payment")
	require.Empty(t, s.notices(), "nobody has paid yet")
	p, err := s.gateway.Page(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, sandbox.PagePayment{OrderSN: "2030", Amount: money.Yuan(5)}, p)
	for range 2 {
		require.NoError(t, s.gateway.PayOnPage(t.Context(), token))
	}
	require.Len(t, s.notices(), 1, "it is made once, and the shop knows when the call returns")
	require.Equal(t, "2030-2", s.notices()[0].OutTradeNo)
	p, err = s.gateway.Page(t.Context(), token)
	require.NoError(t, err)
	require.True(t, p.Paid)
}

func TestThePageOfAClosedPayment(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.page(t, "2030")
	require.NoError(t, s.gateway.Close(t.Context(), "2030"))
	require.ErrorIs(t, s.gateway.PayOnPage(t.Context(), token), sandbox.ErrNoPage)
	require.Empty(t, s.notices())
	require.NotEqual(t, token, s.page(t, "2031"))
	require.NotEqual(t, token, open(t).page(t, "2030"), "who knows the number of an order knows no page")
	for _, guess := range []string{"", "2031", "sandbox", token[:len(token)-1]} {
		_, err := s.gateway.Page(t.Context(), guess)
		require.ErrorIs(t, err, sandbox.ErrNoPage, guess)
	}
}

// A slow platform outlasts the patience of its caller.
func TestSlowness(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.gateway.Behave(sandbox.Behaviour{Slow: time.Hour, Silent: true})
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err := s.gateway.Prepay(ctx, payment.PrepayRequest{OutTradeNo: "20260701", Amount: 100})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = s.gateway.H5(ctx, payment.PrepayRequest{OutTradeNo: "20260702", Amount: 100})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	s.gateway.Behave(sandbox.Behaviour{Slow: time.Millisecond, Silent: true})
	_, err = s.gateway.Prepay(t.Context(), payment.PrepayRequest{OutTradeNo: "20260703", Amount: 100})
	require.NoError(t, err)
}
