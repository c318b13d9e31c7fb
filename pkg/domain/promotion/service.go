// Package promotion owns what makes a purchase cheaper: coupons, which shoppers receive and spend, and group purchases.
// Of orders it knows only the ids.
package promotion

import (
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/job"
	"shop.internal/pkg/domain/platform/page"
	"shop.internal/pkg/domain/platform/ratelimit"
)

// Service gives coupons out, spends and returns them, and runs group purchases.
type Service struct {
	db       *db.DB
	lists    *lists.Engine
	guesses  *ratelimit.Attempts
	once     *idempotency.Store
	failures *job.Failures
	now      func() time.Time
}

// New returns the promotions of a database. guesses limits failed attempts at redemption codes.
func New(
	d *db.DB, guesses *ratelimit.Attempts, once *idempotency.Store, failures *job.Failures, now func() time.Time,
) *Service {
	return &Service{d, lists.New(d), guesses, once, failures, now}
}

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
