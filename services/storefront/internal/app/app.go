// Package app wires the storefront: configuration, areas, operations and the HTTP handler.
package app

import (
	"context"
	"io"
	"log/slog"
	"time"

	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/platform/admission"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/trace"
	"shop.internal/pkg/kit/envelope"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/openapi"
	"shop.internal/pkg/kit/server"
	"shop.internal/services/storefront/internal/auth"
	"shop.internal/services/storefront/internal/paging"
	"shop.internal/services/storefront/internal/rate"
)

// operationTime is the timeout of an operation; prepay waits up to five seconds for the platform.
const operationTime = 15 * time.Second

// HandlerDeps are what the handler needs beside the areas.
type HandlerDeps struct {
	// Now is the time of day, Clock measures ages and durations.
	Now, Clock func() time.Time
	// Done is called for every answer.
	Done func(op.Result)
	// Log takes what is wrong with the proxies in front; it may be nil.
	Log *slog.Logger
	// Tracer traces requests; nil traces none.
	Tracer *trace.Tracer
	// Admission bounds the work at once; nil is no bound.
	Admission *admission.Controller
	// Timeout is the timeout of an operation that has no longer one of its own.
	Timeout time.Duration
}

// Handler is the service's handler, with the pages that it has in memory.
type Handler struct {
	*server.Handler
	pages func() int
}

// Ready returns the checks of /readyz. While the database does not answer, guests are served as long as there are pages
// in memory that may be shown; while Redis does not, they are served from the database. No other replica could do
// better.
func (h *Handler) Ready(d *domain.Domain) []server.Check {
	return []server.Check{
		{Name: "mysql", Do: d.PingMySQL, Degrades: func(err error) bool { return domain.Away(err) && h.pages() > 0 }},
		{Name: "redis", Do: d.PingRedis, Optional: true},
	}
}

// NewHandler declares and mounts the operations.
func NewHandler(d *domain.Domain, c Config, e HandlerDeps) (*Handler, error) {
	deps, err := depsOf(d, c, e)
	if err != nil {
		return nil, err
	}
	ops := Ops(deps)
	gate := auth.New(d.Tokens, d.Accounts, c.Token.Headers)
	specs, err := op.Specs(ops...)
	if err != nil {
		return nil, err
	}
	h, err := server.NewHandler(server.HandlerOptions{
		Engine: server.EngineOptions{TrustedProxies: c.Proxies.Trusted, CORS: c.cors(), Log: e.Log},
		Hooks: op.Hooks{
			Authenticate:       gate.Authenticate,
			AuthenticateLater:  gate.AuthenticateLater,
			Credentials:        append([]string{auth.Header}, c.Token.Headers...),
			WithIdempotencyKey: once,
			Limit:              rate.New(d.Limiter, c.Rate, specs),
			MayLag:             d.MayLag(),
			Wrote:              d.Wrote(),
			Done:               e.Done,
			Tracer:             e.Tracer,
			Admission:          e.Admission,
			Now:                e.Clock,
			Envelope:           envelope.New(c.Shop.Language),
			Label:              contract.Field,
			Address:            d.Storage.Address,
			BodyLimit:          int64(c.Limits.Body),
			Timeout:            e.Timeout,
		},
		Document: described, Docs: c.Docs.Enabled,
	}, ops...)
	if err == nil && c.Web.Enabled {
		h, err = withPages(h, c)
	}
	return &Handler{Handler: h, pages: deps.pages}, err
}

// described are the options of the API document.
var described = openapi.Options{
	Title: "Storefront", Version: "1", TokenHeader: auth.Header, Rows: paging.Rules(), Label: contract.Field,
	Choices: contract.Choices,
}

// Describe writes the API document. It needs neither servers nor configuration.
func Describe(w io.Writer) error {
	var d Deps
	specs, err := op.Specs(Ops(d)...)
	if err != nil {
		return err
	}
	return openapi.Write(w, described, specs)
}

// once passes the Idempotency-Key of a call to the domain.
func once(ctx context.Context, scope, key, hash string) context.Context {
	return idempotency.With(ctx, idempotency.Request{Scope: scope, Owner: auth.ID(ctx), Key: key, Hash: hash})
}
