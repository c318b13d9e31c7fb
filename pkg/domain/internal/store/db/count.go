package db

import (
	"context"
	"sync/atomic"
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
