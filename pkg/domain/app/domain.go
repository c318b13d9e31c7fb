// Package app builds the areas of the shop once, on one MySQL pool and one Redis, and connects areas that must not
// import each other. Both services and the command line use it.
package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"gocloud.dev/blob"

	"shop.internal/pkg/base/country"
	"shop.internal/pkg/base/hashing"
	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/base/trace"
	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/consistency"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/domain/express"
	"shop.internal/pkg/domain/freight"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/hosted"
	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/domain/opencases"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/idempotency"
	"shop.internal/pkg/domain/runtime/job"
	"shop.internal/pkg/domain/runtime/outbox"
	"shop.internal/pkg/domain/runtime/ratelimit"
	"shop.internal/pkg/domain/runtime/token"
	"shop.internal/pkg/domain/seed"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/domain/share"
	"shop.internal/pkg/domain/statistics"
	"shop.internal/pkg/domain/storage"
)

// Config is the configuration of the areas.
type Config struct {
	// MySQLDSN names the database; MySQLMaxOpen bounds its connections, 0 for the default.
	MySQLDSN     string
	MySQLMaxOpen int
	// MySQLSlow is the time from which a statement is logged; 0 logs none.
	MySQLSlow time.Duration
	// MySQLTLS encrypts the connections; nil leaves that to the DSN.
	MySQLTLS *tls.Config
	// MySQLReplicas are addresses of read replicas, which serve queries as long as they lag less than MySQLMaxLag.
	MySQLReplicas []string
	MySQLMaxLag   time.Duration
	Redis         RedisConfig
	// IdempotencySecret keys the hashes of repeated requests: at least 32 random bytes, the same for all replicas.
	IdempotencySecret []byte
	// Unpaid bounds the stock that a shopper can block with unpaid orders.
	Unpaid order.UnpaidLimits
	// Hot configures the purchases of products that many buy at once.
	Hot order.Hot
	// Zone is the shop's time zone.
	Zone *time.Location
	// ShopperToken and StaffToken are the lifetimes of logins, StaffLogin the limit of failed ones.
	ShopperToken time.Duration
	StaffIdle    time.Duration
	StaffToken   time.Duration
	StaffLogin   LoginLimit
	Accounts     account.Config
	// OperatorAvatar is the default picture of operators; Accounts has that of shoppers.
	OperatorAvatar string
	// StorageDir is the folder of uploaded files; StorageBase the address that their keys are appended to. StorageS3 is
	// used instead of the folder if it names a bucket.
	StorageDir, StorageBase string
	// EarlierBases are base addresses under which the shop has served its files before. An upgraded shop stores whole
	// addresses for the time KeepAddresses, and keys afterwards.
	EarlierBases  []string
	KeepAddresses time.Duration
	StorageS3     storage.S3
	// Parcels is the provider of tracking; nil disables it.
	Parcels express.Provider
	// Country is where the shop is; the zero value is China.
	Country country.Country
	// Language is the language of texts for people: "zh" or "en", Chinese if empty.
	Language string
	// Sender sends messages to people, Texts are their templates; nil uses the catalogue.
	Sender  notify.Sender
	Texts   *notify.Texts
	Payment PaymentConfig
	// Share configures the codes on share images; it is used by the process that delivers the outbox.
	Share     share.Config
	Retention Retention
	Jobs      JobsConfig
	Log       *slog.Logger
	// Tracer is nil if nothing is traced.
	Tracer *trace.Tracer
	// Meter counts and times; nil is one that nothing shows.
	Meter *meter.Meter
	// Now is the clock; Clock measures durations, nil by Now.
	Now, Clock func() time.Time
}

// In a quarter of an hour a shopper may try so many wrong redemption codes, and an operator so many wrong codes of
// orders to be collected.
const (
	wrongCodes        = 10
	wrongCollectCodes = 30
)

// LoginLimit is how many logins may fail in a quarter of an hour, for one name and from one address; 0 means no limit.
type LoginLimit struct{ PerAccount, PerAddress int }

