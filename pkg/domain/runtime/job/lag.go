package job

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
)

// Progress shows whether jobs run in time, on whichever replica.
type Progress struct {
	db   *db.DB
	jobs []Job

	mu     sync.Mutex
	ages   map[string]time.Duration // since the last end, nil if unknown
	failed map[string]int64         // rows set aside
}

// NewProgress returns the progress of jobs with their configured periods.
func NewProgress(d *db.DB, jobs ...Job) *Progress { return &Progress{db: d, jobs: jobs} }

// Refresh reads the progress, by the clock of the database.
func (p *Progress) Refresh(ctx context.Context) error {
	ages, err := agesOf(ctx, p.db)
	var failed map[string]int64
	if err == nil {
		failed, err = failedRows(ctx, p.db)
	}
	if err != nil {
		ages, failed = nil, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ages, p.failed = ages, failed
	if err != nil {
		return fmt.Errorf("look at the progress of jobs: %w", err)
	}
	return nil
}

// Lag returns the seconds since the last run of a job ended, less the job's period; 0 if it is in time. It is not a
// number where that is unknown, also for a job that has never run.
func (p *Progress) Lag(name string) float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	age, known := p.ages[name]
	if !known {
		return math.NaN()
	}
	for _, j := range p.jobs {
		if j.Name == name {
			age -= j.Every
		}
	}
	return max(age, 0).Seconds()
}

// Failed returns the number of rows that a job has set aside. It is not a number where that is unknown.
func (p *Progress) Failed(name string) float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed == nil {
		return math.NaN()
	}
	return float64(p.failed[name])
}

func agesOf(ctx context.Context, q db.Querier) (map[string]time.Duration, error) {
	var rows []struct {
		Name string
		Us   int64
	}
	err := table.Scan(ctx, q, &rows,
		`SELECT name, TIMESTAMPDIFF(MICROSECOND, last_end, UTC_TIMESTAMP(3)) AS us FROM job_lease
		WHERE last_end IS NOT NULL`)
	ages := make(map[string]time.Duration, len(rows))
	for _, r := range rows {
		ages[r.Name] = time.Duration(r.Us) * time.Microsecond
	}
	return ages, err
}

func failedRows(ctx context.Context, q db.Querier) (map[string]int64, error) {
	var rows []struct {
		Job string
		N   int64
	}
	err := table.Scan(ctx, q, &rows, "SELECT job, COUNT(*) AS n FROM job_failure GROUP BY job")
	failed := make(map[string]int64, len(rows))
	for _, r := range rows {
		name, _, _ := strings.Cut(r.Job, ".")
		failed[name] += r.N
	}
	return failed, err
}

// State is what a job did last, on whichever replica.
type State struct {
	Job
	// Start and End are the last ones, zero for none. Running says that a replica holds the lease.
	Start, End time.Time
	Running    bool
	// Note is how many records it changed, and why it failed if it did.
	Note string
	// Lag is how much longer than its period ago it ended, 0 if it is in time. It is 0 for a job that has never run.
	Lag time.Duration
	// Aside is the number of rows that it has set aside.
	Aside int64
}

// Failed reports whether the last run failed.
func (s State) Failed() bool { return strings.Contains(s.Note, failedNote) }

// States returns the states of all jobs, by the clock of the database.
func (p *Progress) States(ctx context.Context) ([]State, error) {
	var rows []struct {
		Name               string
		LastStart, LastEnd *time.Time
		LastNote           string
		Running            bool
		Us                 *int64
	}
	err := table.Scan(ctx, p.db, &rows,
		`SELECT name, last_start, last_end, last_note, lease_until > UTC_TIMESTAMP(3) AS running,
			TIMESTAMPDIFF(MICROSECOND, last_end, UTC_TIMESTAMP(3)) AS us
		FROM job_lease`)
	if err != nil {
		return nil, fmt.Errorf("read what the jobs did: %w", err)
	}
	aside, err := failedRows(ctx, p.db)
	if err != nil {
		return nil, fmt.Errorf("count the rows set aside: %w", err)
	}
	states := make([]State, len(p.jobs))
	for i, j := range p.jobs {
		states[i] = State{Job: j, Aside: aside[j.Name]}
		for _, r := range rows {
			if r.Name != j.Name {
				continue
			}
			s := &states[i]
			s.Note, s.Running = r.LastNote, r.Running
			if r.LastStart != nil {
				s.Start = *r.LastStart
			}
			if r.LastEnd != nil && r.Us != nil {
				s.End = *r.LastEnd
				s.Lag = max(time.Duration(*r.Us)*time.Microsecond-j.Every, 0)
			}
		}
	}
	return states, nil
}
