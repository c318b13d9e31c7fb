// Package search keeps an index of rows in memory current by a feed of changes in the database, on every replica. It
// gets the rows from functions and knows no use case: what is indexed and what a query means is the catalogue's
// affair.
package search

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"shop.internal/pkg/base/trace"
	"shop.internal/pkg/domain/catalog/search/index"
	"shop.internal/pkg/domain/internal/store/db"
)

const (
	// followEvery is the period in which a replica reads the feed, and so about the age of its index.
	followEvery = 200 * time.Millisecond
	// Timeout bounds reading a batch of the feed or of the rows.
	Timeout = 10 * time.Second
	// retryAfter is the time between attempts to load the rows.
	retryAfter = 2 * time.Second
	// growAfter is the time after which a shop with too few rows is looked at again.
	growAfter = time.Minute
	// maxLag is the time without the feed after which the index is not used, until the feed has been read again.
	maxLag = 10 * time.Second
	// outdatedAfter is the time without the feed after which the rows are loaded anew, before its entries are removed.
	outdatedAfter = time.Hour
	// rowsPerLoad is the number of rows that one statement loads, rowsPerChange that of changed ones.
	rowsPerLoad   = 20_000
	rowsPerChange = 1000
	// collectEvery is the number of such statements after which garbage is collected: some 50 MiB.
	collectEvery = 8
	// sampleEvery is the period in which a query is answered both by the index and by the database.
	sampleEvery = time.Minute
	// sampleTries are the times that they must differ, since rows may change between the two answers.
	sampleTries = 3
)

// Rows reads what is indexed.
type Rows struct {
	// About estimates the number of rows, Count counts them.
	About, Count func(ctx context.Context) (int64, error)
	// After appends the rows that follow an id, at most limit, in the order of ids. Of returns those of some ids.
	After func(ctx context.Context, all []index.Goods, id int64, limit int) ([]index.Goods, error)
	Of    func(ctx context.Context, ids []int64) ([]index.Goods, error)
	// Differs compares an answer of the index with that of the database, and returns nil if they agree. A database that
	// does not answer is no difference.
	Differs func(ctx context.Context, x *index.Index) error
	// Loaded is called before a new index is used, Changed for rows that may have been changed by another process.
	Loaded  func()
	Changed func(ids []int64)
}

// Engine is the index of this process.
type Engine struct {
	db   *db.DB
	now  func() time.Time
	rows Rows

	index atomic.Pointer[index.Index] // nil until the rows are loaded
	// source is the index that is or was current with its feed.
	source atomic.Pointer[source]
	// read is when the feed was read last, in nanoseconds since 1970.
	read atomic.Int64
	// samples and disagreements are those of State.
	samples, disagreements atomic.Int64
}

// source is an index with the feed that keeps it current.
type source struct {
	index *index.Index
	feed  *feed
}

// New returns an engine without an index.
func New(d *db.DB, now func() time.Time, rows Rows) *Engine {
	return &Engine{db: d, now: now, rows: rows}
}

// State describes the index of a process.
type State struct {
	// Goods is the number of rows in it, 0 until it is loaded.
	Goods int
	// Lag is the time since the feed was read; 0 without an index.
	Lag time.Duration
	// Samples are the queries that were also answered by the database, Disagreements those with another answer, after
	// which the index is loaded anew.
	Samples, Disagreements int64
}

// State returns the state of this process's index.
func (e *Engine) State() State {
	state := State{Samples: e.samples.Load(), Disagreements: e.disagreements.Load()}
	if x := e.index.Load(); x != nil {
		state.Goods, state.Lag = x.Len(), e.now().Sub(time.Unix(0, e.read.Load()))
	}
	return state
}

// Current returns the index if it is at most ten seconds old, else nil.
func (e *Engine) Current() *index.Index {
	if e.now().Sub(time.Unix(0, e.read.Load())) > maxLag {
		return nil
	}
	return e.index.Load()
}

// UpToDate returns the index after applying all changes that are committed, nil if there is none or the changes cannot
// be read.
func (e *Engine) UpToDate(ctx context.Context) *index.Index {
	x, from := e.Current(), e.source.Load()
	if x == nil || from == nil || from.index != x || e.catchUp(ctx, from) != nil {
		return nil
	}
	return x
}

