// Package auth identifies operators. Tokens are read from a header only: browsers send cookies by themselves, and
// addresses are logged.
package auth

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"shop.internal/pkg/base/actor"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/access"
)

// Header carries the token.
const Header = "X-Shop-Admin-Token"

// ViewHeader makes a call one of an operator who looks at the console as a role sees it; it names the role's id. Such a
// call may read what both the operator and the role may, and change nothing.
const ViewHeader = "X-Shop-View-As"

// ViewPermission is what a call with ViewHeader requires, beside its own permission if it has one.
const ViewPermission = "admin:access:view"

// Authority decides about permissions.
type Authority interface {
	// Check fails with errno.NoPermission if the operator does not have the permission.
	Check(ctx context.Context, operator int64, value string) error
	// CheckRole fails with errno.NoPermission if the role does not grant the permission.
	CheckRole(ctx context.Context, role int64, value string) error
}

// Gate authenticates requests.
type Gate struct {
	sessions  *access.Sessions
	authority Authority
	headers   []string
	quiet     []string
}

// NewGate returns a gate that reads the token from Header and, if that is absent, from the first alias that is present.
// Calls to the quiet paths do not extend a session, since a console polls them while a tab is open.
func NewGate(s *access.Sessions, a Authority, aliases []string, quiet ...string) *Gate {
	return &Gate{sessions: s, authority: a, headers: append([]string{Header}, aliases...), quiet: quiet}
}

type callerKey struct{}

// caller is the operator of a request, with the token, and the role as which they look at the console, 0 for none.
type caller struct {
	operator access.Operator
	token    string
	viewed   int64
}

// Authenticate returns a context that carries the operator, and the operator's name for the log. It fails with
// errno.LoginRequired, and with errno.Invalid for a call with ViewHeader that is no GET.
func (g *Gate) Authenticate(ctx context.Context, r *http.Request) (context.Context, string, error) {
	token := g.token(r.Header)
	if token == "" {
		return nil, "", fmt.Errorf("no token: %w", errno.LoginRequired)
	}
	o, err := g.sessions.Find(ctx, token, !slices.Contains(g.quiet, r.URL.Path))
	if err != nil {
		return nil, "", err
	}
	viewed, err := viewed(r)
	if err != nil {
		return nil, "", err
	}
	return context.WithValue(ctx, callerKey{}, caller{o, token, viewed}), fmt.Sprintf("operator %d", o.ID), nil
}

// none is the role of a view that names no role: it grants nothing.
const none = -1

// viewed returns the role as which the caller looks at the console, 0 if they do not.
func viewed(r *http.Request) (int64, error) {
	named := r.Header.Values(ViewHeader)
	switch {
	case len(named) == 0:
		return 0, nil
	case r.Method != http.MethodGet:
		return 0, errno.Invalid.Because(text.ViewOnly)
	}
	role, err := strconv.ParseInt(named[0], 10, 64)
	if err != nil || role < 1 || len(named) > 1 {
		return none, nil
	}
	return role, nil
}

// Authorize fails with errno.NoPermission if the caller may not do what the permission is for.
func (g *Gate) Authorize(ctx context.Context, value string) error {
	c := callerOf(ctx)
	if err := g.authority.Check(ctx, c.operator.ID, value); err != nil || c.viewed == 0 {
		return err
	}
	if err := g.authority.Check(ctx, c.operator.ID, ViewPermission); err != nil {
		return err
	}
	return g.authority.CheckRole(ctx, c.viewed, value)
}

// Held returns the roles and permissions by which the caller is answered. With ViewHeader it fails with
// errno.NoPermission for a caller without ViewPermission, and with errno.Invalid for an unknown role.
func Held(ctx context.Context, a *access.Service) (access.Authority, error) {
	c := callerOf(ctx)
	if c.viewed != 0 {
		return a.AuthorityAs(ctx, c.operator.ID, c.viewed, ViewPermission)
	}
	return a.AuthorityOf(ctx, c.operator.ID)
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
