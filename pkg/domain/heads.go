package domain

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"shop.internal/pkg/domain/audit"
)

// headFolder is the folder of the object store with the heads of the audit records.
const headFolder = "audit-head"

// keepHead writes the head of the audit records where whoever can write to the database cannot: to the log and to the
// object store. Only a verification that has found nothing may, or the head of a forged chain would follow the true
// one; and an operator who accepts that records were lost.
func (d *Domain) keepHead(ctx context.Context) error {
	head, err := d.Audit.Head(ctx)
	if err != nil || head.Number == 0 {
		return err
	}
	d.log.InfoContext(ctx, "the head of the audit records", "head", head.String())
	if err := d.Storage.Keep(ctx, headFolder, head.String()); err != nil {
		return fmt.Errorf("keep the head of the audit records: %w", err)
	}
	return nil
}

// keptHeads returns the heads of the audit records in the object store, the newest first.
func (d *Domain) keptHeads(ctx context.Context) iter.Seq2[audit.Head, error] {
	return func(yield func(audit.Head, error) bool) {
		for text, err := range d.Storage.Kept(ctx, headFolder) {
			var head audit.Head
			if err == nil {
				head, err = audit.ParseHead(text)
			}
			if !yield(head, err) {
				return
			}
		}
	}
}

// keptHead returns the newest head of the audit records in the object store, the zero head if there is none.
func (d *Domain) keptHead(ctx context.Context) (audit.Head, error) {
	for head, err := range d.keptHeads(ctx) {
		return head, err
	}
	return audit.Head{}, nil
}

// HeadKept reports whether the object store has a head of the audit records.
func (d *Domain) HeadKept(ctx context.Context) (bool, error) {
	head, err := d.keptHead(ctx)
	return head.Number > 0, err
}

// LostRecords describes audit records that a head in the object store proves and the database does not have, as after
// the restore of an earlier state.
type LostRecords struct {
	// Kept is the newest head in the object store.
	Kept audit.Head
	// Chain is the newest head in the database, and Common the newest one that both have; zero for none.
	Chain, Common audit.Head
}

// LostRecords returns the audit records that were lost, false if the database has the newest head in the object store,
// or none was kept.
func (d *Domain) LostRecords(ctx context.Context) (lost LostRecords, some bool, err error) {
	for head, err := range d.keptHeads(ctx) {
		if err != nil {
			return lost, false, fmt.Errorf("read the kept heads of the audit records: %w", err)
		}
		holds, err := d.Audit.Holds(ctx, head)
		if err != nil {
			return lost, false, err
		}
		if holds {
			lost.Common = head
			break
		}
		if !some {
			lost.Kept, some = head, true
		}
	}
	lost.Chain, err = d.Audit.Head(ctx)
	return lost, some, err
}

// AcceptLoss records in the chain of audit records which ones were lost and who accepted that, and keeps the head of
// the chain with this record, which later verifications compare. It fails with ErrChainBroken for a chain with other
// faults, which no restore causes, and if kept is no longer the newest head in the object store.
func (d *Domain) AcceptLoss(ctx context.Context, kept audit.Head) error {
	lost, _, err := d.LostRecords(ctx)
	if err != nil {
		return err
	}
	if lost.Kept != kept {
		return errors.New("another head of the audit records was stored since")
	}
	err = audit.Verify(ctx, d.db, audit.Head{}, func(audit.Fault) error { return ErrChainBroken })
	if err != nil {
		return fmt.Errorf("accept the loss of audit records: %w", err)
	}
	err = d.Audit.Conclude(ctx, audit.Change{After: map[string]any{
		"lost": lost.Kept.String(), "newest": lost.Chain.Number, "common": lost.Common.Number,
	}})
	if err != nil {
		return err
	}
	if err := d.Audit.SealAll(ctx); err != nil {
		return err
	}
	return d.keepHead(ctx)
}

// ErrChainBroken says that the chain of audit records has faults besides a head that it does not have.
var ErrChainBroken = errors.New("audit records were altered or removed")
