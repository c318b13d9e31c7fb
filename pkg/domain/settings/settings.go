// Package settings owns the settings that the shop's owner may change while the shop runs, in the table system_config.
// Readers always get typed, valid values; an invalid stored text is replaced by the default.
package settings

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/cache"
)

const (
	// maxAge is the maximum age of the cached values: a change by another replica takes effect within this time, even
	// without Redis, since the table itself is read.
	maxAge = time.Second
	// ahead is the age from which a read renews the values in the background.
	ahead = maxAge / 2
	// stale is how much older the values may be while the database does not answer, as long as pages may be; patience is
	// how long the first reader waits for it then.
	stale    = 30 * time.Second
	patience = ahead
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
	db     *db.DB
	now    func() time.Time
	log    *slog.Logger
	values *cache.One[Values]
	// wrong are the invalid texts of the last load.
	wrong atomic.Pointer[map[string]string]
}

// New returns the service. Invalid stored texts are logged.
func New(d *db.DB, now func() time.Time, log *slog.Logger) *Service {
	s := &Service{db: d, now: now, log: log}
	s.values = cache.NewOne(cache.Options[Values]{
		Name: "settings", Meter: d.Meter(),
		TTL: cache.For[Values](maxAge), MaxSize: 1, Deadline: loadTimeout, Now: now,
		Ahead: ahead, Stale: stale, Patience: patience,
	}, s.read)
	return s
}

// Now returns the settings, at most a second old, or half a minute while the database does not answer. Nobody waits for
// a load that somebody else has begun, except for the first one.
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
	v, wrong := valuesOf(texts)
	last := s.wrong.Load()
	for name, text := range wrong {
		if last != nil && (*last)[name] == text {
			continue
		}
		s.log.WarnContext(ctx, "a setting is malformed and counts as its default", "key", name)
	}
	return v, wrong, nil
}

func valuesOf(texts map[string]string) (v Values, wrong map[string]string) {
	wrong = map[string]string{}
	for _, k := range keys {
		text, ok := texts[k.name]
		if ok && k.put(&v, text) {
			continue
		}
		if ok {
			wrong[k.name] = text
		}
		k.put(&v, k.fallback)
	}
	return v, wrong
}

// Fill inserts the default of every missing setting. It may run concurrently.
func (s *Service) Fill(ctx context.Context) (filled []string, err error) {
	now := s.now()
	for _, k := range keys {
		made, err := rows.Upsert(ctx, s.db, rowOf(k.name, k.fallback, now), "id = id")
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
