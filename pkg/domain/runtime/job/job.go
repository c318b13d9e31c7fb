// Package job runs scheduled jobs on one replica at a time. Every replica may run the runner: a lease in MySQL, by the
// database's clock, decides which one works, and a job whose holder dies is taken over when its lease ends.
package job

import (
	"context"
	"time"
)

// Job is a scheduled job. Run handles one batch and returns how many records it changed, so that an interrupted run
// loses nothing; while that is not zero, it is called again at once. It must be safe to run twice.
type Job struct {
	Name string
	// Does describes the job for the documentation.
	Does string
	// Every is the default period. MaxEvery is the longest one that a deployment may configure, and so the maximum
	// delay of due work.
	Every, MaxEvery time.Duration
	Run             func(ctx context.Context) (changed int, err error)
}
