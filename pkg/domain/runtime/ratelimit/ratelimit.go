// Package ratelimit limits how often callers may do something. The counters are in Redis, so that all replicas share
// them; there is one kind of counter and one script. Callers pass the limits together with the keys of their counters.
package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/text"
)

// Limit is how often one caller may do one kind of thing.
type Limit struct {
	// Key names the kind and the caller, such as "write:s7".
	Key string
	// Max is the number of calls that a window allows; 0 is unlimited.
	Max int
	// Window begins with the first counted call and has a fixed length.
	Window time.Duration
	// Interval is the minimum time between two calls, by Redis's clock; 0 for none.
	Interval time.Duration
	// FailClosed refuses calls that cannot be counted, with a plain error; otherwise they are allowed.
	FailClosed bool
	// Refusal is the error of a refused call; nil means errno.Invalid with a text that asks to retry later.
	Refusal error
}

func (l Limit) on() bool { return l.Max > 0 }

// redisKey is the key of the counter. The braces are a hash tag, for clusters.
func (l Limit) redisKey() string { return "rate:{" + l.Key + "}" }

// Limiter counts calls in fixed windows.
type Limiter struct {
	rdb redis.UniversalClient
	log *slog.Logger
	now func() time.Time
	// warned is the time of the latest warning, in milliseconds since 1970.
	warned atomic.Int64
}

// New returns a limiter that logs a warning, at most once a minute, while Redis does not answer.
func New(rdb redis.UniversalClient, log *slog.Logger, now func() time.Time) *Limiter {
	return &Limiter{rdb: rdb, log: log, now: now}
}

const (
	// wait is the timeout of Redis for a call that is allowed without it.
	wait = 500 * time.Millisecond
	// warnEvery is the interval between two warnings.
	warnEvery = time.Minute
	// countMember is the member of a counter with the number of calls in its window.
	countMember = "n"
)

// takeScript counts one call unless the window is used up or the interval has not passed; refused calls do not count.
// KEYS[1]: the counter, a hash of the number of calls and, with an interval, the time of the latest. ARGV: the maximum
// number of calls, the milliseconds of the window, the milliseconds of the interval. It returns 1, or for a refused
// call the negative number of milliseconds after which another one may be allowed.
var takeScript = redis.NewScript(`
local v = redis.call('HMGET', KEYS[1], 'n', 't')
if tonumber(v[1] or '0') >= tonumber(ARGV[1]) then return -math.max(redis.call('PTTL', KEYS[1]), 1) end
if tonumber(ARGV[3]) > 0 then
  local t = redis.call('TIME')
  local now = t[1] * 1000 + math.floor(t[2] / 1000)
  local left = tonumber(ARGV[3]) - (now - tonumber(v[2] or '0'))
  if v[2] and left > 0 then return -left end
  redis.call('HSET', KEYS[1], 't', string.format('%.0f', now))
end
if redis.call('HINCRBY', KEYS[1], 'n', 1) == 1 and redis.call('PTTL', KEYS[1]) < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 1`)

// giveBackScript removes one call and the interval from a counter. It has no ARGV.
var giveBackScript = redis.NewScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HDEL', KEYS[1], 't')
return redis.call('HINCRBY', KEYS[1], 'n', -1)`)

// Take counts one call under each of the limits, in one round trip to Redis. It fails with the Refusal of the first
// limit that is used up. If Redis does not answer, it fails with a plain error if a limit fails closed, and otherwise
// allows the call.
func (l *Limiter) Take(ctx context.Context, limits ...Limit) error {
	limits = switchedOn(limits)
	if len(limits) == 0 {
		return nil
	}
	bound := ctx
	if slices.ContainsFunc(limits, func(l Limit) bool { return !l.FailClosed }) {
		var cancel context.CancelFunc
		bound, cancel = context.WithTimeout(ctx, wait)
		defer cancel()
	}
	taken, err := l.take(bound, limits)
	if err != nil {
		if slices.ContainsFunc(limits, func(l Limit) bool { return l.FailClosed }) {
			return err
		}
		l.warn(ctx, err)
		return nil
	}
	for i, t := range taken {
		if !t.allowed() {
			return fmt.Errorf("rate limit %s: %w", limits[i].Key, &errno.Later{Code: limits[i].refusal(), After: t.again()})
		}
	}
	return nil
}

// GiveBack undoes Take for a call that had no effect.
func (l *Limiter) GiveBack(ctx context.Context, limits ...Limit) error {
	_, err := l.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, limit := range switchedOn(limits) {
			giveBackScript.Eval(ctx, p, []string{limit.redisKey()})
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("give a call back: %w", err)
	}
	return nil
}

// count counts one call under each of the limits, even beyond what they allow.
func (l *Limiter) count(ctx context.Context, limits []Limit) error {
	limits = switchedOn(limits)
	for i := range limits {
		limits[i].Max = math.MaxInt32
	}
	_, err := l.take(ctx, limits)
	return err
}

// usedUp returns the limits that allow no further call, without counting one.
func (l *Limiter) usedUp(ctx context.Context, limits []Limit) ([]Limit, error) {
	limits = switchedOn(limits)
	counts := make([]*redis.StringCmd, len(limits))
	_, _ = l.rdb.Pipelined(ctx, func(p redis.Pipeliner) error { // its error is the first of the commands', which follow
		for i, limit := range limits {
			counts[i] = p.HGet(ctx, limit.redisKey(), countMember)
		}
		return nil
	})
	var used []Limit
	for i, limit := range limits {
		n, err := counts[i].Int()
		if errors.Is(err, redis.Nil) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read the calls of a window: %w", err)
		}
		if n >= limit.Max {
			used = append(used, limit)
		}
	}
	return used, nil
}

// verdict is what the script says of a call.
type verdict int64

func (v verdict) allowed() bool { return v == 1 }

// again is the time after which a call that is not allowed may be allowed.
func (v verdict) again() time.Duration { return -time.Duration(v) * time.Millisecond }

// take runs the script for each of the limits.
func (l *Limiter) take(ctx context.Context, limits []Limit) ([]verdict, error) {
	// A pipeline cannot send a script whole when the server does not know it, so each is.
	replies := make([]*redis.Cmd, len(limits))
	_, err := l.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i, limit := range limits {
			replies[i] = takeScript.Eval(ctx, p, []string{limit.redisKey()},
				limit.Max, limit.Window.Milliseconds(), limit.Interval.Milliseconds())
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("count a call: %w", err)
	}
	taken := make([]verdict, len(replies))
	for i, reply := range replies {
		n, err := reply.Int64()
		if err != nil {
			return nil, fmt.Errorf("count a call: %w", err)
		}
		taken[i] = verdict(n)
	}
	return taken, nil
}

func switchedOn(limits []Limit) []Limit {
	var on []Limit
	for _, l := range limits {
		if l.on() {
			on = append(on, l)
		}
	}
	return on
}

func (l Limit) refusal() error {
	if l.Refusal != nil {
		return l.Refusal
	}
	return errno.Invalid.Because(text.TooMany)
}

// warn logs that calls are not limited now.
func (l *Limiter) warn(ctx context.Context, err error) {
	now, last := l.now().UnixMilli(), l.warned.Load()
	if now-last < warnEvery.Milliseconds() && last != 0 || !l.warned.CompareAndSwap(last, now) {
		return
	}
	if errors.Is(err, context.Canceled) { // the client disconnected
		l.warned.Store(last)
		return
	}
	l.log.WarnContext(ctx, "calls are not limited, since Redis does not answer", "err", err.Error())
}
