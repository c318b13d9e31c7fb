package account_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// An operation with a code can be done once; with an idempotency key a repetition still gets the first answer.
func TestKeys(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	keyed := func(scope, hash string) context.Context {
		return idempotency.With(t.Context(), idempotency.Request{Scope: scope, Key: "k", Hash: hash})
	}
	code := func(mobile string) string {
		require.NoError(t, s.Accounts.SendCode(t.Context(), mobile, "192.0.2.1"))
		s.Clock.Move(2 * time.Minute)
		return s.Messages.Code(mobile)
	}
	const mobile, next = "13900000009", "13900000010"
	r := account.Registration{
		Username: "lin", Password: domaintest.Password, Mobile: mobile, Code: code(mobile), Address: "192.0.2.1",
	}
	ctx := keyed("auth.register", "h")
	first, err := s.Accounts.Register(ctx, r)
	require.NoError(t, err)
	again, err := s.Accounts.Register(ctx, r)
	require.NoError(t, err)
	require.Equal(t, first.ID, again.ID)
	require.NotEqual(t, first.Token, again.Token, "a token is not kept")
	require.Zero(t, s.Int("SELECT COUNT(*) FROM idempotency WHERE response LIKE ?", "%"+first.Token+"%"))
	_, err = s.Accounts.Register(keyed("auth.register", "other"), r)
	require.ErrorIs(t, err, errno.Invalid, "another body")
	_, err = s.Accounts.Register(t.Context(), r)
	require.ErrorIs(t, err, errno.AuthCaptchaUnmatched, "without a key")
	require.EqualValues(t, 1, s.Int("SELECT COUNT(*) FROM user"))

	change := account.MobileChange{
		Password: domaintest.Password, Mobile: next, Code: code(next), Token: again.Token, Address: "192.0.2.1",
	}
	for range 2 {
		require.NoError(t, s.Accounts.ChangeMobile(keyed("auth.resetPhone", "h"), first.ID, change))
	}
	require.ErrorIs(t, s.Accounts.ChangeMobile(t.Context(), first.ID, change), errno.AuthCaptchaUnmatched)

	s.Forget("rate:{code:" + next + "}")
	reset := account.PasswordReset{Password: "test-password-2", Mobile: next, Code: code(next)}
	for range 2 {
		require.NoError(t, s.Accounts.ResetPassword(keyed("auth.reset", "h"), reset))
	}
	require.ErrorIs(t, s.Accounts.ResetPassword(t.Context(), reset), errno.AuthCaptchaUnmatched)
	_, err = s.Accounts.Register(ctx, r)
	require.ErrorIs(t, err, errno.AuthCaptchaUnmatched, "the key of the registration outlives no password")
}

// A repeated deletion with the same key succeeds.
func TestKeysOfDeletions(t *testing.T) {
	t.Parallel()
	s := domaintest.Open(t)
	lin := s.Shopper("lin")
	to, tea := s.Address(lin), s.Product("tea", 100, 10)
	id := s.Order(lin, tea)
	require.NoError(t, s.Orders.Cancel(t.Context(), lin, id))
	require.NoError(t, s.Engagement.SeeGoods(t.Context(), lin, tea.GoodsID))
	seen := s.Int("SELECT MAX(id) FROM footprint")
	for scope, remove := range map[string]func(ctx context.Context) error{
		"order.delete":     func(ctx context.Context) error { return s.Orders.Hide(ctx, lin, id) },
		"address.delete":   func(ctx context.Context) error { return s.Addresses.Delete(ctx, lin, to) },
		"footprint.delete": func(ctx context.Context) error { return s.Engagement.DeleteFootprint(ctx, lin, seen) },
	} {
		ctx := idempotency.With(t.Context(), idempotency.Request{Scope: scope, Owner: lin, Key: "k", Hash: "h"})
		require.NoError(t, remove(ctx), scope)
		require.NoError(t, remove(ctx), scope)
		require.Error(t, remove(t.Context()), scope)
	}
}
