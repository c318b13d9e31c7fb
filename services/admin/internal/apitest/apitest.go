// Package apitest runs the admin service in process, on a shop of its own, with clients for every kind of caller.
package apitest

import (
	"context"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/domaintest"
	"shop.internal/pkg/domain/platform/admission"
	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/optest"
	"shop.internal/services/admin/internal/app"
	"shop.internal/services/admin/internal/auth"
)

// Password is the password of every test operator.
const Password = domaintest.Password

// Origin is the only other origin whose pages may call.
const Origin = "https://console.example.com"

// Env is a service with its shop.
type Env struct {
	Shop    *domaintest.Shop
	Handler *app.Handler

	t      testing.TB
	api    *optest.API
	tokens map[string]string
	ages   *domaintest.Clock
}

// Open returns a service on an empty shop.
func Open(t testing.TB) *Env {
	t.Helper()
	return OpenWith(t)
}

// OpenWith is Open with another configuration.
func OpenWith(t testing.TB, configure ...func(*app.Config)) *Env {
	t.Helper()
	s := domaintest.Open(t)
	return on(t, s, s.Domain, map[string]string{}, configure...)
}

// Replica returns another process of the service on the same shop. Tokens are valid for both.
func (w *Env) Replica() *Env {
	w.t.Helper()
	return w.beside(w.Shop.Replica())
}

// Moved is Replica for a process that serves files at domaintest.NewBase.
func (w *Env) Moved(earlier ...string) *Env {
	w.t.Helper()
	return w.beside(w.Shop.Moved(earlier...))
}

// WithoutRedis returns a process of the service that cannot reach Redis.
func (w *Env) WithoutRedis() *Env {
	w.t.Helper()
	return w.beside(w.Shop.WithoutRedis())
}

// Narrow returns a process of the service with a single database connection, so that a call that holds it blocks all
// others.
func (w *Env) Narrow() *Env {
	w.t.Helper()
	return w.beside(w.Shop.Narrow())
}

// beside returns another process of the service on the same shop.
func (w *Env) beside(d *domain.Domain) *Env {
	w.t.Helper()
	other := on(w.t, w.Shop, d, maps.Clone(w.tokens))
	other.api.Shares(w.api)
	return other
}

func on(
	t testing.TB, s *domaintest.Shop, d *domain.Domain, tokens map[string]string, configure ...func(*app.Config),
) *Env {
	t.Helper()
	c := app.Config{}
	c.Shop.Language, c.Shop.Zone = "zh", "Asia/Shanghai"
	c.Token.Headers = []string{"X-Litemall-Admin-Token"}
	c.CORS.Origins = []string{Origin}
	c.Limits.Body = 4 << 20
	for _, set := range configure {
		set(&c)
	}
	ages := &domaintest.Clock{}
	ages.Move(time.Hour)
	h, err := app.NewHandler(d, c, app.HandlerDeps{Clock: ages.Now, Done: func(r op.Result) {
		if r.Errno == errno.Internal.Num {
			t.Log(r.Path, r.Err)
		}
	}, Timeout: optest.Patience, Admission: admission.New(nil)}) // so that operations that hash must declare it
	require.NoError(t, err)
	api := optest.New(h, h.Specs)
	api.Count = domaintest.Count
	w := &Env{Shop: s, Handler: h, t: t, api: api, tokens: tokens, ages: ages}
	api.Watch = w.watch
	return w
}

// Wait ages the cached grants, so that the service checks for changes made elsewhere.
func (w *Env) Wait(d time.Duration) { w.ages.Move(d) }

// Conflict makes the statements of the following calls that begin with a text fail with a write conflict.
func (w *Env) Conflict(beginning string) {
	w.api.Count = func(ctx context.Context) (context.Context, func() int) { return domaintest.Conflict(ctx, beginning) }
}

// Anonymous is a client without a token.
func (w *Env) Anonymous() *optest.Client { return w.api.Client(w.t) }

// Token logs an operator in, who is created with the permissions the first time.
func (w *Env) Token(name string, permissions ...string) string {
	w.t.Helper()
	if token, known := w.tokens[name]; known {
		return token
	}
	w.tokens[name] = w.Shop.Operator(name, permissions...)
	return w.tokens[name]
}

// Operator is a client of an operator, who is created with the permissions the first time.
func (w *Env) Operator(name string, permissions ...string) *optest.Client {
	w.t.Helper()
	return w.Anonymous().With(auth.Header, w.Token(name, permissions...))
}

// Super is a client of an operator who may do everything.
func (w *Env) Super() *optest.Client { return w.Operator("super", access.Super) }

// Shopper is a client with a shopper's token, sent in every header.
func (w *Env) Shopper() *optest.Client {
	w.t.Helper()
	const name = "a shopper"
	if _, known := w.tokens[name]; !known {
		w.tokens[name] = w.Shop.Token(w.Shop.Shopper("shopper"))
	}
	token := w.tokens[name]
	return w.Anonymous().With(auth.Header, token).With("X-Shop-Token", token)
}

// Spoiled is a client of an operator with the permissions, whom a statement has changed since the login. The statement
// has placeholders for the operator and then the role.
func (w *Env) Spoiled(name, statement string, permissions ...string) *optest.Client {
	w.t.Helper()
	if _, known := w.tokens[name]; known {
		return w.Operator(name)
	}
	client := w.Operator(name, permissions...)
	w.Shop.Exec(statement, name)
	w.Wait(time.Minute)
	return client
}

// FailAt makes the n-th statement of each following call fail, 0 none.
func (w *Env) FailAt(n int) {
	w.api.Count = func(ctx context.Context) (context.Context, func() int) {
		failing, _ := domaintest.FailAt(ctx, n)
		return failing, func() int { return 0 }
	}
}
