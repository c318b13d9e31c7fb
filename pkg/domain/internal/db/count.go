package db

import (
	"context"
	"sync/atomic"

	"gorm.io/gorm"
)

type counterKey struct{}

// Counter counts the statements of one request, so that a test can hold an operation to its budget.
type Counter struct{ n atomic.Int64 }

// Count returns the number of statements so far, BEGIN and COMMIT not counted.
func (c *Counter) Count() int { return int(c.n.Load()) }

// WithCounter returns a context under which every statement is counted.
func WithCounter(ctx context.Context) (context.Context, *Counter) {
	c := new(Counter)
	return context.WithValue(ctx, counterKey{}, c), c
}

func countStatements(g *gorm.DB) error {
	count := func(g *gorm.DB) {
		if c, ok := g.Statement.Context.Value(counterKey{}).(*Counter); ok {
			c.n.Add(1)
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
