// Package redis watches the connection to Redis: each round trip is counted, timed and traced.
package redis

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/redis/go-redis/v9"

	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/trace"
)

// Watch counts and times the round trips of a client, and traces those that belong to a recorded trace.
func Watch(c redis.UniversalClient, m *meter.Meter) { c.AddHook(watch{m}) }

type watch struct{ meter *meter.Meter }

// DialHook implements redis.Hook.
func (watch) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements redis.Hook.
func (w watch) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, command redis.Cmder) error {
		if connects(command) {
			return next(ctx, command)
		}
		end := w.begin(ctx, nameOf(command))
		err := next(ctx, command)
		end(fault(err))
		return err
	}
}

// ProcessPipelineHook implements redis.Hook.
func (w watch) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, commands []redis.Cmder) error {
		if connects(commands[0]) {
			return next(ctx, commands)
		}
		end := w.begin(ctx, "pipeline")
		err := next(ctx, commands)
		var failed error
		for _, command := range commands { // err may be that of a command without a value
			failed = cmp.Or(failed, fault(command.Err()))
		}
		end(failed)
		return err
	}
}

// begin begins to watch one round trip. Its name is the command without the key, which may name a person.
func (w watch) begin(ctx context.Context, name string) (end func(error)) {
	began := w.meter.Now()
	_, span := trace.Call(ctx, "redis", name, "db.system.name", "redis", "db.operation.name", name)
	return func(err error) {
		span.End(err)
		w.meter.Took(meter.RedisCalls, began)
		if err != nil {
			w.meter.Count(meter.RedisFailures)
		}
	}
}

// connects says of a command that the client sends it by itself on a new connection.
func connects(command redis.Cmder) bool {
	switch command.Name() {
	case "hello", "auth", "client", "select", "readonly":
		return true
	}
	return false
}

func nameOf(command redis.Cmder) string {
	switch name := command.Name(); name {
	case "eval", "evalsha":
		return "script"
	default:
		return strings.ToUpper(name)
	}
}

// fault returns the error of a command if it is one: neither that there is no value, nor that a script has to be sent
// whole.
func fault(err error) error {
	if errors.Is(err, redis.Nil) || redis.HasErrorPrefix(err, "NOSCRIPT") {
		return nil
	}
	return err
}
