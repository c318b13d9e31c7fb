// Package rate has the rate limits of shoppers and of their addresses.
package rate

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"shop.internal/pkg/domain/runtime/ratelimit"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/storefront/internal/auth"
)

// The classes of operations with a limit in addition to that of every write.
const (
	Upload   = "upload"
	Feedback = "feedback"
	Comment  = "comment"
)

// The limits of uploads in an hour, per shopper and per address without a login.
const (
	uploadsPerShopper = 120
	uploadsPerAddress = 60
)

// Config configures the limits; 0 means no limit.
type Config struct {
	// WritesPerShopper and WritesPerAddress are the writes in a minute.
	WritesPerShopper int `key:"writes-per-shopper" validate:"min=0" default:"120"`
	WritesPerAddress int `key:"writes-per-address" validate:"min=0" default:"1200"`
	// Feedback and Comments are the limits per shopper in a day.
	Feedback int `key:"feedback" validate:"min=0" default:"20"`
	Comments int `key:"comments" validate:"min=0" default:"30"`
}

// New returns the hook that counts writes. It stops the program at start if an operation names an unknown class.
func New(l *ratelimit.Limiter, c Config, specs []op.Spec) func(context.Context, *op.Spec) error {
	for i := range specs {
		if _, known := c.class(&specs[i], 0, ""); !known {
			panic(fmt.Sprintf("%s: no class of rate limits %q", specs[i].Key(), specs[i].Rate))
		}
	}
	return func(ctx context.Context, s *op.Spec) error {
		return l.Take(ctx, c.limits(s, auth.ID(ctx), ratelimit.AddressKey(op.CallOf(ctx).Address))...)
	}
}

// limits returns the limits that a call of a shopper, 0 for a guest, counts against.
func (c Config) limits(s *op.Spec, shopper int64, address string) []ratelimit.Limit {
	all := []ratelimit.Limit{{Key: "write:" + address, Max: c.WritesPerAddress, Window: time.Minute}}
	if shopper != 0 {
		all = append(all, ratelimit.Limit{Key: "write:" + name(shopper), Max: c.WritesPerShopper, Window: time.Minute})
	}
	if class, _ := c.class(s, shopper, address); class.Max > 0 {
		all = append(all, class)
	}
	return all
}

// class returns the limit of an operation's class, a zero limit without one; known is false for an unknown class.
func (c Config) class(s *op.Spec, shopper int64, address string) (limit ratelimit.Limit, known bool) {
	const day = 24 * time.Hour
	switch s.Rate {
	case "":
		return ratelimit.Limit{}, true
	case Upload:
		limit = ratelimit.Limit{Key: "upload:" + name(shopper), Max: uploadsPerShopper, Window: time.Hour, FailClosed: true}
		if shopper == 0 {
			limit.Key, limit.Max = "upload:"+address, uploadsPerAddress
		}
		return limit, true
	case Feedback:
		return ratelimit.Limit{Key: "feedback:" + name(shopper), Max: c.Feedback, Window: day}, true
	case Comment:
		return ratelimit.Limit{Key: "comment:" + name(shopper), Max: c.Comments, Window: day}, true
	}
	return ratelimit.Limit{}, false
}

// name is the key of a shopper, distinct from addresses.
func name(shopper int64) string { return "s" + strconv.FormatInt(shopper, 10) }
