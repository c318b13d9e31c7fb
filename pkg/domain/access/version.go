package access

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

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
