package audit

import (
	"context"
	"fmt"
	"time"

	"shop.internal/pkg/domain/internal/db"
)

// row is a record as it is stored.
type row struct {
	ID, AdminID, TargetID int64
	AdminName, IP         string
	Permission            string
	MethodPath            string
	TargetType            string
	BeforeJSON, AfterJSON *string
	Errno                 int
	RequestID             string
	AddTime               time.Time
	SealNo                int64
	SealPrev, SealHash    string
}

const columns = "id, admin_id, target_id, admin_name, ip, permission, method_path, target_type, before_json, " +
	"after_json, errno, request_id, add_time, COALESCE(seal_no, 0) AS seal_no, COALESCE(seal_prev, '') AS seal_prev, " +
	"COALESCE(seal_hash, '') AS seal_hash"

// The totals of the chain, kept apart from it: how many records were ever sealed, and how many of them, the first
// ones, were purged. They tell a record that is missing at either end from one that never was.
const (
	scopeSealed = "audit:sealed"
	scopePurged = "audit:purged"
)

// head is the newest sealed record; in an empty table the chain goes on where it was purged.
func head(ctx context.Context, q db.Querier) (Head, error) {
	var h []struct {
		SealNo   int64
		SealHash string
	}
	err := q.G(ctx).Raw("SELECT seal_no, seal_hash FROM audit_log WHERE seal_no IS NOT NULL ORDER BY seal_no DESC " +
		"LIMIT 1").
		Scan(&h).Error
	if err != nil {
		return Head{}, fmt.Errorf("read the newest seal: %w", err)
	}
	if len(h) == 1 {
		return Head{h[0].SealNo, h[0].SealHash}, nil
	}
	purged, err := total(ctx, q, scopePurged)
	return Head{purged, origin}, err
}

func unsealed(ctx context.Context, q db.Querier) ([]row, error) {
	var rows []row
	err := q.G(ctx).Raw("SELECT "+columns+" FROM audit_log WHERE seal_no IS NULL ORDER BY id LIMIT ?",
		batch).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read what is not sealed: %w", err)
	}
	return rows, nil
}

func setSeal(ctx context.Context, tx *db.Tx, id int64, h Head, previous string) error {
	res := tx.G(ctx).Exec("UPDATE audit_log SET seal_no = ?, seal_prev = ?, seal_hash = ? WHERE id = ? AND seal_no IS "+
		"NULL",
		h.Place, previous, h.Seal, id)
	if res.Error != nil {
		return fmt.Errorf("seal record %d: %w", id, res.Error)
	}
	if res.RowsAffected != 1 {
		return fmt.Errorf("seal record %d: %w", id, errMoved)
	}
	return nil
}

// sealedAfter returns a batch of sealed records after a place.
func sealedAfter(ctx context.Context, q db.Querier, place int64) ([]row, error) {
	var rows []row
	err := q.G(ctx).Raw("SELECT "+columns+" FROM audit_log WHERE seal_no > ? ORDER BY seal_no LIMIT ?", place, batch).
		Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the records after place %d: %w", place, err)
	}
	return rows, nil
}

type aged struct {
	ID, SealNo int64
	AddTime    time.Time
}

// oldest returns the first records of the chain as far as they are from before a moment.
func oldest(ctx context.Context, q db.Querier, before time.Time) ([]aged, error) {
	var first []aged
	err := q.G(ctx).Raw("SELECT id, seal_no, add_time FROM audit_log WHERE seal_no IS NOT NULL ORDER BY seal_no LIMIT ?",
		batch).Scan(&first).Error
	if err != nil {
		return nil, fmt.Errorf("look for old records: %w", err)
	}
	n := 0
	for n < len(first) && !first[n].AddTime.After(before) {
		n++
	}
	return first[:n], nil
}

func remove(ctx context.Context, tx *db.Tx, old []aged) (int, error) {
	ids := make([]int64, len(old))
	for i, r := range old {
		ids[i] = r.ID
	}
	res := tx.G(ctx).Exec("DELETE FROM audit_log WHERE id IN ?", ids)
	if res.Error != nil {
		return 0, fmt.Errorf("remove old records: %w", res.Error)
	}
	return int(res.RowsAffected), nil
}

func total(ctx context.Context, q db.Querier, scope string) (int64, error) {
	var n int64
	err := q.G(ctx).Raw("SELECT COALESCE(MAX(total), 0) FROM list_counter WHERE scope = ?", scope).Scan(&n).Error
	if err != nil {
		return 0, fmt.Errorf("read %s: %w", scope, err)
	}
	return n, nil
}

func keepTotal(ctx context.Context, tx *db.Tx, scope string, n int64, at time.Time) error {
	err := tx.G(ctx).Exec("INSERT INTO list_counter (scope, total, refresh_time) VALUES (?, ?, ?) "+
		"ON DUPLICATE KEY UPDATE total = VALUES(total), refresh_time = VALUES(refresh_time)", scope, n, at).Error
	if err != nil {
		return fmt.Errorf("write %s: %w", scope, err)
	}
	return nil
}
