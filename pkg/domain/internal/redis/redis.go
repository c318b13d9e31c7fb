// Package redis is what the shop uses of Redis, without the types of the client library: those are large, and every
// package whose types mention them would compile them again.
package redis

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"shop.internal/pkg/domain/platform/meter"
	"shop.internal/pkg/domain/platform/trace"
)

// Client is a connection pool to Redis. Each call is one round trip; an error means that Redis did not answer, or not
// as expected.
type Client struct {
	server    server
	clustered bool
	meter     *meter.Meter
	pool      func() Pool
}

// Pool is the state of the connections.
type Pool struct {
	// Open and Idle are connections now. Timeouts counts the calls that got none in time, Stale the broken ones.
	Open, Idle, Timeouts, Stale uint32
}

// server sends commands. A reply is nil, an int64, a string or a []any.
type server interface {
	do(ctx context.Context, command []any) (any, error)
	doAll(ctx context.Context, commands [][]any) ([]any, error)
	run(ctx context.Context, s Script, key string, args []any) (any, error)
	Close() error
}

// Of returns the client that uses a connection pool.
func Of(c redis.UniversalClient) *Client { return Measured(c, nil) }

// Measured is Of for a client whose calls m counts and times.
func Measured(c redis.UniversalClient, m *meter.Meter) *Client {
	_, clustered := c.(*redis.ClusterClient)
	return &Client{pool{c}, clustered, m, func() Pool {
		s := c.PoolStats()
		return Pool{Open: s.TotalConns, Idle: s.IdleConns, Timeouts: s.Timeouts, Stale: s.StaleConns}
	}}
}

// Meter returns what counts, nil for nothing.
func (c *Client) Meter() *meter.Meter { return c.meter }

// Pool returns the state of the connections.
func (c *Client) Pool() Pool { return c.pool() }

// trip is one round trip.
type trip struct {
	meter *meter.Meter
	began time.Time
	span  trace.Span
}

// start begins a round trip. Its name is the command without the key, which may name a person.
func (c *Client) start(ctx context.Context, name string) trip {
	t := trip{meter: c.meter, began: c.meter.Now()}
	if trace.On(ctx) {
		_, t.span = trace.Call(ctx, "redis", name, "db.system.name", "redis", "db.operation.name", name)
	}
	return t
}

func (t trip) end(err error) {
	t.span.End(err)
	t.meter.Took(meter.RedisCalls, t.began)
	if err != nil {
		t.meter.Count(meter.RedisFailures)
	}
}

type pool struct{ redis.UniversalClient }

func (p pool) do(ctx context.Context, command []any) (any, error) {
	reply, err := p.Do(ctx, command...).Result()
	if errors.Is(err, redis.Nil) {
		return nil, nil // the reply is that there is none
	}
	return reply, err
}

func (p pool) doAll(ctx context.Context, commands [][]any) ([]any, error) {
	pipe := p.Pipeline()
	sent := make([]*redis.Cmd, len(commands))
	for i, command := range commands {
		sent[i] = pipe.Do(ctx, command...)
	}
	_, _ = pipe.Exec(ctx) // its error is the first of the commands', which are looked at below
	replies := make([]any, len(sent))
	for i, cmd := range sent {
		if err := cmd.Err(); err != nil && !errors.Is(err, redis.Nil) {
			return nil, err
		}
		replies[i] = cmd.Val()
	}
	return replies, nil
}

func (p pool) run(ctx context.Context, s Script, key string, args []any) (any, error) {
	reply, err := redis.NewScript(string(s)).Run(ctx, p.UniversalClient, []string{key}, args...).Result()
	if errors.Is(err, redis.Nil) {
		return nil, nil // the reply is that there is none
	}
	return reply, err
}

// Clustered reports whether the client finds the nodes of a cluster.
func (c *Client) Clustered() bool { return c.clustered }