// PaymentConfig chooses how the shop is paid.
type PaymentConfig struct {
	// Providers are all that the program knows, Offered the codes of those by which new payments begin, in this order.
	Providers []payment.Provider
	Offered   []string
	// NotifyURL is the storefront's address for payment notifications.
	NotifyURL string
}

// Domain is the shop.
type Domain struct {
	Access       *access.Service
	Sessions     *access.Sessions
	StaffTokens  *token.Service
	Accounts     *account.Service
	Tokens       *token.Service
	Addresses    *address.Service
	Aftersales   *aftersale.Service
	Audit        *audit.Service
	Cart         *cart.Service
	Catalog      *catalog.Service
	Content      *content.Service
	Engagement   *engagement.Service
	Failures     *job.Failures
	Freight      *freight.Service
	Orders       *order.Service
	Outbox       *outbox.Service
	Parcels      *express.Service
	Payments     *payment.Service
	Promotions   *promotion.Service
	Consistency  *consistency.Service
	Cases        *opencases.Service
	Reviews      *review.Service
	Rollup       *statistics.Rollup
	LineComments *review.Lines
	Limiter      *ratelimit.Limiter
	Seed         *seed.Service
	Settings     *settings.Service
	Share        *share.Service
	Storage      *storage.Service
	// Trials sends test messages.
	Trials *Trials
	// Sandbox is nil unless it is offered.
	Sandbox *sandbox.Gateway

	db        *db.DB
	redis     redis.UniversalClient
	bucket    *blob.Bucket
	messages  *notify.Service
	once      *idempotency.Store
	retention Retention
	// keepAddresses is how long whole addresses are stored after an upgrade.
	keepAddresses time.Duration
	jobs          JobsConfig
	books         *books
	progress      *job.Progress
	now           func() time.Time
	log           *slog.Logger
}

// Open builds the shop. It does not connect: CheckStart and the pings report whether the servers are reachable.
func Open(cfg Config) (*Domain, error) {
	if err := CheckPeriods(cfg.Jobs.Periods); err != nil {
		return nil, fmt.Errorf("periods of jobs: %w", err)
	}
	if err := cfg.defaults(); err != nil {
		return nil, err
	}
	now := func() time.Time { return cfg.Now().UTC().Truncate(time.Millisecond) }
	counts := cfg.Meter
	if counts == nil {
		counts = meter.New(cfg.Clock)
	}
	pool, err := db.Open(db.Options{
		DSN: cfg.MySQLDSN, MaxOpen: cfg.MySQLMaxOpen, TLS: cfg.MySQLTLS, Log: cfg.Log, Meter: counts,
		Slow: cfg.MySQLSlow, Files: hosted.New(cfg.StorageBase, cfg.EarlierBases, cfg.Now),
		Replicas: db.Replicas{DSNs: cfg.MySQLReplicas, MaxLag: cfg.MySQLMaxLag, Clock: cfg.Clock},
	})
	if err != nil {
		return nil, err
	}
	d := &Domain{
		db: pool, redis: cfg.Redis.open(counts),
		retention: cfg.Retention, keepAddresses: cfg.KeepAddresses, jobs: cfg.Jobs, books: &books{},
		now: now, log: cfg.Log,
	}
	d.messages = notify.New(cfg.Sender, cfg.Texts, func(ctx context.Context) (string, error) {
		v, err := d.Settings.Now(ctx)
		return v.MallName, err
	})
	if d.bucket, err = openBucket(cfg); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	channels, err := d.openChannels(cfg)
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	d.build(cfg, channels)
	d.progress = job.NewProgress(pool, d.Jobs()...)
	d.connectAreas()
	d.handleMessages()
	return d, nil
}

