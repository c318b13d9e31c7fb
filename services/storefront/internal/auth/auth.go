// Package auth authenticates shoppers: it finds the shopper of a request's token and passes the shopper to the other
// packages through the context. It also serves /wx/auth. The rules of accounts, passwords and codes are in the domain.
package auth

import (
	"context"
	"fmt"
	"net/http"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/runtime/token"
)

// Header carries the token.
const Header = "X-Shop-Token"

// Gate authenticates requests.
type Gate struct {
	tokens   *token.Service
	accounts *account.Service
	headers  []string
}

// New returns the gate. Aliases are further headers, read in this order if Header is absent or empty.
func New(tokens *token.Service, accounts *account.Service, aliases []string) *Gate {
	return &Gate{tokens: tokens, accounts: accounts, headers: append([]string{Header}, aliases...)}
}

// Authenticate returns the context with the shopper of the request's token, and the shopper's name for the log. It
// fails with errno.LoginRequired for a token that is absent, unknown, expired or revoked, and for an account that may
// not be used or has ended its tokens since.
func (g *Gate) Authenticate(ctx context.Context, r *http.Request) (context.Context, string, error) {
	signed, session, err := g.signed(ctx, r)
	if err != nil {
		return ctx, "", err
	}
	version, err := g.accounts.Active(ctx, session.Subject)
	if err == nil {
		err = valid(session)(version)
	}
	if err != nil {
		return ctx, "", err
	}
	return signed, name(session), nil
}

// AuthenticateLater is Authenticate for a request that only reads. The account is read with what the request reads
// first, and decided about by verify, which is nil if there is nothing left to decide.
func (g *Gate) AuthenticateLater(ctx context.Context, r *http.Request) (
	signed context.Context, who string, verify func(context.Context) error, err error,
) {
	signed, session, err := g.signed(ctx, r)
	if err != nil {
		return ctx, "", nil, err
	}
	signed, verify, err = g.accounts.ActiveLater(signed, session.Subject, valid(session))
	return signed, name(session), verify, err
}

// signed returns the context with the shopper of the request's token, whose account was not looked at.
func (g *Gate) signed(ctx context.Context, r *http.Request) (context.Context, token.Session, error) {
	text := g.token(r)
	session, err := g.tokens.Find(ctx, text, true)
	return context.WithValue(ctx, callerKey{}, caller{session.Subject, text}), session, err
}

// valid returns the rule that a token is one of the current version of its account.
func valid(session token.Session) func(version int) error {
	return func(version int) error {
		if version != session.Version {
			return fmt.Errorf("shopper %d has ended this token: %w", session.Subject, errno.LoginRequired)
		}
		return nil
	}
}

func name(session token.Session) string { return fmt.Sprintf("shopper %d", session.Subject) }

// token returns the text of the first header that has any.
func (g *Gate) token(r *http.Request) string {
	for _, name := range g.headers {
		if text := r.Header.Get(name); text != "" {
			return text
		}
	}
	return ""
}

type callerKey struct{}

// caller is the shopper of a request with the token, which logout revokes.
type caller struct {
	id    int64
	token string
}

// ID returns the calling shopper, 0 for a guest.
func ID(ctx context.Context) int64 { return of(ctx).id }

func of(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller) // a guest has none
	return c
}
