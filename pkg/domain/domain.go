// Package domain builds the areas of the shop once, on one MySQL pool and one Redis, and connects areas that must not
// import each other. Both services and the command line use it.
package domain

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"gocloud.dev/blob"

	"shop.internal/pkg/domain/access"
	"shop.internal/pkg/domain/account"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/aftersale"
	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/cart"
	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/content"
	"shop.internal/pkg/domain/engagement"
	"shop.internal/pkg/domain/express"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/hosted"
	"shop.internal/pkg/domain/internal/redis"
	"shop.internal/pkg/domain/notify"
	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/payment"
	"shop.internal/pkg/domain/payment/sandbox"
	"shop.internal/pkg/domain/payment/wechatpay"
	"shop.internal/pkg/domain/platform/hashing"
	"shop.internal/pkg/domain/platform/idempotency"
	"shop.internal/pkg/domain/platform/job"
	"shop.internal/pkg/domain/platform/meter"
	"shop.internal/pkg/domain/platform/outbox"
	"shop.internal/pkg/domain/platform/ratelimit"
	"shop.internal/pkg/domain/platform/token"
	"shop.internal/pkg/domain/platform/trace"
	"shop.internal/pkg/domain/promotion"
	"shop.internal/pkg/domain/report"
	"shop.internal/pkg/domain/review"
	"shop.internal/pkg/domain/seed"
	"shop.internal/pkg/domain/settings"
	"shop.internal/pkg/domain/share"
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
	// OpenStorage opens the store of uploaded files; StorageBase is the address that their keys are appended to.
	OpenStorage func() (*blob.Bucket, error)
	StorageBase string
	// EarlierBases are base addresses under which the shop has served its files before. An upgraded shop stores whole
	// addresses for the time KeepAddresses, and keys afterwards.
	EarlierBases  []string
	KeepAddresses time.Duration
	// Parcels is the provider of tracking; nil disables it.
	Parcels express.Provider
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
	// Now is the clock; Clock measures durations, nil by Now.
	Now, Clock func() time.Time
}

// wrongCodes is how many wrong redemption codes a shopper may try in a quarter of an hour.
const wrongCodes = 10

// LoginLimit is how many logins may fail in a quarter of an hour, for one name and from one address; 0 means no limit.
type LoginLimit struct{ PerAccount, PerAddress int }