// build creates the areas in the order of their dependencies.
func (d *Domain) build(cfg Config, channels *payment.Channels) {
	pool, now := d.db, d.now
	once := idempotency.New(pool, cfg.IdempotencySecret, now)
	d.once = once
	d.Limiter = ratelimit.New(d.redis, cfg.Log, now)
	d.Trials = &Trials{d.messages, d.Limiter, pool}
	d.Audit = audit.New(pool, now)
	d.Settings = settings.New(pool, now, cfg.Log, cfg.Language, cfg.Country)
	d.Outbox = outbox.New(pool, now)
	d.Outbox.SetTracer(cfg.Tracer)
	d.Failures = job.NewFailures(pool, now)
	guesses := ratelimit.NewAttempts(d.Limiter, "coupon", wrongCodes, 0)
	d.Promotions = promotion.New(pool, guesses, once, d.Failures, cfg.Zone, now)
	d.Tokens = token.New(d.redis, token.Audience{
		Name: "shopper", Lifetime: cfg.ShopperToken, Age: cfg.Accounts.ActiveAge, Meter: pool.Meter(),
	}, now)
	d.StaffTokens = token.New(d.redis, token.Audience{
		Name: "staff", Lifetime: cfg.StaffToken, Idle: cfg.StaffIdle, Meter: pool.Meter(),
	}, now)
	cfg.Accounts.Once, cfg.Accounts.Passwords = once, hashing.New(cfg.Accounts.BcryptCost, cfg.Now)
	cfg.Accounts.Country = cfg.Country
	if cfg.Accounts.Keep == nil {
		cfg.Accounts.Keep = d.Settings.KeepCountry
	}
	d.Accounts = account.New(pool, d.redis, d.Limiter, d.Tokens, d.messages, d.welcome, cfg.Accounts, now)
	d.Addresses = address.New(pool, once, d.Accounts, cfg.Country, now)
	d.Catalog = catalog.New(pool, once, now)
	d.Content = content.New(pool, once, now)
	d.Engagement = engagement.New(pool, once, d.Accounts, now)
	d.Storage = storage.New(pool, d.bucket, cfg.StorageBase, d.Outbox, once, now)
	d.Parcels = express.New(cfg.Parcels, pool.Meter(), now, cfg.Log)
	d.Freight = freight.New(pool, once, d.Settings, cfg.Country, now)
	d.Cart = cart.New(pool, once, d.Accounts, now)
	d.Payments = payment.New(pool, channels, d.Settings, d.Outbox, d.Failures, now)
	d.Access = access.New(pool, d.redis, once, cfg.Accounts.Passwords, now, cfg.Language)
	d.Access.ShowWithout(cfg.OperatorAvatar)
	d.Share = share.New(share.Deps{
		Settings: d.Settings, Outbox: d.Outbox, Catalog: d.Catalog, Promotions: d.Promotions, Storage: d.Storage,
		Config: cfg.Share,
	})
	d.Orders = order.New(order.Deps{
		DB: pool, Once: once, Settings: d.Settings, Accounts: d.Accounts, Addresses: d.Addresses, Freight: d.Freight,
		Cart: d.Cart, Stock: d.stock(cfg.Hot), Promotions: d.Promotions, Payments: d.Payments, Outbox: d.Outbox,
		Failures: d.Failures, Share: d.Share, Unpaid: cfg.Unpaid, Hot: cfg.Hot,
		Guesses: ratelimit.NewAttempts(d.Limiter, "collect", wrongCollectCodes, 0),
		Now:     now, Zone: cfg.Zone, Language: cfg.Language,
	})
	d.Aftersales = aftersale.New(aftersale.Deps{
		DB: pool, Once: once, Orders: d.Orders, Payments: d.Payments, Now: now,
	})
	d.Reviews = review.New(pool, d.Accounts.People, d.Catalog.Changed, now)
	d.LineComments = review.NewLines(d.Reviews, d.Orders, once)
	d.Consistency = consistency.New(pool, cfg.Zone, now, d.keptHead, cfg.Payment.Providers)
	d.Cases = opencases.New(pool, now)
	d.Rollup = statistics.NewRollup(pool, d.Outbox, d.Failures, cfg.Zone, now)
	d.Seed = seed.New(pool, now)
	d.Sessions = access.NewSessions(d.Access, d.StaffTokens,
		ratelimit.NewAttempts(d.Limiter, "staff", cfg.StaffLogin.PerAccount, cfg.StaffLogin.PerAddress))
}

