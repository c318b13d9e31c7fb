package domain

import (
	"context"
	"fmt"
	"time"

	"shop.internal/migrations"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/job"
)

// Migrate applies the steps that the database lacks, tells the name of each, and gives every setting that it lacks its
// default. Any number of processes may call it at once: one works, the others wait.
func (d *Domain) Migrate(ctx context.Context, progress func(name string)) error {
	if err := migrations.Apply(ctx, d.db.SQL(), progress); err != nil {
		return explained(err)
	}
	return d.Settings.Fill(ctx)
}

// regionsLease is what those who load the regions queue for.
const regionsLease = "loadRegions"

// LoadRegions brings the regions up to the list of this release. Any number of processes may call it at once: one
// works, the others wait and then find nothing to do.
func (d *Domain) LoadRegions(ctx context.Context) (address.RegionsChanged, error) {
	var total address.RegionsChanged
	err := d.Runner().Alone(ctx, job.Job{
		Name: regionsLease, Every: time.Second, Most: time.Second, Run: func(ctx context.Context) (int, error) {
			done, err := d.Addresses.LoadRegions(ctx)
			total.Added, total.Renamed = total.Added+done.Added, total.Renamed+done.Renamed
			total.Retired += done.Retired
			return done.Total(), err
		},
	})
	if err != nil {
		return total, fmt.Errorf("load the regions: %w", err)
	}
	return total, nil
}
