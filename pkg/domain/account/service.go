package account

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/country"
	"shop.internal/pkg/base/errno"
	"shop.internal/pkg/base/hashing"
	"shop.internal/pkg/domain/internal/store/avatar"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/lists"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/domain/runtime/idempotency"
	"shop.internal/pkg/domain/runtime/ratelimit"
	"shop.internal/pkg/domain/runtime/token"
)

// Gift gives a new shopper the registration gifts. It runs in the registration's transaction and may defer work until
// its commit.
type Gift func(ctx context.Context, tx *db.Tx, shopper int64) error

// Config is the configuration of accounts.
type Config struct {
	// CodeSecret keys the hashes of verification codes; at least 32 bytes. A program that sends no codes leaves it
	// empty.
	CodeSecret []byte
	// CodeTTL is how long a code is valid, by default 5 minutes.
	CodeTTL time.Duration
	// CodeInterval is the time between two codes for one mobile, by default 60 seconds.
	CodeInterval time.Duration
	// CodesPerMobile and CodesPerAddress are how many codes may be sent in a day to one mobile and for one client address,
	// by default 10 and 100.
	CodesPerMobile, CodesPerAddress int
	// BcryptCost is the cost of new password hashes, by default hashing.DefaultCost. Older hashes with a lower cost
	// are replaced at login.
	BcryptCost int
	// Passwords hashes passwords; nil is a hasher of its own. Areas that share a process share it, since it bounds the
	// processors that hash.
	Passwords *hashing.Hasher
	// LoginPerAccount and LoginPerAddress are the failed logins allowed in 15 minutes; 0 means any number.
	LoginPerAccount, LoginPerAddress int
	// DefaultAvatar is the picture shown for accounts without one; it may be empty.
	DefaultAvatar string
	// Platform is the app platform, nil for none. SessionSecret encrypts its session keys; at least 32 bytes if there is
	// one.
	Platform      Platform
	SessionSecret []byte
	// Country decides what a mobile number is, the zero value is China. Keep, which may be nil, makes sure in the
	// transaction that inserts an account that the shop stays in it.
	Country country.Country
	Keep    func(ctx context.Context, tx *db.Tx) error
	// Once stores the first answers of requests with an idempotency key.
	Once *idempotency.Store
	// ActiveAge is how old the answer of Active may be, and so how long another process may use an account that was
	// disabled; 0 reads every time.
	ActiveAge time.Duration
}

func (c Config) withDefaults(now func() time.Time) Config {
	if c.CodeTTL == 0 {
		c.CodeTTL = 5 * time.Minute
	}
	if c.CodeInterval == 0 {
		c.CodeInterval = time.Minute
	}
	if c.CodesPerMobile == 0 {
		c.CodesPerMobile = 10
	}
	if c.CodesPerAddress == 0 {
		c.CodesPerAddress = 100
	}
	if c.Passwords == nil {
		c.Passwords = hashing.New(c.BcryptCost, now)
	}
	return c
}

// Service is the account service.
type Service struct {
	db        *db.DB
	lists     *lists.Engine
	tokens    *token.Service
	attempts  *ratelimit.Attempts
	codes     codeStore
	keys      sessionKeyCipher
	messages  *notify.Service
	passwords *hashing.Hasher
	gift      Gift
	cfg       Config
	avatars   avatar.Default
	active    *cache.Cache[int64, int]
	now       func() time.Time
}

// New returns the service. Gift may be nil if new shoppers get no gifts.
func New(
	d *db.DB, rdb redis.UniversalClient, limiter *ratelimit.Limiter, tokens *token.Service, messages *notify.Service,
	gift Gift, cfg Config, now func() time.Time,
) *Service {
	cfg = cfg.withDefaults(now)
	if gift == nil {
		gift = func(context.Context, *db.Tx, int64) error { return nil }
	}
	s := &Service{
		lists:    lists.New(d),
		db:       d,
		tokens:   tokens,
		attempts: ratelimit.NewAttempts(limiter, "shopper", cfg.LoginPerAccount, cfg.LoginPerAddress),
		codes: codeStore{
			rdb: rdb, limiter: limiter, secret: cfg.CodeSecret, ttl: cfg.CodeTTL, interval: cfg.CodeInterval,
			perMobile: cfg.CodesPerMobile, perAddress: cfg.CodesPerAddress,
		},
		keys:      sessionKeyCipher{cfg.SessionSecret},
		messages:  messages,
		passwords: cfg.Passwords,
		gift:      gift,
		cfg:       cfg,
		avatars:   avatar.Default(cfg.DefaultAvatar),
		now:       func() time.Time { return utc(now()) },
	}
	s.active = cache.New(cache.Options[int]{
		Name: "active accounts", Meter: d.Meter(),
		TTL: cache.For[int](cfg.ActiveAge), MaxSize: maxActive, Deadline: activeTimeout, Now: now,
	}, s.readActive)
	return s
}

