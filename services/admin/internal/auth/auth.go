// Package auth identifies operators and serves login and logout. Tokens are read from a header only: browsers send
// cookies by themselves, and addresses are logged.
package auth

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/platform/actor"
	"shop.internal/pkg/domain/platform/errno"
)

// Header carries the token.
const Header = "X-Shop-Admin-Token"

// Gate authenticates requests.
type Gate struct {
	sessions *access.Sessions
	headers  []string
	quiet    []string
}

// NewGate returns a gate that reads the token from Header and, if that is absent, from the first alias that is present.
// Calls to the quiet paths do not extend a session, since a console polls them while a tab is open.
func NewGate(s *access.Sessions, aliases []string, quiet ...string) *Gate {
	return &Gate{sessions: s, headers: append([]string{Header}, aliases...), quiet: quiet}
}

type callerKey struct{}

// caller is the operator of a request, with the token.
type caller struct {
	operator access.Operator
	token    string
}

// Authenticate returns a context that carries the operator, and the operator's name for the log. It fails with
// errno.LoginRequired.
func (g *Gate) Authenticate(ctx context.Context, r *http.Request) (context.Context, string, error) {
	token := g.token(r.Header)
	if token == "" {
		return nil, "", fmt.Errorf("no token: %w", errno.LoginRequired)
	}
	o, err := g.sessions.Find(ctx, token, !slices.Contains(g.quiet, r.URL.Path))
	if err != nil {
		return nil, "", err
	}
	return context.WithValue(ctx, callerKey{}, caller{o, token}), fmt.Sprintf("operator %d", o.ID), nil
}

// token returns the value of the first header that is present.
func (g *Gate) token(h http.Header) string {
	for _, name := range g.headers {
		if values := h.Values(name); len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

// Operator returns the caller, the zero Operator without a token.
func Operator(ctx context.Context) access.Operator { return callerOf(ctx).operator }

// Actor returns the caller as an actor.
func Actor(ctx context.Context) actor.Actor { return actor.Operator(Operator(ctx).ID) }

func callerOf(ctx context.Context) caller {
	c, _ := ctx.Value(callerKey{}).(caller)
	return c
}

// Token returns the token of the call, empty without one.
func Token(ctx context.Context) string { return callerOf(ctx).token }