// Close closes the connections.
func (c *Client) Close() error { return c.server.Close() }

// Do runs one command. A missing reply is nil.
func (c *Client) Do(ctx context.Context, command ...any) (any, error) {
	name, _ := command[0].(string)
	trip := c.start(ctx, name)
	reply, err := c.server.do(ctx, command)
	trip.end(err)
	return reply, err
}

// DoAll runs commands together, each with one key at the place where Redis expects it. An error of one of them is an
// error of all, which have been run nevertheless.
func (c *Client) DoAll(ctx context.Context, commands [][]any) ([]any, error) {
	if len(commands) == 0 {
		return nil, nil
	}
	trip := c.start(ctx, "pipeline")
	replies, err := c.server.doAll(ctx, commands)
	trip.end(err)
	return replies, err
}

// Get returns the value of a key, and whether there is one.
func (c *Client) Get(ctx context.Context, key string) (string, bool, error) {
	return text(c.Do(ctx, "GET", key))
}

// GetDel returns the value of a key, and whether there is one, and deletes it.
func (c *Client) GetDel(ctx context.Context, key string) (string, bool, error) {
	return text(c.Do(ctx, "GETDEL", key))
}

// Set sets the value of a key for a time, or forever if ttl is 0.
func (c *Client) Set(ctx context.Context, key string, value any, ttl time.Duration) error {
	_, err := c.Do(ctx, set(key, value, ttl)...)
	return err
}

// SetNew sets the value of a key that has none, and reports whether it did.
func (c *Client) SetNew(ctx context.Context, key string, value any, ttl time.Duration) (bool, error) {
	reply, err := c.Do(ctx, append(set(key, value, ttl), "NX")...)
	return reply != nil, err
}

// Replace changes the value of a key that has one, which lives as long as before, and reports whether it did.
func (c *Client) Replace(ctx context.Context, key string, value any) (bool, error) {
	reply, err := c.Do(ctx, "SET", key, value, "XX", "KEEPTTL")
	return reply != nil, err
}

func set(key string, value any, ttl time.Duration) []any {
	command := []any{"SET", key, value}
	if ttl > 0 {
		command = append(command, "PX", max(ttl.Milliseconds(), 1))
	}
	return command
}

// Del deletes keys, each on its own: on a cluster they are on several nodes.
func (c *Client) Del(ctx context.Context, keys ...string) error {
	commands := make([][]any, len(keys))
	for i, key := range keys {
		commands[i] = []any{"DEL", key}
	}
	_, err := c.DoAll(ctx, commands)
	return err
}

// Script is a Lua script on one key. A server compiles it once.
type Script string

// Run runs the script.
func (s Script) Run(ctx context.Context, c *Client, key string, args ...any) (any, error) {
	trip := c.start(ctx, "script")
	reply, err := c.server.run(ctx, s, key, args)
	trip.end(err)
	return reply, err
}

// Eval returns the command that runs the script together with others: a pipeline cannot load a script that the server
// does not know.
func (s Script) Eval(key string, args ...any) []any {
	return append([]any{"EVAL", string(s), 1, key}, args...)
}

func text(reply any, err error) (string, bool, error) {
	if err != nil || reply == nil {
		return "", false, err
	}
	t, ok := reply.(string)
	if !ok {
		return "", false, fmt.Errorf("redis replied %T instead of a text", reply)
	}
	return t, true, nil
}

// List returns the elements of a reply, all of type T: string or int64.
func List[T any](reply any, err error) ([]T, error) {
	if err != nil || reply == nil {
		return nil, err
	}
	elements, ok := reply.([]any)
	if !ok {
		return nil, fmt.Errorf("redis replied %T instead of a list", reply)
	}
	list := make([]T, len(elements))
	for i, e := range elements {
		if list[i], ok = e.(T); !ok {
			return nil, fmt.Errorf("redis replied a list with a %T", e)
		}
	}
	return list, nil
}
