package app

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"time"

	"shop.internal/pkg/base/meter"
	"shop.internal/pkg/domain/opencases"
)

// Meter returns the metrics of this process.
func (d *Domain) Meter() *meter.Meter { return d.db.Meter() }

// ShowConnections adds the figures of the connections to MySQL and Redis. Like the other methods of this kind, it can
// be called of a Domain that was not opened, to list the figures.
func (d *Domain) ShowConnections(m *meter.Meter) {
	const (
		sqlName, sqlHelp     = "shop_sql_connections", "Connections to the database, by state."
		redisName, redisHelp = "shop_redis_connections", "Connections to Redis, by state."
	)
	m.Gauge(sqlName, sqlHelp, func() float64 { return float64(d.db.Pool().InUse) }, "state", "used")
	m.Gauge(sqlName, sqlHelp, func() float64 { return float64(d.db.Pool().Idle) }, "state", "idle")
	m.Gauge("shop_sql_connections_max", "The bound of the connections to the database (mysql.max-open).",
		func() float64 { return float64(d.db.Pool().MaxOpenConnections) })
	m.Total("shop_sql_waits_total", "Statements and transactions that had to wait for a connection.",
		func() float64 { return float64(d.db.Pool().WaitCount) })
	m.Total("shop_sql_wait_seconds_total", "Time that they waited.",
		func() float64 { return d.db.Pool().WaitDuration.Seconds() })
	m.Gauge(redisName, redisHelp, func() float64 {
		p := d.redis.PoolStats()
		return float64(p.TotalConns) - float64(p.IdleConns)
	}, "state", "used")
	m.Gauge(redisName, redisHelp, func() float64 { return float64(d.redis.PoolStats().IdleConns) }, "state", "idle")
	m.Total("shop_redis_timeouts_total", "Calls that got no connection to Redis in time.",
		func() float64 { return float64(d.redis.PoolStats().Timeouts) })
}

// ShowReplicas adds the figures of the read replicas of the database.
func (d *Domain) ShowReplicas(m *meter.Meter) {
	names := []string{""} // only the declarations are wanted
	if d.db != nil {
		names = d.db.ReplicaNames()
	}
	for i, name := range names {
		m.Gauge("shop_replica_serves", "1 while a read replica serves queries, 0 while the primary does.", func() float64 {
			if d.db.ReplicaState(i).Serves {
				return 1
			}
			return 0
		}, "replica", name)
		m.Gauge("shop_replica_lag_seconds", "How far a read replica is behind, at most.", func() float64 {
			if behind := d.db.ReplicaState(i).Lag; behind >= 0 {
				return behind.Seconds()
			}
			return math.NaN()
		}, "replica", name)
	}
}

// ShowIndex adds the figures of the index of the goods.
func (d *Domain) ShowIndex(m *meter.Meter) {
	m.Gauge("catalog_index_goods", "Goods in the index; 0 while lists are read from the database.",
		func() float64 { return float64(d.Catalog.Index().State().Goods) })
	m.Gauge("catalog_index_lag_seconds", "Time since the changes of goods were read.",
		func() float64 { return d.Catalog.Index().State().Lag.Seconds() })
	m.Total("catalog_index_samples", "Questions that were also answered by the database.",
		func() float64 { return float64(d.Catalog.Index().State().Samples) })
	m.Total("catalog_index_disagreements", "Those with another answer; the index was loaded anew.",
		func() float64 { return float64(d.Catalog.Index().State().Disagreements) })
}

// ShowHot adds the figures of products that many buy at once.
func (d *Domain) ShowHot(m *meter.Meter) {
	m.Gauge("hot_products", "Products that so many buy at once that their purchases are batched.",
		func() float64 { return float64(d.Orders.HotState().Products) })
	m.Gauge("hot_waiting", "Purchases of hot products that wait.",
		func() float64 { return float64(d.Orders.HotState().Queued) })
	m.Total("hot_batches", "Batches of purchases since the start.",
		func() float64 { return float64(d.Orders.HotState().Batches) })
	m.Total("hot_gathered", "Purchases in them.", func() float64 { return float64(d.Orders.HotState().Batched) })
	m.Total("hot_refused_full", "Purchases refused because too many of the product waited.",
		func() float64 { return float64(d.Orders.HotState().Full) })
	m.Total("hot_refused_sold_out", "Purchases refused because of a shortage in memory.",
		func() float64 { return float64(d.Orders.HotState().SoldOut) })
}

// ShowBacklog adds the figures that Watch reads from the database, the same on every replica, and the last
// verification of the books by this one.
func (d *Domain) ShowBacklog(m *meter.Meter) {
	m.Gauge("shop_verify_disagreements", "Rows that disagreed when this replica last verified the books.",
		func() float64 { found, _ := d.Books(); return float64(found) })
	m.Gauge("shop_verify_last_run_seconds", "When that ended, as a Unix time; 0 before the first.", func() float64 {
		if _, at := d.Books(); !at.IsZero() {
			return float64(at.Unix())
		}
		return 0
	})
	m.Gauge("shop_outbox_pending", "Events of the outbox that are not delivered yet, at most 100,000.", func() float64 {
		if b, known := d.Outbox.Backlog(); known {
			return float64(b.Pending)
		}
		return math.NaN()
	})
	m.Gauge("shop_outbox_overdue_seconds", "For how long the event that waits longest has been due.", func() float64 {
		if b, known := d.Outbox.Backlog(); known {
			return b.Overdue.Seconds()
		}
		return math.NaN()
	})
	for _, kind := range opencases.Kinds() {
		m.Gauge("shop_open_cases", "Open cases that need staff, by kind.",
			func() float64 { n, _ := d.Cases.Backlog(kind); return n }, "kind", string(kind))
		m.Gauge("shop_open_case_age_seconds", "Age of the oldest open case, by kind; 0 for none.",
			func() float64 { _, age := d.Cases.Backlog(kind); return age }, "kind", string(kind))
	}
	for _, j := range d.declared() {
		m.Gauge("shop_job_lag_seconds",
			"Time since the last run of a job ended on any replica, less the job's period; 0 in time.",
			func() float64 { return d.progress.Lag(j.Name) }, "name", j.Name)
		m.Gauge("shop_job_failed_rows", "Rows that a job has set aside because they failed.",
			func() float64 { return d.progress.Failed(j.Name) }, "name", j.Name)
	}
}

// watchEvery is how often Watch reads.
const watchEvery = 20 * time.Second

// Watch reads what ShowBacklog adds, at once and then regularly until ctx ends.
func (d *Domain) Watch(ctx context.Context) error {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		if err := d.Refresh(ctx); err != nil && ctx.Err() == nil {
			d.log.WarnContext(ctx, "figures for the metrics were not read", slog.String("err", err.Error()))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// Refresh reads what ShowBacklog adds once.
func (d *Domain) Refresh(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, watchEvery/2)
	defer cancel()
	return errors.Join(d.Cases.Refresh(ctx), d.Outbox.Refresh(ctx), d.progress.Refresh(ctx))
}
