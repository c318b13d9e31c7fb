package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"

	"shop.internal/pkg/base/lag"
)

// Replicas are read replicas of the database. A replica serves queries as long as it is known to lag less than MaxLag.
type Replicas struct {
	// DSNs are their addresses, each of one server; none means that every query goes to the primary.
	DSNs   []string
	MaxLag time.Duration
	// Clock measures how long something takes.
	Clock func() time.Time
}

const (
	// beat is how often the primary's counter advances and the replicas are asked for it.
	beat = time.Second
	// asked is the deadline for each question.
	asked = time.Second
	// counts is how long an answer counts: the next one comes by then.
	counts = beat + 2*asked
	// remembered is how many beats of the counter are known.
	remembered = 128
)

// readers are the replicas and what is known about their lag.
type readers struct {
	Replicas
	all []*reader
	// beats are the last values of the primary's counter with the moments before they were written, the oldest first.
	beats []moment
	// silent says that the primary's counter did not advance.
	silent bool
	log    *slog.Logger
}

type moment struct {
	n  int64
	at time.Time
}

// reader is one replica.
type reader struct {
	sql  *sql.DB
	name string
	// until is the moment in nanoseconds up to which it may serve queries, 0 for none; lag is how far it was behind when
	// it was asked last, in nanoseconds, and negative if it did not answer or not know.
	until, lag atomic.Int64

	mu   sync.Mutex
	fit  context.Context // ends when the replica does not answer
	fail context.CancelFunc
}

