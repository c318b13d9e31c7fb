package domain

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"shop.internal/pkg/domain/catalog"
	"shop.internal/pkg/domain/platform/job"
)

// Retention is how long rows are stored that accumulate without an operator's action, 0 for ever.
type Retention struct {
	// Footprints, Searches and Feedback belong to shoppers; Uploads are their unused uploads, Audit the audit records, Log
	// the business log and Notices those to operators.
	Footprints, Searches, Feedback, Uploads, Audit, Log, Notices time.Duration
}

// JobsConfig configures the scheduled jobs. The zero value uses their declarations.
type JobsConfig struct {
	Periods job.Periods
	// Lease is how long the jobs of a dead replica wait for another one, 0 for the default.
	Lease time.Duration
}

// Jobs returns the scheduled jobs.
func (d *Domain) Jobs() []job.Job { return d.jobs.Periods.Apply(d.declared()) }

// CheckPeriods fails if a period is configured for an unknown job, or is not allowed for the job.
func CheckPeriods(p job.Periods) error {
	return p.Check(new(Domain).declared()) // the declarations need no dependencies
}

// WriteJobs writes the documentation page of the jobs.
func WriteJobs(w io.Writer) error { return job.WritePage(w, new(Domain).declared()) }

// declared returns all jobs.
func (d *Domain) declared() []job.Job {
	purge := job.Job{
		Name: "purge", Every: time.Hour, MaxEvery: time.Hour, Run: d.purge,
		Does: "deletes used idempotency keys, outbox events delivered a week ago, resolved job failures, bodies of payment " +
			"notifications and forged ones after 90 days, entries of the feed of goods after a day, and by `retention.*` " +
			"traces, feedback, unused uploads, notices, the business log and audit records",
	}
	return slices.Concat(d.Outbox.Jobs(), d.Orders.Jobs(), d.Promotions.Jobs(), d.Payments.Jobs(), d.Rollup.Jobs(),
		d.Audit.Jobs(), d.Storage.Jobs(), []job.Job{purge, d.verifyJob()})
}

// purge deletes a batch of each kind of expired rows.
func (d *Domain) purge(ctx context.Context) (int, error) {
	type remover = func(context.Context) (int, error)
	aged := func(keep time.Duration, remove func(context.Context, time.Time) (int, error)) remover {
		return func(ctx context.Context) (int, error) {
			if keep == 0 {
				return 0, nil
			}
			return remove(ctx, d.now().Add(-keep))
		}
	}
	total := 0
	var failed error
	for _, remove := range []remover{
		d.once.Purge, d.Outbox.Purge, d.Payments.Purge, d.Failures.Purge,
		aged(catalog.FeedRetention, d.Catalog.PurgeChanges),
		aged(d.retention.Footprints, d.Engagement.PurgeFootprints),
		aged(d.retention.Searches, d.Engagement.PurgeSearches),
		aged(d.retention.Feedback, d.Engagement.PurgeFeedback),
		aged(d.retention.Uploads, d.Storage.PurgeUnused),
		aged(d.retention.Log, d.Audit.PurgeLog),
		aged(d.retention.Notices, d.Access.PurgeNotices),
		aged(d.retention.Audit, d.purgeRecords), // the last, because it waits for the object store
	} {
		n, err := remove(ctx)
		total += n
		failed = errors.Join(failed, err) // a failure does not stop the other kinds
	}
	return total, failed
}
