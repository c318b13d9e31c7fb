package db_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/dbtest"
	"shop.internal/pkg/domain/platform/lag"
)

const maxLag = 5 * time.Second

// pair is a database with a replica that the test copies by hand.
type pair struct {
	*db.DB

	t       *testing.T
	replica *db.DB
	now     atomic.Int64 // the clock, in nanoseconds: a query beside the test reads it
}

func newPair(t *testing.T) *pair { return pairOf(t, dbtest.DSN(t)) }

// pairOf is a pair whose replica has an address.
func pairOf(t *testing.T, copied string) *pair {
	t.Helper()
	p := &pair{t: t}
	p.pass(time.Duration(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()))
	var err error
	p.replica, err = db.Open(db.Options{DSN: copied})
	require.NoError(t, err)
	p.DB, err = db.Open(db.Options{DSN: dbtest.DSN(t), Replicas: db.Replicas{
		DSNs: []string{copied}, MaxLag: maxLag, Clock: func() time.Time { return time.Unix(0, p.now.Load()) },
	}})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, p.Close())
		require.NoError(t, p.replica.Close())
	})
	const insert = "INSERT INTO keyword (keyword, add_time, update_time) VALUES (?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))"
	p.exec(p.DB, insert, "primary")
	p.exec(p.replica, insert, "replica")
	return p
}

// pass advances the clock.
func (p *pair) pass(d time.Duration) { p.now.Add(int64(d)) }

func (p *pair) exec(on *db.DB, text string, args ...any) {
	p.t.Helper()
	_, err := db.Exec(p.t.Context(), on, text, args...)
	require.NoError(p.t, err)
}

// replicate brings the replica to where the primary is.
func (p *pair) replicate() {
	p.t.Helper()
	var beat int64
	row := p.SQL().QueryRowContext(p.t.Context(), "SELECT COALESCE(MAX(beat), 0) FROM replica_beat")
	require.NoError(p.t, row.Scan(&beat))
	p.exec(p.replica, "REPLACE INTO replica_beat (id, beat) VALUES (1, ?)", beat)
}

// second lets a second pass in which the replica copies everything or nothing, and looks at it.
func (p *pair) second(copies bool) {
	p.pass(time.Second)
	p.LookAtReplicas(p.t.Context())
	if copies {
		p.replicate()
	}
}

// good has the replica serving.
func (p *pair) good() {
	p.t.Helper()
	for range 3 {
		p.second(true)
	}
	require.True(p.t, p.ReplicaState(0).Serves)
}

// answers returns who answers each way to query.
func (p *pair) answers(ctx context.Context, q db.Querier) []string {
	p.t.Helper()
	const text = "SELECT keyword FROM keyword"
	rows, err := db.Query(ctx, q, text)
	require.NoError(p.t, err)
	defer rows.Close()
	var list [3]string
	require.True(p.t, rows.Next())
	require.NoError(p.t, rows.Scan(&list[0]))
	require.NoError(p.t, rows.Err())
	require.NoError(p.t, rows.Close())
	require.NoError(p.t, q.G(ctx).Raw(text).Scan(&list[1]).Error)
	require.NoError(p.t, q.G(ctx).Raw(text).Row().Scan(&list[2]))
	return list[:]
}

func everywhere(who string) []string { return []string{who, who, who} }

// Only what may lag is read from a replica, and nothing is written to one.
func TestReplicaServesWhatMayLag(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	may := func() context.Context { return lag.Allow(t.Context(), nil) }
	require.Equal(t, everywhere("primary"), p.answers(may(), p), "nothing is known about the replica")
	p.good()
	require.Equal(t, everywhere("replica"), p.answers(may(), p))
	require.Equal(t, everywhere("primary"), p.answers(t.Context(), p))
	require.Equal(t, everywhere("primary"), p.answers(lag.Forbid(may()), p))
	// Once something is written, the primary answers, also what is read after the transaction.
	writing := may()
	require.Equal(t, everywhere("replica"), p.answers(writing, p))
	require.NoError(t, p.InTx(writing, func(tx *db.Tx) error {
		require.Equal(t, everywhere("primary"), p.answers(writing, tx))
		return nil
	}))
	require.Equal(t, everywhere("primary"), p.answers(writing, p))
	for _, write := range []func(ctx context.Context) error{
		func(ctx context.Context) error {
			_, err := db.Exec(ctx, p, "UPDATE keyword SET url = 'x'")
			return err
		},
		func(ctx context.Context) error { return p.G(ctx).Exec("UPDATE keyword SET sort_order = 7").Error },
	} {
		writing = may()
		require.NoError(t, write(writing))
		require.Equal(t, everywhere("primary"), p.answers(writing, p))
	}
	var changed int
	row := p.replica.SQL().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM keyword WHERE url = 'x' OR sort_order = 7")
	require.NoError(t, row.Scan(&changed))
	require.Zero(t, changed)
}

