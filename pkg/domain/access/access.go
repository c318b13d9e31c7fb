// Package access owns who may do what in the administration: operators, their roles, what the roles grant, the brake on
// failed logins, and the business log of what operators did. It leaves the decision about one call to the service that
// gets the call, which follows the version that is raised here with every change. Only live, usable operators and live,
// enabled roles ever count.
package access

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/crypto/bcrypt"

	"shop.internal/pkg/domain/internal/avatar"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/platform/idempotency"
)

// Service is the one way to operators, roles and grants.
type Service struct {
	db    *db.DB
	lists *lists.Engine
	rdb   redis.UniversalClient
	once  *idempotency.Store
	now   func() time.Time
	// cost is the bcrypt cost of new password hashes.
	cost int
	// avatars is the picture of operators without one.
	avatars avatar.Default
	// generation counts the changes made by this process, which it must follow without asking Redis.
	generation atomic.Int64
}

// New returns the service. once keeps the first answers of repeated requests; cost is the bcrypt cost of new password
// hashes, 0 for the usual one; now gives the time in UTC.
func New(
	d *db.DB, rdb redis.UniversalClient, once *idempotency.Store, cost int, now func() time.Time,
) *Service {
	if cost == 0 {
		cost = bcrypt.DefaultCost
	}
	return &Service{db: d, lists: lists.New(d), rdb: rdb, once: once, now: now, cost: cost}
}

// ShowWithout sets the address of the picture by which operators without one are shown. It is called once, before
// anything is served.
func (s *Service) ShowWithout(address string) { s.avatars = avatar.Default(address) }

// Super is the permission value that implies every other.
const Super = "*"

// change runs fn in a transaction, beside no other change of operators, roles or grants, and tells every replica
// afterwards that the grants are no longer what they were.
func (s *Service) change(ctx context.Context, fn func(tx *db.Tx) error) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := lockGrants(ctx, tx); err != nil {
			return err
		}
		return fn(tx)
	})
	if err != nil {
		return err
	}
	s.publish(ctx)
	return nil
}

// changeOnce is change for work that a repeated request must not do again. prepare runs before the transaction.
func changeOnce[T any](
	ctx context.Context, s *Service, prepare func() (func(tx *db.Tx) (T, error), error),
) (T, error) {
	result, err := idempotency.InTxAfter(ctx, s.once, func() (func(tx *db.Tx) (T, error), error) {
		fn, err := prepare()
		if err != nil {
			return nil, err
		}
		return func(tx *db.Tx) (T, error) {
			if err := lockGrants(ctx, tx); err != nil {
				var none T
				return none, err
			}
			return fn(tx)
		}, nil
	})
	if err == nil {
		s.publish(ctx)
	}
	return result, err
}

// lockGrants makes the transaction wait until no other one changes operators, roles or grants, and makes the next one
// wait for this. The row that they queue for is the oldest role: rows are never removed, so it stays the same one.
// Every statement after it sees what those before have committed. It is written to and not only locked: a cluster with
// several primaries replicates writes alone, so two changes on two of them would not meet in a lock, and each could
// take the last rights from the other's operator. As writes of one row they conflict, and one of them runs again.
func lockGrants(ctx context.Context, tx *db.Tx) error {
	if err := tx.G(ctx).Exec("UPDATE role SET version = version + 1 ORDER BY id LIMIT 1").Error; err != nil {
		return fmt.Errorf("wait for other changes of the grants: %w", err)
	}
	return nil
}

// versionKey holds a text that is another one after every change of operators, roles or grants. It is random and not a
// count, so that a Redis that lost its data cannot repeat an old one.
const versionKey = "access:{version}"

// publishWait is how long a change waits for Redis. Where Redis does not answer, the replicas find out by reading anew.
const publishWait = time.Second

// publish tells this process at once, and every other one through Redis.
func (s *Service) publish(ctx context.Context) {
	s.generation.Add(1)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), publishWait)
	defer cancel()
	// The change is committed. An error here delays its effect elsewhere to the next full reading, and nothing more.
	_ = s.rdb.Set(ctx, versionKey, rand.Text(), 0).Err()
}

// Generation counts the changes that this process has made.
func (s *Service) Generation() int64 { return s.generation.Load() }

// Version returns the text that changes with every change made by any process, "" where there was none.
func (s *Service) Version(ctx context.Context) (string, error) {
	v, err := s.rdb.Get(ctx, versionKey).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return "", fmt.Errorf("read the version of the grants: %w", err)
	}
	return v, nil
}
