package app

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"shop.internal/pkg/base/text"
	"shop.internal/pkg/domain/consistency"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/runtime/audit"
	"shop.internal/pkg/domain/runtime/job"
)

// verifyStep is how long one batch of the job verifies; a lease is longer.
const verifyStep = 4 * time.Second

// books is the verification by this process: the rounds that are under way by their checks, and the result of the last.
type books struct {
	mu     sync.Mutex
	rounds map[int64]*consistency.Run
	found  int
	at     time.Time
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

// verifyRequestedJob runs what verifyJob runs, as soon as an operator asks for it.
func (d *Domain) verifyRequestedJob() job.Job {
	return job.Job{
		Name: "verifyAsked", Every: 2 * time.Second, MaxEvery: time.Minute, Run: d.verifyAsked,
		Does: "verifies the books when an operator asks for it in the console",
	}
}

func (d *Domain) verifyBooks(ctx context.Context) (int, error) { return d.verify(ctx, true) }
func (d *Domain) verifyAsked(ctx context.Context) (int, error) { return d.verify(ctx, false) }

// verify verifies the next part of the books for the check that is live. A check whose process died begins anew. It
// returns 1 until all is verified; then it notifies operators if anything disagrees, once for each check.
func (d *Domain) verify(ctx context.Context, nightly bool) (int, error) {
	check, mine, err := d.Consistency.Next(ctx, nightly)
	if err != nil || !mine {
		return 0, err
	}
	round := d.books.take(check.ID)
	if round == nil {
		round = d.Consistency.Begin()
	}
	done, failed := false, errLate
	if !d.Consistency.Late(check) {
		done, failed = round.Step(ctx, verifyStep)
	}
	if failed != nil {
		failed = fmt.Errorf("verify the books: %w", failed)
	}
	if failed != nil && errors.Is(ctx.Err(), context.Canceled) {
		return 0, failed // the process ends, and another begins the check anew
	}
	over := done || failed != nil
	if err := d.Consistency.Note(context.WithoutCancel(ctx), check, round, over, failed); err != nil {
		return 0, errors.Join(failed, err)
	}
	if !over {
		d.books.keep(check.ID, round)
		return 1, nil
	}
	return 0, d.verified(ctx, round, failed)
}

var errLate = errors.New("it has taken too long")

// take returns the round of a check that this process has begun, nil for none, and forgets all.
func (b *books) take(check int64) *consistency.Run {
	b.mu.Lock()
	defer b.mu.Unlock()
	round := b.rounds[check]
	b.rounds = nil
	return round
}

func (b *books) keep(check int64, r *consistency.Run) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rounds = map[int64]*consistency.Run{check: r}
}

// verified ends a round.
func (d *Domain) verified(ctx context.Context, round *consistency.Run, failed error) error {
	d.books.mu.Lock()
	defer d.books.mu.Unlock()
	switch {
	case round.Found > 0: // also if the rest could not be verified
		d.books.found, d.books.at = round.Found, d.now()
		d.log.ErrorContext(ctx, "the books disagree", "found", round.Found)
		return errors.Join(failed, d.reportBooks(ctx, round))
	case failed != nil:
		return failed
	}
	d.books.found, d.books.at = 0, d.now()
	return d.keepHead(ctx)
}

// headFolder is the folder of the object store with the heads of the audit records.
const headFolder = "audit-head"

// keepHead writes the head of the audit records where whoever can write to the database cannot: to the log and to the
// object store. Only a verification that has found nothing may, or the head of a forged chain would follow the true
// one.
func (d *Domain) keepHead(ctx context.Context) error {
	head, err := d.Audit.Head(ctx)
	if err != nil || head.Number == 0 {
		return err
	}
	d.log.InfoContext(ctx, "the head of the audit records", "head", head.String())
	if err := d.Storage.Keep(ctx, headFolder, head.Number, head.String()); err != nil {
		return fmt.Errorf("keep the head of the audit records: %w", err)
	}
	return nil
}

// keptHead returns the newest head of the audit records in the object store, the zero head if there is none.
func (d *Domain) keptHead(ctx context.Context) (audit.Head, error) {
	kept, err := d.Storage.Kept(ctx, headFolder)
	if err != nil || kept == "" {
		return audit.Head{}, err
	}
	return audit.ParseHead(kept)
}

// HeadKept reports whether the object store has a head of the audit records.
func (d *Domain) HeadKept(ctx context.Context) (bool, error) {
	head, err := d.keptHead(ctx)
	return head.Number > 0, err
}

// reportBooks queues the notice of a round with disagreements.
func (d *Domain) reportBooks(ctx context.Context, round *consistency.Run) error {
	const listed = 5
	var first []string
	for _, f := range round.First[:min(listed, len(round.First))] {
		first = append(first, f.String())
	}
	return d.db.InTx(ctx, func(tx *db.Tx) error {
		return d.Outbox.Add(ctx, tx, topicNotice, "notice:books:"+d.now().Format("20060102T150405"), 0, messagePayload{
			Message: text.NoticeBooks.Key,
			Params:  map[string]string{"count": strconv.Itoa(round.Found), "first": strings.Join(first, "; ")},
		})
	})
}
