// Package db is the only access to MySQL: the pool, transactions with retries, and the meaning of MySQL's errors. It is
// internal to the domain module, so no service can hold a connection.
package db

import (
	"context"
	"crypto/tls"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/go-sql-driver/mysql"

	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/domain/internal/store/hosted"
)

// Querier is what a store function runs on: the pool or a transaction.
type Querier interface {
	// Files returns the base addresses of the shop's files, nil for none.
	Files() *hosted.Bases

	exec(ctx context.Context, text string, args []any) (Result, error)
	query(ctx context.Context, text string, args []any) (*sql.Rows, error)
}

// DB is the connection pool.
type DB struct {
	sql *sql.DB
	// idle is the maximum number of idle connections.
	idle int
	// lockWait is the server's timeout for locks.
	lockWait time.Duration
	meter    *meter.Meter
	files    *hosted.Bases
	// readers are nil if there are no replicas.
	readers *readers
}

// Options are the limits of a pool.
type Options struct {
	// DSN is the server, account and database in go-sql-driver's form; the session settings of the shop are added.
	DSN string
	// MaxOpen is the maximum number of connections; 0 means 64.
	MaxOpen int
	// TLS encrypts the connections; nil leaves that to the DSN.
	TLS *tls.Config
	// Log gets the driver's messages; nil writes them to standard error as plain text.
	Log *slog.Logger
	// Meter counts and times; nil does not.
	Meter *meter.Meter
	// Slow is the time from which a statement is logged, by the clock of Meter; 0 logs none.
	Slow time.Duration
	// Files are the base addresses of the shop's files.
	Files *hosted.Bases
	// Replicas may answer queries that may lag.
	Replicas Replicas
}

// Open creates a pool. It does not connect before the first statement.
func Open(o Options) (*DB, error) {
	cfg, err := Config(o.DSN)
	if err != nil {
		return nil, err
	}
	if o.MaxOpen == 0 {
		o.MaxOpen = 64
	}
	d := &DB{idle: o.MaxOpen, meter: o.Meter, files: o.Files}
	if d.sql, err = openPool(cfg, o); err != nil {
		return nil, err
	}
	if len(o.Replicas.DSNs) > 0 {
		if d.readers, err = openReaders(o); err != nil {
			return nil, errors.Join(err, d.sql.Close())
		}
	}
	wait, err := strconv.Atoi(cfg.Params[lockWaitSetting])
	if err != nil {
		return nil, fmt.Errorf("%s of the database address is no whole number of seconds", lockWaitSetting)
	}
	d.lockWait = time.Duration(wait) * time.Second
	return d, nil
}

// openPool creates a pool of connections.
func openPool(cfg *mysql.Config, o Options) (*sql.DB, error) {
	if o.Log != nil {
		cfg.Logger = driverLog{o.Log}
	}
	if o.TLS != nil {
		cfg.TLS = o.TLS
	}
	cfg.MultiStatements = true // for conn alone, which see
	opened, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	p := sql.OpenDB(connector{opened, watch{o.Meter, o.Log, o.Slow}})
	p.SetMaxOpenConns(o.MaxOpen)
	p.SetMaxIdleConns(o.MaxOpen)
	p.SetConnMaxIdleTime(5 * time.Minute)
	p.SetConnMaxLifetime(30 * time.Minute)
	return p, nil
}

// Config parses a DSN and adds the settings that every session must have: times in UTC, READ COMMITTED, strict SQL, one
// collation, parameters interpolated by the driver (one round trip per statement), and a timeout for every wait.
// Whatever the DSN says, an UPDATE counts the rows that it changed, not those that it matched, since conditional
// updates decide by that count; and a connection to a server that refuses writes is dropped, since another server is
// the primary by then.
func Config(dsn string) (*mysql.Config, error) {
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		return nil, fmt.Errorf("read the database address: %w", err)
	}
	cfg.ParseTime = true
	cfg.Loc = time.UTC
	cfg.InterpolateParams = true
	cfg.ClientFoundRows = false
	cfg.RejectReadOnly = true
	cfg.Collation = "utf8mb4_general_ci"
	cfg.Timeout = orDefault(cfg.Timeout, 5*time.Second)
	cfg.ReadTimeout = orDefault(cfg.ReadTimeout, 15*time.Second)
	cfg.WriteTimeout = orDefault(cfg.WriteTimeout, 15*time.Second)
	if cfg.Params == nil {
		cfg.Params = map[string]string{}
	}
	cfg.Params["time_zone"] = "'+00:00'"
	if cfg.Params[lockWaitSetting] == "" {
		cfg.Params[lockWaitSetting] = "5"
	}
	cfg.Params["sql_mode"] = "'STRICT_TRANS_TABLES,ONLY_FULL_GROUP_BY,NO_ZERO_DATE,NO_ZERO_IN_DATE," +
		"ERROR_FOR_DIVISION_BY_ZERO'"
	return cfg, nil
}

// driverLog logs the driver's messages, such as a broken connection.
type driverLog struct{ log *slog.Logger }

// Print logs one message.
func (l driverLog) Print(v ...any) { l.log.Warn("mysql driver", "said", fmt.Sprint(v...)) }

// lockWaitSetting is the session's timeout for locks, in seconds.
const lockWaitSetting = "innodb_lock_wait_timeout"

func orDefault(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

// Files returns the base addresses of the shop's files.
func (d *DB) Files() *hosted.Bases { return d.files }

// SQL returns the plain pool, for applying migrations.
func (d *DB) SQL() *sql.DB { return d.sql }

// Meter returns what counts, nil for nothing.
func (d *DB) Meter() *meter.Meter { return d.meter }

// Pool returns the state of the connections.
func (d *DB) Pool() sql.DBStats { return d.sql.Stats() }

// Close ends the pools.
func (d *DB) Close() error {
	if d.readers != nil {
		d.readers.close()
	}
	return d.sql.Close()
}
