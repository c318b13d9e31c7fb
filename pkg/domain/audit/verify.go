package audit

import (
	"context"
	"fmt"

	"shop.internal/pkg/domain/internal/counter"
	"shop.internal/pkg/domain/internal/db"
)

// Fault is a record that is not what was sealed, or a place in the chain without a record.
type Fault struct {
	// Key is the id of the record, or "seal N" for a place.
	Key string
	// What is what is wrong; Says is what is there, Should what had to be.
	What, Says, Should string
}

// Verify walks the chain and calls found for every fault: a record that was altered, one that is missing, also at the
// ends, and one that was put in. It needs little memory however long the chain is. Records that wait for their seal are
// no fault. An error of found ends it.
func Verify(ctx context.Context, q db.Querier, found func(Fault) error) error {
	purged, err := counter.Stored(ctx, q, scopePurged)
	if err != nil {
		return err
	}
	sealed, err := counter.Stored(ctx, q, scopeSealed) // before the walk: what is sealed meanwhile only adds to it
	if err != nil {
		return err
	}
	last := Head{Number: purged}
	for {
		rows, err := sealedAfter(ctx, q, last.Number)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if err := r.verify(last, found); err != nil {
				return err
			}
			last = Head{r.SealNo, r.SealHash}
		}
		if len(rows) < batch {
			break
		}
	}
	return missing(last.Number+1, sealed, found)
}

// verify compares a record with its seal and with the one before it. The first record that was not purged has nothing
// before it to be compared with.
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

// missing reports places of the chain that no record has, all in one.
func missing(from, to int64, found func(Fault) error) error {
	switch {
	case from > to:
		return nil
	case from == to:
		return found(Fault{fmt.Sprintf("seal %d", from), "record", "missing", "there"})
	}
	return found(Fault{fmt.Sprintf("seal %d to %d", from, to), "records", "missing", "there"})
}

// Holds reports whether the chain still has this seal at this place; one whose place was purged is taken for good.
func (s *Service) Holds(ctx context.Context, h Head) (bool, error) {
	purged, err := counter.Stored(ctx, s.db, scopePurged)
	if err != nil || h.Number <= purged {
		return err == nil, err
	}
	rows, err := sealedAfter(ctx, s.db, h.Number-1)
	return len(rows) > 0 && rows[0].SealNo == h.Number && rows[0].SealHash == h.Seal, err
}

// sealedAfter returns a batch of sealed records after a place.
func sealedAfter(ctx context.Context, q db.Querier, place int64) ([]row, error) {
	return records.Find(ctx, q, "r.seal_no > ? ORDER BY r.seal_no LIMIT ?", place, batch)
}
