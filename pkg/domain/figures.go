package domain

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"time"

	"shop.internal/pkg/domain/order"
	"shop.internal/pkg/domain/platform/meter"
	"shop.internal/pkg/domain/report"
)

// Meter returns what this process has counted and timed.
func (d *Domain) Meter() *meter.Meter {
	if d.db == nil { // only the declarations are wanted
		return nil
	}
	return d.db.Meter()
}

// gauge is a figure without labels.
func gauge(name, help string, value func() float64) meter.Gauge {
	return meter.Gauge{Name: name, Help: help, Grows: false, Labels: nil, Value: value}
}

// total is a figure without labels that only grows.
func total(name, help string, value func() float64) meter.Gauge {
	g := gauge(name, help, value)
	g.Grows = true
	return g
}

func by(label, value string, g meter.Gauge) meter.Gauge {
	g.Labels = map[string]string{label: value}
	return g
}

// ConnectionGauges are the figures of the connections to MySQL and Redis.
func (d *Domain) ConnectionGauges() []meter.Gauge {
	const (
		sqlName, sqlHelp     = "shop_sql_connections", "Connections to the database, by state."
		redisName, redisHelp = "shop_redis_connections", "Connections to Redis, by state."
	)
	return []meter.Gauge{
		by("state", "used", gauge(sqlName, sqlHelp, func() float64 { return float64(d.db.Pool().InUse) })),
		by("state", "idle", gauge(sqlName, sqlHelp, func() float64 { return float64(d.db.Pool().Idle) })),
		gauge("shop_sql_connections_max", "The bound of the connections to the database (mysql.max-open).",
			func() float64 { return float64(d.db.Pool().MaxOpenConnections) }),
		total("shop_sql_waits_total", "Statements and transactions that had to wait for a connection.",
			func() float64 { return float64(d.db.Pool().WaitCount) }),
		total("shop_sql_wait_seconds_total", "Time that they waited.",
			func() float64 { return d.db.Pool().WaitDuration.Seconds() }),
		by("state", "used", gauge(redisName, redisHelp, func() float64 {
			p := d.redis.Pool()
			return float64(p.Open) - float64(p.Idle)
		})),
		by("state", "idle", gauge(redisName, redisHelp, func() float64 { return float64(d.redis.Pool().Idle) })),
		total("shop_redis_timeouts_total", "Calls that got no connection to Redis in time.",
			func() float64 { return float64(d.redis.Pool().Timeouts) }),
	}
}

// ReplicaGauges are the figures of the read replicas of the database.
func (d *Domain) ReplicaGauges() []meter.Gauge {
	names := []string{""} // only the declarations are wanted
	if d.db != nil {
		names = d.db.ReplicaNames()
	}
	var all []meter.Gauge
	for i, name := range names {
		all = append(all,
			by("replica", name, gauge("shop_replica_serves", "1 while a read replica serves queries, 0 while the primary does.",
				func() float64 {
					if d.db.ReplicaState(i).Serves {
						return 1
					}
					return 0
				})),
			by("replica", name, gauge("shop_replica_lag_seconds", "How far a read replica is behind, at most.",
				func() float64 {
					if behind := d.db.ReplicaState(i).Lag; behind >= 0 {
						return behind.Seconds()
					}
					return math.NaN()
				})))
	}
	return all
}

// IndexGauges are the figures of the index of the goods.
func (d *Domain) IndexGauges() []meter.Gauge {
	return []meter.Gauge{
		gauge("catalog_index_goods", "Goods in the index; 0 while lists are read from the database.",
			func() float64 { return float64(d.Catalog.IndexState().Goods) }),
		gauge("catalog_index_lag_seconds", "Time since the changes of goods were read.",
			func() float64 { return d.Catalog.IndexState().Lag.Seconds() }),
		total("catalog_index_samples", "Questions that were also answered by the database.",
			func() float64 { return float64(d.Catalog.IndexState().Samples) }),
		total("catalog_index_disagreements", "Those with another answer; the index was loaded anew.",
			func() float64 { return float64(d.Catalog.IndexState().Disagreements) }),
	}
}

// HotGauges are the figures of products that many buy at once.
func (d *Domain) HotGauges() []meter.Gauge {
	of := func(figure func(order.HotState) int64) func() float64 {
		return func() float64 { return float64(figure(d.Orders.HotState())) }
	}
	return []meter.Gauge{
		gauge("hot_products", "Products that so many buy at once that their purchases are gathered.",
			of(func(h order.HotState) int64 { return int64(h.Products) })),
		gauge("hot_waiting", "Purchases of hot products that wait.",
			of(func(h order.HotState) int64 { return int64(h.Waiting) })),
		total("hot_batches", "Gathered transactions since the start.",
			of(func(h order.HotState) int64 { return h.Batches })),
		total("hot_gathered", "Purchases in them.", of(func(h order.HotState) int64 { return h.Gathered })),
		total("hot_refused_full", "Purchases refused because too many of the product waited.",
			of(func(h order.HotState) int64 { return h.Full })),
		total("hot_refused_sold_out", "Purchases refused because of a shortage in memory.",
			of(func(h order.HotState) int64 { return h.SoldOut })),
	}
}

// BacklogGauges are the figures that Watch reads from the database, the same on every replica, and the last
// verification of the books by this one.
func (d *Domain) BacklogGauges() []meter.Gauge {
	all := []meter.Gauge{
		gauge("shop_verify_disagreements", "Rows that disagreed when this replica last verified the books.",
			func() float64 { found, _ := d.Books(); return float64(found) }),
		gauge("shop_verify_last_run_seconds", "When that ended, as a Unix time; 0 before the first.", func() float64 {
			if _, at := d.Books(); !at.IsZero() {
				return float64(at.Unix())
			}
			return 0
		}),
		gauge("shop_outbox_pending", "Events of the outbox that are not delivered yet, at most 100,000.", func() float64 {
			if b, known := d.Outbox.Backlog(); known {
				return float64(b.Pending)
			}
			return math.NaN()
		}),
		gauge("shop_outbox_overdue_seconds", "For how long the event that waits longest has been due.", func() float64 {
			if b, known := d.Outbox.Backlog(); known {
				return b.Overdue.Seconds()
			}
			return math.NaN()
		}),
	}
	for _, kind := range report.CaseKinds() {
		all = append(all,
			by("kind", string(kind), gauge("shop_open_cases", "Open cases that need staff, by kind.",
				func() float64 { n, _ := d.Cases.Waiting(kind); return n })),
			by("kind", string(kind), gauge("shop_open_case_age_seconds", "Age of the oldest open case, by kind; 0 for none.",
				func() float64 { _, age := d.Cases.Waiting(kind); return age })))
	}
	for _, j := range d.declared() {
		all = append(all,
			by("name", j.Name, gauge("shop_job_lag_seconds",
				"Time since the last run of a job ended on any replica, less the job's period; 0 in time.",
				func() float64 { return d.progress.Lag(j.Name) })),
			by("name", j.Name, gauge("shop_job_failed_rows", "Rows that a job has set aside because they failed.",
				func() float64 { return d.progress.Failed(j.Name) })))
	}
	return all
}

// watchEvery is how often Watch reads.
const watchEvery = 20 * time.Second

// Watch reads what BacklogGauges show, at once and then regularly until ctx ends.
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

// Refresh reads what BacklogGauges show once.
func (d *Domain) Refresh(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, watchEvery/2)
	defer cancel()
	return errors.Join(d.Cases.Refresh(ctx), d.Outbox.Refresh(ctx), d.progress.Refresh(ctx))
}
