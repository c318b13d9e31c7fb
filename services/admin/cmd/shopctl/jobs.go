package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"shop.internal/pkg/domain/job"
)

func jobs(p *program) *cobra.Command {
	return group("jobs", "Run the scheduled work outside the service", jobsRun(p))
}

func jobsRun(p *program) *cobra.Command {
	var once bool
	c := &cobra.Command{
		Use:   "run [JOB...]",
		Short: "Run the scheduled work until interrupted",
		Long: "Runs all jobs on their schedules, or once each with --once. A job that another process holds is left to " +
			"it. With names only these jobs run, once each.",
		RunE: func(c *cobra.Command, names []string) error {
			return p.with(c, func(ctx context.Context, s shop) error {
				if !once && len(names) == 0 {
					return untilStopped(ctx, s.Runner().Run(ctx))
				}
				chosen, err := choose(s.Jobs(), names)
				if err != nil {
					return err
				}
				for _, j := range chosen {
					changed, err := s.Runner().Once(ctx, j)
					if err != nil {
						return err
					}
					if _, err := fmt.Fprintf(c.OutOrStdout(), "%s: %d changed\n", j.Name, changed); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	c.Flags().BoolVar(&once, "once", false, "run each job once and end")
	return c
}

// untilStopped takes an interruption for the orderly end that it is.
func untilStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)) {
		return nil
	}
	return err
}

// choose returns the jobs of the names, all where there are none.
func choose(all []job.Job, names []string) ([]job.Job, error) {
	if len(names) == 0 {
		return all, nil
	}
	var chosen []job.Job
	for _, name := range names {
		i := slices.IndexFunc(all, func(j job.Job) bool { return j.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no job %q; there are %s", name, strings.Join(job.Names(all), ", "))
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}
