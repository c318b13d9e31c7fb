// Package ratelimit bounds how often somebody may do something. Its counters live in Redis, so that all replicas share
// them. What is limited, and how tightly, is for the services: they hand over limits with the keys to count under.
package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"shop.internal/pkg/domain/platform/errno"
	"shop.internal/pkg/domain/platform/text"
)

// Limit is how often one caller may do one kind of thing.
type Limit struct {
	// Key names the kind and the caller, such as "write:s7".
	Key string
	// Most is the number of calls that a window allows; 0 is any number.
	Most int
	// Window begins with the first call that counts.
	Window time.Duration
	// Closed refuses calls that cannot be counted, with an error; else they are let through.
	Closed bool
}

// Limiter counts calls in fixed windows.
type Limiter struct {
	rdb redis.UniversalClient
	log *slog.Logger
	now func() time.Time
	// warned is the time of the latest warning, in milliseconds since 1970.
	warned atomic.Int64
}

// New returns a limiter that warns in log, at most once a minute, while Redis does not answer.
func New(rdb redis.UniversalClient, log *slog.Logger, now func() time.Time) *Limiter {
	return &Limiter{rdb: rdb, log: log, now: now}
}

const (
	// wait bounds what a limit may cost a call while Redis is slow.
	wait = 500 * time.Millisecond
	// warnEvery is the pause between two warnings.
	warnEvery = time.Minute
)

// take counts one call unless the window is used up; refused calls do not count. KEYS[1]: the counter. ARGV: the most
// calls, the milliseconds of the window.
const take = `
if tonumber(redis.call('GET', KEYS[1]) or '0') >= tonumber(ARGV[1]) then return 0 end
if redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1`

// Take counts one call under each of the limits, in one round trip to Redis. It fails with errno.Invalid where one of
// them is used up. Where Redis does not answer, it fails with a plain error if a limit is closed, and else lets the
// call through: what worked without Redis goes on working.
func (l *Limiter) Take(ctx context.Context, limits ...Limit) error {
	if err := l.take(ctx, limits); err != nil {
		if errors.Is(err, errno.Invalid) {
			return err
		}
		for _, limit := range limits {
			if limit.Closed && limit.Most > 0 {
				return err
			}
		}
		l.warn(ctx, err)
	}
	return nil
}

func (l *Limiter) take(ctx context.Context, limits []Limit) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	pipe := l.rdb.Pipeline()
	var taken []*redis.Cmd
	var names []string
	for _, limit := range limits {
		if limit.Most > 0 {
			// The braces make one hash tag of the name. EVAL rather than EVALSHA, since a pipeline cannot load a script
			// that the server does not know.
			taken = append(taken, pipe.Eval(ctx, take, []string{"rate:{" + limit.Key + "}"},
				limit.Most, limit.Window.Milliseconds()))
			names = append(names, limit.Key)
		}
	}
	if len(taken) == 0 {
		return nil
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("count a call: %w", err)
	}
	for i, cmd := range taken {
		if ok, err := cmd.Bool(); err == nil && !ok {
			return fmt.Errorf("rate limit %s: %w", names[i], errno.Invalid.Because(text.TooMany))
		}
	}
	return nil
}

// warn says that calls are not limited now.
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
