package payment

import (
	"context"
	"strconv"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

// countForged adds to the one row that counts the forged notices of a window that are not stored. All processes share
// it.
func countForged(ctx context.Context, q db.Querier, channel string, window time.Time, more int, now time.Time) error {
	return q.G(ctx).Exec("INSERT INTO payment_notify (channel, notify_id, kind, signature_ok, body, add_time) "+
		"VALUES (?, ?, ?, 0, ?, ?) ON DUPLICATE KEY UPDATE body = CAST(body AS UNSIGNED) + ?",
		channel, "bad-more-"+window.UTC().Format("20060102T15"), aboutPayment, strconv.Itoa(more), now, more).Error
}

// disorder is by how much the numbers of notices may be out of the order of their times: servers of a cluster take
// numbers in blocks.
const disorder = 100_000

// emptyNotices takes the bodies from notices of a time gone by, and removes the forged ones. What is purged is read
// first and named by its key, and what has been purged before is not read again.
func emptyNotices(ctx context.Context, q db.Querier, before time.Time, limit int) (int, error) {
	from, err := firstFull(ctx, q)
	if err != nil {
		return 0, err
	}
	var rows []struct {
		ID          int64
		SignatureOk bool
		AddTime     time.Time
	}
	err = q.G(ctx).Raw("SELECT id, signature_ok, add_time FROM payment_notify WHERE id >= ? AND body IS NOT NULL "+
		"ORDER BY id LIMIT ?", from-disorder, limit).Scan(&rows).Error
	if err != nil {
		return 0, err
	}
	var signed, forged []int64
	for _, r := range rows {
		switch {
		case r.AddTime.After(before): // the next ones may be older still
		case r.SignatureOk:
			signed = append(signed, r.ID)
		default:
			forged = append(forged, r.ID)
		}
	}
	done := 0
	for statement, ids := range map[string][]int64{
		"UPDATE payment_notify SET body = NULL WHERE id IN ?": signed,
		"DELETE FROM payment_notify WHERE id IN ?":            forged,
	} {
		if len(ids) == 0 {
			continue
		}
		res := q.G(ctx).Exec(statement, ids)
		if res.Error != nil {
			return done, res.Error
		}
		done += int(res.RowsAffected)
	}
	return done, nil
}

// firstFull finds where the notices begin that have their bodies, by halving: the ones before were emptied earlier. It
// may be wrong by as much as the numbers are out of order.
func firstFull(ctx context.Context, q db.Querier) (int64, error) {
	var ends struct{ Low, High int64 }
	err := q.G(ctx).Raw("SELECT COALESCE(MIN(id), 0) AS low, COALESCE(MAX(id), 0) AS high FROM payment_notify").
		Scan(&ends).Error
	low, high := ends.Low, ends.High
	for err == nil && low < high {
		middle := low + (high-low)/2
		var next struct {
			ID      int64
			Emptied bool
		}
		err = q.G(ctx).Raw("SELECT id, body IS NULL AS emptied FROM payment_notify WHERE id >= ? ORDER BY id LIMIT 1",
			middle).Scan(&next).Error
		if next.Emptied {
			low = next.ID + 1
		} else {
			high = middle
		}
	}
	return low, err
}