const (
	// maxActive bounds the accounts whose token versions are remembered.
	maxActive = 100_000
	// activeTimeout bounds the time of reading one.
	activeTimeout = 5 * time.Second
)

// utc truncates a time to the precision of the columns.
func utc(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// versions is the part of an account that every request reads.
var versions = table.Part[struct{ TokenVersion int }](accounts)

// Active returns the token version of an account that may be used. It fails with errno.LoginRequired for one that is
// unknown, disabled, closed or deleted. Every request calls it, so it is one lookup by primary key, or none.
func (s *Service) Active(ctx context.Context, id int64) (version int, err error) {
	if s.cfg.ActiveAge == 0 {
		return s.readActive(ctx, id)
	}
	return s.active.Get(ctx, id)
}

// ActiveLater is Active for a request that only reads: the account is read with what the request reads first under the
// returned context. verify, nil if the account was remembered, must be called before the request is answered; it and
// ActiveLater fail as Active and check do.
func (s *Service) ActiveLater(ctx context.Context, id int64, check func(version int) error) (
	under context.Context, verify func(context.Context) error, err error,
) {
	if version, ok := s.active.Cached(id); ok {
		return ctx, nil, check(version)
	}
	return s.db.Ahead(ctx, func(q db.Queue) (func() error, error) {
		remember := s.active.Loading(id)
		get, err := versions.OneLater(ctx, q, byID, id, Usable)
		return func() error {
			found, ok := get()
			if !ok {
				return unusable(id)
			}
			remember(found.TokenVersion)
			return check(found.TokenVersion)
		}, err
	})
}

func unusable(id int64) error {
	return fmt.Errorf("shopper %d may not use the shop: %w", id, errno.LoginRequired)
}

func (s *Service) readActive(ctx context.Context, id int64) (version int, err error) {
	found, ok, err := versions.One(ctx, s.db, byID, id, Usable)
	if err != nil {
		return 0, fmt.Errorf("look at shopper %d: %w", id, err)
	}
	if !ok {
		return 0, unusable(id)
	}
	return found.TokenVersion, nil
}

// Logout ends the token at once.
func (s *Service) Logout(ctx context.Context, text string) error { return s.tokens.Revoke(ctx, text) }

// Lock locks accounts until the transaction ends, in ascending order: the first lock of every transaction that changes
// what a shopper owns, or takes stock or money for them. It is sent with the next statement, which fails with
// errno.LoginRequired for an account that is unknown or may not be used, which Active may have remembered otherwise.
func (s *Service) Lock(ctx context.Context, tx *db.Tx, ids ...int64) error {
	// It locks by writing: on a cluster, a locking read does not block writers on another server.
	all := tx.Later(func(locked int64) error {
		if locked < int64(len(ids)) {
			return fmt.Errorf("lock shoppers %v: %w", ids, errno.LoginRequired)
		}
		return nil
	})
	_, err := db.Exec(ctx, all,
		"UPDATE user SET version = version + 1 WHERE id IN ? AND status = ? AND deleted = 0 ORDER BY id", ids, Usable)
	return err
}

// OpenID returns the shopper's identity at the app platform. It fails with errno.AuthOpenIDUnaccess if there is none,
// and with errno.LoginRequired for an account that may not be used.
func (s *Service) OpenID(ctx context.Context, q db.Querier, id int64) (string, error) {
	found, ok, err := accounts.One(ctx, q, byID, id, Usable)
	if err != nil {
		return "", fmt.Errorf("read the app identity of shopper %d: %w", id, err)
	}
	if !ok {
		return "", fmt.Errorf("shopper %d may not use the shop: %w", id, errno.LoginRequired)
	}
	if found.OpenID == "" {
		return "", fmt.Errorf("shopper %d has no app identity: %w", id, errno.AuthOpenIDUnaccess)
	}
	return found.OpenID, nil
}