// Follow loads the index and keeps it current until ctx ends. Until it is loaded, and after a failure that
// makes it outdated, lists are read from the database, and so are those of a shop with fewer than atLeast goods.
func (e *Engine) Follow(ctx context.Context, atLeast int64, log *slog.Logger) {
	ctx = trace.With(ctx, "load", "index of the goods")
	for ctx.Err() == nil {
		wait := growAfter
		if e.hasAbout(ctx, atLeast) {
			err := e.follow(ctx)
			e.index.Store(nil)
			e.source.Store(nil) // which would keep the old index beside the new one
			if ctx.Err() != nil {
				return
			}
			log.WarnContext(ctx, "the index of the goods is loaded anew", "error", err)
			wait = retryAfter
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// hasAbout reports whether the shop has about n goods or more.
func (e *Engine) hasAbout(ctx context.Context, n int64) bool {
	if n == 0 {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	about, err := e.rows.About(ctx)
	return err == nil && about >= n
}

// errReload says that all rows must be loaded anew.
var errReload = errors.New("any row may have changed")

// Load loads the rows and makes them the current index.
func (e *Engine) Load(ctx context.Context) error {
	f, err := openFeed(ctx, e.db, e.now()) // before the rows, so that no change is missed
	if err != nil {
		return err
	}
	x, err := e.load(ctx)
	if err != nil {
		return err
	}
	e.rows.Loaded()
	e.source.Store(&source{x, f})
	e.read.Store(e.now().UnixNano())
	e.index.Store(x)
	return nil
}

// follow loads the index and keeps it current. It returns when the index may be outdated.
func (e *Engine) follow(ctx context.Context) error {
	if err := e.Load(ctx); err != nil {
		return err
	}
	tick, sample := time.NewTicker(followEvery), time.NewTicker(sampleEvery)
	defer tick.Stop()
	defer sample.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-sample.C:
			if err := e.Sample(ctx); err != nil {
				return err
			}
			continue
		case <-tick.C:
		}
		err := e.catchUp(ctx, e.source.Load())
		switch now := e.now(); {
		case err == nil:
			e.read.Store(now.UnixNano())
		case errors.Is(err, errReload), now.Sub(time.Unix(0, e.read.Load())) > outdatedAfter:
			return err
		}
	}
}

// catchUp applies the entries of the feed that are new. After a failure the next call goes on with those that are left.
// It fails with errReload if any row may have changed.
func (e *Engine) catchUp(ctx context.Context, from *source) error {
	f := from.feed
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		if len(f.left) == 0 {
			ids, err := f.next(ctx, e.db, e.now())
			if err != nil || len(ids) == 0 {
				return err
			}
			f.left = ids
		}
		if f.left[0] == everything {
			return errReload
		}
		part := f.left[:min(rowsPerChange, len(f.left))]
		if err := e.reindex(ctx, from.index, part); err != nil {
			return err
		}
		f.left = f.left[len(part):]
	}
}

// reindex brings some rows of an index up to date.
func (e *Engine) reindex(ctx context.Context, x *index.Index, ids []int64) error {
	goods, err := e.rows.Of(ctx, ids)
	if err != nil {
		return err
	}
	known := make(map[int64]bool, len(goods))
	for _, g := range goods {
		known[g.ID] = true
	}
	x.Apply(goods, slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return known[id] }))
	e.rows.Changed(ids)
	return nil
}

// load reads all rows into an index. What it needs beside the index is bounded: the rows have their place from the
// beginning, and the garbage of reading them is collected every few statements, since Go would let it grow as large as
// everything that stays.
func (e *Engine) load(ctx context.Context) (*index.Index, error) {
	all, err := e.place(ctx)
	if err != nil {
		return nil, err
	}
	for last, n := int64(0), 1; ; n++ {
		before := len(all)
		all, err = func() ([]index.Goods, error) {
			ctx, cancel := context.WithTimeout(ctx, Timeout)
			defer cancel()
			return e.rows.After(ctx, all, last, rowsPerLoad)
		}()
		if err != nil {
			return nil, err
		}
		if len(all)-before < rowsPerLoad {
			break
		}
		last = all[len(all)-1].ID
		if n%collectEvery == 0 {
			runtime.GC()
		}
	}
	many := len(all) > rowsPerLoad
	if many {
		runtime.GC()
	}
	x := index.New(all)
	if many {
		debug.FreeOSMemory()
	}
	return x, nil
}

// place returns room for all rows, and for a few that are added meanwhile.
func (e *Engine) place(ctx context.Context) ([]index.Goods, error) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	n, err := e.rows.Count(ctx)
	if err != nil {
		return nil, err
	}
	return make([]index.Goods, 0, n+n/100), nil
}

// Sample compares the answers to a random query, and fails if they differ.
func (e *Engine) Sample(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	from := e.source.Load()
	if from == nil {
		return nil
	}
	var difference error
	for range sampleTries {
		if difference = e.rows.Differs(ctx, from.index); difference == nil {
			break
		}
		if err := e.catchUp(ctx, from); err != nil {
			return err
		}
	}
	e.samples.Add(1)
	if difference != nil {
		e.disagreements.Add(1)
	}
	return difference
}
