// Package settings owns what the shop's owner may tune while the shop runs: the rows of system_config. Readers
// always get typed, valid values; a stored text that breaks the rule of its key counts as the default.
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

// maxAge is how old the kept values may be: a change made by another replica acts within this time, whatever has become
// of Redis, since the table itself is asked.
const maxAge = time.Second

// row is one setting, as it is stored.
type row struct {
	ID                  int64
	KeyName, KeyValue   string
	AddTime, UpdateTime time.Time
}

var rows = table.Of[row]("system_config", table.Versioned, table.Marked)

func rowOf(name, text string, at time.Time) row {
	return row{KeyName: name, KeyValue: text, AddTime: at, UpdateTime: at}
}

// load reads the texts of the settings by key. The condition chooses among the rows and may lock them.
func load(ctx context.Context, q db.Querier, where string, args ...any) (map[string]string, error) {
	found, err := rows.Find(ctx, q, where, args...)
	texts := make(map[string]string, len(found))
	for _, r := range found {
		texts[r.KeyName] = r.KeyValue
	}
	return texts, err
}

// live chooses the settings that count.
const live = "r.deleted = 0"

// Service answers with the present settings.
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
	// wrong are the stored texts that count as the default.
	wrong map[string]string
}

// New returns the settings of a database. log is told of stored texts that break the rule of their key.
func New(d *db.DB, now func() time.Time, log *slog.Logger) *Service {
	return &Service{db: d, now: now, log: log}
}

// Now returns the settings, read from the table at most a second ago.
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

// Fresh returns the settings as they are in the table at this moment, for whoever keeps for a second what it makes of
// them: the two ages would add up.
func (s *Service) Fresh(ctx context.Context) (Values, error) {
	s.load.Lock()
	defer s.load.Unlock()
	return s.read(ctx)
}

// read reads the table and keeps what it finds; the caller holds the lock.
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

// warn tells of each wrong text once, not once a second.
func (s *Service) warn(ctx context.Context, wrong map[string]string) {
	last := s.current.Load()
	for name, text := range wrong {
		if last != nil && last.wrong[name] == text {
			continue
		}
		s.log.WarnContext(ctx, "a setting is malformed and counts as its default", "key", name)
	}
}

// NowIn is Now for who is in a transaction: it asks on the caller's own connection and waits for nobody else's.
func (s *Service) NowIn(ctx context.Context, tx *db.Tx) (Values, error) {
	if k := s.fresh(); k != nil {
		return k.Values, nil
	}
	// Nothing is kept of what is read here: it may never be committed.
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

// drop makes the next reader read anew. Who is reading meanwhile has begun before and keeps nothing that is older.
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

// Fill adds every setting that the table lacks, with its default. It may run on several replicas at once.
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