// begun returns a context for a query, which ends with ctx or as soon as the replica is found not to answer, until
// settle is called. Without that a query would wait for a server that hangs.
func (r *reader) begun(ctx context.Context) (query context.Context, settle func() bool) {
	query, cancel := context.WithCancel(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	return query, context.AfterFunc(r.fit, cancel)
}

// out takes the replica out until it has answered a question again.
func (r *reader) out() {
	r.until.Store(0)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fail()
	r.fit, r.fail = context.WithCancel(context.Background())
}

// openReaders opens the pools of the replicas.
func openReaders(o Options) (*readers, error) {
	r := &readers{Replicas: o.Replicas, log: cmp.Or(o.Log, slog.Default())}
	for _, dsn := range o.Replicas.DSNs {
		cfg, err := Config(dsn)
		if err != nil {
			r.close()
			return nil, fmt.Errorf("replica %d: %w", len(r.all)+1, err)
		}
		cfg.RejectReadOnly = false // it is read-only
		pool, err := openPool(cfg, o)
		if err != nil {
			r.close()
			return nil, err
		}
		one := &reader{sql: pool, name: cfg.Addr}
		one.fit, one.fail = context.WithCancel(context.Background())
		one.lag.Store(-1)
		r.all = append(r.all, one)
	}
	return r, nil
}

// fresh is for how long a write may be missing in what a replica shows that serves queries: what a question finds
// counts until the next one is answered.
func (r *readers) fresh() time.Duration { return r.MaxLag + counts + beat }

// reader returns what a query of ctx runs on: a replica if ctx allows one and one is fit, else nil.
func (d *DB) reader(ctx context.Context) *reader {
	if d.readers == nil {
		return nil
	}
	reads := lag.Of(ctx)
	if reads == nil {
		return nil
	}
	all := d.readers.all
	serves := func(i int) bool { return d.readers.Clock().UnixNano() < all[i].until.Load() }
	at := reads.Replica(ctx, func(turn uint64) int {
		for i := range all {
			if one := (int(turn%uint64(len(all))) + i) % len(all); serves(one) { //nolint:gosec // below their number
				return one
			}
		}
		return -1
	})
	switch {
	case at < 0:
		return nil
	case !serves(at):
		reads.Leave()
		return nil
	}
	return all[at]
}

// leave sends the further reads of ctx to the primary, since they have to see what is written now.
func (d *DB) leave(ctx context.Context) {
	if d.readers == nil {
		return
	}
	if reads := lag.Of(ctx); reads != nil {
		reads.Leave()
	}
}

// failed has the primary answer instead of a replica. One that did not answer serves nothing until it has answered a
// question again; one that refuses a statement may only lack what a migration has added.
func (d *DB) failed(ctx context.Context, one *reader, err error) {
	d.leave(ctx)
	if _, refused := errors.AsType[*mysql.MySQLError](err); !refused {
		one.out()
	}
}

// query runs a query on a replica where ctx allows that, and on the primary if that fails.
func (d *DB) query(ctx context.Context, text string, args []any) (*sql.Rows, error) {
	if one := d.reader(ctx); one != nil {
		query, settle := one.begun(ctx)
		rows, err := one.sql.QueryContext(query, text, args...)
		if settle(); err == nil || ctx.Err() != nil {
			return rows, err
		}
		d.failed(ctx, one, err)
	}
	return d.sql.QueryContext(ctx, text, args...)
}

// WatchReplicas finds out how far the replicas are behind, until ctx ends.
func (d *DB) WatchReplicas(ctx context.Context) {
	if d.readers == nil {
		return
	}
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for {
		d.readers.look(ctx, d.sql)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// look finds out once how far the replicas are behind.
func (r *readers) look(ctx context.Context, primary *sql.DB) {
	r.advance(ctx, primary)
	var all sync.WaitGroup
	for _, one := range r.all {
		all.Go(func() { r.ask(ctx, one) })
	}
	all.Wait()
}

// advance adds one to the primary's counter and notes when. While the primary does not answer, no replica gets news,
// and all of them are taken for late.
func (r *readers) advance(ctx context.Context, primary *sql.DB) {
	ctx, cancel := context.WithTimeout(ctx, asked)
	defer cancel()
	before := r.Clock()
	// The first one ever inserts the row, and tells no number. The time lets the counter pass what was counted elsewhere:
	// a replica that still follows a primary that has been replaced must not seem to be current.
	result, err := resultOf(primary.ExecContext(ctx, `INSERT INTO replica_beat (id, beat)
		VALUES (1, 0)
		ON DUPLICATE KEY UPDATE beat = LAST_INSERT_ID(GREATEST(beat + 1, ?))`, before.UnixMicro()))
	if err != nil && !r.silent {
		r.log.WarnContext(ctx, "read replicas are not used: the primary does not count", "err", err.Error())
	}
	r.silent = err != nil
	n := result.ID
	if err != nil || n == 0 {
		return
	}
	if k := len(r.beats); k > 0 && n <= r.beats[k-1].n {
		r.beats = nil // the primary is another one
	}
	r.beats = append(r.beats, moment{n, before})
	if len(r.beats) > remembered {
		r.beats = r.beats[len(r.beats)-remembered:]
	}
}

// ask asks a replica for the counter. What it shows includes every write that ended before the counter got that value.
func (r *readers) ask(ctx context.Context, one *reader) {
	asking, cancel := context.WithTimeout(ctx, asked)
	defer cancel()
	began := r.Clock()
	before, until := one.until.Load(), int64(0)
	var n int64
	behind := time.Duration(-1)
	err := one.sql.QueryRowContext(asking, "SELECT beat FROM replica_beat WHERE id = 1").Scan(&n)
	if err == nil {
		behind = r.behind(n, began)
	} else {
		one.out()
	}
	if behind >= 0 && behind <= r.MaxLag {
		until = began.Add(counts).UnixNano()
	}
	one.until.Store(until)
	one.lag.Store(int64(behind))
	if (before > 0) != (until > 0) && ctx.Err() == nil {
		r.log.WarnContext(ctx, "read replica", slog.String("replica", one.name), slog.Bool("serves", until > 0),
			slog.String("behind", behind.String()), slog.Any("err", err))
	}
}

// behind is for how long writes may be missing on a replica that shows the counter at n, negative if that is unknown.
func (r *readers) behind(n int64, now time.Time) time.Duration {
	for i := len(r.beats) - 1; i >= 0; i-- {
		if m := r.beats[i]; m.n <= n {
			return now.Sub(m.at)
		}
	}
	return -1
}

// Replica is what is known about a read replica.
type Replica struct {
	// Serves says that it serves queries.
	Serves bool
	// Lag is how far it was behind, negative if that is not known.
	Lag time.Duration
}

// ReplicaNames returns the addresses of the read replicas, without accounts.
func (d *DB) ReplicaNames() []string {
	if d.readers == nil {
		return nil
	}
	var names []string
	for _, one := range d.readers.all {
		names = append(names, one.name)
	}
	return names
}

// ReplicaState returns what is known about a replica, by its place among the names.
func (d *DB) ReplicaState(i int) Replica {
	one := d.readers.all[i]
	return Replica{d.readers.Clock().UnixNano() < one.until.Load(), time.Duration(one.lag.Load())}
}

// Fresh is for how long a write may be missing in what a replica shows; 0 without replicas.
func (d *DB) Fresh() time.Duration {
	if d.readers == nil {
		return 0
	}
	return d.readers.fresh()
}

// close ends the pools. A replica that is down cannot be told, which matters to nobody.
func (r *readers) close() {
	for _, one := range r.all {
		_ = one.sql.Close()
	}
}
