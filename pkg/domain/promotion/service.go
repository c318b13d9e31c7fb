// Package promotion owns what makes a purchase cheaper: coupons, which shoppers receive and spend, and group purchases.
// Of orders it knows only the ids.
package promotion

import (
	"fmt"
	"time"

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/page"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/runtime/idempotency"
	"shop.internal/pkg/domain/runtime/job"
	"shop.internal/pkg/domain/runtime/ratelimit"
)

// Service gives coupons out, spends and returns them, and runs group purchases.
type Service struct {
	db       *db.DB
	lists    *lists.Engine
	guesses  *ratelimit.Attempts
	once     *idempotency.Store
	failures *job.Failures
	zone     *time.Location
	now      func() time.Time
	// offered are the receivable coupons of the shoppers who look at the home page now, 0 for guests.
	offered *cache.Cache[int64, []Coupon]
}

// New returns the promotions of a database. guesses limits failed attempts at redemption codes; the days of coupons are
// days of the shop's time zone.
func New(
	d *db.DB, guesses *ratelimit.Attempts, once *idempotency.Store, failures *job.Failures, zone *time.Location,
	now func() time.Time,
) *Service {
	s := &Service{db: d, lists: lists.New(d), guesses: guesses, once: once, failures: failures, zone: zone, now: now}
	s.offered = cache.New(cache.Options[[]Coupon]{
		Name: "offered coupons", Meter: d.Meter(),
		TTL: cache.For[[]Coupon](offeredAge), MaxSize: maxOffered, Deadline: offeredTimeout, Now: now,
	}, s.receivableBy)
	return s
}

const (
	// offeredAge is how old the coupons on the home page may be.
	offeredAge = time.Second
	// offeredTimeout bounds the time of reading them.
	offeredTimeout = 5 * time.Second
	// maxOffered bounds the shoppers whose coupons are remembered.
	maxOffered = 20_000
)

// wrap adds what was being done to an error; nil stays nil.
func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}

// sorts maps the sort words of this area's lists to columns.
var sorts = map[string]string{"add_time": "add_time", "id": "id"}

func order(q page.Query) string {
	return "r." + sorts[q.Sort] + " " + q.Direction() + ", r.id " + q.Direction()
}

// assign sets stored to a value unless that is nil.
func assign[T any](stored, value *T) {
	if value != nil {
		*stored = *value
	}
}
