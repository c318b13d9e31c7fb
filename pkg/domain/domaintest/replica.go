package domaintest

import (
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain"
)

// Replica returns the same shop as another process has it: the same database and Redis, nothing else in common.
func (s *Shop) Replica() *domain.Domain { return s.open(s.config) }

// Servers says where the shop's database and Redis are, for programs that a test starts.
func (s *Shop) Servers() (dsn, redisAddr string, redisDB int) {
	return s.config.MySQLDSN, s.config.RedisAddrs[0], s.config.RedisDB
}

// WithoutRedis returns the same shop as a process has it that cannot reach Redis.
func (s *Shop) WithoutRedis() *domain.Domain {
	c := s.config
	c.RedisAddrs = []string{"127.0.0.1:1"} // nothing listens there
	return s.open(c)
}

// WithoutApp returns the same shop as a process has it that knows no app platform.
func (s *Shop) WithoutApp() *domain.Domain {
	c := s.config
	c.Accounts.Platform = nil
	return s.open(c)
}

// Speaking returns the same shop as a process has it whose language is another one, "zh" or "en".
func (s *Shop) Speaking(language string) *domain.Domain {
	c := s.config
	c.Language = language
	return s.open(c)
}

// WithRetention returns the same shop as a process has it that keeps traces of people for no longer than it is told.
func (s *Shop) WithRetention(k domain.Retention) *domain.Domain {
	c := s.config
	c.Retention = k
	return s.open(c)
}

// Narrow returns the same shop as a process has it that may open only one connection to the database: what asks for a
// second one inside a transaction waits for ever.
func (s *Shop) Narrow() *domain.Domain {
	c := s.config
	c.MySQLMaxOpen = 1
	return s.open(c)
}

func (s *Shop) open(c domain.Config) *domain.Domain {
	s.t.Helper()
	c.StorageDir = s.t.TempDir()
	d, err := domain.Open(c)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { require.NoError(s.t, d.Close()) })
	return d
}

// Forget removes a key from Redis: for what only time would do, and Redis has its own clock.
func (s *Shop) Forget(key string) {
	s.t.Helper()
	rdb := redis.NewClient(&redis.Options{Addr: s.config.RedisAddrs[0], DB: s.config.RedisDB})
	require.NoError(s.t, rdb.Del(s.t.Context(), key).Err())
	require.NoError(s.t, rdb.Close())
}

// ForgetAll empties Redis, as FLUSHALL or the loss of its disk would.
func (s *Shop) ForgetAll() {
	s.t.Helper()
	rdb := redis.NewClient(&redis.Options{Addr: s.config.RedisAddrs[0], DB: s.config.RedisDB})
	require.NoError(s.t, rdb.FlushDB(s.t.Context()).Err()) // the other logical databases belong to other tests
	require.NoError(s.t, rdb.Close())
}

// Lives gives the keys of Redis that match a pattern a time to live, where it is not 0, and returns the longest that
// one of them has.
func (s *Shop) Lives(pattern string, d time.Duration) (longest time.Duration) {
	s.t.Helper()
	rdb := redis.NewClient(&redis.Options{Addr: s.config.RedisAddrs[0], DB: s.config.RedisDB})
	keys, err := rdb.Keys(s.t.Context(), pattern).Result()
	require.NoError(s.t, err)
	for _, key := range keys {
		if d > 0 {
			require.NoError(s.t, rdb.PExpire(s.t.Context(), key, d).Err())
		}
		left, err := rdb.PTTL(s.t.Context(), key).Result()
		require.NoError(s.t, err)
		longest = max(longest, left)
	}
	require.NoError(s.t, rdb.Close())
	return longest
}

// Hold runs a statement in a transaction and leaves it open until release commits it: what another caller is just
// doing.
func (s *Shop) Hold(statement string, args ...any) (release func()) {
	s.t.Helper()
	tx, err := s.db.SQL().BeginTx(s.t.Context(), nil)
	require.NoError(s.t, err)
	_, err = tx.ExecContext(s.t.Context(), statement, args...)
	require.NoError(s.t, err)
	return func() { require.NoError(s.t, tx.Commit()) }
}

// ShowingAvatars opens the shop once more with pictures for shoppers and operators who have none.
func (s *Shop) ShowingAvatars(shopper, operator string) *domain.Domain {
	c := s.config
	c.Accounts.DefaultAvatar, c.OperatorAvatar = shopper, operator
	return s.open(c)
}
