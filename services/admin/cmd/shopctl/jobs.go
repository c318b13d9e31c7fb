package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/job"
)

func jobs(p *program) *cobra.Command {
	return group("jobs", "Run the scheduled work outside the service, and look after what it cannot handle",
		jobsRun(p), jobsFailures(p), jobsRetry(p))
}

func jobsRun(p *program) *cobra.Command {
	var once bool
	c := &cobra.Command{
		Use:   "run [JOB...]",
		Short: "Run the scheduled jobs until interrupted",
		Long: "Runs all jobs on their schedules, or once each with --once. A job whose lease another process holds is " +
			"skipped. With names only these jobs run, once each.",
		RunE: func(c *cobra.Command, names []string) error {
			return p.with(c, func(ctx context.Context, s shop) error {
				chosen, err := choose(s.Jobs(), names)
				if err != nil {
					return err
				}
				s.config.WarnStaffGap(ctx, s.log)
				did := tally{}
				counted := did.of(chosen)
				recorded := audit.With(ctx, p.call(c, "job_lease"))
				if once || len(names) > 0 {
					err = runOnce(ctx, s, counted, c.OutOrStdout())
				} else {
					err = untilStopped(ctx, runOn(ctx, recorded, s, counted))
				}
				return errors.Join(err, did.record(recorded, s))
			})
		},
	}
	c.Flags().BoolVar(&once, "once", false, "run each job once and end")
	return c
}

// runOnce runs jobs one after the other and reports what each has changed.
func runOnce(ctx context.Context, s shop, jobs []job.Job, out io.Writer) error {
	for _, j := range jobs {
		changed, err := s.Runner().Once(ctx, j)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s: %d changed\n", j.Name, changed); err != nil {
			return err
		}
	}
	return nil
}

// runOn runs jobs until it is interrupted. It may run for weeks and be killed, so its start is recorded too.
func runOn(ctx, recorded context.Context, s shop, jobs []job.Job) error {
	if err := s.Audit.Act(recorded, audit.Change{After: map[string]any{"jobs": job.Names(jobs)}}); err != nil {
		return err
	}
	return s.RunnerOf(jobs...).Run(ctx)
}

// tally counts changes by job.
type tally struct {
	mu      sync.Mutex
	changed map[string]int
}

// of returns the jobs with their changes counted.
func (t *tally) of(jobs []job.Job) []job.Job {
	t.changed = map[string]int{}
	counted := slices.Clone(jobs)
	for i, j := range jobs {
		counted[i].Run = func(ctx context.Context) (int, error) {
			n, err := j.Run(ctx)
			if n > 0 {
				t.mu.Lock()
				t.changed[j.Name] += n
				t.mu.Unlock()
			}
			return n, err
		}
	}
	return counted
}

// record records what was changed. Sealing audit records does not count, otherwise each run would leave a record for
// the next one to seal.
func (t *tally) record(ctx context.Context, s shop) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.changed, audit.SealJob)
	if len(t.changed) == 0 {
		return nil
	}
	return s.Audit.Conclude(ctx, audit.Change{After: map[string]any{"changed": t.changed}})
}

// untilStopped treats an interruption as a regular end.
func untilStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)) {
		return nil
	}
	return err
}

// choose returns the jobs with the names, all without names.
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
		Short: "List the rows that jobs could not handle",
		Long: "Lists the rows that jobs could not handle, oldest first. Such a row is set aside and retried after a " +
			"minute, then at growing intervals of up to a day.",
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
				return aligned(c, "JOB\tROW\tTRIES\tSINCE\tNEXT\tCAUSE", all, func(f job.Failure) string {
					return fmt.Sprintf("%s\t%d\t%d\t%s\t%s\t%s", f.Job, f.RowID, f.Tries, f.AddTime.Format(time.RFC3339),
						f.RetryTime.Format(time.RFC3339), strings.Join(strings.Fields(f.LastError), " "))
				})
			})
		},
	}
	c.Flags().IntVar(&limit, "limit", 100, "the most rows")
	return c
}

func jobsRetry(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "retry JOB ROW...",
		Short: "Let a job retry failed rows at once",
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
