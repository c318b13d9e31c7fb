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

	"shop.internal/pkg/domain/internal/counter"
	"shop.internal/pkg/domain/internal/db"
	"shop.internal/pkg/domain/internal/lists"
	"shop.internal/pkg/domain/internal/table"
	"shop.internal/pkg/domain/platform/job"
)

// Service seals audit records and verifies the hash chain.
//
// A seal is a hash over a record, its number in the chain and the previous seal. A job sets it after the record's
// transaction, so that operators never wait for each other. Altering, removing or inserting a record breaks every later
// seal; recomputing all of them changes the newest seal, which the owner of the system therefore notes elsewhere from
// time to time (see Head).
type Service struct {
	db    *db.DB
	lists *lists.Engine
	now   func() time.Time
}

// New returns the service.
func New(d *db.DB, now func() time.Time) *Service {
	return &Service{db: d, lists: lists.New(d), now: now}
}

// batch is the number of records that one transaction seals or removes.
const batch = 500

// SealJob is the name of the job that seals records. Its work is no change of the shop.
const SealJob = "auditSeal"

// Jobs returns the scheduled job.
func (s *Service) Jobs() []job.Job {
	return []job.Job{{
		Name: SealJob, Every: time.Second, MaxEvery: time.Minute, Run: s.Seal,
		Does: "seals new audit records in the hash chain",
	}}
}

// Head is the newest number of the chain with its seal.
type Head struct {
	Number int64  `gorm:"column:seal_no"`
	Seal   string `gorm:"column:seal_hash"`
}

var heads = table.Part[Head](records)

// String formats the head as "number:seal".
func (h Head) String() string { return strconv.FormatInt(h.Number, 10) + ":" + h.Seal }

// ParseHead parses the format of String.
func ParseHead(text string) (Head, error) {
	place, seal, found := strings.Cut(text, ":")
	n, err := strconv.ParseInt(place, 10, 64)
	if !found || err != nil || n < 1 || len(seal) != len(origin) {
		return Head{}, fmt.Errorf("%q is no place in the chain of records: want a number, a colon and 64 hexadecimal "+
			"digits", text)
	}
	return Head{n, seal}, nil
}

// origin is the previous seal of the first record.
const origin = "0000000000000000000000000000000000000000000000000000000000000000"

// Counters beside the chain: how many records were ever sealed, and how many of the first ones were purged. They reveal
// records that are missing at either end.
const (
	scopeSealed = "audit:sealed"
	scopePurged = "audit:purged"
)

// Head returns the newest seal, number 0 if nothing is sealed yet.
func (s *Service) Head(ctx context.Context) (Head, error) { return head(ctx, s.db) }

// head is the newest sealed record; in an empty table the chain continues where it was purged.
func head(ctx context.Context, q db.Querier) (Head, error) {
	h, found, err := heads.One(ctx, q, "r.seal_no IS NOT NULL ORDER BY r.seal_no DESC LIMIT 1")
	if err != nil || found {
		return h, err
	}
	purged, err := counter.Stored(ctx, q, scopePurged)
	return Head{purged, origin}, err
}

// Seal seals a batch of the records that have no seal, and returns how many. Concurrent calls are safe: numbers are
// unique, and the later transaction retries.
func (s *Service) Seal(ctx context.Context) (int, error) {
	n := 0
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		rows, err := records.Find(ctx, tx, "r.seal_no IS NULL ORDER BY r.id LIMIT ?", batch)
		if err != nil || len(rows) == 0 {
			n = 0
			return err
		}
		last, err := head(ctx, tx)
		if err != nil {
			return err
		}
		// A number is never reused, so that records missing at the end are noticed.
		sealed, err := counter.Stored(ctx, tx, scopeSealed)
		if err != nil {
			return err
		}
		last.Number = max(last.Number, sealed)
		for _, r := range rows {
			next := Head{Number: last.Number + 1}
			if next.Seal, err = r.seal(next.Number, last.Seal); err != nil {
				return err
			}
			if err := setSeal(ctx, tx, r.ID, next, last.Seal); err != nil {
				return err
			}
			last = next
		}
		n = len(rows)
		return counter.Store(ctx, tx, scopeSealed, last.Number, s.now())
	})
	if err != nil {
		return 0, fmt.Errorf("seal the records of changes: %w", err)
	}
	return n, nil
}

// SealAll seals every record. An attempt fails if another process seals at the same time, and is repeated.
func (s *Service) SealAll(ctx context.Context) error {
	const attempts = 5
	for failed := 0; ; {
		n, err := s.Seal(ctx)
		switch {
		case err == nil && n == 0:
			return nil
		case err != nil:
			if failed++; failed == attempts {
				return err
			}
		}
	}
}

func setSeal(ctx context.Context, tx *db.Tx, id int64, h Head, previous string) error {
	sealed, err := records.Moved(ctx, tx, table.Set{"seal_no": h.Number, "seal_prev": previous, "seal_hash": h.Seal},
		"id = ? AND seal_no IS NULL", id)
	if err == nil && !sealed {
		err = fmt.Errorf("seal record %d: %w", id, errMoved)
	}
	return err
}

// seal returns the record's hash at a number after the previous seal. The members are encoded as an array, which makes
// their boundaries unambiguous.
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

// errMoved says that another process has sealed a record concurrently.
var errMoved = errors.New("sealed by another process")
