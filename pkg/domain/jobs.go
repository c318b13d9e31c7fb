package domain

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"shop.internal/pkg/domain/platform/job"
)

// Retention says how long rows are kept that come by themselves, 0 for ever.
type Retention struct {
	// Footprints, Searches and Feedback are of shoppers, Uploads the pictures of theirs that nothing uses; Audit are the
	// chained records of what operators changed, Log the business log, Notices those to operators.
	Footprints, Searches, Feedback, Uploads, Audit, Log, Notices time.Duration
}

// JobsConfig says how the work that time does is run. The zero value takes what is declared.
type JobsConfig struct {
	Periods job.Periods
	// Lease is how long a replica that dies keeps its jobs from the others, 0 for the default.
	Lease time.Duration
}

// Jobs returns the work that time does.
func (d *Domain) Jobs() []job.Job { return d.jobs.Periods.Apply(d.declared()) }

// CheckPeriods fails where a deployment chooses a period for a job that does not exist, or one that the job does not
// allow.
func CheckPeriods(p job.Periods) error {
	return p.Check(new(Domain).declared()) // to be declared, a job needs nothing of the shop
}

// WriteJobs writes the page on all jobs.
func WriteJobs(w io.Writer) error { return job.WritePage(w, new(Domain).declared()) }

// declared is the list of all jobs, and the only one.
func (d *Domain) declared() []job.Job {
	purge := job.Job{
		Name: "purge", Every: time.Hour, Most: time.Hour, Run: d.purge,
		Does: "removes used idempotency keys, effects done a week ago, failures of rows that are no longer due, bodies of " +
			"notices and forged notices after 90 days, and by `retention.*` traces, feedback, unused uploads, notices, the " +
			"business log and records of changes",
	}
	return slices.Concat(d.Outbox.Jobs(), d.Orders.Jobs(), d.Promotions.Jobs(), d.Payments.Jobs(), d.Rollup.Jobs(),
		d.Audit.Jobs(), []job.Job{purge})
}

// purge removes a batch of everything whose time is over.
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
		aged(d.retention.Footprints, d.Engagement.PurgeFootprints),
		aged(d.retention.Searches, d.Engagement.PurgeSearches),
		aged(d.retention.Feedback, d.Engagement.PurgeFeedback),
		aged(d.retention.Uploads, d.Storage.PurgeUnused),
		aged(d.retention.Audit, d.Audit.Purge),
		aged(d.retention.Log, d.Audit.PurgeLog),
		aged(d.retention.Notices, d.Access.PurgeNotices),
	} {
		n, err := remove(ctx)
		total += n
		failed = errors.Join(failed, err) // what cannot be removed keeps nothing else
	}
	return total, failed
}
