// Package settings owns the settings that the shop's owner may change while the shop runs, in the table system_config.
// Readers always get typed, valid values; an invalid stored text is replaced by the default.
package settings

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/table"
)

// maxAge is the maximum age of the cached values: a change by another replica takes effect within this time, even
// without Redis, since the table itself is read.
const maxAge = time.Second

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
	db      *db.DB
	now     func() time.Time
	log     *slog.Logger
	current atomic.Pointer[snapshot]
	load    sync.Mutex
}

type snapshot struct {
	Values
	at time.Time
	// wrong are the invalid stored texts.
	wrong map[string]string
}

// New returns the service. Invalid stored texts are logged.
func New(d *db.DB, now func() time.Time, log *slog.Logger) *Service {
	return &Service{db: d, now: now, log: log}
}

// Now returns the settings, at most a second old.
func (s *Service) Now(ctx context.Context) (Values, error) {
	if k := s.fresh(); k != nil {
		return k.Values, nil
	}
	s.load.Lock()
	defer s.load.Unlock()
	if k := s.fresh(); k != nil {
		return k.Values, nil
	}
	return s.read(ctx)
}

// Fresh reads the settings from the table, for callers that cache the result themselves; staleness would otherwise
// double.
func (s *Service) Fresh(ctx context.Context) (Values, error) {
	s.load.Lock()
	defer s.load.Unlock()
	return s.read(ctx)
}

// read loads and caches the settings; the caller holds the lock.
func (s *Service) read(ctx context.Context) (Values, error) {
	at := s.now()
	texts, err := load(context.WithoutCancel(ctx), s.db, live)
	if err != nil {
		return Values{}, fmt.Errorf("read the settings: %w", err)
	}
	v, wrong := valuesOf(texts)
	s.warn(ctx, wrong)
	s.current.Store(&snapshot{Values: v, at: at, wrong: wrong})
	return v, nil
}

// warn logs each invalid text once.
func (s *Service) warn(ctx context.Context, wrong map[string]string) {
	last := s.current.Load()
	for name, text := range wrong {
		if last != nil && last.wrong[name] == text {
			continue
		}
		s.log.WarnContext(ctx, "a setting is malformed and counts as its default", "key", name)
	}
}

// NowIn is Now inside a transaction: it reads on the transaction's own connection and waits for no other.
func (s *Service) NowIn(ctx context.Context, tx *db.Tx) (Values, error) {
	if k := s.fresh(); k != nil {
		return k.Values, nil
	}
	// The result is not cached, because the transaction may not commit.
	texts, err := load(ctx, tx, live)
	if err != nil {
		return Values{}, fmt.Errorf("read the settings: %w", err)
	}
	v, wrong := valuesOf(texts)
	s.warn(ctx, wrong)
	return v, nil
}

func (s *Service) fresh() *snapshot {
	k := s.current.Load()
	if k == nil {
		return nil
	}
	if age := s.now().Sub(k.at); age < 0 || age >= maxAge {
		return nil
	}
	return k
}

// drop expires the cache. A concurrent read that began before does not store its result.
func (s *Service) drop() {
	s.load.Lock()
	defer s.load.Unlock()
	if k := s.current.Load(); k != nil {
		s.current.Store(&snapshot{Values: k.Values, wrong: k.wrong})
	}
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
	s.drop()
	return filled, nil
}