// defaults sets the clock for durations and the templates of messages if there are none.
func (c *Config) defaults() error {
	if c.Clock == nil {
		c.Clock = c.Now
	}
	if c.Texts != nil {
		return nil
	}
	texts, err := notify.NewTexts(c.Language, "")
	if err != nil {
		return fmt.Errorf("words of messages: %w", err)
	}
	c.Texts = texts
	return nil
}

// stock returns what moves stock, which remembers shortages unless all products are treated alike.
func (d *Domain) stock(h order.Hot) *catalog.Stock {
	s := catalog.NewStock(d.now)
	s.OnMove(d.Catalog.Changed)
	if h.Queue > 0 {
		s.Remember(d.db, d.Catalog)
	}
	return s
}

// connectAreas connects areas that must not import each other.
func (d *Domain) connectAreas() {
	d.Outbox.Handle(storage.TopicRemove, d.Storage.FinishRemoval)
	d.Outbox.HandleAside(storage.TopicPurge, d.Storage.FinishPurge)
	d.Storage.SetUses(usesOfUploads)
	d.Outbox.Handle(topicWelcome, d.giveWelcome)
	d.Catalog.TieShare(d.Share.GoodsChanged)
	d.connectCurrency()
	d.Settings.OnCountry(d.Accounts.Any)
	d.Catalog.OnUse(order.KnowsGoods, cart.KnowsGoods, promotion.KnowsGoods)
	d.Catalog.OnFreight(d.Freight.Goods())
	d.Settings.OnCourier(d.Freight.HoldForCourier)
	d.Catalog.OnGroupRules(catalog.GroupRuleHooks{
		Lock: d.Promotions.LockGroupRuleOn, Discounts: d.Promotions.Reductions, Relabel: d.Promotions.Relabel,
		TakeDown: d.Promotions.TakeDown, EndGroups: d.Orders.EndGroups,
	})
}

func openBucket(cfg Config) (*blob.Bucket, error) {
	if cfg.StorageS3.Bucket != "" {
		return storage.OpenS3(cfg.StorageS3)
	}
	return storage.OpenDir(cfg.StorageDir)
}

func (d *Domain) openChannels(cfg Config) (*payment.Channels, error) {
	p := cfg.Payment
	channels, err := payment.OpenChannels(p.Providers, p.Offered, func(code string) payment.Env {
		e := payment.Env{NotifyURL: p.NotifyURL, Redis: d.redis, Meter: d.Meter(), Now: d.now, Log: cfg.Log}
		if p.NotifyURL != "" {
			e.OwnNotifyURL = strings.TrimRight(p.NotifyURL, "/") + "/" + code
		}
		return e
	}, d.db.Meter())
	if err != nil {
		return nil, err
	}
	for _, g := range channels.Gateways() {
		if s, ok := g.(*sandbox.Gateway); ok && d.Sandbox == nil {
			d.Sandbox = s
		}
	}
	return channels, nil
}

// Now returns the time in UTC and whole milliseconds.
func (d *Domain) Now() time.Time { return d.now() }

// Runner returns the runner of all jobs, each under its lease.
func (d *Domain) Runner() *job.Runner { return d.RunnerOf(d.Jobs()...) }

// RunnerOf returns a runner of some jobs.
func (d *Domain) RunnerOf(jobs ...job.Job) *job.Runner {
	return job.NewRunner(d.db, d.log, d.jobs.Lease, jobs...)
}

// Close closes the connections.
func (d *Domain) Close() error {
	if d.Sandbox != nil {
		d.Sandbox.Stop()
	}
	if d.Orders != nil {
		d.Orders.Drain()
	}
	var errs []error
	if d.bucket != nil {
		errs = append(errs, d.bucket.Close())
	}
	return errors.Join(append(errs, d.redis.Close(), d.db.Close())...)
}

// Addrs parses a comma-separated list of addresses.
func Addrs(text string) []string {
	var all []string
	for a := range strings.SplitSeq(text, ",") {
		if a = strings.TrimSpace(a); a != "" {
			all = append(all, a)
		}
	}
	return all
}
