package db

import (
	"context"
	"sync/atomic"

	"gorm.io/gorm"

	"shop.internal/pkg/domain/platform/admission"
)

type counterKey struct{}

// Counter counts the statements of one request, so that a test can check the budget of an operation.
type Counter struct {
	n     atomic.Int64
	fault Fault
	see   func(statement string)
}

// Fault is called before every statement; n counts from 1. A non-nil error is the result of the statement, which is
// then not sent.
type Fault func(n int, statement string) error

// Count returns the number of statements so far, without BEGIN and COMMIT.
func (c *Counter) Count() int { return int(c.n.Load()) }

// WithCounter returns a context that counts every statement.
func WithCounter(ctx context.Context) (context.Context, *Counter) {
	c := new(Counter)
	return context.WithValue(ctx, counterKey{}, c), c
}

// WithFault returns a context in which a test decides which statements fail.
func WithFault(ctx context.Context, f Fault) (context.Context, *Counter) {
	ctx, c := WithCounter(ctx)
	c.fault = f
	return ctx, c
}

// WithListener returns a context that passes every statement to a test before it is sent, with its parameters filled
// in.
func WithListener(ctx context.Context, see func(statement string)) (context.Context, *Counter) {
	ctx, c := WithCounter(ctx)
	c.see = see
	return ctx, c
}

// counted counts a statement that is about to be sent, if the context has a counter, and may let it fail.
func counted(ctx context.Context, statement string) error {
	c, ok := ctx.Value(counterKey{}).(*Counter)
	if !ok {
		return nil
	}
	n := int(c.n.Add(1))
	if c.fault == nil {
		return nil
	}
	return c.fault(n, statement)
}

// watchStatements asks for the place of the request before each statement, and counts it.
func watchStatements(g *gorm.DB) error {
	count := func(g *gorm.DB) {
		if err := admission.Use(g.Statement.Context); err != nil {
			_ = g.AddError(err) // an error ends the statement before it is sent
			return
		}
		if c, ok := g.Statement.Context.Value(counterKey{}).(*Counter); ok && c.see != nil {
			c.see(g.Explain(g.Statement.SQL.String(), g.Statement.Vars...))
		}
		if err := counted(g.Statement.Context, g.Statement.SQL.String()); err != nil {
			_ = g.AddError(err) // an error ends the statement before it is sent
		}
	}
	const name = "shop:count"
	cb := g.Callback()
	for _, register := range []func() error{
		func() error { return cb.Create().Before("*").Register(name, count) },
		func() error { return cb.Query().Before("*").Register(name, count) },
		func() error { return cb.Update().Before("*").Register(name, count) },
		func() error { return cb.Delete().Before("*").Register(name, count) },
		func() error { return cb.Row().Before("*").Register(name, count) },
		func() error { return cb.Raw().Before("*").Register(name, count) },
	} {
		if err := register(); err != nil {
			return err
		}
	}
	return nil
}
