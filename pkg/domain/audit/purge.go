package audit

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/counter"
	"shop.internal/pkg/domain/internal/db"
)

// Purge deletes a batch of sealed records written before a time, oldest first, and returns how many. The chain then
// begins where they ended; its newest record always stays. Before it deletes anything it calls announce with the last
// record that it will delete; an error of that prevents the purge. It fails with ErrBroken, and deletes nothing, if the
// batch has a fault, if the newest head that was kept is missing, or if the chain does not begin where it was kept.
func (s *Service) Purge(
	ctx context.Context, before time.Time, kept KeptFunc, announce func(context.Context, Kept, Head) error,
) (int, error) {
	n, err := s.purge(ctx, before, kept, announce)
	if err != nil {
		return 0, fmt.Errorf("purge the audit records: %w", err)
	}
	return n, nil
}

func (s *Service) purge(
	ctx context.Context, before time.Time, kept KeptFunc, announce func(context.Context, Kept, Head) error,
) (n int, err error) {
	purged, err := counter.Stored(ctx, s.db, scopePurged)
	if err != nil {
		return 0, err
	}
	rows, err := sealedAfter(ctx, s.db, purged)
	if err != nil || len(rows) == 0 || rows[0].AddTime.After(before) {
		return 0, err
	}
	k, err := kept(ctx, purged)
	if err != nil {
		return 0, err
	}
	holds, err := holds(ctx, s.db, k.Newest, purged)
	if err != nil {
		return 0, err
	}
	if !holds || k.Purged.Number != purged {
		return 0, ErrBroken
	}
	last, err := oldest(rows, k, before)
	if err != nil || last.Number == purged {
		return 0, err
	}
	if err := announce(ctx, k, last); err != nil {
		return 0, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		gone, err := records.Delete(ctx, tx, "seal_no <= ?", last.Number)
		if n = int(gone); err != nil || n == 0 { // another process has purged them
			return err
		}
		if err := recordPurge(ctx, tx, last.Number, s.now()); err != nil {
			return err
		}
		return counter.Store(ctx, tx, scopePurged, last.Number, s.now())
	})
	return n, err
}

// oldest returns the last record of a batch that was written before a time, or the one before the batch. The records
// must continue what was kept without a gap: the time of one that does not proves nothing about those before it.
func oldest(rows []row, k Kept, before time.Time) (Head, error) {
	last := k.Purged
	for _, r := range rows[:len(rows)-1] {
		if err := r.verify(last, func(Fault) error { return ErrBroken }); err != nil {
			return last, err
		}
		if r.SealNo == k.Newest.Number && r.SealHash != k.Newest.Seal {
			return last, ErrBroken
		}
		if r.AddTime.After(before) {
			break
		}
		last = Head{r.SealNo, r.SealHash}
	}
	return last, nil
}

// purging is the operation of the records of purges, which no operator calls.
const purging = "purge"

// recordPurge records that the chain begins after a number, so that only a purge can make it begin later.
func recordPurge(ctx context.Context, tx *db.Tx, last int64, at time.Time) error {
	after := fmt.Sprintf(`{"purged":%d}`, last)
	_, err := records.Insert(ctx, tx, row{
		MethodPath: purging, TargetType: records.Name(), TargetID: last, AfterJSON: &after, AddTime: at,
	})
	if err != nil {
		return fmt.Errorf("record a purge up to %d: %w", last, err)
	}
	return nil
}

// recordedPurge returns up to which number the records say that they were purged.
func recordedPurge(ctx context.Context, q db.Querier) (int64, error) {
	r, _, err := records.One(ctx, q, "r.target_type = ? AND r.method_path = ? ORDER BY r.target_id DESC LIMIT 1",
		records.Name(), purging)
	return r.TargetID, err
}

// Purged returns the last record before the first one of the chain, false if none is sealed.
func (s *Service) Purged(ctx context.Context) (last Head, found bool, err error) {
	first, found, err := records.One(ctx, s.db, "r.seal_no IS NOT NULL ORDER BY r.seal_no LIMIT 1")
	return Head{first.SealNo - 1, first.SealPrev}, found, err
}
