package db_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/dbtest"
	"shop.internal/pkg/domain/platform/errno"
)

// Settings in the DSN must not change what an update counts, nor keep a connection that cannot write.
func TestSettingsThatNoAddressChanges(t *testing.T) {
	t.Parallel()
	for _, dsn := range []string{
		"shop@tcp(127.0.0.1:1)/shop",
		"shop@tcp(127.0.0.1:1)/shop?clientFoundRows=true&rejectReadOnly=false&interpolateParams=false&parseTime=false",
	} {
		cfg, err := db.Config(dsn)
		require.NoError(t, err)
		require.False(t, cfg.ClientFoundRows, dsn)
		require.True(t, cfg.RejectReadOnly, dsn)
		require.True(t, cfg.InterpolateParams, dsn)
		require.True(t, cfg.ParseTime, dsn)
	}
}

// A conditional update that changes nothing counts no row, even if the DSN asks for matched rows.
func TestAnUpdateCountsWhatItChanged(t *testing.T) {
	t.Parallel()
	d, err := db.Open(db.Options{DSN: with(dbtest.DSN(t), "clientFoundRows=true")})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	require.NoError(t, insertLease(t.Context(), d))
	res := d.G(t.Context()).Exec("UPDATE job_lease SET fence = fence WHERE name = 'purge'")
	require.NoError(t, res.Error)
	require.EqualValues(t, 0, res.RowsAffected)
}

func insertLease(ctx context.Context, d *db.DB) error {
	return d.G(ctx).Exec("INSERT INTO job_lease (name, lease_until) VALUES ('purge', UTC_TIMESTAMP(3))").Error
}

// A write outside a transaction waits for its row like one inside, and fails in the same way.
func TestASingleWriteIsTriedAgain(t *testing.T) {
	t.Parallel()
	d, release := impatient(t)
	const touch = "UPDATE job_lease SET fence = fence + 1"
	short, cancel := context.WithTimeout(t.Context(), 3200*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, d.G(short).Exec(touch).Error, errno.Stale)
	go func() {
		time.Sleep(1200 * time.Millisecond) // lasts longer than one wait for a lock
		release()
	}()
	res := d.G(t.Context()).Exec(touch)
	require.NoError(t, res.Error)
	require.EqualValues(t, 1, res.RowsAffected)
}

// After a failover the pool is full of connections to a server that refuses writes. No request fails because of them.
func TestAPoolAfterAFailover(t *testing.T) {
	t.Parallel()
	const connections = 20
	for name, write := range map[string]func(context.Context, *db.DB) error{
		"in a transaction": func(ctx context.Context, d *db.DB) error {
			attempts := 0
			return touch(ctx, d, &attempts)
		},
		"alone": func(ctx context.Context, d *db.DB) error {
			return d.G(ctx).Exec("UPDATE job_lease SET fence = fence + 1").Error
		},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := db.Open(db.Options{DSN: dbtest.DSN(t), MaxOpen: connections})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, d.Close()) })
			require.NoError(t, insertLease(t.Context(), d))
			turnReadOnly(t, d, connections)
			failed := 0
			for range connections {
				if write(t.Context(), d) != nil {
					failed++
				}
			}
			require.Zero(t, failed)
			var fence int64
			require.NoError(t, d.G(t.Context()).Raw("SELECT fence FROM job_lease").Scan(&fence).Error)
			require.EqualValues(t, connections, fence)
		})
	}
}

// turnReadOnly makes each of n connections of the pool refuse writes, like those to a former primary.
func turnReadOnly(t *testing.T, d *db.DB, n int) {
	t.Helper()
	for range n {
		conn, err := d.SQL().Conn(t.Context())
		require.NoError(t, err)
		_, err = conn.ExecContext(t.Context(), "SET SESSION TRANSACTION READ ONLY")
		require.NoError(t, err)
		defer func() { require.NoError(t, conn.Close()) }()
	}
}

// A complaint of the driver, here about a missing answer, is a line of the log.
func TestComplaintsOfTheDriver(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, silent.Close()) })
	go func() {
		for {
			c, err := silent.Accept()
			if err != nil {
				return
			}
			_ = c.Close() // like a server that stops during the handshake
		}
	}()
	d, err := db.Open(db.Options{
		DSN: "shop@tcp(" + silent.Addr().String() + ")/shop", Log: slog.New(slog.NewJSONHandler(&out, nil)),
	})
	require.NoError(t, err)
	require.Error(t, d.Writable(t.Context()))
	require.NoError(t, d.Close())
	require.True(t, json.Valid(bytes.SplitN(out.Bytes(), []byte("\n"), 2)[0]), out.String())
	require.Contains(t, out.String(), "mysql driver")
}
