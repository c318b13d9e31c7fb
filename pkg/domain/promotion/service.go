// Package promotion owns what makes a purchase cheaper: coupons, which shoppers take and spend, and group purchases. It
// knows nothing of orders but their ids.
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

// Service gives coupons out, spends them and takes them back.
type Service struct {
	db       *db.DB
	lists    *lists.Engine
	guesses  *ratelimit.Attempts
	once     *idempotency.Store
	failures *job.Failures
	now      func() time.Time
}

// New returns the promotions of a database. guesses counts the redemption codes that a shopper has made up.
func New(
	d *db.DB, guesses *ratelimit.Attempts, once *idempotency.Store, failures *job.Failures, now func() time.Time,
) *Service {
	return &Service{d, lists.New(d), guesses, once, failures, now}
}

// wrap adds what was being done to an error, and leaves nil alone.
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

// keep puts a value that was said in the place of the one that is there.
func keep[T any](stored *T, said *T) {
	if said != nil {
		*stored = *said
	}
}
