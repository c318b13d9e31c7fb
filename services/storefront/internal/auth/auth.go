// Package auth authenticates shoppers: it finds the shopper of a request's token and passes the shopper to the other
// packages through the context. It also serves /wx/auth. The rules of accounts, passwords and codes are in the domain.
package auth

import (
	"context"
	"fmt"
	"net/http"

	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/token"
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
	text := g.token(r)
	session, err := g.tokens.Find(ctx, text, true)
	if err != nil {
		return ctx, "", err
	}
	version, err := g.accounts.Active(ctx, session.Subject)
	if err != nil {
		return ctx, "", err
	}
	if version != session.Version {
		return ctx, "", fmt.Errorf("shopper %d has ended this token: %w", session.Subject, errno.LoginRequired)
	}
	who := fmt.Sprintf("shopper %d", session.Subject)
	return context.WithValue(ctx, callerKey{}, caller{session.Subject, text}), who, nil
}

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
