// Package job runs scheduled work on one replica at a time. Every replica may have the runner on: a lease in MySQL,
// by the database's clock, decides which of them works, and a job whose holder dies is taken over when its lease
// ends.
package job

import (
	"context"
	"time"
)

// Job is one piece of scheduled work. Run handles one batch and reports how many records it changed, so that a run cut
// short costs nothing; while it reports any, it is called again at once. It must be harmless when it runs twice.
type Job struct {
	Name string
	// Does says what the job does, for the page that lists all jobs.
	Does string
	// Every is the time between two looks. Most is the longest that a deployment may choose instead: what is due is done
	// no later than that.
	Every, Most time.Duration
	Run         func(ctx context.Context) (changed int, err error)
}
