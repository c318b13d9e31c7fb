// Package app wires the admin service: configuration, areas, operations and the HTTP handler.
package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strconv"
	"time"

	"shop.internal/pkg/contract"
	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/platform/admission"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/ratelimit"
	"shop.internal/pkg/domain/platform/trace"
	"shop.internal/pkg/kit/envelope"
	"shop.internal/pkg/kit/op"
	"shop.internal/pkg/kit/openapi"
	"shop.internal/pkg/kit/server"
	"shop.internal/services/admin/internal/auth"
	"shop.internal/services/admin/internal/authz"
	"shop.internal/services/admin/internal/console"
	"shop.internal/services/admin/internal/paging"
)

// operationTime is the timeout of an operation; a refund waits up to four seconds for the platform.
const operationTime = 20 * time.Second

// polled returns what an open console calls every half minute and must not extend a session. /admin/auth/info, which it
// calls as well, extends it, as the contract says of every other request.
func polled() []string { return []string{"/admin/profile/nnotice", "/admin/order/counts"} }

// HandlerDeps are what the handler needs beside the areas.
type HandlerDeps struct {
	// Clock measures ages and durations.
	Clock func() time.Time
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

// Handler is the service's handler, with its declarations and their permissions.
type Handler struct {
	*server.Handler
	Registry *authz.Registry
}

// NewHandler declares and mounts the operations.
func NewHandler(d *domain.Domain, c Config, e HandlerDeps) (*Handler, error) {
	deps, err := depsOf(d, c)
	if err != nil {
		return nil, err
	}
	ops, registry, err := Ops(deps)
	if err != nil {
		return nil, err
	}
	authority, err := authz.New(d.Access, e.Clock)
	if err != nil {
		return nil, err
	}
	guard := auth.NewGate(d.Sessions, c.Token.Headers, polled()...)
	h, err := server.NewHandler(server.HandlerOptions{
		Engine: server.EngineOptions{TrustedProxies: c.Proxies.Trusted, CORS: c.cors(), Log: e.Log},
		Hooks: op.Hooks{
			Authenticate: guard.Authenticate,
			Authorize: func(ctx context.Context, value string) error {
				return authority.Check(ctx, auth.Operator(ctx).ID, value)
			},
			WithIdempotencyKey: once,
			Limit:              limits(d.Limiter, c),
			Change:             changes(d.Now),
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
			GuardAll:           "/admin/",
			// Consoles send whole rows back, which may have a flag where text is declared.
			BoolAsText: true,
		},
		Document: described, Docs: c.Docs.Enabled,
	}, ops...)
	if err != nil {
		return nil, err
	}
	_, err = console.Of(h.Specs)
	if err = errors.Join(err, op.Bounded(h.Specs)); err == nil && c.Web.Enabled {
		h, err = withPages(h, c)
	}
	return &Handler{Handler: h, Registry: registry}, err
}

// described are the options of the API document.
var described = openapi.Options{
	Title: "Administration", Version: "1", TokenHeader: auth.Header, Rows: paging.Rules(),
	Label: contract.Field, Choices: contract.Choices, About: console.About,
}

// Describe writes the API document. It needs neither servers nor configuration.
func Describe(w io.Writer) error {
	specs, err := Specs()
	if err != nil {
		return err
	}
	return openapi.Write(w, described, specs)
}

// Specs returns the declarations of all operations.
func Specs() ([]op.Spec, error) {
	var d Deps
	ops, _, err := Ops(d)
	if err != nil {
		return nil, err
	}
	return specsOf(ops)
}

// specsOf reads the declarations. It fails for every mistake in them, and for numbers without bounds.
func specsOf(ops []op.Op) ([]op.Spec, error) {
	specs, err := op.Specs(ops...)
	_, consoleErr := console.Of(specs)
	return specs, errors.Join(err, op.Bounded(specs), consoleErr)
}

// Registry returns all permissions. It needs neither servers nor configuration.
func Registry() (*authz.Registry, error) {
	var d Deps
	_, registry, err := Ops(d)
	return registry, err
}

// once passes the Idempotency-Key of a call to the domain. The scopes separate operators' keys from shoppers'.
func once(ctx context.Context, scope, key, hash string) context.Context {
	return idempotency.With(ctx, idempotency.Request{Scope: scope, Owner: auth.Operator(ctx).ID, Key: key, Hash: hash})
}

// limits applies the rate limits of operators and of their addresses.
func limits(l *ratelimit.Limiter, c Config) func(context.Context, *op.Spec) error {
	return func(ctx context.Context, _ *op.Spec) error {
		all := []ratelimit.Limit{{
			Key: "admin:" + ratelimit.AddressKey(op.CallOf(ctx).Address),
			Max: c.Rate.WritesPerAddress, Window: time.Minute,
		}}
		if o := auth.Operator(ctx).ID; o != 0 {
			all = append(all, ratelimit.Limit{
				Key: "admin:o" + strconv.FormatInt(o, 10), Max: c.Rate.WritesPerOperator, Window: time.Minute,
			})
		}
		return l.Take(ctx, all...)
	}
}

// changes passes the call to the domain, for its audit records.
func changes(now func() time.Time) func(context.Context, *op.Spec) context.Context {
	return func(ctx context.Context, s *op.Spec) context.Context {
		o, call := auth.Operator(ctx), op.CallOf(ctx)
		return audit.With(ctx, audit.Call{
			By: auth.Actor(ctx), Name: o.Username, Address: call.Address, Request: call.ID,
			Permission: s.Access.Permission.Value, Operation: s.Key(), Target: s.Audit.Target,
			Kind: audit.Kind(s.Audit.Kind), Action: s.Audit.Action, At: now(),
		})
	}
}
