package domain

import (
	"context"
	"errors"
	"fmt"
	"time"

	"shop.internal/migrations"
	"shop.internal/pkg/domain/address"
	"shop.internal/pkg/domain/audit"
	"shop.internal/pkg/domain/platform/job"
)

// Migrate applies the steps that the database lacks, tells the name of each, and gives every setting that it lacks its
// default. Any number of processes may call it at once: one works, the others wait. What was changed is recorded as the
// context's call.
func (d *Domain) Migrate(ctx context.Context, progress func(name string)) error {
	if err := migrations.Apply(ctx, d.db.SQL(), progress); err != nil {
		// On the way to the first tables of records nothing can be recorded yet. Whoever goes on from here does it.
		_ = d.recordSteps(ctx, nil)
		return explained(err)
	}
	filled, err := d.Settings.Fill(ctx)
	return errors.Join(err, d.recordSteps(ctx, filled))
}

const (
	// stepsLease is what those who record steps queue for.
	stepsLease = "recordSteps"
	// stepsTable is what a step is a row of.
	stepsTable = "schema_migration"
)

// recordSteps records the steps of the schema that no record names yet, with the time of each, and the settings that
// were filled in. A run that dies before it comes here leaves its steps to the next one; the first run of a database
// that is older than such records names all its steps.
func (d *Domain) recordSteps(ctx context.Context, settings []string) error {
	if _, ok := audit.From(ctx); !ok {
		return nil
	}
	const patience = 10 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	err := d.RunnerOf().Alone(ctx, job.Job{
		Name: stepsLease, Every: time.Second, Most: time.Second, Run: func(ctx context.Context) (int, error) {
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
