package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"shop.internal/migrations"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/job"
)

// Migrate applies the missing migrations, reports the name of each, and inserts the defaults of missing settings. Any
// number of processes may call it concurrently: one works, the others wait. The changes are recorded for the context's
// call.
func (d *Domain) Migrate(ctx context.Context, progress func(name string)) error {
	if err := migrations.Apply(ctx, d.db.SQL(), progress); err != nil {
		// Before the audit tables exist nothing can be recorded; a later run records these migrations.
		_ = d.recordSteps(ctx, nil)
		return explained(err)
	}
	filled, err := d.Settings.Fill(ctx)
	return errors.Join(err, d.recordSteps(ctx, filled))
}

const (
	// stepsLease is the lease under which migrations are recorded.
	stepsLease = "recordSteps"
	// stepsTable is the target table of such records.
	stepsTable = "schema_migration"
)

// recordSteps records the migrations that no audit record names yet, with their times, and the settings that were
// inserted. If a run dies before, the next one records them; the first run on a database older than such records names
// all its migrations.
func (d *Domain) recordSteps(ctx context.Context, settings []string) error {
	if _, ok := audit.From(ctx); !ok {
		return nil
	}
	const timeout = 10 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	err := d.RunnerOf().Alone(ctx, job.Job{
		Name: stepsLease, Every: time.Second, MaxEvery: time.Second, Run: func(ctx context.Context) (int, error) {
			newest, err := d.Audit.Newest(ctx, stepsTable)
			if err != nil {
				return 0, err
			}
			applied, err := migrations.After(ctx, d.db.SQL(), newest)
			if err != nil || len(applied)+len(settings) == 0 {
				return 0, err
			}
			steps := make(map[string]time.Time, len(applied))
			for _, a := range applied {
				steps[a.Name], newest = a.At, a.Version
			}
			return 0, d.Audit.Conclude(ctx, audit.Change{
				ID: newest, After: map[string]any{"steps": steps, "settings": settings},
			})
		},
	})
	if err != nil {
		return fmt.Errorf("record the steps of the schema: %w", err)
	}
	return nil
}

// regionsLease is the lease under which regions are loaded.
const regionsLease = "loadRegions"

// LoadRegions updates the regions to the list of this release. Any number of processes may call it concurrently: one
// works, the others wait and then find nothing to do.
func (d *Domain) LoadRegions(ctx context.Context) (address.RegionsChanged, error) {
	var total address.RegionsChanged
	err := d.Runner().Alone(ctx, job.Job{
		Name: regionsLease, Every: time.Second, MaxEvery: time.Second, Run: func(ctx context.Context) (int, error) {
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
