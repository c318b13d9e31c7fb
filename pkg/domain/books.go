package domain

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/platform/job"
	"shop.internal/pkg/domain/platform/text"
	"shop.internal/pkg/domain/report"
)

// verifyStep is how long one batch of the job verifies; a lease is longer.
const verifyStep = 4 * time.Second

// books is the nightly verification of this process: the round that is under way, and the result of the last one.
type books struct {
	mu    sync.Mutex
	round *report.Round
	found int
	at    time.Time
}

// Books returns how many disagreements the last verification by this process has found and when it ended; the time is
// zero before the first.
func (d *Domain) Books() (found int, at time.Time) {
	d.books.mu.Lock()
	defer d.books.mu.Unlock()
	return d.books.found, d.books.at
}

func (d *Domain) verifyJob() job.Job {
	return job.Job{
		Name: "verify", Every: 24 * time.Hour, MaxEvery: 7 * 24 * time.Hour, Run: d.verifyBooks,
		Does: "verifies the books as `shopctl verify` does, and notifies operators if they disagree",
	}
}

// verifyBooks verifies the next part of the books. It returns 1 until all are verified; then it notifies operators if
// anything disagrees, once for each round.
func (d *Domain) verifyBooks(ctx context.Context) (int, error) {
	d.books.mu.Lock()
	round := d.books.round
	d.books.round = nil
	d.books.mu.Unlock()
	if round == nil {
		round = d.Report.Begin()
	}
	done, failed := round.Step(ctx, verifyStep)
	d.books.mu.Lock()
	defer d.books.mu.Unlock()
	if !done && failed == nil {
		d.books.round = round
		return 1, nil
	}
	if failed != nil {
		failed = fmt.Errorf("verify the books: %w", failed)
	}
	switch {
	case round.Found > 0: // also if the rest could not be verified
		d.books.found, d.books.at = round.Found, d.now()
		d.log.ErrorContext(ctx, "the books disagree", "found", round.Found)
		return 0, errors.Join(failed, d.reportBooks(ctx, round))
	case failed != nil:
		return 0, failed
	}
	d.books.found, d.books.at = 0, d.now()
	return 0, d.keepVerified(ctx)
}

// reportBooks queues the notice of a round with disagreements.
func (d *Domain) reportBooks(ctx context.Context, round *report.Round) error {
	first := make([]string, len(round.First))
	for i, f := range round.First {
		first[i] = f.String()
	}
	return d.db.InTx(ctx, func(tx *db.Tx) error {
		return d.Outbox.Add(ctx, tx, topicNotice, "notice:books:"+d.now().Format("20060102T150405"), 0, messagePayload{
			Message: text.NoticeBooks.Key,
			Params:  map[string]string{"count": strconv.Itoa(round.Found), "first": strings.Join(first, "; ")},
		})
	})
}
