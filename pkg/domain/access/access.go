// Package access owns the authorization data of the administration: operators, their roles and the permissions that
// roles grant, the limit on failed logins, and notices to operators. The admin service decides about a call; it follows
// the version that every change here raises. Only live, usable operators and live, enabled roles count.
package access

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"shop.internal/pkg/base/hashing"
	"shop.internal/pkg/domain/internal/store/avatar"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/runtime/idempotency"
)

// Service changes and reads operators, roles and grants.
type Service struct {
	db        *db.DB
	lists     *lists.Engine
	rdb       redis.UniversalClient
	once      *idempotency.Store
	now       func() time.Time
	passwords *hashing.Hasher
	// language is the language of the role of the first operator.
	language string
	// avatars is the default picture of operators.
	avatars avatar.Default
	// generation counts the changes made by this process, so that it notices its own changes without asking Redis.
	generation atomic.Int64
}

// New returns the service. once stores the first answers of repeated requests; now returns the time in UTC; language is
// that of the shop.
func New(
	d *db.DB, rdb redis.UniversalClient, once *idempotency.Store, passwords *hashing.Hasher, now func() time.Time,
	language string,
) *Service {
	return &Service{db: d, lists: lists.New(d), rdb: rdb, once: once, now: now, passwords: passwords, language: language}
}

// ShowWithout sets the address of the picture shown for operators without one. It is called once, before serving.
func (s *Service) ShowWithout(address string) { s.avatars = avatar.Default(address) }

// Super is the permission value that implies every other.
const Super = "*"

// change runs fn in a transaction that is serialized with all changes of operators, roles and grants, and then
// publishes a new version of the grants to all replicas.
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

// changeOnce is change for operations with an idempotency key. prepare runs before the transaction.
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

// lockGrants serializes the changes of operators, roles and grants. It locks the oldest role: rows are never removed,
// so this is always the same row. Statements after it see what earlier transactions have committed. The row is written,
// not only locked, because a cluster with several primaries replicates writes alone: two changes on different primaries
// would not meet in a lock, and each could remove the last super operator. As writes of one row they conflict, and one
// of them is retried.
func lockGrants(ctx context.Context, tx *db.Tx) error {
	if _, err := db.Exec(ctx, tx, "UPDATE role SET version = version + 1 ORDER BY id LIMIT 1"); err != nil {
		return fmt.Errorf("wait for other changes of the grants: %w", err)
	}
	return nil
}

// versionKey is the Redis key of a text that changes with every change of operators, roles or grants. It is random, so
// that a Redis that lost its data cannot repeat an old one.
const versionKey = "access:{version}"

// publishWait is the timeout for publishing. Without Redis, replicas notice the change at the next full reload.
const publishWait = time.Second

// publish announces a change to this process and, through Redis, to the others.
func (s *Service) publish(ctx context.Context) {
	s.generation.Add(1)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), publishWait)
	defer cancel()
	// The change is committed. An error only delays its effect on other replicas until their next full reload.
	_ = s.rdb.Set(ctx, versionKey, rand.Text(), 0).Err()
}

// Generation counts the changes that this process has made.
func (s *Service) Generation() int64 { return s.generation.Load() }

// Version returns the text that changes with every change by any process, "" if there was none.
func (s *Service) Version(ctx context.Context) (string, error) {
	v, err := s.rdb.Get(ctx, versionKey).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return "", fmt.Errorf("read the version of the grants: %w", err)
	}
	return v, nil
}
