// Package settings owns the settings that the shop's owner may change while the shop runs, in the table system_config.
// Readers always get typed, valid values; an invalid stored text is replaced by the default.
package settings

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"shop.internal/pkg/base/cache"
	"shop.internal/pkg/base/country"
	"shop.internal/pkg/base/money"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

const (
	// maxAge is the maximum age of the cached values: a change by another replica takes effect within this time, even
	// without Redis, since the table itself is read.
	maxAge = time.Second
	// ahead is the age from which a read renews the values in the background.
	ahead = maxAge / 2
	// stale is how much older the values may be while the database does not answer, as long as pages may be; maxWait is
	// how long the first reader waits for it then.
	stale   = 30 * time.Second
	maxWait = ahead
	// loadTimeout bounds the time of reading the table.
	loadTimeout = 10 * time.Second
)

// row is a setting as stored.
type row struct {
	ID                  int64
	KeyName, KeyValue   string
	AddTime, UpdateTime time.Time
}

var rows = table.Of[row]("system_config", table.Versioned, table.Marked)

func rowOf(name, text string, at time.Time) row {
	return row{KeyName: name, KeyValue: text, AddTime: at, UpdateTime: at}
}

// load reads the texts of settings by key. The condition chooses the rows and may lock them.
func load(ctx context.Context, q db.Querier, where string, args ...any) (map[string]string, error) {
	found, err := rows.Find(ctx, q, where, args...)
	texts := make(map[string]string, len(found))
	for _, r := range found {
		texts[r.KeyName] = r.KeyValue
	}
	return texts, err
}

// live is the condition on settings that are not deleted.
const live = "r.deleted = 0"

// Service provides the current settings.
type Service struct {
	db  *db.DB
	now func() time.Time
	log *slog.Logger
	// language is that of the defaults, country the configured one. kept says that the shop is known to stay there, and
	// accounts reports whether it has any.
	language string
	country  country.Country
	kept     atomic.Bool
	accounts func(context.Context, db.Querier) (bool, error)
	values   *cache.One[Values]
	// wrong are the invalid texts of the last load.
	wrong atomic.Pointer[map[string]string]
	// last is the currency as it was read last, fixed the currency once it is known that it does not change any more;
	// refuse refuses another one.
	last, fixed atomic.Pointer[money.Currency]
	refuse      func(ctx context.Context, tx *db.Tx, to money.Currency) error
	// hold holds the freight template of the courier.
	hold func(ctx context.Context, tx *db.Tx, template int64) error
}

// New returns the service. Defaults are those of the country, in the language; invalid stored texts are logged.
func New(d *db.DB, now func() time.Time, log *slog.Logger, language string, in country.Country) *Service {
	s := &Service{db: d, now: now, log: log, language: language, country: in}
	s.values = cache.NewOne(cache.Options[Values]{
		Name: "settings", Meter: d.Meter(),
		TTL: cache.For[Values](maxAge), MaxSize: 1, Deadline: loadTimeout, Now: now,
		Ahead: ahead, Stale: stale, MaxWait: maxWait,
	}, s.read)
	return s
}

// Now returns the settings, at most a second old, or half a minute while the database does not answer. No caller waits
// for a load that another has begun, except for the first one.
func (s *Service) Now(ctx context.Context) (Values, error) { return s.values.Get(ctx) }

// Fresh reads the settings from the table, for callers that cache the result themselves; staleness would otherwise
// double.
func (s *Service) Fresh(ctx context.Context) (Values, error) { return s.values.Reload(ctx) }

// NowIn is Now inside a transaction: it reads on the transaction's own connection and waits for no other.
func (s *Service) NowIn(ctx context.Context, tx *db.Tx) (Values, error) {
	if v, ok := s.values.Cached(); ok {
		return v, nil
	}
	v, _, err := s.parse(ctx, tx) // not cached, because the transaction may not commit
	return v, err
}

// read loads the settings for the cache.
func (s *Service) read(ctx context.Context) (Values, error) {
	v, wrong, err := s.parse(ctx, s.db)
	if err == nil {
		s.wrong.Store(&wrong)
	}
	return v, err
}

// parse reads the settings and logs each invalid text once.
func (s *Service) parse(ctx context.Context, q db.Querier) (Values, map[string]string, error) {
	texts, err := load(ctx, q, live)
	if err != nil {
		return Values{}, nil, fmt.Errorf("read the settings: %w", err)
	}
	v, wrong := s.valuesOf(texts)
	s.last.Store(&v.Currency)
	last := s.wrong.Load()
	for name, text := range wrong {
		if last != nil && (*last)[name] == text {
			continue
		}
		s.log.WarnContext(ctx, "a setting is malformed and counts as its default", "key", name)
	}
	return v, wrong, nil
}

func (s *Service) valuesOf(texts map[string]string) (v Values, wrong map[string]string) {
	wrong = map[string]string{}
	for _, k := range keys {
		text, ok := texts[k.name]
		if ok && k.put(&v, text) {
			continue
		}
		if ok {
			wrong[k.name] = text
		}
		k.put(&v, s.fallback(k))
	}
	v.Ways = v.offered()
	v.MallLogo = s.db.Files().Shown(v.MallLogo)
	return v, wrong
}

// Fill inserts the default of every missing setting. It may run concurrently.
func (s *Service) Fill(ctx context.Context) (filled []string, err error) {
	now := s.now()
	for _, k := range keys {
		made, err := rows.Upsert(ctx, s.db, rowOf(k.name, s.fallback(k), now), "id = id")
		if err != nil {
			return filled, fmt.Errorf("fill in the setting %s: %w", k.name, err)
		}
		if made == 1 {
			filled = append(filled, k.name)
		}
	}
	s.values.Invalidate()
	return filled, nil
}
