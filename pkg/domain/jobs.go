package domain

import (
	"context"
	"slices"
	"time"

	"shop.internal/pkg/domain/job"
)

// Keep says how long traces of people are kept, 0 for ever.
type Keep struct{ Footprints, Searches, Audit time.Duration }

// Jobs returns the work that time does.
func (d *Domain) Jobs() []job.Job {
	purge := job.Job{Name: "purge", Every: time.Hour, Run: d.purge}
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
	for _, remove := range []remover{
		d.once.Purge, d.Outbox.Purge, d.Payments.Purge,
		aged(d.keep.Footprints, d.Engagement.PurgeFootprints),
		aged(d.keep.Searches, d.Engagement.PurgeSearches),
		aged(d.keep.Audit, d.Audit.Purge),
	} {
		n, err := remove(ctx)
		total += n
		if err != nil {
			return total, err
		}
	}
	return total, nil
}
