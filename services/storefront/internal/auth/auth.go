// Package auth knows who calls the storefront: it reads the token of a request, finds the shopper behind it, and
// hands the shopper to the other packages through the context. It also has the operations under /wx/auth. The rules
// of accounts, passwords and codes are the domain's.
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

// Gate finds the caller of a request.
type Gate struct {
	tokens   *token.Service
	accounts *account.Service
	headers  []string
}

// New returns the gate. Aliases are further headers, read in this order where Header is absent or empty.
func New(tokens *token.Service, accounts *account.Service, aliases []string) *Gate {
	return &Gate{tokens: tokens, accounts: accounts, headers: append([]string{Header}, aliases...)}
}

// Authenticate returns the context of the shopper whose token the request carries, and the shopper's name for the
// log. It fails with errno.LoginRequired for a token that is absent, unknown, expired or revoked, and for one whose
// account is no longer in use or has ended its tokens since.
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

// caller is a shopper with the token of this request, which logout ends.
type caller struct {
	id    int64
	token string
}

// ID returns the shopper who calls, 0 for a guest.
func ID(ctx context.Context) int64 { return of(ctx).id }

func of(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller) // a guest has none
	return c
}
