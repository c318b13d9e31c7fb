package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"time"

	"shop.internal/pkg/domain/internal/store/counter"
	"shop.internal/pkg/domain/internal/store/db"
	"shop.internal/pkg/domain/internal/store/table"
	"shop.internal/pkg/domain/internal/store/upload"
	"shop.internal/pkg/domain/runtime/job"
)

// Address returns the address of a file for what a client has sent: its key, or an address of it under any base of the
// shop. Everything else is returned as it is.
func (s *Service) Address(sent string) string { return s.db.Files().Shown(sent) }

// upgraded is the name under which it is stored when this release first met the shop, in milliseconds; 0 for a shop
// that had no files, which no earlier release can show.
const upgraded = "files:upgraded"

// KeepAddresses stores whole addresses for a time after the shop was upgraded to this release, since the release before
// cannot show keys and may run beside it.
func (s *Service) KeepAddresses(ctx context.Context, keep time.Duration) error {
	if keep <= 0 {
		s.db.Files().StoreKeysFrom(time.UnixMilli(0))
		return nil
	}
	s.db.Files().StoreKeysFrom(time.UnixMilli(math.MaxInt64)) // should the database not answer
	old, err := upload.Any(ctx, s.db)
	if err != nil {
		return fmt.Errorf("look for files: %w", err)
	}
	var now int64
	if old {
		now = s.clock().UnixMilli()
	}
	since, err := counter.First(ctx, s.db, upgraded, now, s.clock())
	if err != nil {
		return fmt.Errorf("find when the shop was upgraded: %w", err)
	}
	if since > 0 {
		since += keep.Milliseconds()
	}
	s.db.Files().StoreKeysFrom(time.UnixMilli(since))
	return nil
}

// Jobs returns the job that stores keys in old rows.
func (s *Service) Jobs() []job.Job {
	return []job.Job{{
		Name: "fileKeys", Every: 10 * time.Minute, MaxEvery: 24 * time.Hour, Run: s.storeKeys,
		Does: "stores the keys of the shop's files in rows in which an earlier release, or a replica of one, has stored " +
			"whole addresses, from `storage.keep-addresses` after the upgrade",
	}}
}

// keysPerRun bounds the rows that one run reads.
const keysPerRun = 500

// storeKeys stores keys in the next rows, and remembers for each table how far it has come. With other bases it begins
// again, since they may make other addresses the shop's own.
func (s *Service) storeKeys(ctx context.Context) (int, error) {
	if !s.db.Files().StoresKeys() {
		return 0, nil
	}
	bases := sha256.Sum256([]byte(strings.Join(s.db.Files().Own(), "\n")))
	for _, t := range table.All() {
		if !t.HoldsAddresses() {
			continue
		}
		place := "files:" + hex.EncodeToString(bases[:8]) + ":" + t.Name
		after, err := counter.Stored(ctx, s.db, place)
		if err != nil {
			return 0, fmt.Errorf("read how far keys are stored in %s: %w", t.Name, err)
		}
		last, n, err := t.Rekey(ctx, s.db, after, keysPerRun)
		if err != nil {
			return 0, err
		}
		if n == 0 {
			continue
		}
		return n, s.db.InTx(ctx, func(tx *db.Tx) error { return counter.Store(ctx, tx, place, last, s.clock()) })
	}
	return 0, nil
}
