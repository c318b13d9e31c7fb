package domain

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"shop.internal/pkg/domain/audit"
)

// Folders of the object store. Heads have one of their own, in the form that the release before reads.
const (
	headFolder  = "audit-head"
	purgeFolder = "audit-purge"
)

// keptPurge is the form of a text in purgeFolder: the last record that is or will be purged, the newest head that was
// kept with such a text, and, for people, the retention in force.
const keptPurge = "purged=%d:%s head=%s retention=%s"

// keepHead writes the head of the audit records, and up to which one they are purged, where whoever can write to the
// database cannot: to the log and to the object store. Only a verification that has found nothing may, or the head of a
// forged chain would follow the true one; and an operator who accepts that records were lost. The head is written last:
// from then on each purge must have been kept.
func (d *Domain) keepHead(ctx context.Context, purged audit.Head) error {
	head, err := d.Audit.Head(ctx)
	if err != nil {
		return err
	}
	d.log.InfoContext(ctx, "the head of the audit records", "head", head.String(), "purged", purged.Number,
		"retention", d.retention.Audit.String())
	if err := d.keepPurge(ctx, head, purged); err != nil {
		return err
	}
	if err := d.Storage.Keep(ctx, headFolder, head.String()); err != nil {
		return fmt.Errorf("keep the head of the audit records: %w", err)
	}
	return nil
}

// keepVerified keeps the head after a verification that has found nothing. It fails with audit.ErrBroken if the chain
// does not agree with what was kept any more: it may have changed since it was read.
func (d *Domain) keepVerified(ctx context.Context) error {
	purged, found, err := d.Audit.Purged(ctx)
	if err != nil || !found {
		return err
	}
	k, err := d.kept(ctx, purged.Number)
	if err != nil {
		return err
	}
	holds, err := d.Audit.Holds(ctx, k.Newest)
	if err != nil {
		return err
	}
	if !holds || k.Purged.Number != purged.Number || k.Purged.Seal != "" && k.Purged.Seal != purged.Seal {
		return audit.ErrBroken
	}
	return d.keepHead(ctx, purged)
}

// keepPurge keeps the last record that is or will be purged.
func (d *Domain) keepPurge(ctx context.Context, newest, purged audit.Head) error {
	text := fmt.Sprintf(keptPurge, purged.Number, purged.Seal, newest, d.retention.Audit)
	if err := d.Storage.Keep(ctx, purgeFolder, text); err != nil {
		return fmt.Errorf("keep up to which audit record is purged: %w", err)
	}
	return nil
}

// purgeRecords purges audit records written before a time. It first keeps up to which one, with its seal, so that a
// verification can tell the purge from records that were removed in another way.
func (d *Domain) purgeRecords(ctx context.Context, before time.Time) (int, error) {
	return d.Audit.Purge(ctx, before, d.kept, func(ctx context.Context, k audit.Kept, last audit.Head) error {
		if !k.Strict {
			k.Newest = audit.Head{}
		}
		return d.keepPurge(ctx, k.Newest, last)
	})
}

// kept returns what was kept of the audit records. The number of a purge need not have been kept where no text names
// the newest head: an earlier release has kept that one, and purges without a text.
func (d *Domain) kept(ctx context.Context, purged int64) (k audit.Kept, err error) {
	if k.Newest, err = d.keptHead(ctx); err != nil {
		return k, err
	}
	var first, same *audit.Head
	for text, err := range d.Storage.Kept(ctx, purgeFolder) {
		var last audit.Head
		var newest, retention string
		if err == nil {
			_, err = fmt.Sscanf(text, keptPurge, &last.Number, &last.Seal, &newest, &retention)
		}
		if err != nil {
			return k, fmt.Errorf("read up to which audit record is purged: %w", err)
		}
		if first == nil {
			first = &last
		}
		if same == nil && last.Number == purged {
			same = &last
		}
		k.Strict = k.Strict || k.Newest.Number > 0 && newest == k.Newest.String()
		if k.Strict && same != nil {
			break
		}
	}
	switch {
	case same != nil:
		k.Purged = *same
	case k.Strict && purged > 0:
		k.Purged = *first
	default:
		k.Purged.Number = purged
	}
	return k, nil
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

// LostRecords describes audit records that the object store proves and the database does not have, as after the restore
// of an earlier state of either.
type LostRecords struct {
	// Kept is the newest head in the object store.
	Kept audit.Head
	// Chain is the newest head in the database, and Common the newest one that both have; zero for none.
	Chain, Common audit.Head
	// Purged is the number of the last purged record in the database, and Confirmed that in the object store.
	Purged, Confirmed int64
}

// LostRecords returns the audit records that were lost, false if the database agrees with the object store, or nothing
// was kept there.
func (d *Domain) LostRecords(ctx context.Context) (lost LostRecords, some bool, err error) {
	if lost.Purged, err = d.Audit.PurgedNumber(ctx); err != nil {
		return lost, false, err
	}
	k, err := d.kept(ctx, lost.Purged)
	if err != nil {
		return lost, false, err
	}
	lost.Kept, lost.Confirmed = k.Newest, k.Purged.Number
	for head, err := range d.keptHeads(ctx) {
		if err != nil {
			return lost, false, fmt.Errorf("read the kept heads of the audit records: %w", err)
		}
		holds, err := d.Audit.Holds(ctx, head)
		if err != nil {
			return lost, false, err
		}
		if holds && (head.Number > lost.Purged || lost.Purged == lost.Confirmed) {
			lost.Common = head
			break
		}
	}
	lost.Chain, err = d.Audit.Head(ctx)
	return lost, lost.Common != lost.Kept || lost.Confirmed != lost.Purged, err
}

// AcceptLoss records in the chain of audit records which ones were lost and who accepted that, and keeps the head of
// the chain with this record, which later verifications compare. It fails with audit.ErrBroken for a chain with other
// faults, which no restore causes, and if kept is no longer the newest head in the object store.
func (d *Domain) AcceptLoss(ctx context.Context, kept audit.Head) error {
	lost, _, err := d.LostRecords(ctx)
	if err != nil {
		return err
	}
	if lost.Kept != kept {
		return errors.New("another head of the audit records was stored since")
	}
	err = audit.Verify(ctx, d.db, audit.Unkept, func(audit.Fault) error { return audit.ErrBroken })
	if err != nil {
		return fmt.Errorf("accept the loss of audit records: %w", err)
	}
	accepted := map[string]any{"newest": lost.Chain.Number, "common": lost.Common.Number}
	if lost.Common != lost.Kept {
		accepted["lost"] = lost.Kept.String()
	}
	if lost.Confirmed != lost.Purged {
		accepted["purged"], accepted["confirmed"] = lost.Purged, lost.Confirmed
	}
	if err := d.Audit.Conclude(ctx, audit.Change{After: accepted}); err != nil {
		return err
	}
	if err := d.Audit.SealAll(ctx); err != nil {
		return err
	}
	purged, _, err := d.Audit.Purged(ctx)
	if err != nil {
		return err
	}
	return d.keepHead(ctx, purged)
}
