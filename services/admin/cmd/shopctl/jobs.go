package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"shop.internal/pkg/domain/job"
)

func jobs(p *program) *cobra.Command {
	return group("jobs", "Run the scheduled work outside the service, and look after what it cannot handle",
		jobsRun(p), jobsFailures(p), jobsRetry(p))
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

func jobsFailures(p *program) *cobra.Command {
	var limit int
	c := &cobra.Command{
		Use:   "failures",
		Short: "List the rows that jobs could not handle and have set aside",
		Long: "Lists the rows that jobs could not handle, those that failed first before the others. Such a row is set aside " +
			"and tried again after a minute, then after ever longer pauses of up to a day.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if limit < 1 {
				return errors.New("--limit is at least 1")
			}
			return p.with(c, func(ctx context.Context, s shop) error {
				all, err := s.Failures.List(ctx, limit)
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
				fmt.Fprintln(w, "JOB\tROW\tTRIES\tSINCE\tNEXT\tCAUSE")
				for _, f := range all {
					fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\n", f.Job, f.RowID, f.Tries, f.AddTime.Format(time.RFC3339),
						f.RetryTime.Format(time.RFC3339), strings.Join(strings.Fields(f.LastError), " "))
				}
				return w.Flush()
			})
		},
	}
	c.Flags().IntVar(&limit, "limit", 100, "the most rows")
	return c
}

func jobsRetry(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "retry JOB ROW...",
		Short: "Let a job try rows again at once that it has set aside",
		Args:  cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			rows, err := ids(args[1:])
			if err != nil {
				return err
			}
			return p.acting(c, "job_failure", func(ctx context.Context, s shop) error {
				return eachID(c, rows, "is due again", "is not set aside", func(row int64) (bool, error) {
					return s.RetryRow(ctx, args[0], row)
				})
			})
		},
	}
}