// A replica that copies nothing is taken out when it is too far behind, and returns when it has caught up.
func TestReplicaThatLags(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	may := func() context.Context { return lag.Allow(t.Context(), nil) }
	p.good()
	for p.ReplicaState(0).Lag+time.Second <= maxLag {
		p.second(false)
		require.Equal(t, everywhere("replica"), p.answers(may(), p), p.ReplicaState(0))
	}
	p.second(false)
	require.Greater(t, p.ReplicaState(0).Lag, maxLag)
	require.Equal(t, everywhere("primary"), p.answers(may(), p))
	p.good()
	require.Equal(t, everywhere("replica"), p.answers(may(), p))
}

// What was found out does not count for ever: the program may have been suspended.
func TestReplicaThatNobodyAsks(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.good()
	p.pass(time.Minute)
	require.Equal(t, everywhere("primary"), p.answers(lag.Allow(t.Context(), nil), p))
	require.False(t, p.ReplicaState(0).Serves)
}

// While the primary does not count, no replica is believed.
func TestReplicaOfASilentPrimary(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.good()
	p.exec(p.DB, "RENAME TABLE replica_beat TO replica_beat_away")
	t.Cleanup(func() {
		_, err := p.SQL().ExecContext(context.Background(), "RENAME TABLE replica_beat_away TO replica_beat")
		require.NoError(t, err)
	})
	for range 10 {
		p.pass(time.Second)
		p.LookAtReplicas(t.Context())
	}
	require.Equal(t, everywhere("primary"), p.answers(lag.Allow(t.Context(), nil), p))
}

// The primary answers instead of a replica that hangs, also what was asked before anybody knew, and the replica serves
// again when it is back.
func TestReplicaThatHangs(t *testing.T) {
	t.Parallel()
	through, freeze := dbtest.Freezable(t, dbtest.DSN(t))
	p := pairOf(t, through)
	p.good()
	limited, cancel := context.WithTimeout(t.Context(), 8*time.Second) // sooner than the driver would give up
	defer cancel()
	may := func() context.Context { return lag.Allow(limited, nil) }
	require.Equal(t, everywhere("replica"), p.answers(may(), p))
	thaw := freeze()
	answered, began := make(chan []string, 1), make(chan struct{})
	go func() {
		close(began)
		rows, err := db.Query(may(), p, "SELECT keyword FROM keyword")
		var who string
		if err == nil {
			defer rows.Close()
			rows.Next()
			err = errors.Join(rows.Scan(&who), rows.Err())
		}
		answered <- []string{who, fmt.Sprint(err)}
	}()
	<-began
	p.second(false) // asks, in vain
	require.Equal(t, []string{"primary", "<nil>"}, <-answered)
	require.Negative(t, p.ReplicaState(0).Lag)
	require.Equal(t, everywhere("primary"), p.answers(may(), p))
	thaw()
	p.good()
	require.Equal(t, everywhere("replica"), p.answers(may(), p))
}

// The reads of a request do not return to a replica, which may lack what the primary has shown.
func TestReadsDoNotReturnToAReplica(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	before := lag.Allow(t.Context(), nil)
	require.Equal(t, everywhere("primary"), p.answers(before, p))
	p.good()
	require.Equal(t, everywhere("primary"), p.answers(before, p))
	during := lag.Allow(t.Context(), nil)
	require.Equal(t, everywhere("replica"), p.answers(during, p))
	p.pass(time.Minute)
	require.Equal(t, everywhere("primary"), p.answers(during, p))
	p.good()
	require.Equal(t, everywhere("primary"), p.answers(during, p))
}

// A replica that lacks a column answers everything else.
func TestReplicaThatRefusesAStatement(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.good()
	p.exec(p.replica, "ALTER TABLE keyword DROP COLUMN url")
	t.Cleanup(func() {
		_, err := p.replica.SQL().ExecContext(context.Background(), "ALTER TABLE keyword ADD COLUMN url VARCHAR(255) NOT NULL DEFAULT ''")
		require.NoError(t, err)
	})
	may := lag.Allow(t.Context(), nil)
	var who string
	require.NoError(t, p.G(may).Raw("SELECT keyword FROM keyword WHERE url = ''").Row().Scan(&who))
	require.Equal(t, "primary", who)
	require.Equal(t, everywhere("primary"), p.answers(may, p))
	require.True(t, p.ReplicaState(0).Serves)
	require.Equal(t, everywhere("replica"), p.answers(lag.Allow(t.Context(), nil), p))
}

// A replica of a primary that has been replaced shows a counter that the new one has not reached.
func TestReplicaOfAnotherPrimary(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.good()
	p.exec(p.DB, "UPDATE replica_beat SET beat = beat + 1000")
	p.good()
	p.exec(p.DB, "UPDATE replica_beat SET beat = beat - 900") // what the new one lacked
	for range int(maxLag/time.Second) + 1 {
		p.second(false)
	}
	require.Equal(t, everywhere("primary"), p.answers(lag.Allow(t.Context(), nil), p))
	require.False(t, p.ReplicaState(0).Serves)
}
