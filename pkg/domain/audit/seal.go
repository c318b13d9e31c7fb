package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/job"
)

// Service seals the records and knows whether the chain holds.
//
// A seal is a hash over a record, its place and the seal before it. It is set by one job after the record's
// transaction, so that operators never wait for each other. Who alters, removes or inserts a record breaks every seal
// after it; who calculates all of them anew changes the newest seal, which is why an operator of the system notes it
// elsewhere from time to time (see Head).
type Service struct {
	db  *db.DB
	now func() time.Time
}

// New returns the audit of a database.
func New(d *db.DB, now func() time.Time) *Service { return &Service{db: d, now: now} }

// batch is the most records that one transaction seals or removes.
const batch = 500

// SealJob is the name of the job that chains the records. What it does is no change of the shop.
const SealJob = "auditSeal"

// Jobs returns the work that time does.
func (s *Service) Jobs() []job.Job {
	return []job.Job{{
		Name: SealJob, Every: time.Second, Most: time.Minute, Run: s.Seal,
		Does: "chains the records of what operators changed",
	}}
}

// Head is a place in the chain with its seal.
type Head struct {
	Place int64
	Seal  string
}

// String writes the head as "place:seal".
func (h Head) String() string { return strconv.FormatInt(h.Place, 10) + ":" + h.Seal }

// ParseHead reads what String writes.
func ParseHead(text string) (Head, error) {
	place, seal, found := strings.Cut(text, ":")
	n, err := strconv.ParseInt(place, 10, 64)
	if !found || err != nil || n < 1 || len(seal) != len(origin) {
		return Head{}, fmt.Errorf("%q is no place in the chain of records: want a number, a colon and 64 hexadecimal "+
			"digits", text)
	}
	return Head{n, seal}, nil
}

// origin is what the first record is chained to.
const origin = "0000000000000000000000000000000000000000000000000000000000000000"

// Head returns the newest seal, place 0 where nothing is sealed yet.
func (s *Service) Head(ctx context.Context) (Head, error) { return head(ctx, s.db) }

// Seal chains the records that are not sealed yet, at most one batch, and reports how many. Two at once do no harm: the
// places are unique, and the later one starts anew.
func (s *Service) Seal(ctx context.Context) (int, error) {
	n := 0
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		rows, err := unsealed(ctx, tx)
		if err != nil || len(rows) == 0 {
			n = 0
			return err
		}
		last, err := head(ctx, tx)
		if err != nil {
			return err
		}
		// A place is never given twice, so that records missing at the end stay missing.
		sealed, err := total(ctx, tx, scopeSealed)
		if err != nil {
			return err
		}
		last.Place = max(last.Place, sealed)
		for _, r := range rows {
			next := Head{Place: last.Place + 1}
			if next.Seal, err = r.seal(next.Place, last.Seal); err != nil {
				return err
			}
			if err := setSeal(ctx, tx, r.ID, next, last.Seal); err != nil {
				return err
			}
			last = next
		}
		n = len(rows)
		return keepTotal(ctx, tx, scopeSealed, last.Place, s.now())
	})
	if err != nil {
		return 0, fmt.Errorf("seal the records of changes: %w", err)
	}
	return n, nil
}

// seal returns the record's hash at a place after a seal. The members stand in an array, whose encoding leaves no doubt
// about where one ends.
func (r row) seal(place int64, previous string) (string, error) {
	body, err := json.Marshal([]any{
		place, previous, r.ID, r.AdminID, r.AdminName, r.IP, r.Permission, r.MethodPath, r.TargetType, r.TargetID,
		r.BeforeJSON, r.AfterJSON, r.Errno, r.RequestID, r.AddTime.UTC().UnixMilli(),
	})
	if err != nil {
		return "", fmt.Errorf("seal record %d: %w", r.ID, err)
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:]), nil
}

// Purge removes sealed records from before a moment, the oldest first and at most one batch, and reports how many. The
// chain then begins where they ended.
func (s *Service) Purge(ctx context.Context, before time.Time) (int, error) {
	n := 0
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		old, err := oldest(ctx, tx, before)
		if err != nil || len(old) == 0 {
			n = 0
			return err
		}
		if n, err = remove(ctx, tx, old); err != nil {
			return err
		}
		return keepTotal(ctx, tx, scopePurged, old[len(old)-1].SealNo, s.now())
	})
	if err != nil {
		return 0, fmt.Errorf("purge the records of changes: %w", err)
	}
	return n, nil
}

// errMoved is a record that another process has sealed meanwhile.
var errMoved = errors.New("sealed by another process")

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
