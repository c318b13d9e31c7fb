package audit

import (
	"context"
	"errors"
	"fmt"

	"shop.internal/pkg/domain/internal/counter"
	"shop.internal/pkg/domain/internal/db"
)

// Fault is a record that differs from what was sealed, or a number of the chain without a record.
type Fault struct {
	// Key is the id of the record, or "seal N" for a number.
	Key string
	// What describes the fault; Found is the stored value, Expected the one that it should be.
	What, Found, Expected string
}

// ErrBroken says that the chain has a fault.
var ErrBroken = errors.New("audit records were altered or removed")

// Kept is what was kept of the chain where whoever can write to the database cannot.
type Kept struct {
	// Newest is the newest head, zero for none.
	Newest Head
	// Purged is the last record that was purged. Its number is the one in the database, unless another was kept.
	// Its seal is empty where none was kept.
	Purged Head
	// Strict reports whether the number of a purge must have been kept.
	Strict bool
}

// KeptFunc returns what was kept, given the number of the last purged record in the database.
type KeptFunc func(ctx context.Context, purged int64) (Kept, error)

// Unkept returns what was kept of a chain of which nothing was.
func Unkept(_ context.Context, purged int64) (Kept, error) {
	return Kept{Newest: Head{}, Purged: Head{Number: purged}, Strict: false}, nil
}

// Verify walks the chain and calls found for every fault: a record that was altered, removed (also at the ends) or
// inserted. It must still have the head that was kept, and begin after the record that was kept as purged. Its memory
// does not grow with the chain. Unsealed records are no fault. An error of found ends the walk.
func Verify(ctx context.Context, q db.Querier, kept KeptFunc, found func(Fault) error) error {
	purged, err := counter.Stored(ctx, q, scopePurged)
	if err != nil {
		return err
	}
	sealed, err := counter.Stored(ctx, q, scopeSealed) // read before the walk; records sealed during it only add
	if err != nil {
		return err
	}
	recorded, err := recordedPurge(ctx, q)
	if err != nil {
		return err
	}
	k, err := kept(ctx, purged) // read after the number, which a purge changes after it was kept
	if err != nil {
		return fmt.Errorf("read what was kept of the audit records: %w", err)
	}
	last, should := k.Purged, k.Purged.Number
	if should == purged {
		should = min(purged, recorded)
	}
	if should != purged {
		last = Head{Number: purged}
		if err := found(Fault{"the purge", "last number purged", fmt.Sprint(purged), fmt.Sprint(should)}); err != nil {
			return err
		}
	}
	for {
		rows, err := sealedAfter(ctx, q, last.Number)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if last, err = purgedBefore(ctx, q, last, r.SealNo); err != nil {
				return err
			}
			if err := r.verify(last, found); err != nil {
				return err
			}
			last = Head{r.SealNo, r.SealHash}
		}
		if len(rows) < batch {
			break
		}
	}
	if last, err = purgedBefore(ctx, q, last, sealed+1); err != nil {
		return err
	}
	if err := missing(last.Number+1, sealed, found); err != nil {
		return err
	}
	if purged, err = counter.Stored(ctx, q, scopePurged); err != nil { // a purge may have removed the newest head
		return err
	}
	holds, err := holds(ctx, q, k.Newest, purged)
	if err == nil && !holds {
		err = found(Fault{fmt.Sprintf("seal %d", k.Newest.Number), "the head that was kept", "missing", k.Newest.String()})
	}
	return err
}

// purgedBefore returns the last number before the next record: that of the record before, or if that is not the one
// before, the last one that was purged during the walk.
func purgedBefore(ctx context.Context, q db.Querier, last Head, next int64) (Head, error) {
	if last.Number+1 >= next {
		return last, nil
	}
	purged, err := counter.Stored(ctx, q, scopePurged)
	if purged = min(purged, next-1); purged > last.Number {
		last = Head{Number: purged}
	}
	return last, err
}

// verify checks a record against its seal and the previous one. The first record that was not purged has no previous
// one to check where its seal was not kept.
func (r row) verify(last Head, found func(Fault) error) error {
	if err := missing(last.Number+1, r.SealNo-1, found); err != nil {
		return err
	}
	seal, err := r.seal(r.SealNo, r.SealPrev)
	if err != nil {
		return err
	}
	if seal != r.SealHash {
		if err := found(Fault{fmt.Sprint(r.ID), "seal of the record", r.SealHash, seal}); err != nil {
			return err
		}
	}
	expected := last.Seal
	if r.SealNo == 1 {
		expected = origin
	}
	adjacent := last.Number == r.SealNo-1 && expected != ""
	if adjacent && r.SealPrev != expected {
		return found(Fault{fmt.Sprint(r.ID), "seal of the record before it", r.SealPrev, expected})
	}
	return nil
}

// missing reports a range of numbers without records as one fault.
func missing(from, to int64, found func(Fault) error) error {
	switch {
	case from > to:
		return nil
	case from == to:
		return found(Fault{fmt.Sprintf("seal %d", from), "record", "missing", "there"})
	}
	return found(Fault{fmt.Sprintf("seal %d to %d", from, to), "records", "missing", "there"})
}

// Holds reports whether the chain still has this seal at this number; a purged number counts as unchanged.
func (s *Service) Holds(ctx context.Context, h Head) (bool, error) {
	purged, err := s.PurgedNumber(ctx)
	if err != nil {
		return false, err
	}
	return holds(ctx, s.db, h, purged)
}

// PurgedNumber returns the number of the last purged record in the database, 0 for none.
func (s *Service) PurgedNumber(ctx context.Context) (int64, error) {
	return counter.Stored(ctx, s.db, scopePurged)
}

func holds(ctx context.Context, q db.Querier, h Head, purged int64) (bool, error) {
	if h.Number <= purged {
		return true, nil
	}
	rows, err := sealedAfter(ctx, q, h.Number-1)
	return len(rows) > 0 && rows[0].SealNo == h.Number && rows[0].SealHash == h.Seal, err
}

// sealedAfter returns a batch of sealed records after a number.
func sealedAfter(ctx context.Context, q db.Querier, place int64) ([]row, error) {
	return records.Find(ctx, q, "r.seal_no > ? ORDER BY r.seal_no LIMIT ?", place, batch)
}
