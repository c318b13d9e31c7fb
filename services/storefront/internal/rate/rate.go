// Package rate says how often shoppers, and the addresses that they call from, may write.
package rate

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"shop.internal/pkg/domain/platform/ratelimit"
	"shop.internal/pkg/kit/op"
	"shop.internal/services/storefront/internal/auth"
)

// The classes of operations that have a limit beside the one on every write.
const (
	Upload   = "upload"
	Feedback = "feedback"
	Comment  = "comment"
)

// How many files one shopper, and one address of people who are not logged in, may send in an hour.
const (
	uploadsPerShopper = 120
	uploadsPerAddress = 60
)

// Config is what an owner may set; 0 switches a limit off.
type Config struct {
	// WritesPerShopper and WritesPerAddress are the writes in a minute.
	WritesPerShopper int `key:"writes-per-shopper" validate:"min=0" default:"120"`
	WritesPerAddress int `key:"writes-per-address" validate:"min=0" default:"1200"`
	// Feedback and Comments are those that one shopper may send in a day.
	Feedback int `key:"feedback" validate:"min=0" default:"20"`
	Comments int `key:"comments" validate:"min=0" default:"30"`
}

// New returns the hook that counts the writes of operations. It stops the program at start where one of them names a
// class that is none.
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

// limits are what a call of a shopper, 0 for a guest, counts against.
func (c Config) limits(s *op.Spec, shopper int64, address string) []ratelimit.Limit {
	all := []ratelimit.Limit{{Key: "write:" + address, Most: c.WritesPerAddress, Window: time.Minute}}
	if shopper != 0 {
		all = append(all, ratelimit.Limit{Key: "write:" + name(shopper), Most: c.WritesPerShopper, Window: time.Minute})
	}
	if class, _ := c.class(s, shopper, address); class.Most > 0 {
		all = append(all, class)
	}
	return all
}

// class is the limit of an operation's own class, the zero limit where it names none; known is false for a name that is
// none.
func (c Config) class(s *op.Spec, shopper int64, address string) (limit ratelimit.Limit, known bool) {
	const day = 24 * time.Hour
	switch s.Rate {
	case "":
		return ratelimit.Limit{}, true
	case Upload:
		if shopper == 0 {
			return ratelimit.Limit{Key: "upload:" + address, Most: uploadsPerAddress, Window: time.Hour, FailClosed: true}, true
		}
		return ratelimit.Limit{Key: "upload:" + name(shopper), Most: uploadsPerShopper, Window: time.Hour, FailClosed: true}, true
	case Feedback:
		return ratelimit.Limit{Key: "feedback:" + name(shopper), Most: c.Feedback, Window: day}, true
	case Comment:
		return ratelimit.Limit{Key: "comment:" + name(shopper), Most: c.Comments, Window: day}, true
	}
	return ratelimit.Limit{}, false
}

// name tells a shopper from an address.
func name(shopper int64) string { return "s" + strconv.FormatInt(shopper, 10) }