// PaymentConfig chooses the payment platform.
type PaymentConfig struct {
	// Provider is "none", "sandbox" or "wechat".
	Provider string
	// NotifyURL is the storefront's address for payment notifications; SandboxDelay the time after which the sandbox pays.
	NotifyURL    string
	SandboxDelay time.Duration
	// SandboxKeys replaces the keys that the replicas share through Redis.
	SandboxKeys func(context.Context) (sandbox.Keys, error)
	// Wechat is the merchant for the provider "wechat". Its NotifyURL and Now are taken from here.
	Wechat wechatpay.Options
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
	Orders       *order.Service
	Outbox       *outbox.Service
	Parcels      *express.Service
	Payments     *payment.Service
	Promotions   *promotion.Service
	Report       *report.Service
	Cases        *report.Cases
	Reviews      *review.Service
	Rollup       *report.Rollup
	LineComments *review.Lines
	Limiter      *ratelimit.Limiter
	Seed         *seed.Service
	Settings     *settings.Service
	Share        *share.Service
	Storage      *storage.Service
	// Sandbox is nil if another payment platform is configured.
	Sandbox *sandbox.Gateway

	db        *db.DB
	redis     *redis.Client
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
	counts := meter.New(cfg.Clock)
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
	if d.bucket, err = cfg.OpenStorage(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	gateway, err := d.gateway(cfg, now)
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	d.build(cfg, gateway)
	d.progress = job.NewProgress(pool, d.Jobs()...)
	d.connectAreas()
	d.handleMessages()
	return d, nil
}

// build creates the areas in the order of their dependencies.
func (d *Domain) build(cfg Config, gateway payment.Gateway) {
	pool, now := d.db, d.now
	once := idempotency.New(pool, cfg.IdempotencySecret, now)
	d.once = once
	d.Limiter = ratelimit.New(d.redis, cfg.Log, now)
	d.Audit = audit.New(pool, now)
	d.Settings = settings.New(pool, now, cfg.Log)
	d.Outbox = outbox.New(pool, now)
	d.Outbox.SetTracer(cfg.Tracer)
	d.Failures = job.NewFailures(pool, now)
	guesses := ratelimit.NewAttempts(d.Limiter, "coupon", wrongCodes, 0)
	d.Promotions = promotion.New(pool, guesses, once, d.Failures, cfg.Zone, now)
	d.Tokens = token.New(d.redis, token.Audience{
		Name: "shopper", Lifetime: cfg.ShopperToken, Age: cfg.Accounts.ActiveAge,
	}, now)
	d.StaffTokens = token.New(d.redis, token.Audience{Name: "staff", Lifetime: cfg.StaffToken, Idle: cfg.StaffIdle}, now)
	cfg.Accounts.Once, cfg.Accounts.Passwords = once, hashing.New(cfg.Accounts.BcryptCost, cfg.Now)
	d.Accounts = account.New(pool, d.redis, d.Limiter, d.Tokens, d.messages, d.welcome, cfg.Accounts, now)
	d.Addresses = address.New(pool, once, d.Accounts, now)
	d.Catalog = catalog.New(pool, once, now)
	d.Content = content.New(pool, once, now)
	d.Engagement = engagement.New(pool, once, d.Accounts, now)
	d.Storage = storage.New(pool, d.bucket, cfg.StorageBase, d.Outbox, once, now)
	d.Parcels = express.New(cfg.Parcels, pool.Meter(), now, cfg.Log)
	d.Cart = cart.New(pool, once, d.Accounts, now)
	d.Payments = payment.New(pool, payment.Watched(gateway, pool.Meter()), d.Outbox, d.Failures, now)
	d.Access = access.New(pool, d.redis, once, cfg.Accounts.Passwords, now, cfg.Language)
	d.Access.ShowWithout(cfg.OperatorAvatar)
	d.Share = share.New(share.Deps{
		Settings: d.Settings, Outbox: d.Outbox, Catalog: d.Catalog, Promotions: d.Promotions, Storage: d.Storage,
		Config: cfg.Share,
	})
	d.Orders = order.New(order.Deps{
		DB: pool, Once: once, Settings: d.Settings, Accounts: d.Accounts, Addresses: d.Addresses, Cart: d.Cart,
		Stock: d.stock(cfg.Hot), Promotions: d.Promotions, Payments: d.Payments, Outbox: d.Outbox,
		Failures: d.Failures, Share: d.Share, Unpaid: cfg.Unpaid, Hot: cfg.Hot,
		Now: now, Zone: cfg.Zone, Language: cfg.Language,
	})
	d.Aftersales = aftersale.New(aftersale.Deps{
		DB: pool, Once: once, Orders: d.Orders, Payments: d.Payments, Now: now,
	})
	d.Reviews = review.New(pool, d.Accounts.People, d.Catalog.Changed, now)
	d.LineComments = review.NewLines(d.Reviews, d.Orders, once)
	d.Report = report.New(pool, cfg.Zone, now, d.kept)
	d.Cases = report.NewCases(pool, now)
	d.Rollup = report.NewRollup(pool, d.Outbox, d.Failures, cfg.Zone, now)
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
	d.Catalog.OnGroupRules(catalog.GroupRuleHooks{
		Lock: d.Promotions.LockGroupRuleOn, Discount: d.Promotions.Reduction, Relabel: d.Promotions.Relabel,
		TakeDown: d.Promotions.TakeDown, EndGroups: d.Orders.EndGroups,
	})
}

func (d *Domain) gateway(cfg Config, now func() time.Time) (payment.Gateway, error) {
	switch cfg.Payment.Provider {
	case "none":
		return payment.None{}, nil
	case "sandbox":
		keys := cfg.Payment.SandboxKeys
		if keys == nil {
			keys = sandbox.SharedKeys(d.redis, now)
		}
		d.Sandbox = sandbox.New(sandbox.Options{
			NotifyURL: cfg.Payment.NotifyURL, Delay: cfg.Payment.SandboxDelay, Keys: keys,
			Ledger: sandbox.SharedLedger(d.redis), Now: now, Log: cfg.Log,
		})
		return d.Sandbox, nil
	case "wechat":
		o := cfg.Payment.Wechat
		o.NotifyURL, o.Now = cfg.Payment.NotifyURL, now
		return wechatpay.New(o)
	}
	return nil, fmt.Errorf("payment platform %q: choose none, sandbox or wechat", cfg.Payment.Provider)
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
