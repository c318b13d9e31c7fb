package domaintest

import (
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain"
	"shop.internal/pkg/domain/internal/dbtest"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/trace"
)

// Replica opens the shop once more, like another process, with the same database, Redis and object store.
func (s *Shop) Replica() *domain.Domain { return s.open(s.config) }

// Servers returns the addresses of the shop's database and Redis, for programs that a test starts.
func (s *Shop) Servers() (dsn, redisAddr string, redisDB int) {
	return s.config.MySQLDSN, s.config.Redis.Addrs[0], s.config.Redis.DB
}

// WithoutRedis opens the shop in a process that cannot reach Redis.
func (s *Shop) WithoutRedis() *domain.Domain {
	c := s.config
	c.Redis.Addrs = []string{"127.0.0.1:1"} // nothing listens there
	return s.open(c)
}

// WithoutApp opens the shop in a process without an app platform.
func (s *Shop) WithoutApp() *domain.Domain {
	c := s.config
	c.Accounts.Platform = nil
	return s.open(c)
}

// Speaking opens the shop in a process with another language, "zh" or "en".
func (s *Shop) Speaking(language string) *domain.Domain {
	c := s.config
	c.Language = language
	return s.open(c)
}

// Remembering opens the shop in a process that remembers sessions and accounts for a time.
func (s *Shop) Remembering(age time.Duration) *domain.Domain {
	c := s.config
	c.Accounts.ActiveAge = age
	return s.open(c)
}

// WithRetention opens the shop in a process with other retention periods.
func (s *Shop) WithRetention(k domain.Retention) *domain.Domain {
	c := s.config
	c.Retention = k
	return s.open(c)
}

// Freezable opens the shop in a process whose database hangs from the call of freeze until thaw.
func (s *Shop) Freezable() (d *domain.Domain, freeze func() (thaw func())) {
	s.t.Helper()
	c := s.config
	c.MySQLDSN, freeze = dbtest.Freezable(s.t, c.MySQLDSN)
	return s.open(c), freeze
}

// Gathering opens the shop in a process that gathers the purchases of hot products.
func (s *Shop) Gathering(h order.Hot) *domain.Domain {
	c := s.config
	c.Hot = h
	return s.open(c)
}

// Traced opens the shop in a process whose work is traced.
func (s *Shop) Traced(t *trace.Tracer) *domain.Domain {
	c := s.config
	c.Tracer = t
	return s.open(c)
}

// Narrow opens the shop in a process with a single database connection: a second one inside a transaction would wait
// for ever.
func (s *Shop) Narrow() *domain.Domain {
	c := s.config
	c.MySQLMaxOpen = 1
	return s.open(c)
}

func (s *Shop) open(c domain.Config) *domain.Domain {
	s.t.Helper()
	d, err := domain.Open(c)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { require.NoError(s.t, d.Close()) })
	return d
}

// Forget deletes a key of Redis, to simulate its expiry: Redis has its own clock.
func (s *Shop) Forget(key string) {
	s.t.Helper()
	rdb := redis.NewClient(&redis.Options{Addr: s.config.Redis.Addrs[0], DB: s.config.Redis.DB})
	require.NoError(s.t, rdb.Del(s.t.Context(), key).Err())
	require.NoError(s.t, rdb.Close())
}

// ForgetAll empties Redis, like FLUSHALL or a lost disk.
func (s *Shop) ForgetAll() {
	s.t.Helper()
	rdb := redis.NewClient(&redis.Options{Addr: s.config.Redis.Addrs[0], DB: s.config.Redis.DB})
	require.NoError(s.t, rdb.FlushDB(s.t.Context()).Err()) // the other logical databases belong to other tests
	require.NoError(s.t, rdb.Close())
}

// Lives sets the time to live of the Redis keys that match a pattern, unless d is 0, and returns the longest.
func (s *Shop) Lives(pattern string, d time.Duration) (longest time.Duration) {
	s.t.Helper()
	rdb := redis.NewClient(&redis.Options{Addr: s.config.Redis.Addrs[0], DB: s.config.Redis.DB})
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

// Hold runs a statement in a transaction that stays open until release commits it, to simulate a concurrent caller.
func (s *Shop) Hold(statement string, args ...any) (release func()) {
	s.t.Helper()
	tx, err := s.db.SQL().BeginTx(s.t.Context(), nil)
	require.NoError(s.t, err)
	_, err = tx.ExecContext(s.t.Context(), statement, args...)
	require.NoError(s.t, err)
	return func() { require.NoError(s.t, tx.Commit()) }
}

// Waiting waits until a statement of the shop waits, such as for a row that Hold holds: the same one is seen three
// times.
func (s *Shop) Waiting() {
	s.t.Helper()
	last, looks := "", 0
	require.Eventually(s.t, func() bool {
		now := s.Text(`SELECT COALESCE(GROUP_CONCAT(CONCAT(id, ' ', info) ORDER BY id), '')
			FROM information_schema.processlist
			WHERE db = DATABASE() AND command <> 'Sleep' AND id <> CONNECTION_ID()`)
		if now != last {
			last, looks = now, 0
		}
		looks++
		return now != "" && looks == 3
	}, 20*time.Second, 20*time.Millisecond, "nothing waits")
}

// NewBase is the base address of files of a shop that has moved.
const NewBase = "https://new.test/files/"

// Moved opens the shop in a process that serves its files at NewBase.
func (s *Shop) Moved(earlier ...string) *domain.Domain {
	return s.With(func(c *domain.Config) { c.StorageBase, c.EarlierBases = NewBase, earlier })
}

// AddressColumns are the columns with addresses, lists of them, or HTML that contains some, as table.column.
func (s *Shop) AddressColumns() []string {
	s.t.Helper()
	return append(s.Texts(`SELECT CONCAT(CHAR(96), table_name, CHAR(96), '.', column_name)
		FROM information_schema.columns
		WHERE table_schema = DATABASE() AND data_type IN ('varchar', 'text')
			AND column_name REGEXP '(^|_)(url|link|pic|picture|avatar|gallery|icon|image)s?$'`),
		"`goods_content`.detail", "`topic`.content", "`notice`.content")
}

// ShowEverywhere stores an address of a file in every row of every column with addresses.
func (s *Shop) ShowEverywhere(address string) {
	s.t.Helper()
	for _, column := range s.AddressColumns() {
		table, name, _ := strings.Cut(column, ".")
		s.Exec("UPDATE "+table+" SET "+name+" = ?", held(name, address))
	}
}

// held is what a column holds that has nothing but an address.
func held(column, address string) string {
	switch {
	case column == "detail" || column == "content":
		return `<p><img src="` + address + `"/></p>`
	case strings.HasSuffix(column, "s") || column == "gallery":
		return `["` + address + `"]`
	}
	return address
}

// Holds fails the test unless every row of every column with addresses has this one, and each column has a row.
func (s *Shop) Holds(address string) {
	s.t.Helper()
	for _, column := range s.AddressColumns() {
		table, name, _ := strings.Cut(column, ".")
		require.Equal(s.t, []string{held(name, address)}, s.Texts("SELECT DISTINCT "+name+" FROM "+table), column)
	}
}

// ShowingAvatars opens the shop with default pictures for shoppers and operators.
func (s *Shop) ShowingAvatars(shopper, operator string) *domain.Domain {
	c := s.config
	c.Accounts.DefaultAvatar, c.OperatorAvatar = shopper, operator
	return s.open(c)
}

// With opens the shop in a process with another configuration.
func (s *Shop) With(change func(*domain.Config)) *domain.Domain {
	c := s.config
	change(&c)
	return s.open(c)
}
